import Foundation

/// Whether tags are closed in order, the first condition of an XML reader.
enum XMLCheck {
    static func isWellFormed(_ bytes: Data) throws -> Bool {
        let text = String(decoding: bytes, as: UTF8.self)
        var open: [Substring] = []
        for tag in text.matches(of: /<(\/?)([a-z]+)((?:\s+[A-Za-z:-]+="[^"<]*")*)\s*(\/?)>/) {
            if !tag.1.isEmpty {
                guard open.popLast() == tag.2 else { return false }
            } else if tag.4.isEmpty {
                open.append(tag.2)
            }
        }
        // Every < began a tag that was understood.
        let tags = text.matches(of: /<(\/?)([a-z]+)((?:\s+[A-Za-z:-]+="[^"<]*")*)\s*(\/?)>/).count
        return open.isEmpty && tags == text.count { $0 == "<" } && tags > 0
    }
}
