import PrayerEngine

/// `check --json`: a configuration that is valid, and what it comes to on this machine.
package struct CheckDocument: Codable, Sendable, Equatable {
    package let file: String
    package let valid: Bool
    /// The files that were read, in this order: `file` and the drop-ins beside it, as far as they are there.
    package let files: [String]
    /// Every key that is set, and which file has the say.
    package let settings: [ConfigSetting]
    package let location: StatusDocument.Location
    package let calculation: StatusDocument.Calculation

    package init(file: String, files: [String], settings: [ConfigSetting], site: Site) {
        self.file = file
        self.files = files
        self.settings = settings
        valid = true
        location = .init(
            name: site.name, latitude: site.place.latitude, longitude: site.place.longitude,
            timezone: site.zone.name, approximate: site.approximate)
        calculation = .init(
            method: site.calculation.method.name, asr: site.calculation.asr.rawValue,
            highLatitude: site.calculation.highLatitude.rawValue)
    }
}
