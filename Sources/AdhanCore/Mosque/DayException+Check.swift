package import PrayerEngine

/// Whether somebody can mean an exception: times that are typed wrongly are mostly far from where the sun is.
extension DayException {
    package struct Fault: Error, Sendable, Equatable {
        /// What was written.
        package let value: String
        package let reason: String
    }

    /// - Parameters:
    ///   - day: the day's times without the exception.
    ///   - next: those of the day after, before whose Fajr the night is over.
    package func check(on day: SiteDay, next: SiteDay, in zone: Zone) throws(Fault) {
        if prayer == .jumua, !date.isFriday {
            throw Fault(
                value: date.description, reason: "it is \(LocalText.long(date)), and Jumua is on Fridays")
        }
        let usual = day[prayer.event].map { SunReference.minutes(of: $0, after: date, in: zone) }
        let called = published.minutes(of: beginning, adhan: usual.map { Int($0.rounded(.down)) })
        if let adhan, let called { try checkWindow(called, adhan, prayer.title, day, next, zone) }
        guard let iqama, let from = called.map(Double.init) ?? usual,
            let stands = published.minutes(of: congregation, adhan: Int(from.rounded(.down)))
        else { return }
        guard Double(stands) >= from - 0.5 else {
            throw Fault(
                value: ClockText.format(iqama),
                reason:
                    "the iqama would be before \(beginningName) at \(ClockText.format(Int(from.rounded())))")
        }
        try checkWindow(stands, iqama, "the iqama", day, next, zone)
    }

    private var beginningName: String { prayer == .jumua ? "the khutba" : "the adhan" }

    private func checkWindow(
        _ minutes: Int, _ written: Int, _ what: String, _ day: SiteDay, _ next: SiteDay, _ zone: Zone
    ) throws(Fault) {
        let at = PublishedDay.instant(of: minutes, on: date, in: zone)
        let (first, last) = window(day, next)
        func fault(_ word: String, _ bound: Bound) -> Fault {
            let time = bound.at.map { " (\(InstantText.minute($0, in: zone)))" } ?? ""
            return Fault(
                value: ClockText.format(written), reason: "\(what) would be \(word) \(bound.name)\(time)")
        }
        if let start = first?.at, let first, at < start { throw fault("before", first) }
        if let end = last.at, end <= at { throw fault("after", last) }
    }

    private typealias Bound = (name: String, at: Instant?)

    /// Between what a prayer may be at all. Prayers that are joined are called at the time of the other one.
    private func window(_ day: SiteDay, _ next: SiteDay) -> (first: Bound?, last: Bound) {
        let dawn: Bound = ("the next day's fajr", next[.fajr])
        return switch prayer {
        case .fajr: (nil, ("sunrise", day[.sunrise]))
        case .dhuhr, .jumua: (("sunrise", day[.sunrise]), ("maghrib", day[.maghrib]))
        case .asr: (("dhuhr", day[.dhuhr]), ("maghrib", day[.maghrib]))
        case .maghrib: (("asr", day[.asr]), dawn)
        case .isha: (("maghrib", day[.maghrib]), dawn)
        }
    }

    /// Minutes before sunset from which on a maghrib is worth a word.
    private static let earlyMaghrib = 2.0

    /// What is possible, and seldom meant.
    package func caution(on day: SiteDay, in zone: Zone) -> String? {
        guard prayer == .maghrib, let adhan, let sunset = day.computed[.sunset] else { return nil }
        let at = PublishedDay.instant(of: adhan, on: date, in: zone)
        let early = (sunset - at) / 60
        guard early > Self.earlyMaghrib else { return nil }
        return
            "this maghrib is \(Int(early.rounded())) min before the sun sets (\(InstantText.minute(sunset, in: zone))), and people break their fast by it"
    }
}
