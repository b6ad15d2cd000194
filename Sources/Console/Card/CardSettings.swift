/// `box.txt`: settings of the box that are not adhand's.
package struct CardSettings: Sendable, Equatable {
    /// Whether the box upgrades adhand's own packages. Debian's updates go on either way.
    package private(set) var upgradesAdhand = true

    package init(_ text: [UInt8]) throws(CardRefusal) {
        var known: Set<String> = []
        for (index, line) in CardText.lines(text).enumerated() where !CardText.isRemark(line) {
            do throws(CardRefusal) {
                let key = try read(line)
                guard known.insert(key).inserted else { throw CardRefusal("\(key) is written twice") }
            } catch {
                throw CardRefusal(error.lines.map { "line \(index + 1): \($0)" })
            }
        }
    }

    private mutating func read(_ bytes: ArraySlice<UInt8>) throws(CardRefusal) -> String {
        guard let whole = String(validating: bytes, as: UTF8.self) else {
            throw CardRefusal("a letter here is in no UTF-8: save the file with the encoding UTF-8")
        }
        let line = whole.prefix { $0 != "#" }
        guard let equals = line.firstIndex(of: "=") else { throw CardRefusal("is not KEY = VALUE") }
        let key = Self.trimmed(line[..<equals]).lowercased()
        let value = Self.trimmed(line[line.index(after: equals)...]).lowercased()
        guard key == "adhand-upgrades" else { throw CardRefusal("only adhand-upgrades is known here") }
        switch value {
        case "on": upgradesAdhand = true
        case "off": upgradesAdhand = false
        default: throw CardRefusal("adhand-upgrades is on or off")
        }
        return key
    }

    private static func trimmed(_ text: Substring) -> String {
        var text = text
        while let first = text.first, first.isWhitespace { text.removeFirst() }
        while let last = text.last, last.isWhitespace { text.removeLast() }
        return String(text)
    }
}
