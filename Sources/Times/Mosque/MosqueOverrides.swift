package import PrayerEngine
package import Settings
import Texts

/// A mosque's decisions beside its configuration: its timetable, single days set by hand, and when months begin.
package struct MosqueOverrides: Sendable, Equatable {
    package var table = PublishedTimetable()
    package var exceptions = DayExceptions()
    /// First days of months that were set by command; a day in the configuration wins.
    package var pins: [HijriMonth: CivilDate] = [:]
    /// The switches of `enable`, `disable` and `skip` over the configuration.
    package var toggles = Toggles()

    package init() {}
}

extension Site {
    /// The site with a mosque's overrides, as the daemon applies them.
    package func applying(_ decided: MosqueOverrides) -> Site {
        var (calculation, mosque) = (calculation, times.mosque)
        _ = calculation.hijri.add(decided.pins)
        mosque.table = decided.table
        mosque.exceptions = decided.exceptions
        mosque.switch(decided.toggles)
        return Site(
            name: name, place: place, approximate: approximate, isUnplaced: isUnplaced, zone: zone,
            calculation: calculation, choice: choice, mosque: mosque)
    }
}

extension MosqueTimes {
    /// Sets the switches of `enable`, `disable` and `skip` over the configuration's.
    package mutating func `switch`(_ toggles: Toggles) {
        skips = toggles.skips
        let configured = off
        off = Set(Prayer.allCases.filter { !toggles.isEnabled($0) { !configured.contains($0) } })
    }
}
