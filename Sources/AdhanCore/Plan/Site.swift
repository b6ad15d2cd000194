package import PrayerEngine

/// Where times are computed for, and how: what a configuration means once the machine's time zone is known.
package struct Site: Sendable {
    /// `Queens, New York`; the coordinates when nobody named the place.
    package let name: String
    package let place: Place
    /// True when nobody configured a location and the principal place of the time zone stands in.
    package let approximate: Bool
    package let zone: Zone
    package let calculation: Calculation
    package let times: TimesSource
    /// What is computed, whatever is published.
    package var timetable: Timetable { times.computed }

    package init(
        name: String, place: Place, approximate: Bool, zone: Zone, calculation: Calculation,
        mosque: MosqueTimes = MosqueTimes()
    ) {
        self.name = name
        self.place = place
        self.approximate = approximate
        self.zone = zone
        self.calculation = calculation
        times = TimesSource(
            computed: Timetable(place: place, calculation: calculation, zone: zone), mosque: mosque)
    }

    /// The same place by what its mosque has decided; what is left out stays.
    package func deciding(
        table: PublishedTable? = nil, exceptions: DayExceptions? = nil, hijri: HijriCalendar? = nil
    ) -> Site {
        var (calculation, mosque) = (calculation, times.mosque)
        calculation.hijri = hijri ?? calculation.hijri
        mosque.table = table ?? mosque.table
        mosque.exceptions = exceptions ?? mosque.exceptions
        return Site(
            name: name, place: place, approximate: approximate, zone: zone, calculation: calculation,
            mosque: mosque)
    }
}
