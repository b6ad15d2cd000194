import ArgumentParser
import ControlClient
import Host
import PrayerEngine
import Times

struct TimetablePlaceOptions: ParsableArguments {
    @Option(
        name: .long, help: ArgumentHelp("The state directory with the timetable.", valueName: "directory"),
        completion: .directory)
    var stateDir: String?

    @Option(
        name: .long, help: ArgumentHelp("The configuration with the place.", valueName: "file"),
        completion: .configurations)
    var config: String?
}

/// The timetable of the daemon that adhanctl talks to. Works without the daemon, too.
struct TimetablePlace {
    let state: StatePlace
    let site: Site
    private let daemon: ControlClient

    var stateDirectory: String { state.directory }

    init(_ options: TimetablePlaceOptions, _ daemon: ControlClient) throws(CommandError) {
        self.daemon = daemon
        state = StatePlace(named: options.stateDir, daemon)
        site = try LocalConfiguration(
            file: options.config ?? state.configuration, over: options.config == nil ? state.settings : nil
        ).site()
    }

    /// The table in force.
    func table() throws(CommandError) -> PublishedTimetable {
        try OverridesReader(state: state, daemon: daemon).table()
    }

    var today: CivilDate { site.zone.civilDate(of: WallClock.now()) }
}
