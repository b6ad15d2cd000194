/// The bytes of a text as people's editors write them.
package enum CardText {
    /// UTF-8 with plain line ends. Notepad writes UTF-16, a byte order mark, and carriage returns.
    package static func plain(_ bytes: [UInt8]) -> [UInt8] {
        let head = Array(bytes.prefix(4))
        let text: [UInt8] =
            if head.starts(with: [0xFF, 0xFE]) {
                utf16(bytes.dropFirst(2), isLittle: true)
            } else if head.starts(with: [0xFE, 0xFF]) {
                utf16(bytes.dropFirst(2), isLittle: false)
            } else if head.starts(with: [0xEF, 0xBB, 0xBF]) {
                Array(bytes.dropFirst(3))
            } else if head.count == 4, head[1] == 0, head[3] == 0 {
                utf16(bytes[...], isLittle: true)
            } else if head.count == 4, head[0] == 0, head[2] == 0 {
                utf16(bytes[...], isLittle: false)
            } else {
                bytes
            }
        return text.filter { $0 != UInt8(ascii: "\r") }
    }

    private static func utf16(_ bytes: ArraySlice<UInt8>, isLittle: Bool) -> [UInt8] {
        let units = stride(from: bytes.startIndex, to: bytes.endIndex - 1, by: 2).map { index in
            let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
            return isLittle ? second << 8 | first : first << 8 | second
        }
        return Array(String(decoding: units, as: UTF16.self).utf8)
    }

    package static func lines(_ text: [UInt8]) -> [ArraySlice<UInt8>] {
        var lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        if lines.last?.isEmpty == true { lines.removeLast() }
        return lines
    }

    /// Whether there is nothing in it but comments and empty lines.
    package static func isEmpty(_ text: [UInt8]) -> Bool { lines(text).allSatisfy(isRemark) }

    package static func isRemark(_ line: ArraySlice<UInt8>) -> Bool {
        let spaces: Set<UInt8> = [0x20, 0x09, 0x0B, 0x0C]
        return line.first { !spaces.contains($0) }.map { $0 == UInt8(ascii: "#") } ?? true
    }

    /// A text with more lines than this was not written by hand, and reading each line takes time.
    package static let mostLines = 500

    package static func checkLines(_ text: [UInt8]) throws(CardRefusal) {
        guard lines(text).count <= mostLines else {
            throw CardRefusal("this has more than \(mostLines) lines: it is no file for this box")
        }
    }
}

/// Why a file of the card is not taken over, a line each.
package struct CardRefusal: Error, Sendable, Equatable {
    package let lines: [String]

    package init(_ lines: [String]) { self.lines = lines }

    package init(_ line: String) { lines = [line] }
}
