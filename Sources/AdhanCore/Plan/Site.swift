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
        published: PublishedTimes? = nil
    ) {
        self.name = name
        self.place = place
        self.approximate = approximate
        self.zone = zone
        self.calculation = calculation
        times = TimesSource(
            computed: Timetable(place: place, calculation: calculation, zone: zone), published: published)
    }

    /// The same place by another Hijri calendar.
    func observing(_ hijri: HijriCalendar) -> Site {
        guard hijri != calculation.hijri else { return self }
        var calculation = calculation
        calculation.hijri = hijri
        return Site(
            name: name, place: place, approximate: approximate, zone: zone, calculation: calculation,
            published: times.published)
    }
}
