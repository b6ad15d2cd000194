/// Operations on bytes of text, for readers that process files byte by byte.
package enum ASCII {
    package static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }
    package static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
}

extension Substring {
    /// The text without blanks around it.
    package var trimmed: Substring {
        var text = self
        while let first = text.utf8.first, ASCII.isBlank(first) { text = text.dropFirst() }
        while let last = text.utf8.last, ASCII.isBlank(last) { text = text.dropLast() }
        return text
    }
}

extension String {
    /// The text without the characters at both ends that satisfy `isOutside`.
    package func trimming(while isOutside: (Character) -> Bool) -> String {
        var text = self[...]
        while let first = text.first, isOutside(first) { text.removeFirst() }
        while let last = text.last, isOutside(last) { text.removeLast() }
        return String(text)
    }
}
