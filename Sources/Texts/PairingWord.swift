/// A code that a person chose or that is on a label: the word of `pair.txt` on a box's card, or the key of its hotspot.
package struct PairingWord: Sendable, Equatable {
    /// The least number of characters of a code.
    package static let shortest = 8
    package static let longest = 60

    package let text: String

    /// Makes a code; `nil` for a word that is too short or long, or that has invisible characters.
    package init?(_ word: String) {
        let text = Self.plain(word)
        guard (Self.shortest...Self.longest).contains(text.count),
            !text.unicodeScalars.contains(where: { PlainText.isHidden($0.value) })
        else { return nil }
        self.text = text
    }

    /// Whether a person typed this word. A phone may capitalise its first letter; a hotspot's key may be typed without hyphens.
    package func admits(_ typed: String) -> Bool {
        guard typed.utf8.count <= 4 * Self.longest else { return false }
        return Self.areSame(Self.plain(typed), text)
    }

    private static func plain(_ word: String) -> String {
        if let key = HotspotKey(word) { return key.text }
        let trimmed = word.lowercased().drop { $0.isWhitespace }
        return String(trimmed.reversed().drop { $0.isWhitespace }.reversed())
    }

    /// Compares in constant time for texts of equal length.
    package static func areSame(_ a: String, _ b: String) -> Bool {
        let (a, b) = (Array(a.utf8), Array(b.utf8))
        return a.count == b.count && zip(a, b).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
