package import PrayerEngine
package import Settings
package import Texts

/// Whether an exception is plausible: mistyped times are usually far from the sun's.
extension DayException {
    package struct CheckRefusal: Error, Sendable, Equatable {
        /// The bytes as written.
        package let value: String
        package let reason: String
    }

    /// Reads the times of an exception as a person wrote them. ``check(on:next:in:)`` decides whether they fit the times of the
    /// day.
    /// - Parameter today: the present day at the place of the exception.
    package init(
        date: CivilDate, prayer: Prayer, adhan: String?, iqama: String?, today: CivilDate
    ) throws(CheckRefusal) {
        // Last night's Isha belongs to yesterday.
        guard date >= today.adding(days: -1) else {
            throw CheckRefusal(value: date.description, reason: "the day is past")
        }
        let adhanMinutes = try adhan.map { text throws(CheckRefusal) in try Self.minutes(text) }
        let iqamaMinutes = try iqama.map { text throws(CheckRefusal) in try Self.minutes(text) }
        self.init(date: date, prayer: prayer, adhanMinutes: adhanMinutes, iqamaMinutes: iqamaMinutes)
    }

    private static func minutes(_ text: String) throws(CheckRefusal) -> Int {
        guard let minutes = ClockText.parse(text) else {
            throw CheckRefusal(value: text, reason: "write a time of day such as 18:31, 00:00 to 23:59")
        }
        return minutes
    }

    /// Refuses an exception for a prayer that its day does not have.
    package func checkWeekday() throws(CheckRefusal) {
        guard prayer != .jumua || date.isFriday else {
            throw CheckRefusal(
                value: date.description, reason: "it is \(LocalText.long(date)), and Jumu'ah is on Fridays")
        }
    }

    /// - Parameters:
    ///   - day: the day's times without the exception.
    ///   - next: the times of the next day: the night ends at its Fajr.
    package func check(on day: SiteDay, next: SiteDay, in zone: Zone) throws(CheckRefusal) {
        try checkWeekday()
        let (hasSlots, set) = (!day.jumuaIsDhuhr, published(hasSlots: !day.jumuaIsDhuhr))
        let usual = day[prayer.event].map { SunReference.minutes(of: $0, after: date, in: zone) }
        let called = set.minutes(
            of: beginning(hasSlots: hasSlots), adhan: usual.map { Int($0.rounded(.down)) })
        if let adhanMinutes, let called {
            try checkWindow(called, adhanMinutes, prayer.title, day, next, zone)
        }
        guard let iqamaMinutes, let from = called.map(Double.init) ?? usual,
            let stands = set.minutes(
                of: congregation(hasSlots: hasSlots), adhan: Int(from.rounded(.down)))
        else { return }
        guard Double(stands) >= from - 0.5 else {
            throw CheckRefusal(
                value: ClockText.format(iqamaMinutes),
                reason:
                    "the iqama would be before \(prayer == .jumua && hasSlots ? "the khutba" : "the adhan") at \(ClockText.format(Int(from.rounded())))"
            )
        }
        try checkWindow(stands, iqamaMinutes, "the iqama", day, next, zone)
    }

    private func checkWindow(
        _ minutes: Int, _ written: Int, _ what: String, _ day: SiteDay, _ next: SiteDay, _ zone: Zone
    ) throws(CheckRefusal) {
        let at = PublishedDay.instant(of: minutes, on: date, in: zone)
        let (first, last) = window(day, next)
        func fault(_ word: String, _ bound: Bound) -> CheckRefusal {
            let time = bound.at.map { " (\(InstantText.minute($0, in: zone)))" } ?? ""
            return CheckRefusal(
                value: ClockText.format(written), reason: "\(what) would be \(word) \(bound.name)\(time)")
        }
        if let start = first?.at, let first, at < start { throw fault("before", first) }
        if let end = last.at, end <= at { throw fault("after", last) }
    }

    private typealias Bound = (name: String, at: Instant?)

    /// The bounds of a prayer's time. Joined prayers are called at the time of the other one.
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

    /// Minutes before sunset from which a maghrib is doubtful.
    private static let earlyMaghribMinutes = 2.0

    /// Minutes before dawn from which a fajr is doubtful: methods differ by less.
    private static let earlyFajrMinutes = 15.0

    /// Cautions about values that are possible but probably mistakes.
    package func cautions(on day: SiteDay, in zone: Zone) -> [String] {
        guard let adhanMinutes else { return [] }
        var cautions: [String] = []
        let set = published(hasSlots: !day.jumuaIsDhuhr)
        let usual = day[prayer.event].map { Int(SunReference.minutes(of: $0, after: date, in: zone)) }
        let minutes = set.minutes(of: beginning(hasSlots: !day.jumuaIsDhuhr), adhan: usual) ?? adhanMinutes
        let at = PublishedDay.instant(of: minutes, on: date, in: zone)
        if prayer == .fajr, let dawn = day[.fajr], dawn - at >= Self.earlyFajrMinutes * 60 {
            let early = Int(((dawn - at) / 60).rounded())
            cautions.append(
                "this fajr is \(early) min before the day's fajr (\(InstantText.minute(dawn, in: zone)))")
        }
        if prayer == .maghrib, let sunset = day.computed[.sunset], sunset - at > Self.earlyMaghribMinutes * 60
        {
            let early = Int(((sunset - at) / 60).rounded())
            cautions.append(
                "this maghrib is \(early) min before the sun sets (\(InstantText.minute(sunset, in: zone))), and people break their fast by it"
            )
        }
        // Prayers that are joined are called at one time.
        let following: Prayer? = [.dhuhr: .asr, .jumua: .asr, .maghrib: .isha][prayer]
        if let following, let next = day[following.event], next < at {
            cautions.append(
                "\(prayer.title) is now after \(following.title) at \(InstantText.minute(next, in: zone)); unless they are joined, set that as well"
            )
        }
        return cautions
    }

    /// A caution about an iqama of the day that a rule or the timetable puts before the adhan of this exception.
    package func iqamaCaution(on decided: SiteDay, in zone: Zone) -> String? {
        guard adhanMinutes != nil, iqamaMinutes == nil else { return nil }
        let slot = prayer == .jumua ? decided.slots.first { $0.number == 1 } : nil
        let (begins, stands) =
            slot.map { ($0.khutba?.at, $0.prayer?.at) }
            ?? (decided[prayer.event], decided.congregations[prayer == .jumua ? .dhuhr : prayer]?.at)
        guard let begins, let stands, stands < begins else { return nil }
        return
            "the iqama is at \(InstantText.minute(stands, in: zone)), before \(slot == nil ? "this adhan" : "this khutba"); set it as well with --iqama"
    }

    // MARK: A second exception for the same prayer of the same day

    /// The times that only the earlier exception sets: an exception replaces the earlier one as a whole.
    package func loss(of earlier: DayException?) -> String? {
        let lost = lost(of: earlier)
        guard !lost.isEmpty else { return nil }
        return
            "the earlier exception (\(lost)) no longer applies: a new one replaces it; to set both times, give both in one command"
    }

    /// The remark when this exception was refused: it may have been intended as an addition to the earlier one.
    package func remark(onRefusalAfter earlier: DayException?) -> String? {
        let lost = lost(of: earlier)
        guard !lost.isEmpty else { return nil }
        return
            "; it would replace the earlier exception (\(lost)): to set both times, give both in one command"
    }

    /// `17:30`, `iqama 17:40`, or both.
    private func lost(of earlier: DayException?) -> String {
        var times: [String] = []
        if adhanMinutes == nil, let time = earlier?.adhanMinutes { times.append(ClockText.format(time)) }
        if iqamaMinutes == nil, let time = earlier?.iqamaMinutes {
            times.append("iqama \(ClockText.format(time))")
        }
        return times.joined(separator: ", ")
    }
}
