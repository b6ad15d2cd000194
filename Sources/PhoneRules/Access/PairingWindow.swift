internal import Texts

/// The code and the key of one pairing window.
package struct PairingSecret: Sendable, Equatable {
    /// Six digits that people type.
    package let code: String
    /// 128 bits as 32 hexadecimal digits, for the QR code.
    package let key: String

    /// - Parameter random: exactly 24 bytes of the kernel's generator.
    package init(random: [UInt8]) {
        precondition(random.count == 24, "a pairing secret is made of 24 random bytes")
        key = Hex.text(random[..<16])
        // The remainder of a 64-bit number makes no code likelier than another by more than one in 10^13.
        let number = random[16...].reduce(UInt64(0)) { $0 << 8 | UInt64($1) } % 1_000_000
        let digits = String(number)
        code = String(repeating: "0", count: 6 - digits.count) + digits
    }
}

/// The proof that a person stands in the room.
package enum PairingProof: Sendable, Equatable {
    case code(String)
    case key(String)
    /// The request came over the box's own network, whose key is the code.
    case joined

    /// Whether access by the box's own network is the proof. There the key of the screen's QR code is ignored, because it
    /// changes every two minutes and may be an old one.
    func isOfHotspot(_ entryPoint: RequestHead.EntryPoint) -> Bool {
        switch self {
        case .joined: true
        case .key: entryPoint == .setUp
        case .code: false
        }
    }
}

/// A short time in which one phone can be paired.
struct PairingWindow: Sendable {
    static let wrongCodesAllowed = 5

    let secret: PairingSecret
    let role: Role
    let closesAt: Double
    let opener: Access.Opener
    /// The word on the card, which is accepted besides the digits.
    var word: PairingWord?
    var wrongCodes = 0

    var acceptsCodes: Bool { wrongCodes < Self.wrongCodesAllowed }

    /// Refuses codes from now on and accepts only the key.
    mutating func refuseCodes() { wrongCodes = Self.wrongCodesAllowed }

    func isOpen(at uptime: Double) -> Bool { uptime < closesAt }

    func admits(_ proof: PairingProof) -> Bool {
        switch proof {
        case .code(let code): acceptsCodes && PairingWord.areSame(code, secret.code)
        case .joined: false
        case .key(let key): PairingWord.areSame(key, secret.key)
        }
    }
}
