import PrayerEngine

/// `check --json`: a configuration that is valid, and what it comes to on this machine.
package struct CheckDocument: Codable, Sendable, Equatable {
    package let file: String
    package let valid: Bool
    package let location: StatusDocument.Location
    package let calculation: StatusDocument.Calculation

    package init(file: String, site: Site) {
        self.file = file
        valid = true
        location = .init(
            name: site.name, latitude: site.place.latitude, longitude: site.place.longitude,
            timezone: site.zone.name, approximate: site.approximate)
        calculation = .init(
            method: site.calculation.method.name, asr: site.calculation.asr.rawValue,
            highLatitude: site.calculation.highLatitude.rawValue)
    }
}
