/// Some 26,000 towns of the world, read from the bytes that Resources/gazetteer/generate.py makes, where the format is
/// described. Nothing is unpacked: a search walks the bytes.
package struct Gazetteer: Sendable {
    package let count: Int
    let bytes: [UInt8]
    let sections: [Range<Int>]
    private let countries: [String]
    private let zones: [String]
    private let regions: [String]
    private let districts: [String]

    enum Section: Int, CaseIterable {
        case folding, countries, zones, regions, districts, areas, magnitudes, places, nameOffsets, names,
            keys
    }

    private static let magic = Array("ADHPLC3\n".utf8)
    /// The bytes of a place in the section of places: three each for latitude, longitude, and area with height.
    static let placeBytes = 9
    /// The bytes of an area: country, zone, region, district.
    private static let areaBytes = 8
    /// The number of places between two entries of the name offsets.
    private static let nameStep = 32

    package init(bytes: [UInt8]) throws(GazetteerError) {
        let header = Self.magic.count + 8 + 4 * Section.allCases.count
        guard bytes.count >= header, bytes.starts(with: Self.magic) else {
            throw GazetteerError(message: "not a list of places, or one of another version")
        }
        self.bytes = bytes
        var (start, sections) = (header, [Range<Int>]())
        for index in Section.allCases.indices {
            let size = Self.integer(bytes, Self.magic.count + 8 + 4 * index, 4)
            sections.append(start..<(start + size))
            start += size
        }
        self.sections = sections
        count = Self.integer(bytes, Self.magic.count, 4)
        guard start == bytes.count, sections[Section.places.rawValue].count == count * Self.placeBytes else {
            throw GazetteerError(message: "the list of places is cut short or damaged")
        }
        countries = Self.strings(bytes, sections[Section.countries.rawValue])
        zones = Self.strings(bytes, sections[Section.zones.rawValue])
        regions = Self.strings(bytes, sections[Section.regions.rawValue])
        districts = Self.strings(bytes, sections[Section.districts.rawValue])
    }

    subscript(section: Section) -> Range<Int> { sections[section.rawValue] }

    /// The place with a rank below ``count``.
    package func place(_ rank: Int) -> GazetteerPlace {
        let offset = self[.places].lowerBound + rank * Self.placeBytes
        let areaAndHeight = Self.integer(bytes, offset + 6, 3)
        let area = self[.areas].lowerBound + 2 + Self.areaBytes * (areaAndHeight & 0xFFF)
        let country = countries[Self.integer(bytes, area, 2)]
        // The text is a code, a bar and the name; both are empty if no region is known.
        let region = regions[Self.integer(bytes, area + 4, 2)].split(
            separator: "|", omittingEmptySubsequences: false)
        let district = districts[Self.integer(bytes, area + 6, 2)]
        let (latitude, longitude) = coordinates(rank)
        return GazetteerPlace(
            name: name(rank), district: district.isEmpty ? nil : district,
            region: region.count < 2 ? nil : Self.plain(region[1]),
            regionCode: region.first.flatMap { $0.isEmpty ? nil : String($0) },
            countryCode: String(country.prefix(2)), country: Self.names(ofCountry: country)[0],
            latitude: latitude, longitude: longitude, elevationMetres: Double(2 * (areaAndHeight >> 12)),
            timezone: zones[Self.integer(bytes, area + 2, 2)],
            magnitude: magnitude(rank), rank: rank)
    }

    /// A region's name without its kind, which GeoNames appends for Russia: `Tatarstan, Respublika`.
    private static func plain(_ region: Substring) -> String {
        let kind = ", Respublika"
        return String(region.hasSuffix(kind) ? region.dropLast(kind.count) : region)
    }

    /// The names of a country, the English one first.
    func countryNames(_ code: String) -> [String] {
        countries.first { $0.hasPrefix(code) && code.utf8.count == 2 }.map(Self.names) ?? []
    }

    /// The names that follow a code of two letters.
    private static func names(ofCountry text: String) -> [String] {
        text.dropFirst(2).split(separator: "|").map(String.init)
    }

    /// The English name of a country by its code.
    package func country(_ code: String) -> String? {
        countryNames(code).first
    }

    /// The latitude and longitude of a place, in degrees.
    func coordinates(_ rank: Int) -> (latitude: Double, longitude: Double) {
        let offset = self[.places].lowerBound + rank * Self.placeBytes
        return (Double(signed(offset)) / 1e4, Double(signed(offset + 3)) / 1e4)
    }

    private func name(_ rank: Int) -> String {
        let entry = self[.nameOffsets].lowerBound + 4 * (rank / Self.nameStep)
        var offset = self[.names].lowerBound + Self.integer(bytes, entry, 4)
        for _ in 0..<(rank % Self.nameStep) { offset += 1 + Int(bytes[offset]) }
        return Self.string(bytes, offset)
    }

    /// The magnitude of a place. Places are sorted by it, and the section has the number of places for each magnitude or more.
    private func magnitude(_ rank: Int) -> Int {
        let start = self[.magnitudes].lowerBound
        var magnitude = 0
        while magnitude < 255, Self.integer(bytes, start + 2 * (magnitude + 1), 2) > rank { magnitude += 1 }
        return magnitude
    }

    /// Reads a UTF-8 string that follows its length, one byte.
    private static func string(_ bytes: [UInt8], _ offset: Int) -> String {
        String(decoding: bytes[(offset + 1)..<(offset + 1 + Int(bytes[offset]))], as: UTF8.self)
    }

    private static func strings(_ bytes: [UInt8], _ range: Range<Int>) -> [String] {
        var offset = range.lowerBound + 2
        return (0..<integer(bytes, range.lowerBound, 2)).map { _ in
            defer { offset += 1 + Int(bytes[offset]) }
            return string(bytes, offset)
        }
    }

    /// Reads an unsigned little-endian integer.
    static func integer(_ bytes: [UInt8], _ offset: Int, _ size: Int) -> Int {
        (0..<size).reduce(0) { $0 | Int(bytes[offset + $1]) << (8 * $1) }
    }

    /// Reads a little-endian integer of three bytes in two's complement.
    private func signed(_ offset: Int) -> Int {
        let value = Int(bytes[offset]) | Int(bytes[offset + 1]) << 8 | Int(bytes[offset + 2]) << 16
        return value < 1 << 23 ? value : value - (1 << 24)
    }
}
