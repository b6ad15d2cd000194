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
    package let timetable: Timetable

    package init(name: String, place: Place, approximate: Bool, zone: Zone, calculation: Calculation) {
        self.name = name
        self.place = place
        self.approximate = approximate
        self.zone = zone
        self.calculation = calculation
        timetable = Timetable(place: place, calculation: calculation, zone: zone)
    }
}
