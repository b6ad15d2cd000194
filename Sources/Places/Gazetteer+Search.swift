import Texts

extension Gazetteer {
    /// The ways in which a name matches the typed text, the best first.
    package enum MatchKind: Int, Sendable, Comparable {
        /// The whole name in any language: `cologne` for `Köln`
        case whole
        /// The beginning of the name: `kuala l` for `Kuala Lumpur`
        case beginning
        /// The beginning of a word in the name: `york` for `New York`
        case word
        /// The beginning of a name, or of a word in it, other than the name that is shown
        case other

        package static func < (a: MatchKind, b: MatchKind) -> Bool { a.rawValue < b.rawValue }
    }

    package struct Match: Sendable, Equatable {
        package let place: GazetteerPlace
        package let kind: MatchKind
    }

    /// The places with a name in any language that is `text`, begins with it or has a word that begins with it; sorted
    /// by kind of match, then by size. The country or the state may follow the name, with or without a comma:
    /// `cordoba, spain`, `dearborn mi`.
    package func matches(_ text: String, limit: Int = .max) -> [Match] {
        let direct = findMatches(folded(text))
        if direct.first?.kind == .whole { return Array(direct.prefix(limit)) }
        let within = inArea(text)
        let all = within.first?.kind == .whole || direct.isEmpty ? within : direct
        return Array(all.prefix(limit))
    }

    /// The place whose name is the fewest typing errors away from `text`; `nil` if none is near.
    package func nearestName(to text: String) -> GazetteerPlace? {
        let parts = Self.parts(text)
        let wanted = folded(parts.first ?? "")
        let areas = parts.dropFirst().map { folded($0) }
        // Two errors in a short word would match almost anything.
        let allowed = min(3, wanted.count / 4 + (wanted.count > 3 ? 0 : 1))
        guard allowed > 0, wanted.count > 2, wanted.count < 128 else { return nil }
        let letters = Self.letters(wanted)
        var best: (rank: Int, distance: Int)?
        var keys = GazetteerKeys(self)
        while keys.advance() {
            guard abs(keys.length - wanted.count) <= allowed else { continue }
            let key = Array(keys.key[..<keys.length])
            // Each typing error changes two kinds of letters at most.
            guard (Self.letters(key) ^ letters).nonzeroBitCount <= 2 * allowed else { continue }
            let distance = NearestName.distance(wanted, key)
            guard distance <= min(allowed, best?.distance ?? allowed),
                let rank = keys.owners.first(where: { isIn(place($0.rank), areas) })?.rank
            else { continue }
            if (distance, rank) < (best?.distance ?? .max, best?.rank ?? .max) { best = (rank, distance) }
        }
        return best.map { place($0.rank) }
    }

    // MARK: - Names

    private func findMatches(_ wanted: [UInt8]) -> [Match] {
        guard !wanted.isEmpty else { return [] }
        var kinds: [Int: (kind: MatchKind, isWords: Bool)] = [:]
        var hasWhole = false
        var keys = GazetteerKeys(self)
        while keys.advance() {
            guard let (kind, isWords) = Self.kind(of: wanted, in: keys) else { continue }
            hasWhole = hasWhole || kind == .whole
            for (rank, isOther) in keys.owners {
                let kind = isOther && kind != .whole ? .other : kind
                if kind < kinds[rank]?.kind ?? .other || kinds[rank] == nil { kinds[rank] = (kind, isWords) }
            }
        }
        // A whole name excludes towns whose names merely begin with it, unless it is so short that it may be an
        // unfinished name.
        if hasWhole, wanted.count > Self.longestBeginningBytes {
            kinds = kinds.filter { $0.value.kind == .whole || $0.value.kind != .other && $0.value.isWords }
        }
        return kinds.map { ($0.value.kind, $0.key) }.sorted(by: <).map { Match(place: place($1), kind: $0) }
    }

    /// The length up to which a whole name may be an unfinished one, in bytes of a key.
    private static let longestBeginningBytes = 3

    /// The way in which a key contains the wanted text, and whether the text ends at a word's end.
    private static func kind(of wanted: [UInt8], in keys: GazetteerKeys) -> (MatchKind, isWords: Bool)? {
        guard keys.length >= wanted.count else { return nil }
        func isWord(_ end: Int) -> Bool { end == keys.length || keys.key[end] == UInt8(ascii: " ") }
        if isAt(0, wanted, keys) {
            return keys.length == wanted.count ? (.whole, true) : (.beginning, isWord(wanted.count))
        }
        var start = 1
        while start + wanted.count <= keys.length {
            if keys.key[start - 1] == UInt8(ascii: " "), isAt(start, wanted, keys) {
                return (.word, isWord(start + wanted.count))
            }
            start += 1
        }
        return nil
    }

    private static func isAt(_ start: Int, _ wanted: [UInt8], _ keys: GazetteerKeys) -> Bool {
        for index in wanted.indices where keys.key[start + index] != wanted[index] { return false }
        return true
    }

    /// The kinds of letters in a key, as one bit each.
    private static func letters(_ key: [UInt8]) -> UInt64 {
        key.reduce(0) { $0 | 1 << UInt64($1 & 63) }
    }

    // MARK: - Areas

    /// The parts of a text between commas.
    private static func parts(_ text: String) -> [Substring] {
        text.split { $0 == "," || $0 == "،" }
    }

    /// The matches if the end of `text` is read as a country or a state.
    private func inArea(_ text: String) -> [Match] {
        let parts = Self.parts(text)
        if parts.count > 1 {
            let areas = parts.dropFirst().map { folded($0) }
            return findMatches(folded(parts[0])).filter { isIn($0.place, areas) }
        }
        let words = folded(text).split(separator: UInt8(ascii: " "))
        var best: [Match] = []
        // Try the longest name first: "new york" must not be read as York in a state called New.
        for count in words.indices.dropFirst().reversed().prefix(3) {
            let name = Array(words[..<count].joined(separator: [UInt8(ascii: " ")]))
            let matches = findMatches(name).filter { isIn($0.place, words[count...]) }
            if matches.first?.kind == .whole { return matches }
            if best.isEmpty { best = matches }
        }
        return best
    }

    /// Whether the words name one area that contains the place, or several areas, the smaller one first: `mi usa`.
    private func isIn(_ place: GazetteerPlace, _ words: ArraySlice<ArraySlice<UInt8>>) -> Bool {
        let space = [UInt8(ascii: " ")]
        return words.indices.contains { split in
            let areas = [words[..<split], words[split...]].map { Array($0.joined(separator: space)) }
            return isIn(place, areas.filter { !$0.isEmpty })
        }
    }

    private func isIn(_ place: GazetteerPlace, _ areas: [[UInt8]]) -> Bool {
        areas.allSatisfy { isIn(place, $0) }
    }

    /// Whether a country, state or district has this name or code; the beginning suffices for longer names.
    private func isIn(_ place: GazetteerPlace, _ area: [UInt8]) -> Bool {
        guard !area.isEmpty else { return true }
        let names = countryNames(place.countryCode) + [place.region, place.district].compactMap(\.self)
        let codes = [place.countryCode, place.regionCode].compactMap(\.self)
        return codes.contains { folded($0) == area }
            || names.contains {
                let name = folded($0)
                return name == area || area.count > 2 && name.starts(with: area)
            }
    }
}
