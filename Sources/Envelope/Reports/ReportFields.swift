internal import PrayerEngine
internal import Texts

/// The members of one object of a report. Unknown members are ignored, because later versions may add some.
struct ReportFields {
    let members: [String: StrictJSON]

    init(_ members: [String: StrictJSON]) { self.members = members }

    /// The valid instants, all in this century; others come from a box without a clock.
    private static let instants = Instant(unixSeconds: 1_500_000_000)...Instant(unixSeconds: 4_100_000_000)

    func text(_ key: String, most: Int) throws(ReportError) -> String {
        guard let text = optionalText(key, most: most) else { throw .malformed }
        return text
    }

    /// A text, truncated if it is too long, and without control sequences.
    func optionalText(_ key: String, most: Int) -> String? {
        guard case .text(let text) = members[key] else { return nil }
        let cut =
            text.unicodeScalars.count <= most
            ? text : String(String.UnicodeScalarView(text.unicodeScalars.prefix(most)))
        return PlainText.visible(cut)
    }

    func optionalInstant(_ key: String) -> Instant? {
        guard case .text(let text) = members[key], text.utf8.count <= 40,
            let instant = InstantText.parse(text), Self.instants.contains(instant)
        else { return nil }
        return instant
    }

    func instant(_ key: String) throws(ReportError) -> Instant {
        guard let instant = optionalInstant(key) else { throw .malformed }
        return instant
    }

    func list(_ key: String, most: Int) throws(ReportError) -> [ReportFields] {
        guard case .list(let list) = members[key], list.count <= most else { throw .malformed }
        var elements: [ReportFields] = []
        for case .object(let members) in list { elements.append(ReportFields(members)) }
        guard elements.count == list.count else { throw .malformed }
        return elements
    }

    func prayer() throws(ReportError) -> Prayer {
        guard case .text(let name) = members["prayer"], let prayer = Prayer(rawValue: name) else {
            throw .malformed
        }
        return prayer
    }

    /// The identity of an announcement, such as `fajr_20261120`, which becomes a label.
    func id() throws(ReportError) -> String {
        guard case .text(let id) = members["id"], (1...64).contains(id.utf8.count),
            id.utf8.allSatisfy({ byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                    UInt8(ascii: "-"), UInt8(ascii: "_"):
                    true
                default: false
                }
            })
        else { throw .malformed }
        return id
    }
}
