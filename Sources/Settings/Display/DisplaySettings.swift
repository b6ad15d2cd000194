package import Texts

/// The behaviour of the display: `/etc/adhand/display.toml`. All times are in seconds.
package struct DisplaySettings: Sendable, Equatable {
    package enum PrayerStyle: String, Sendable, CaseIterable, Codable {
        /// `clock` where people gather: the prayer has an iqama or a khutba. `board` where it has neither, as at home.
        case auto
        /// The screen is black.
        case black
        /// Black, with a small dim clock and the time since the iqama.
        case clock
        /// The day's times, dimmed.
        case times
        /// The scenes of other times.
        case board
    }

    package enum HijriTurn: String, Sendable, CaseIterable, Codable {
        case maghrib, midnight
    }

    package struct Scenes: Sendable, Equatable {
        package var approachingSeconds = 300.0
        /// Seconds for which the adhan is shown if its sound's length is unknown.
        package var adhanSeconds = 180.0
        package var duaSeconds = 90.0
        package var iqamaSeconds = 30.0
        package var prayerSeconds: [Prayer: Double] = [:]
        package var otherPrayerSeconds = 600.0
        package var eidPrayerSeconds = 900.0
        package var prayerStyle = PrayerStyle.auto
        package var adhkarSeconds = 300.0
        /// Seconds of a khutba whose prayer has no time of its own.
        package var khutbaSeconds = 1800.0
        package var night = true
        package var nightAfterIshaSeconds = 5400.0
        package var nightBeforeFajrSeconds = 2700.0

        package init() {}

        package func length(of prayer: Prayer) -> Double { self.prayerSeconds[prayer] ?? otherPrayerSeconds }

        /// Whether the home screen is hidden during a prayer that has an iqama or a khutba (`isGathering`), or neither.
        package func hidesBoard(isGathering: Bool) -> Bool {
            switch prayerStyle {
            case .auto: isGathering
            case .black, .clock, .times: true
            case .board: false
            }
        }
    }

    package var scenes = Scenes()
    package var hijriTurn = HijriTurn.maghrib
    package var forbiddenTimes = false
    /// Days ahead on which a changed iqama and an Eid prayer are announced.
    package var noticeDays = 7
    package var announcements: [ScreenAnnouncement] = []

    package init() {}
}
