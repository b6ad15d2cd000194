package import PrayerEngine
package import Settings

/// Where times are computed for, and how: what a configuration means once the machine's time zone is known.
package struct Site: Sendable {
    /// `Queens, New York`; the coordinates when nobody named the place.
    package let name: String
    package let place: Place
    /// True when nobody configured a location and the principal place of the time zone stands in.
    package let approximate: Bool
    /// True when the time zone names no place either, so that nobody knows where this is: what is calculated is Greenwich's,
    /// and nothing is called by it.
    package let isUnplaced: Bool
    package let zone: Zone
    package let calculation: Calculation
    /// The chooser of the method.
    package let choice: MethodChoice
    package let times: TimesSource
    /// The computed times, whatever is published.
    package var computedTimes: ComputedTimes { times.computed }

    package init(
        name: String, place: Place, approximate: Bool, isUnplaced: Bool = false, zone: Zone,
        calculation: Calculation, choice: MethodChoice = MethodChoice(.configuration),
        mosque: MosqueTimes = MosqueTimes()
    ) {
        self.choice = choice
        self.isUnplaced = isUnplaced
        self.name = name
        self.place = place
        self.approximate = approximate
        self.zone = zone
        self.calculation = calculation
        times = TimesSource(
            computed: ComputedTimes(place: place, calculation: calculation, zone: zone), mosque: mosque)
    }

    /// The text for a person whose change of the configuration moves the box; `nil` where it stands where it stood.
    package func move(from old: Site) -> String? {
        guard (place.latitude, place.longitude) != (old.place.latitude, old.place.longitude) else {
            return nil
        }
        let known = isUnplaced ? "no place is known any more" : "the place is now \(name)"
        return old.isUnplaced ? known : "\(known), and was \(old.name)"
    }

    /// The same place with all that its mosque says.
    package func following(_ mosque: MosqueTimes) -> Site {
        Site(
            name: name, place: place, approximate: approximate, isUnplaced: isUnplaced, zone: zone,
            calculation: calculation, choice: choice, mosque: mosque)
    }

    /// The same place by what its mosque has decided; what is left out stays.
    package func applying(
        table: PublishedTimetable? = nil, exceptions: DayExceptions? = nil, hijri: HijriCalendar? = nil
    ) -> Site {
        var (calculation, mosque) = (calculation, times.mosque)
        calculation.hijri = hijri ?? calculation.hijri
        mosque.table = table ?? mosque.table
        mosque.exceptions = exceptions ?? mosque.exceptions
        return Site(
            name: name, place: place, approximate: approximate, isUnplaced: isUnplaced, zone: zone,
            calculation: calculation, choice: choice, mosque: mosque)
    }
}
