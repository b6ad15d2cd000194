/// The Hijri calendar of a community: an authority's calendar, shifted by some days, and corrected month by month by a person
/// of that community.
public struct HijriCalendar: Sendable, Equatable {
    /// The beginning of the Hijri day whose daylight lies in a civil day.
    public enum DayBegins: String, CaseIterable, Sendable {
        /// The Hijri day begins at the maghrib before the daylight.
        case maghrib
        case midnight
    }

    /// The authority of the months.
    public var rule: HijriRule { didSet { moveNeighbours() } }
    /// Days to add, where moon sighting runs ahead of or behind that calendar.
    public var adjustment: Int { didSet { moveNeighbours() } }
    /// The beginning of a Hijri day. It affects ``evening(of:)``, but not the day of a daylight, ``date(_:)``.
    public var dayBegins: DayBegins
    /// The civil day of each month's first daylight, for months that a person pinned.
    public private(set) var pins: [HijriMonth: CivilDate]
    /// First days of months that are not where ``adjustment`` alone puts them, by ``HijriMonth/index``.
    private var moved: [Int: Int] = [:]

    /// Makes a calendar without pins.
    public init(
        rule: HijriRule = .ummAlQura, adjustment: Int = 0, dayBegins: DayBegins = .maghrib
    ) {
        self.rule = rule
        self.adjustment = adjustment
        self.dayBegins = dayBegins
        pins = [:]
    }

    /// Refuses pins that no community's calendar can have: see ``HijriPinRefusal``.
    public init(
        pins: [HijriMonth: CivilDate], rule: HijriRule = .ummAlQura, adjustment: Int = 0,
        dayBegins: DayBegins = .maghrib
    ) throws(HijriPinRefusal) {
        self.init(rule: rule, adjustment: adjustment, dayBegins: dayBegins)
        if let refusal = HijriPinRefusal.first(in: pins) { throw refusal }
        self.pins = pins
        moveNeighbours()
    }

    /// Returns the calendar with one more pin, which replaces the month's own.
    public func pinning(_ month: HijriMonth, to date: CivilDate) throws(HijriPinRefusal) -> HijriCalendar {
        var pins = pins
        pins[month] = date
        return try HijriCalendar(pins: pins, rule: rule, adjustment: adjustment, dayBegins: dayBegins)
    }

    /// Adds pins for months that have none, the latest first; returns the pins that contradict the present ones.
    public mutating func add(_ others: [HijriMonth: CivilDate]) -> [HijriPinRefusal] {
        var refused: [HijriPinRefusal] = []
        for (month, date) in others.sorted(by: { $0.key > $1.key }) where pins[month] == nil {
            do throws(HijriPinRefusal) {
                self = try pinning(month, to: date)
            } catch {
                refused.append(error)
            }
        }
        return refused
    }

    /// The Hijri day whose daylight lies in a civil day.
    public func date(_ date: CivilDate) -> HijriDate {
        let unpinned = HijriDate(date, adjustment: adjustment)
        guard !moved.isEmpty || rule != .ummAlQura else { return unpinned }
        var month = HijriMonth(unpinned)
        while start(of: month) > date.dayNumber { month = month.previous }
        while start(of: month.next) <= date.dayNumber { month = month.next }
        return HijriDate(
            year: month.year, month: month.month, day: date.dayNumber - start(of: month) + 1,
            isArithmetic: unpinned.isArithmetic)
    }

    /// The Hijri day of an event of a civil day: from maghrib on it is the next one.
    public func date(of event: DayEvent, on day: CivilDate) -> HijriDate {
        switch event {
        case .imsak, .fajr, .sunrise, .dhuhr, .asr: date(day)
        case .sunset, .maghrib, .isha, .midnight, .lastThird: evening(of: day)
        }
    }

    /// The Hijri day of a civil day's evening, from maghrib on.
    public func evening(of day: CivilDate) -> HijriDate {
        date(dayBegins == .maghrib ? day.adding(days: 1) : day)
    }

    /// The civil day of a month's first daylight.
    public func firstDay(of month: HijriMonth) -> CivilDate { CivilDate(dayNumber: start(of: month)) }

    private func start(of month: HijriMonth) -> Int {
        moved[month.index] ?? rule.start(of: month) - adjustment
    }

    /// Moves the months next to a pin, which must have 29 or 30 days as well, until the authority's calendar is met again.
    private mutating func moveNeighbours() {
        moved = [:]
        let pinned = pins.sorted { $0.key < $1.key }.map { (index: $0.key.index, day: $0.value.dayNumber) }
        guard let first = pinned.first else { return }
        var (index, day) = first
        moved[index] = day
        while true {
            index -= 1
            let usual = start(of: HijriMonth(index: index))
            day = min(max(usual, day - 30), day - 29)
            if day == usual { break }
            moved[index] = day
        }
        for (number, pin) in pinned.enumerated() {
            (index, day) = pin
            let following = number + 1 < pinned.count ? pinned[number + 1] : nil
            moved[index] = day
            while following.map({ index + 1 < $0.index }) ?? true {
                index += 1
                let usual = start(of: HijriMonth(index: index))
                var (earliest, latest) = (day + 29, day + 30)
                if let following {
                    let months = following.index - index
                    earliest = max(earliest, following.day - 30 * months)
                    latest = min(latest, following.day - 29 * months)
                }
                day = min(max(usual, earliest), latest)
                if day != usual { moved[index] = day } else if following == nil { break }
            }
        }
    }
}
