/// Decides whether an SVG is safe to show: it may only draw. One that could run, load or expand something is
/// refused, because a filter that repairs can be deceived.
package enum SafeSVG {
    package static let mostBytes = 200_000

    package static func isSafe(_ bytes: [UInt8]) -> Bool {
        guard bytes.count <= mostBytes, let text = String(validating: bytes, as: UTF8.self)?.lowercased(),
            // Refuse numeric character references, which could spell anything, and other encodings, which hide text.
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

    /// An event handler such as `onload=`.
    private static var handler: some RegexComponent { #/[\s"'\/]on[a-z]+\s*=/# }

    /// The targets of `href` and `url(…)`.
    private static func references(_ text: String) -> [Substring] {
        let links = text.matches(of: #/href\s*=\s*["']?\s*([^"'>\s]*)/#).map(\.1)
        return links + text.matches(of: #/url\s*\(\s*["']?\s*([^"')]*)/#).map(\.1)
    }
}
