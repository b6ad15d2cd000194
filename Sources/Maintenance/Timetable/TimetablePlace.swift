package import ControlClient
import Host
package import PrayerEngine
package import Times

/// The timetable of the daemon that adhanctl talks to. It works without the daemon as well.
package struct TimetablePlace {
    package let state: StatePlace
    package let site: Site
    private let daemon: ControlClient

    package var stateDirectory: String { state.directory }

    package init(_ named: NamedPlaces, _ daemon: ControlClient) throws(CommandError) {
        self.daemon = daemon
        state = StatePlace(named: named.state, daemon)
        site = try LocalConfiguration(
            file: named.configuration ?? state.configuration,
            over: named.configuration == nil ? state.settings : nil,
            fleet: named.configuration == nil ? state.fleet : nil
        ).site()
    }

    /// The table in force.
    package func table() throws(CommandError) -> PublishedTimetable {
        try OverridesReader(state: state, daemon: daemon).table()
    }

    package var today: CivilDate { site.zone.civilDate(of: WallClock.now()) }
}
