/// A town of the gazetteer.
package struct GazetteerPlace: Sendable, Equatable {
    /// As GeoNames spells it, in Latin letters: `Istanbul`.
    package let name: String
    /// A state of the United States; `nil` elsewhere.
    package let region: String?
    /// ISO 3166-1 alpha-2: `TR`.
    package let countryCode: String
    /// In English: `Turkey`.
    package let country: String
    /// Degrees, north positive, to a ten-thousandth (11 m).
    package let latitude: Double
    /// Degrees, east positive, to a ten-thousandth.
    package let longitude: Double
    /// An IANA zone name: `Europe/Istanbul`.
    package let timezone: String
    /// 0 for the place with the most people, and so on.
    package let rank: Int

    /// `Springfield, Illinois, United States`
    package var described: String {
        ([name] + (region.map { [$0] } ?? []) + [country]).joined(separator: ", ")
    }

    /// What a configuration calls it: `Queens, New York` or `Istanbul, Turkey`.
    package var label: String {
        "\(name), \(region ?? country)"
    }
}

/// Why bytes are no gazetteer.
package struct GazetteerError: Error, Sendable, Equatable {
    package let message: String
}
