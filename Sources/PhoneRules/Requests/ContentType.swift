/// The media type of a body, and the boundary of a multipart body.
package struct ContentType: Sendable, Equatable {
    package let type: String
    /// The boundary of `multipart/form-data`: 1 to 70 characters.
    package private(set) var boundary: String?
    private var charset: String?

    package init(_ text: String) {
        let parts = text.split(separator: ";", omittingEmptySubsequences: false).map(Self.trimmed)
        type = parts.first?.lowercased() ?? ""
        for part in parts.dropFirst() {
            let pair = part.split(separator: "=", maxSplits: 1).map(String.init)
            guard pair.count == 2 else { continue }
            var value = pair[1]
            if value.count >= 2, value.hasPrefix("\""), value.hasSuffix("\"") {
                value = String(value.dropFirst().dropLast())
            }
            switch pair[0].lowercased() {
            case "boundary": boundary = Self.isBoundary(value) && boundary == nil ? value : ""
            case "charset": charset = value.lowercased()
            default: continue
            }
        }
    }

    func fits(_ body: Route.Body) -> Bool {
        switch body {
        case .none: false
        case .form: type == "application/x-www-form-urlencoded" && [nil, "utf-8"].contains(charset)
        case .upload: type == "multipart/form-data" && boundary?.isEmpty == false
        }
    }

    private static func isBoundary(_ text: String) -> Bool {
        (1...70).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                    || "'()+_,-./:=?".utf8.contains(byte)
            }
    }

    private static func trimmed(_ text: Substring) -> String {
        String(text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
}
