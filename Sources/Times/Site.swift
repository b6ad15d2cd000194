package import PrayerEngine
package import Settings

/// The place and the method of computed times: a configuration together with the machine's time zone. Two and a half kilobytes
/// that never change and are part of every state of the daemon, therefore on the heap.
package final class Site: Sendable {
    /// `Queens, New York`; the coordinates where the place has no name.
    package let name: String
    package let place: Place
    /// Whether no location is configured and the principal place of the time zone is used.
    package let approximate: Bool
    /// Whether the time zone names no place either: times are Greenwich's, and nothing is called by them.
    package let isUnplaced: Bool
    package let zone: Zone
    package let calculation: Calculation
    /// The choice of the method and its author.
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

    /// The text for a person whose change of the configuration moves the box; `nil` where the place is the same.
    package func move(from old: Site) -> String? {
        guard (place.latitude, place.longitude) != (old.place.latitude, old.place.longitude) else {
            return nil
        }
        let known = isUnplaced ? "no place is known any more" : "the place is now \(name)"
        return old.isUnplaced ? known : "\(known), and was \(old.name)"
    }

    /// Returns the same place with everything that its mosque decides.
    package func following(_ mosque: MosqueTimes) -> Site {
        Site(
            name: name, place: place, approximate: approximate, isUnplaced: isUnplaced, zone: zone,
            calculation: calculation, choice: choice, mosque: mosque)
    }

    /// Returns the site with a mosque's overrides; omitted parts stay.
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
