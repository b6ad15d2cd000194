/// The text of a slide from any system's editor: in UTF-8, or in UTF-16 with a byte order mark; with any line endings.
package enum SlideText {
    /// Reads a slide's text; `nil` for bytes that are not text, and for an empty one.
    package static func read(_ bytes: [UInt8]) -> String? {
        guard let text = decoded(bytes) else { return nil }
        var result = ""
        var last: Unicode.Scalar?
        for scalar in text.unicodeScalars {
            switch scalar {
            // The preceding carriage return already ended the line.
            case "\n" where last == "\r": break
            case "\r": result += "\n"
            case "\t": result += " "
            default: result.unicodeScalars.append(scalar)
            }
            last = scalar
        }
        while result.last?.isWhitespace == true { result.removeLast() }
        return result.isEmpty ? nil : result
    }

    private static func decoded(_ bytes: [UInt8]) -> String? {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
            return String(validating: bytes.dropFirst(3), as: UTF8.self)
        }
        let isLittle = bytes.starts(with: [0xFF, 0xFE])
        guard isLittle || bytes.starts(with: [0xFE, 0xFF]) else {
            return String(validating: bytes, as: UTF8.self)
        }
        guard bytes.count.isMultiple(of: 2) else { return nil }
        let units = stride(from: 2, to: bytes.count, by: 2).map { index in
            let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
            return isLittle ? second << 8 | first : first << 8 | second
        }
        return String(validating: units, as: UTF16.self)
    }
}
