/// Lines of the conversation on a terminal of any width.
package enum FittedLines {
    /// Breaks a line at its spaces, with its indent before every part; a longer word has a line of its own. A line of items three
    /// spaces apart is broken between items.
    package static func of(_ line: String, width: Int) -> [String] {
        guard columns(line) > width else { return [line] }
        let indent = String(line.prefix { $0 == " " })
        let words = words(line)
        let isItems = words.count { $0.gap >= itemGap } > 2
        var lines: [String] = []
        var current = ""
        for (gap, word) in isItems ? items(words) : words {
            let longer = current + String(repeating: " ", count: gap) + word
            if current.isEmpty {
                current = indent + word
            } else if columns(longer) > width {
                lines.append(current)
                current = indent + word
            } else {
                current = longer
            }
        }
        return lines + [current]
    }

    private static let itemGap = 3

    /// The words, each with the number of spaces before it.
    private static func words(_ line: String) -> [(gap: Int, word: String)] {
        var (words, gap) = ([(gap: Int, word: String)](), 0)
        for part in line.split(separator: " ", omittingEmptySubsequences: false) {
            if part.isEmpty {
                gap += 1
            } else {
                words.append((gap + 1, String(part)))
                gap = 0
            }
        }
        return words
    }

    /// Joins words that belong together.
    private static func items(_ words: [(gap: Int, word: String)]) -> [(gap: Int, word: String)] {
        var items: [(gap: Int, word: String)] = []
        for (gap, word) in words {
            if gap >= itemGap || items.isEmpty {
                items.append((gap, word))
            } else {
                items[items.count - 1].word += String(repeating: " ", count: gap) + word
            }
        }
        return items
    }

    /// The columns of a text on a terminal: East Asian letters take two.
    static func columns(_ text: String) -> Int {
        text.reduce(0) { $0 + (isWide($1) ? 2 : 1) }
    }

    private static func isWide(_ character: Character) -> Bool {
        guard let value = character.unicodeScalars.first?.value, value >= 0x1100 else { return false }
        return wide.contains { $0.contains(value) }
    }

    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60,
        0x1F300...0x1FAFF, 0x20000...0x3FFFD,
    ]
}
