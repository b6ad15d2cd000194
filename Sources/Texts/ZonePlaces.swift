/// The principal place of a time zone, from the tz database's tables.
package struct ZonePlace: Sendable, Equatable {
    /// The zone's name in the table: for the old name `US/Eastern` this is `America/New_York`.
    package let zone: String
    /// The place after which the zone is named, "New York".
    package let name: String
    /// The country, in two letters of ISO 3166-1.
    package let country: String
    /// Degrees, north positive.
    package let latitude: Double
    /// Degrees, east positive.
    package let longitude: Double

    package init(zone: String, name: String, country: String, latitude: Double, longitude: Double) {
        self.zone = zone
        self.name = name
        self.country = country
        self.latitude = latitude
        self.longitude = longitude
    }
}

/// The tables `zone.tab`, `zone1970.tab` and `tzdata.zi` of the tz database, as bytes.
package struct ZonePlaces: Sendable {
    private let tables: [[UInt8]]
    private let rules: [UInt8]

    /// Makes the tables; each may be empty where the system lacks it. `zoneTab` has priority, because it has a line for every
    /// country; `zone1970Tab` has one zone for several. `rules` contains the former names of zones.
    package init(zoneTab: [UInt8], zone1970Tab: [UInt8], rules: [UInt8]) {
        tables = [zoneTab, zone1970Tab]
        self.rules = rules
    }

    /// The place of a zone; `nil` when it belongs to no place, as `Etc/GMT+5` does, or is unknown.
    package func place(of zone: String) -> ZonePlace? {
        var zone = Self.plain(zone)
        // A link may lead to another; no chain in the database is longer than two.
        for _ in 0..<4 {
            if Self.isUniversal(zone) { return Self.greenwich }
            for table in tables {
                if let place = Self.lines(table).lazy.compactMap(Self.place).first(where: { $0.zone == zone })
                {
                    return place
                }
            }
            guard let target = target(of: zone) else { return nil }
            zone = target
        }
        return nil
    }

    /// Whether a zone is universal time under one of its names: the zone of a machine that was never set up. It names no place,
    /// and adhand calls nothing by it.
    package static func isUniversal(_ zone: String) -> Bool { universal.contains(plain(zone)) }

    private static let universal: Set = [
        "UTC", "Etc/UTC", "GMT", "Etc/GMT", "UCT", "Etc/UCT", "Zulu", "Etc/Zulu", "Universal",
        "Etc/Universal",
        "Greenwich", "Etc/Greenwich", "GMT0", "Etc/GMT0",
    ]

    /// The site to show without any place: the Royal Observatory, 51° 28′ 38″ N on the prime meridian, where the hours at least
    /// fit the clock.
    package static let greenwich = ZonePlace(
        zone: "Etc/UTC", name: "Greenwich (UTC is not a place)", country: "GB",
        latitude: 51.4772,
        longitude: 0)

    /// Every place that a zone is named after, in the tables' order.
    package var all: [ZonePlace] {
        var seen: Set<String> = []
        return tables.flatMap { Self.lines($0).compactMap(Self.place) }.filter {
            seen.insert($0.zone).inserted
        }
    }

    /// Every zone that has a place, in the tables' order.
    package var zones: [String] { all.map(\.zone) }

    /// The zone that `text` probably means: a slip in the name, or the place without its region ("new york").
    package func nearest(to text: String) -> String? {
        let zones = zones
        let wanted = text.lowercased().replacing(" ", with: "_")
        if let city = zones.first(where: {
            $0.lowercased().split(separator: "/").last.map(String.init) == wanted
        }) {
            return city
        }
        return NearestName.of(wanted, among: zones)
    }

    /// Removes `posix/` and `right/`, which contain the same zones again.
    package static func plain(_ zone: String) -> String {
        for prefix in ["posix/", "right/"] where zone.hasPrefix(prefix) {
            return String(zone.dropFirst(prefix.count))
        }
        return zone
    }

    /// Whether `name` can be a zone's: parts of letters, digits, `_`, `-` and `+` between slashes, and therefore no path out of
    /// the directory of zones.
    package static func isName(_ name: String) -> Bool {
        name.utf8.count <= 64
            && name.split(separator: "/", omittingEmptySubsequences: false).allSatisfy { part in
                !part.isEmpty && part.utf8.allSatisfy { isWord($0) || $0 == UInt8(ascii: "+") }
            }
    }

    /// Whether a byte is a letter, a digit, `_` or `-`.
    package static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
            true
        default: false
        }
    }

    /// The zone for a former name: `L America/New_York US/Eastern` (zic(8)).
    private func target(of name: String) -> String? {
        for line in Self.lines(rules) {
            let fields = line.split(separator: " ")
            if fields.count == 3, fields[0] == "L" || fields[0] == "Link", fields[2] == name {
                return String(fields[1])
            }
        }
        return nil
    }

    /// Parses `US  +404251-0740023  America/New_York  Eastern (most areas)`, with tabs between.
    private static func place(_ line: Substring) -> ZonePlace? {
        let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
        guard fields.count >= 3, !line.hasPrefix("#"), let (latitude, longitude) = coordinates(fields[1]),
            let name = fields[2].split(separator: "/").last
        else { return nil }
        return ZonePlace(
            zone: String(fields[2]), name: String(name).replacing("_", with: " "),
            country: String(fields[0].prefix(2)),
            latitude: latitude, longitude: longitude)
    }

    /// Parses ISO 6709 in the tables' form: ±DDMM±DDDMM or ±DDMMSS±DDDMMSS.
    static func coordinates(_ text: Substring) -> (latitude: Double, longitude: Double)? {
        guard let split = text.dropFirst().firstIndex(where: { $0 == "+" || $0 == "-" }),
            let latitude = angle(text[..<split], degreeDigits: 2, limit: 90),
            let longitude = angle(text[split...], degreeDigits: 3, limit: 180)
        else { return nil }
        return (latitude, longitude)
    }

    private static func angle(_ text: Substring, degreeDigits: Int, limit: Double) -> Double? {
        let digits = text.dropFirst()
        guard let sign = text.first, sign == "+" || sign == "-",
            digits.count == degreeDigits + 2 || digits.count == degreeDigits + 4,
            digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            let degrees = Double(digits.prefix(degreeDigits)),
            let minutes = Double(digits.dropFirst(degreeDigits).prefix(2)), minutes < 60
        else { return nil }
        let seconds = Double(digits.dropFirst(degreeDigits + 2)) ?? 0
        let value = degrees + minutes / 60 + seconds / 3600
        guard seconds < 60, value <= limit else { return nil }
        return sign == "-" ? -value : value
    }

    private static func lines(_ bytes: [UInt8]) -> [Substring] {
        String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    }
}
