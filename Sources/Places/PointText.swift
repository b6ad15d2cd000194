import Texts

/// A point on the Earth as people write it: `40.7282, -73.7949`, `52°31′12″N 13°24′18″E`, `52,52 13,405`, `N 52 31.2 E
/// 13 24.3`, or the address of a map.
package enum PointText: Sendable, Equatable {
    case point(latitude: Double, longitude: Double)
    /// The text was meant as coordinates but is not valid; the sentence gives the reason.
    case fault(String)
    /// The text is something else, such as a town.
    case other

    /// - Parameter isPoint: whether the text must be a point, so that `70,20` is two whole numbers of degrees.
    package init(_ text: String, isPoint: Bool = false) {
        let plain = Self.plain(text)
        if let address = MapAddress(plain) {
            self = Self(address)
            return
        }
        guard plain.contains(where: \.isNumber), let tokens = PointTokens(plain) else {
            self = .other
            return
        }
        self = tokens.reading(of: text, isPoint: isPoint)
    }

    private init(_ address: MapAddress) {
        switch address {
        case .point(let latitude, let longitude): self = .checked(latitude, longitude)
        case .short:
            self = .fault(
                "a short link holds no coordinates; open it, and copy the long address or the coordinates")
        case .without:
            self = .fault(
                "there are no coordinates in this address; click on the place in the map and copy its coordinates"
            )
        }
    }

    /// The text with digits, marks and spaces of other keyboards converted to ASCII.
    private static func plain(_ text: String) -> String {
        var plain = ""
        for character in text {
            switch character {
            case "٫": plain += "."
            case "،", "，": plain += ","
            case "−", "–": plain += "-"
            case "º", "˚": plain += "°"
            case "′", "’", "‘", "´", "`", "ʹ": plain += "'"
            case "″", "”", "“", "ʺ", "„": plain += "\""
            case _ where !character.isASCII && character.isWholeNumber:
                plain += character.wholeNumberValue.map(String.init) ?? ""
            case _ where character.isWhitespace: plain += " "
            default: plain.append(character)
            }
        }
        return plain.replacing("''", with: "\"").trimming { $0 == " " || $0 == "(" || $0 == ")" }
    }

    static func checked(_ latitude: Double, _ longitude: Double) -> PointText {
        guard (-90...90).contains(latitude), (-180...180).contains(longitude) else {
            let range = "the latitude is from -90 to 90, the longitude from -180 to 180"
            guard (-90...90).contains(longitude), (-180...180).contains(latitude) else {
                return .fault("this is not a place on Earth: \(range)")
            }
            return .fault(
                "the latitude stands first, and \(NumberText.decimals(latitude, 4)) is none; did you mean "
                    + "\(NumberText.coordinates(longitude, latitude))?")
        }
        return .point(latitude: latitude, longitude: longitude)
    }
}

/// The point in a map's address.
enum MapAddress {
    case point(Double, Double)
    /// A shortened address, which would have to be resolved on a network.
    case short
    case without

    /// Fails for a text that is not a map's address.
    init?(_ text: String) {
        let text = Self.decoded(text)
        let lower = text.lowercased()
        guard lower.contains("://") || lower.hasPrefix("geo:") || Self.hosts.contains(where: lower.hasPrefix)
        else { return nil }
        // Prefer a marker, which is the intended point, to the middle of the map.
        let isEastFirst = lower.contains("yandex.")
        let found =
            Self.pair(after: "!3d", between: "!4d", in: text)
            ?? Self.pair(after: "mlat=", between: "&mlon=", in: text)
            ?? Self.firstPair(
                after: ["q=", "query=", "daddr=", "destination=", "pin=", "pt=", "ll="], in: text)
            ?? Self.pair(after: "lat=", between: "&lon=", in: text)
            ?? Self.pair(after: "lat=", between: "&lng=", in: text)
            ?? Self.firstPair(
                after: ["center=", "cp=", "sll=", "point=", "map=", "at=", "@", "place/", "search/", "dir/"],
                in: text)
            ?? Self.afterZoom(in: text) ?? Self.pair(after: "geo:", between: ",", in: lower)
        switch found {
        case .some(let pair): self = isEastFirst ? .point(pair.1, pair.0) : .point(pair.0, pair.1)
        case nil: self = Self.shorteners.contains(where: lower.contains) ? .short : .without
        }
    }

    private static let hosts = [
        "www.google.", "google.", "maps.", "www.openstreetmap.", "openstreetmap.", "osm.org", "goo.gl",
    ]
    private static let shorteners = ["goo.gl/", "osm.org/go/", "maps.apple/", "bit.ly/", "/maps/-/"]

    private static func firstPair(after keys: [String], in text: String) -> (Double, Double)? {
        for key in keys {
            for separator in [",", "~", ", "] {
                // The value of "q" may begin with its kind: loc:52.5,13.4
                if let pair = pair(after: key, between: separator, in: text)
                    ?? pair(after: key + "loc:", between: separator, in: text)
                {
                    return pair
                }
            }
        }
        return nil
    }

    /// The point that follows the zoom: `map=15/52.5200/13.4050`, `#15/52.52/13.405`
    private static func afterZoom(in text: String) -> (Double, Double)? {
        for key in ["map=", "#"] {
            for start in starts(after: key, in: text) {
                let parts = text[start...].split(separator: "/", omittingEmptySubsequences: false)
                if parts.count >= 3, Double(parts[0]) != nil, let first = number(parts[1]),
                    let second = number(parts[2])
                {
                    return (first, second)
                }
            }
        }
        return nil
    }

    /// The last two numbers of which the first follows `key` and the second follows `separator`.
    private static func pair(after key: String, between separator: String, in text: String) -> (
        Double, Double
    )? {
        for start in starts(after: key, in: text).reversed() {
            let rest = text[start...]
            let digits = rest.prefix { isPart($0) }
            guard let first = number(digits), rest[digits.endIndex...].hasPrefix(separator),
                let second = number(rest[digits.endIndex...].dropFirst(separator.count))
            else { continue }
            // In geo:0,0?q=… the zeros mean that the query has the point.
            return (first, second)
        }
        return nil
    }

    private static func starts(after key: String, in text: String) -> [String.Index] {
        text.indices.filter { text[$0...].hasPrefix(key) }.map { text.index($0, offsetBy: key.count) }
    }

    private static func isPart(_ character: Character) -> Bool {
        character.isASCII
            && (character.isWholeNumber || character == "." || character == "-" || character == "+")
    }

    private static func number(_ text: Substring) -> Double? {
        let digits = text.prefix { isPart($0) }
        return digits.contains(where: \.isWholeNumber) ? Double(digits) : nil
    }

    /// The text with `%2C` and similar codes decoded, and plus signs between words replaced by spaces.
    private static func decoded(_ text: String) -> String {
        var (bytes, rest) = ([UInt8](), Array(text.utf8)[...])
        while let byte = rest.popFirst() {
            let hex = rest.prefix(2)
            if byte == UInt8(ascii: "%"), hex.count == 2,
                let value = UInt8(String(decoding: hex, as: UTF8.self), radix: 16)
            {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
