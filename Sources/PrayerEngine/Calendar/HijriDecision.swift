/// A committee's decision about a month's beginning, and the resulting pin.
extension HijriCalendar {
    /// A month's beginning as a person decided it, for ``pinning(_:to:)``.
    public struct Pin: Sendable, Equatable {
        /// The month that begins.
        public let month: HijriMonth
        /// The civil day of its first daylight.
        public let date: CivilDate

        package init(month: HijriMonth, date: CivilDate) { (self.month, self.date) = (month, date) }
    }

    /// Returns the pin for a crescent that was seen on the evening of a civil day: the new month begins the day after. `nil` if
    /// no month is about to begin.
    public func sighted(onEveningOf day: CivilDate) -> Pin? {
        let first = day.adding(days: 1)
        let near = HijriMonth(HijriDate(first))
        for month in [near, near.next] {
            // Compare with the calendar that every pin is checked against, whichever calendar is in force.
            let distance = abs(HijriDate.start(of: month) - first.dayNumber)
            if distance <= HijriPinRefusal.mostDays { return Pin(month: month, date: first) }
        }
        return nil
    }

    /// Returns the pin for a month of thirty days. On a month's first two days the previous month is meant: the announcement is
    /// late.
    public func completed(on day: CivilDate) -> Pin {
        let today = date(day)
        var month = HijriMonth(today)
        if today.day <= 2 { month = month.previous }
        return Pin(month: month.next, date: firstDay(of: month).adding(days: 30))
    }
}

/// Days on which a mosque has something to announce.
extension HijriDate {
    /// The two feasts: al-Fitr, which ends Ramadan, and al-Adha.
    public enum Eid: String, CaseIterable, Sendable {
        case fitr, adha
    }

    /// The Eid of the day: 1 Shawwal, 10 Dhu al-Hijjah.
    public var eid: Eid? {
        switch (month, day) {
        case (10, 1): .fitr
        case (12, 10): .adha
        default: nil
        }
    }

    /// Whether the night is one of the 21st to the end of Ramadan. Use it for an evening's date, because a night precedes its
    /// day.
    public var isInLastTenNights: Bool { month == 9 && day >= 21 }

    /// 9 to 13 Dhu al-Hijjah: the days after whose prayers the takbirat of al-Adha are said.
    public var isTashriq: Bool { month == 12 && (9...13).contains(day) }
}
