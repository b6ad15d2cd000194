/// A piece of a page. Every text and every attribute's value is escaped here without exception: markup consists of elements
/// only.
package struct HTML: Sendable {
    /// Markup that is already escaped.
    private let markup: String

    private init(markup: String) { self.markup = markup }

    static let empty = HTML(markup: "")

    static func text(_ text: String) -> HTML { HTML(markup: escaped(text)) }

    /// - Parameters:
    ///   - name: the element's name, a constant of this module.
    ///   - attributes: one with an empty value is written as its name alone, such as `checked`.
    static func element(
        _ name: StaticString, _ attributes: [(String, String)] = [], _ content: [HTML] = []
    ) -> HTML {
        var markup = "<\(name)"
        for (name, value) in attributes {
            markup += value.isEmpty ? " \(name)" : " \(name)=\"\(escaped(value))\""
        }
        markup += ">"
        if isVoid("\(name)") { return HTML(markup: markup) }
        for piece in content { markup += piece.markup }
        return HTML(markup: markup + "</\(name)>")
    }

    static func joined(_ pieces: [HTML]) -> HTML { HTML(markup: pieces.map(\.markup).joined()) }

    /// The markup of a part of a page.
    package var fragment: String { markup }

    /// The bytes of a complete page.
    package var document: [UInt8] { Array(("<!DOCTYPE html>" + markup).utf8) }

    private static func isVoid(_ name: String) -> Bool { ["input", "meta", "link", "br"].contains(name) }

    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&#39;"
            // Control characters are not allowed in a page, and neither are marks that reorder the text around them.
            case "\n", "\t": escaped.unicodeScalars.append(scalar)
            case _ where scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value): escaped += "\u{FFFD}"
            case "\u{202A}"..."\u{202E}", "\u{2066}"..."\u{2069}": escaped += "\u{FFFD}"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
