internal import PrayerEngine
internal import Settings
internal import Texts

/// The rights of a phone: acts that concern the present, or also the decisions of the mosque.
package enum Role: String, Codable, CaseIterable, Sendable, Comparable {
    case household, keeper

    /// The same role for adhand, as long as the phone has entered no new code.
    var setting: SettingRole { self == .keeper ? .keeper : .household }

    package static func < (a: Role, b: Role) -> Bool { a == .household && b == .keeper }
}

/// A paired phone as `phones.json` stores it. Only the phone has the token itself.
package struct Phone: Codable, Sendable, Equatable {
    /// 12 hexadecimal digits that identify the phone in lists and in requests to revoke it.
    package let id: String
    /// SHA-256 of the token's text, 64 hexadecimal digits.
    package let digest: String
    package internal(set) var name: String
    package internal(set) var role: Role
    /// The day of pairing, `2026-11-24`; empty while the clock was not trusted.
    package internal(set) var paired: String
    /// The day of its last request; empty while the clock was not trusted.
    package internal(set) var seen: String
    /// The first pairing, if this is a pairing at another address of the box; `nil` for a first pairing.
    package internal(set) var origin: String?
    /// `true` until the first request of a phone whose code is used up by pairing: the answer with its token may have been lost
    /// in a power cut, or with the network.
    package internal(set) var isUnseen: Bool?

    /// The id that all pairings of one phone share.
    var root: String { origin ?? id }

    init(token: PhoneToken, name: PhoneName, role: Role, day: CivilDate?) {
        digest = token.digest
        id = String(token.digest.prefix(12))
        self.name = name.text
        self.role = role
        paired = day?.description ?? ""
        seen = paired
    }
}

/// All paired phones: the content of `phones.json`.
package struct PhoneList: Codable, Sendable, Equatable {
    /// The phone that claimed the box.
    package struct Claim: Codable, Sendable, Equatable {
        package let by: String
        /// Empty while the clock was not trusted.
        package let day: String
    }

    package var version = 1
    package var phones: [Phone] = []
    /// The first phone of a keeper, which remains recorded when that phone is revoked. It is omitted until there is one.
    package internal(set) var claimed: Claim?
    /// The start of the box at which its card last opened a window; omitted before the first.
    package internal(set) var cardStart: String?

    /// A list of an earlier version has no claim, but may have a keeper's phone.
    package var isClaimed: Bool {
        claimed != nil || phones.contains { $0.role == .keeper && $0.isUnseen != true }
    }

    package init() {}

    /// - Throws: if the bytes are not a list of phones of a known version, or two phones have the same token.
    package init(json: [UInt8]) throws {
        self = try JSON.decode(PhoneList.self, from: json)
        guard version == 1, Set(phones.map(\.id)).count == phones.count,
            phones.allSatisfy({ SHA256.isHex($0.digest) && $0.digest.hasPrefix($0.id) })
        else { throw UnreadableError() }
    }

    package var json: [UInt8] {
        get throws { try JSON.encode(self, pretty: true) }
    }

    package struct UnreadableError: Error {}
}

/// 256 random bits, which the cookie holds as 64 hexadecimal digits.
package struct PhoneToken: Sendable, Equatable {
    package let text: String

    /// - Parameter random: exactly 32 bytes of the kernel's generator.
    package init(random: [UInt8]) {
        precondition(random.count == 32, "a token is made of 32 random bytes")
        text = Hex.text(random)
    }

    /// Reads a cookie; `nil` for anything that cannot be a token.
    package init?(_ text: String) {
        // A token has as many bits as a digest.
        guard SHA256.isHex(text) else { return nil }
        self.text = text
    }

    package var digest: String { SHA256.hex(Array(text.utf8)) }
}

/// The name that a person gives to a phone. It appears in the journal and on pages.
package struct PhoneName: Sendable, Equatable {
    package static let longest = 60
    package let text: String

    /// Makes a name; `nil` for an empty or long text, and for characters that end a line or reorder the text around them.
    package init?(_ text: String) {
        let trimmed = text.drop { $0 == " " }
        let name = String(trimmed.reversed().drop { $0 == " " }.reversed())
        guard !name.isEmpty, name.count <= Self.longest, name.utf8.count <= Self.longest * 4,
            name.unicodeScalars.allSatisfy(Self.isPlain)
        else { return nil }
        self.text = name
    }

    /// The text without characters that names cannot contain.
    static func plain(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.filter(isPlain)))
    }

    static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned, .privateUse: false
        // Joiners are part of words of some languages and of emoji. Overrides of direction are used for deception.
        case .format: scalar.value == 0x200C || scalar.value == 0x200D
        default: true
        }
    }
}

/// Bytes as hexadecimal digits.
enum Hex {
    private static let digits = Array("0123456789abcdef".utf8)

    static func text(_ bytes: some Sequence<UInt8>) -> String {
        String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}
