extension Gazetteer {
    /// How well a name answers what was typed, the best first.
    package enum MatchKind: Int, Sendable, Comparable {
        /// `cologne` for `Cologne`
        case whole
        /// `colo` for `Cologne`
        case beginning
        /// `york` for `New York`
        case word

        package static func < (a: MatchKind, b: MatchKind) -> Bool { a.rawValue < b.rawValue }
    }

    package struct Match: Sendable, Equatable {
        package let place: GazetteerPlace
        package let kind: MatchKind
    }

    /// The places that have a name, in any of their languages, which is, begins with or has a word that begins with `text`;
    /// by kind of match, then the larger first. After a comma `text` may name the country or state: `cordoba, spain`.
    package func matches(_ text: String, limit: Int = .max) -> [Match] {
        let all = Array(found(folded(text)).prefix(limit))
        guard all.isEmpty, let comma = text.firstIndex(where: { $0 == "," || $0 == "،" }) else { return all }
        let area = folded(text[text.index(after: comma)...])
        return Array(found(folded(text[..<comma])).lazy.filter { isIn($0.place, area) }.prefix(limit))
    }

    /// The place with the name that is fewest slips of the finger from `text`; `nil` when none is near.
    package func nearestName(to text: String) -> GazetteerPlace? {
        let wanted = folded(text.prefix { $0 != "," && $0 != "،" })
        // Two slips in a short word lead anywhere.
        let allowed = min(3, wanted.count / 4 + (wanted.count > 3 ? 0 : 1))
        guard allowed > 0, wanted.count > 2, wanted.count < 128 else { return nil }
        let letters = Self.letters(wanted)
        var best: (rank: Int, distance: Int)?
        var keys = GazetteerKeys(self)
        while keys.advance() {
            guard abs(keys.length - wanted.count) <= allowed else { continue }
            let key = Array(keys.key[..<keys.length])
            // Each slip changes two kinds of letters at most.
            guard (Self.letters(key) ^ letters).nonzeroBitCount <= 2 * allowed else { continue }
            let distance = NearestName.distance(wanted, key)
            guard distance <= allowed, let rank = keys.ranks.first else { continue }
            if (distance, rank) < (best?.distance ?? .max, best?.rank ?? .max) { best = (rank, distance) }
        }
        return best.map { place($0.rank) }
    }

    private func found(_ wanted: [UInt8]) -> [Match] {
        guard !wanted.isEmpty else { return [] }
        var kinds: [Int: MatchKind] = [:]
        var keys = GazetteerKeys(self)
        while keys.advance() {
            guard let kind = Self.kind(of: wanted, in: keys) else { continue }
            for rank in keys.ranks { kinds[rank] = min(kind, kinds[rank] ?? .word) }
        }
        return kinds.sorted { ($0.value, $0.key) < ($1.value, $1.key) }.map {
            Match(place: place($0.key), kind: $0.value)
        }
    }

    private static func kind(of wanted: [UInt8], in keys: GazetteerKeys) -> MatchKind? {
        guard keys.length >= wanted.count else { return nil }
        if isAt(0, wanted, keys) { return keys.length == wanted.count ? .whole : .beginning }
        var start = 1
        while start + wanted.count <= keys.length {
            if keys.key[start - 1] == UInt8(ascii: " "), isAt(start, wanted, keys) { return .word }
            start += 1
        }
        return nil
    }

    private static func isAt(_ start: Int, _ wanted: [UInt8], _ keys: GazetteerKeys) -> Bool {
        for index in wanted.indices where keys.key[start + index] != wanted[index] { return false }
        return true
    }

    /// Whether a country's or state's name begins like this, or is this code.
    private func isIn(_ place: GazetteerPlace, _ area: [UInt8]) -> Bool {
        guard !area.isEmpty else { return true }
        if folded(place.countryCode) == area || folded(place.country).starts(with: area) { return true }
        return place.region.map { folded($0).starts(with: area) } ?? false
    }

    /// Which kinds of letters there are, a bit each.
    private static func letters(_ key: [UInt8]) -> UInt64 {
        key.reduce(0) { $0 | 1 << UInt64($1 & 63) }
    }
}
