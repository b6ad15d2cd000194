package import Texts

/// `pair.txt`: a word that counts as a code for the phone page, or nothing.
package struct CardPairing: Sendable, Equatable {
    package static let fileName = "pair.txt"

    /// The word; `nil` for a file without one.
    package let word: PairingWord?

    package init(_ text: [UInt8]) throws(CardRefusal) {
        let lines = CardText.lines(text).filter { !CardText.isRemark($0) }
        guard let first = lines.first else {
            word = nil
            return
        }
        guard lines.count == 1 else {
            throw CardRefusal("it is to have one line: the word that counts as a code")
        }
        guard let line = String(validating: first, as: UTF8.self) else {
            throw CardRefusal("a letter here is in no UTF-8: save the file with the encoding UTF-8")
        }
        guard let word = PairingWord(line) else {
            throw CardRefusal(
                "the word is to have \(PairingWord.shortest) to \(PairingWord.longest) characters, so that nobody guesses it"
            )
        }
        self.word = word
    }

    /// The text for adhan-remote: the start of the box, for which the word counts, and the word.
    package func handedOver(start: String) -> [UInt8] { Array("\(start)\n\(word?.text ?? "")\n".utf8) }

    /// The lines for the report, which does not repeat the word.
    package var notes: [String] {
        [
            word == nil
                ? "the hotspot's key counts as a code of the phone page:"
                : "its word counts as a code of the phone page:",
            "while nobody has claimed this box, for the first phone; afterwards for one phone of the household, within 10 minutes of a start",
        ]
    }
}
