/// A town of the gazetteer.
package struct GazetteerPlace: Sendable, Equatable {
    /// As GeoNames spells it, in Latin letters: `Istanbul`.
    package let name: String
    /// Where another town of the same region has the same name.
    package let district: String?
    /// A state, a province or the like, as it is called there.
    package let region: String?
    /// The region's ISO 3166-2 code, where that is letters: `ON`.
    package let regionCode: String?
    /// ISO 3166-1 alpha-2: `TR`.
    package let countryCode: String
    /// In English: `Turkey`.
    package let country: String
    /// Degrees, north positive, to a ten-thousandth (11 m).
    package let latitude: Double
    /// Degrees, east positive, to a ten-thousandth.
    package let longitude: Double
    /// Metres above the sea; 0 also where it is not known.
    package let elevationMetres: Double
    /// An IANA zone name: `Europe/Istanbul`.
    package let timezone: String
    /// How many people live there: thirty times the decimal logarithm.
    package let magnitude: Int
    /// 0 for the place with the most people, and so on.
    package let rank: Int

    /// `Springfield, Illinois, United States`
    package var described: String {
        isDisputed ? name : [name, district, region, country].compactMap(\.self).joined(separator: ", ")
    }

    /// Its name in a configuration: `Queens, New York` or `Istanbul, Turkey`.
    package var label: String {
        isDisputed
            ? name : "\(name), \(Self.namedByRegion.contains(countryCode) ? region ?? country : country)"
    }

    /// Where people who live there do not agree on the country: a program for prayer times names the town alone.
    package var isDisputed: Bool { Self.isDisputed(countryCode, region, timezone) }

    static func isDisputed(_ countryCode: String, _ region: String?, _ timezone: String) -> Bool {
        timezone == "Europe/Simferopol" || disputed[countryCode]?.contains(region ?? "") == true
    }

    private static let disputed: [String: Set<String>] = [
        "IL": ["Al Quds"], "PS": ["Jerusalem"], "IN": ["Jammu and Kashmīr", "Ladākh"],
        "PK": ["Azad Jammu and Kashmir", "Gilgit-Baltistan"],
    ]

    /// Where people name the state or province behind a town, and not the country.
    private static let namedByRegion: Set = ["US", "CA", "AU"]

    /// A second clock in common use there, and its facts.
    package var secondClock: SecondClock? {
        countryCode == "CN" && regionCode == "XJ" ? .xinjiang : nil
    }

    /// Whether there are at least fifty times as many people here as there.
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

/// Why bytes are no gazetteer.
package struct GazetteerError: Error, Sendable, Equatable {
    package let message: String
}
