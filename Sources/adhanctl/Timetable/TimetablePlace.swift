import AdhanCore
import ArgumentParser
import ControlClient
import Host
import PrayerEngine

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

/// Whose timetable is meant: that of the daemon that adhanctl talks to. Works without it, too.
struct TimetablePlace {
    let stateDirectory: String
    let site: Site
    private let daemon: ControlClient

    /// Seconds that the daemon has to answer: it can be done without.
    private static let patience = 2.0

    init(_ options: TimetablePlaceOptions, _ daemon: ControlClient) throws(CommandError) {
        self.daemon = daemon
        let environment = Environment.process
        var status: StatusDocument?
        if options.stateDir == nil || options.config == nil {
            status = try? daemon.ask("GetStatus", for: StatusReply.self, patience: Self.patience).status
        }
        // Root writes where the answer leads, so the answer must lead to a daemon's directory.
        let told = status?.stateDirectory.flatMap {
            environment.userID != 0 || environment.exists($0 + "/adhand.lock") ? $0 : nil
        }
        stateDirectory =
            options.stateDir.map(Directories.absolute) ?? told
            ?? Paths.clientState(option: nil, in: environment)
        let file = options.config ?? status.map(\.configuration).flatMap { environment.exists($0) ? $0 : nil }
        site = try LocalConfiguration(file: file).site()
    }

    /// The table in force.
    func table() throws(CommandError) -> PublishedTable {
        try DecidedReader(stateDirectory: stateDirectory, daemon: daemon).table()
    }

    var today: CivilDate { site.zone.civilDate(of: WallClock.now()) }
}
