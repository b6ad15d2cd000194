package import PrayerEngine

/// What a mosque keeps beside its configuration: its timetable, single days set by hand, and when months begin.
package struct DecidedTimes: Sendable, Equatable {
    package var table = PublishedTable()
    package var exceptions = DayExceptions()
    /// First days of months, as they were told by command; one in the configuration wins.
    package var pins: [HijriMonth: CivilDate] = [:]

    package init() {}
}

extension Site {
    /// The same place by what its mosque has decided, as the daemon takes it.
    package func deciding(_ decided: DecidedTimes) -> Site {
        var (calculation, mosque) = (calculation, times.mosque)
        _ = calculation.hijri.add(decided.pins)
        mosque.table = decided.table
        mosque.exceptions = decided.exceptions
        return Site(
            name: name, place: place, approximate: approximate, zone: zone, calculation: calculation,
            mosque: mosque)
    }
}
