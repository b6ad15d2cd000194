package import Texts

/// The set-up of a flashed box: a pairing window stays open until a keeper's phone has claimed the box.
package struct SetUpRules: Sendable, Equatable {
    /// `pair.txt` on the card.
    package struct Card: Sendable, Equatable {
        /// The word; `nil` for an empty file.
        package let word: PairingWord?
        /// Identifies the start of the box.
        package let start: String

        package init(word: PairingWord?, start: String) { (self.word, self.start) = (word, start) }

        /// Reads the file of `adhanctl card before`: the start of the box and the word, on one line each. `nil` for anything
        /// else.
        package init?(text: String) {
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            guard lines.count == 3, lines[2].isEmpty, lines[0].utf8.count >= 32 else { return nil }
            let word = lines[1].isEmpty ? nil : PairingWord(String(lines[1]))
            guard lines[1].isEmpty || word != nil else { return nil }
            self.init(word: word, start: String(lines[0]))
        }
    }

    /// The key of the box's hotspot.
    package var hotspotKey: PairingWord?
    package var card: Card?
    /// Whether adhand waits for its place; `nil` before its first answer.
    package internal(set) var isUnplaced: Bool?

    package init(hotspotKey: PairingWord? = nil, card: Card? = nil) {
        (self.hotspotKey, self.card) = (hotspotKey, card)
    }

    /// The words that are accepted as codes while the box is unclaimed.
    var words: [PairingWord] { [hotspotKey, card?.word].compactMap { $0 } }
    /// The code of the window that the card opens.
    var cardWord: PairingWord? { card.flatMap { $0.word ?? hotspotKey } }
}

/// Limits wrong words of all addresses together, because a word that a person chose is easier to guess than a key.
struct WordTries: Sendable {
    static let allowed = 10
    static let spanSeconds = 3600.0
    private var times: [Double] = []

    /// Whether one more word may be tried.
    func isOpen(at uptime: Double) -> Bool {
        times.count { $0 > uptime - Self.spanSeconds } < Self.allowed
    }

    /// Counts a wrong word.
    mutating func add(at uptime: Double) {
        times = times.filter { $0 > uptime - Self.spanSeconds } + [uptime]
    }
}

/// The state of a box's set-up, for its own screen.
package enum SetUpState: Sendable, Equatable {
    /// The box is not set up by phone, or has a place.
    case closed
    /// A phone may claim the box.
    case open
    /// A keeper's phone has claimed the box, and it has no place yet.
    case claimed(by: String)
}
