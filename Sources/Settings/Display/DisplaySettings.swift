package import Texts

/// How the display behaves: `/etc/adhand/display.toml`. All times are in seconds.
package struct DisplaySettings: Sendable, Equatable {
    package enum PrayerStyle: String, Sendable, CaseIterable, Codable {
        /// `clock` where people gather: the prayer has an iqama or a khutba. `board` where it has neither, as at home.
        case auto
        /// Nothing at all.
        case black
        /// Black, with a small dim clock and the time since the iqama.
        case clock
        /// The day's times, dimmed.
        case times
        /// Scenes at other times.
        case board
    }

    package enum HijriTurn: String, Sendable, CaseIterable, Codable {
        case maghrib, midnight
    }

    package struct Scenes: Sendable, Equatable {
        package var approachingSeconds = 300.0
        /// How long the adhan is shown where its sound does not say.
        package var adhanSeconds = 180.0
        package var duaSeconds = 90.0
        package var iqamaSeconds = 30.0
        package var prayerSeconds: [Prayer: Double] = [:]
        package var otherPrayerSeconds = 600.0
        package var eidPrayerSeconds = 900.0
        package var prayerStyle = PrayerStyle.auto
        package var adhkarSeconds = 300.0
        /// Of a khutba whose prayer has no time of its own.
        package var khutbaSeconds = 1800.0
        package var night = true
        package var nightAfterIshaSeconds = 5400.0
        package var nightBeforeFajrSeconds = 2700.0

        package init() {}

        package func length(of prayer: Prayer) -> Double { self.prayerSeconds[prayer] ?? otherPrayerSeconds }

        /// Whether the board gives way while a prayer is prayed that has an iqama or a khutba (`isGathering`), or neither.
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
    /// Days ahead on which a changed iqama and a feast's prayer are announced.
    package var noticeDays = 7
    package var announcements: [ScreenAnnouncement] = []

    package init() {}
}
