/// A town of the gazetteer.
package struct GazetteerPlace: Sendable, Equatable {
    /// The name as GeoNames spells it, in Latin letters: `Istanbul`.
    package let name: String
    /// The district, if another town of the same region has the same name.
    package let district: String?
    /// The state, province or similar region, by its local name.
    package let region: String?
    /// The region's ISO 3166-2 code, if that consists of letters: `ON`.
    package let regionCode: String?
    /// ISO 3166-1 alpha-2: `TR`.
    package let countryCode: String
    /// The country's English name: `Turkey`.
    package let country: String
    /// Degrees, north positive, to a ten-thousandth (11 m).
    package let latitude: Double
    /// Degrees, east positive, to a ten-thousandth.
    package let longitude: Double
    /// Metres above the sea; also 0 if unknown.
    package let elevationMetres: Double
    /// An IANA zone name: `Europe/Istanbul`.
    package let timezone: String
    /// The population as thirty times its decimal logarithm.
    package let magnitude: Int
    /// The position by population: 0 for the largest place.
    package let rank: Int

    /// `Springfield, Illinois, United States`
    package var described: String {
        isDisputed ? name : [name, district, region, country].compactMap(\.self).joined(separator: ", ")
    }

    /// The name in a configuration: `Queens, New York` or `Istanbul, Turkey`.
    package var label: String {
        isDisputed
            ? name : "\(name), \(Self.namedByRegion.contains(countryCode) ? region ?? country : country)"
    }

    /// Whether people who live there disagree about the country, in which case only the town is named.
    package var isDisputed: Bool { Self.isDisputed(countryCode, region, timezone) }

    static func isDisputed(_ countryCode: String, _ region: String?, _ timezone: String) -> Bool {
        timezone == "Europe/Simferopol" || disputed[countryCode]?.contains(region ?? "") == true
    }

    private static let disputed: [String: Set<String>] = [
        "IL": ["Al Quds"], "PS": ["Jerusalem"], "IN": ["Jammu and Kashmīr", "Ladākh"],
        "PK": ["Azad Jammu and Kashmir", "Gilgit-Baltistan"],
    ]

    /// Countries in which people name the state or province after a town, and not the country.
    private static let namedByRegion: Set = ["US", "CA", "AU"]

    /// A second clock in common use there.
    package var secondClock: SecondClock? {
        countryCode == "CN" && regionCode == "XJ" ? .xinjiang : nil
    }

    /// Whether this place has at least fifty times as many people as the other.
    func dwarfs(_ other: GazetteerPlace) -> Bool { magnitude - other.magnitude >= 51 }
}

/// Two clocks in one place.
package struct SecondClock: Sendable, Equatable {
    package let timezone: String
    package let note: String

    static let xinjiang = SecondClock(
        timezone: "Asia/Urumqi",
        note:
            "official clocks and telephones in Xinjiang show Beijing's time (Asia/Shanghai); where people go by Xinjiang's, "
            + "two hours earlier, take the time zone Asia/Urumqi")
}

/// Why bytes are not a valid gazetteer.
package struct GazetteerError: Error, Sendable, Equatable {
    package let message: String
}
