import PrayerEngine
import PrayerLog

/// A place of plain times: fajr 5:00 to 6:30, dhuhr 12:00, asr 15:00, maghrib 18:00, isha 19:30 until the next fajr.
enum Fixture {
    static let zone = Zone.utc

    static func date(_ text: String) -> CivilDate { CivilDate(text) ?? CivilDate(dayNumber: 0) }

    static func at(_ date: CivilDate, _ hour: Int, _ minute: Int = 0) -> Instant {
        zone.instant(of: date, secondOfDay: Double(hour * 3600 + minute * 60))
    }

    static func events(_ date: CivilDate) -> [DayEvent: Instant] {
        [
            .fajr: at(date, 5), .sunrise: at(date, 6, 30), .dhuhr: at(date, 12), .asr: at(date, 15),
            .maghrib: at(date, 18),
            .isha: at(date, 19, 30),
        ]
    }

    static func windows(_ date: CivilDate) -> DayWindows {
        DayWindows(date: date, zone: zone, events: events)
    }

    static func today(_ text: String, _ hour: Int, _ minute: Int = 0) -> Today {
        Today(now: at(date(text), hour, minute), zone: zone, windows: windows)
    }

    static func marking(_ today: Today) -> Marking { Marking(today: today, zone: zone, windows: windows) }

    static func mark(
        _ date: CivilDate, _ prayer: DailyPrayer, _ status: MarkStatus = .prayed, at instant: Instant? = nil
    ) -> Mark {
        Mark(
            slot: PrayerSlot(date, prayer), status: status, at: instant, source: .command,
            markedAt: at(date, 23), offset: 0)
    }

    /// All five of a day.
    static func day(_ date: CivilDate, _ status: MarkStatus = .prayed) -> [Mark] {
        DailyPrayer.allCases.map { mark(date, $0, status) }
    }
}
