/// Whether a drawing can be shown to everybody: it may only draw. A drawing that could run, load or expand something is
/// refused, as a filter that repairs can be led astray.
package enum SafeSVG {
    package static let mostBytes = 200_000

    package static func isSafe(_ bytes: [UInt8]) -> Bool {
        guard bytes.count <= mostBytes, let text = String(validating: bytes, as: UTF8.self)?.lowercased(),
            // Characters that are written by their numbers could spell anything, and other encodings hide it.
            !text.contains("&#"), !text.contains("\0"), text.contains("<svg"),
            !forbidden.contains(where: text.contains)
        else { return false }
        return !text.contains(handler) && references(text).allSatisfy { $0.hasPrefix("#") }
    }

    private static let forbidden = [
        "<!doctype", "<!entity", "<?xml-stylesheet", "<script", "<foreignobject", "<iframe", "<image",
        "<feimage", "<audio",
        "<video", "<animate", "<set", "<handler", ":script", ":image", "javascript:", "data:", "@import",
        "\\",
        "xml:base", "encoding=\"utf-16", "src=",
    ]

    /// `onload=`
    private static var handler: some RegexComponent { #/[\s"'\/]on[a-z]+\s*=/# }

    /// The targets of `href` and `url(…)`.
    private static func references(_ text: String) -> [Substring] {
        let links = text.matches(of: #/href\s*=\s*["']?\s*([^"'>\s]*)/#).map(\.1)
        return links + text.matches(of: #/url\s*\(\s*["']?\s*([^"')]*)/#).map(\.1)
    }
}
