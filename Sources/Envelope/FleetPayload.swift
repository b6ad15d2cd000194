package import PrayerEngine
internal import Texts

/// The kinds of changes. Each kind is numbered separately.
package enum FleetKind: String, CaseIterable, Sendable {
    case configuration, timetable, hijri, exception, command, keys, revert

    /// The longest time between `notBefore` and `expires`. A command that arrives a day late would surprise people.
    package var longestValiditySeconds: Double { self == .command ? 3600 : 90 * 86_400 }

    /// Whether a box knows its previous state, and a `revert` restores it.
    package var canBeReverted: Bool { [.configuration, .timetable, .hijri, .exception].contains(self) }
}

/// The boxes to which an envelope applies.
package enum FleetSelector: Sendable, Equatable {
    case all
    case boxes([String])
    case groups([String])

    /// The most boxes or groups of one envelope.
    package static let mostNames = 1000

    package func includes(box: String, groups: [String]) -> Bool {
        switch self {
        case .all: true
        case .boxes(let names): names.contains(box)
        case .groups(let names): names.contains { groups.contains($0) }
        }
    }
}

/// The signed document, apart from its body, which each kind reads for itself.
package struct FleetPayload: Sendable, Equatable {
    package static let version = 1

    package let org: String
    package let kind: FleetKind
    package let seq: Int
    package let selector: FleetSelector
    package let notBefore: Instant
    package let expires: Instant
    package let body: StrictJSON

    /// Reads bytes with a valid signature; no others are parsed.
    package init(_ bytes: [UInt8]) throws(EnvelopeRefusal) {
        let json: StrictJSON
        do throws(StrictJSONError) { json = try StrictJSON(bytes) } catch {
            throw Self.malformed("the payload is not valid JSON: \(error.sentence)")
        }
        let keys = ["body", "expires", "for", "kind", "notBefore", "org", "seq", "v"]
        guard case .object(let members) = json, members.keys.sorted() == keys else {
            throw Self.malformed("a payload has exactly the keys \(Self.list(keys))")
        }
        guard members["v"] == .integer(Self.version) else {
            throw Self.malformed(
                "\"v\" is not \(Self.version): this version of adhand knows no other payloads")
        }
        guard case .text(let org) = members["org"], FleetName.isOrganisation(org) else {
            throw Self.malformed("\"org\" is not \(FleetName.organisation)")
        }
        guard case .text(let word) = members["kind"], let kind = FleetKind(rawValue: word) else {
            throw Self.malformed("\"kind\" is not one of \(Self.list(FleetKind.allCases.map(\.rawValue)))")
        }
        guard case .integer(let seq) = members["seq"], seq >= 1 else {
            throw Self.malformed("\"seq\" is not a whole number of 1 or more")
        }
        self.org = org
        self.kind = kind
        self.seq = seq
        selector = try Self.selector(members["for"])
        notBefore = try Self.instant(members, "notBefore")
        expires = try Self.instant(members, "expires")
        guard expires > notBefore, expires - notBefore <= kind.longestValiditySeconds else {
            throw Self.malformed(
                "\"expires\" is not after \"notBefore\", and within \(DurationText.format(kind.longestValiditySeconds)) of it, as \(kind.rawValue) needs"
            )
        }
        guard let body = members["body"], case .object = body else {
            throw Self.malformed("\"body\" is not an object")
        }
        self.body = body
    }

    private static func list(_ words: [String]) -> String {
        PlainText.list(words.map { "\"\($0)\"" })
    }

    private static func malformed(_ detail: String) -> EnvelopeRefusal { EnvelopeRefusal(.malformed, detail) }

    private static func instant(_ members: [String: StrictJSON], _ key: String) throws(EnvelopeRefusal)
        -> Instant
    {
        guard case .text(let text) = members[key], let instant = InstantText.parse(text) else {
            throw malformed("\"\(key)\" is not a time such as \"2027-01-01T00:00:00Z\"")
        }
        return instant
    }

    private static func selector(_ json: StrictJSON?) throws(EnvelopeRefusal) -> FleetSelector {
        guard case .object(let members) = json, members.count == 1, let (key, value) = members.first else {
            throw malformed("\"for\" has not exactly one of the keys \"all\", \"boxes\" and \"groups\"")
        }
        switch (key, value) {
        case ("all", .flag(true)): return .all
        case ("boxes", .list(let list)): return .boxes(try names(list, FleetName.isBox, FleetName.box))
        case ("groups", .list(let list)): return .groups(try names(list, FleetName.isGroup, FleetName.group))
        default: throw malformed("\"for\" is neither {\"all\":true} nor a list of \"boxes\" or \"groups\"")
        }
    }

    private static func names(
        _ list: [StrictJSON], _ isName: (String) -> Bool, _ what: String
    ) throws(EnvelopeRefusal) -> [String] {
        guard (1...FleetSelector.mostNames).contains(list.count) else {
            throw malformed(
                "\"for\" names \(list.count) receivers, and 1 to \(FleetSelector.mostNames) are allowed")
        }
        var names: [String] = []
        for element in list {
            guard case .text(let name) = element, isName(name) else {
                throw malformed("a name in \"for\" is not \(what)")
            }
            names.append(name)
        }
        return names
    }
}
