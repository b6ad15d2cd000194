import Host
package import PrayerEngine
import Protocol
package import Texts

/// A place on the equator whose dhuhr is this many seconds from now.
package struct Spot {
    package let longitude: Double
    package let zone: Zone
    package let zoneName: String
    /// The instant of its next dhuhr.
    package let noon: Instant

    /// The zone is the one in which that is about midday, so that date and prayer are never in doubt.
    package init(noonIn seconds: Double) {
        let target = WallClock.now() + seconds
        let secondOfDay = target.unixSeconds - (target.unixSeconds / 86_400).rounded(.down) * 86_400
        let hours = Int((12 - secondOfDay / 3600).rounded())
        // POSIX counts hours west of Greenwich, and so do these names.
        zoneName = hours == 0 ? "Etc/GMT" : "Etc/GMT\(hours > 0 ? "-" : "+")\(abs(hours))"
        let zone = (try? Zone(name: zoneName, posix: "X\(-hours)")) ?? .utc
        var longitude = Double(hours) * 15
        for _ in 0..<6 {
            longitude -= (target - Self.noon(longitude, zone, target)) / 240
            if abs(longitude) > 180 { longitude -= longitude > 0 ? 360 : -360 }
        }
        self.longitude = longitude
        self.zone = zone
        noon = Self.noon(longitude, zone, target)
    }

    private static func noon(_ longitude: Double, _ zone: Zone, _ near: Instant) -> Instant {
        var calculation = Calculation()
        calculation.rounding = Rounding.none
        guard let place = try? Place(latitude: 0, longitude: longitude) else { return near }
        let timetable = ComputedTimes(place: place, calculation: calculation, zone: zone)
        return timetable.day(zone.civilDate(of: near))[.dhuhr] ?? near
    }

    /// `dhuhr`, or on a Friday `jumua`.
    package var prayer: Prayer { zone.civilDate(of: noon).isFriday ? .jumua : .dhuhr }
    package var id: String { "\(prayer.rawValue)_\(zone.civilDate(of: noon).compact)" }

    package var toml: String {
        """
        timezone = "\(zoneName)"
        [location]
        name = "Test Island"
        latitude = 0.0
        longitude = \(longitude)
        [calculation]
        method = "isna"
        rounding = "none"

        """
    }
}
