/// The key of a box's own network: 60 random bits as twelve letters of Crockford's alphabet, `k7m2-9qxd-4wtp`. A person reads it from
/// a screen or a label and types it on a phone.
package struct HotspotKey: Sendable, Equatable {
    /// `k7m2-9qxd-4wtp`
    package let text: String

    /// The alphabet without letters that look like digits, and without u.
    private static let alphabet = Array("0123456789abcdefghjkmnpqrstvwxyz".utf8)
    private static let letters = 12

    /// - Parameter random: exactly 8 bytes from the kernel's generator, of which 60 bits are used.
    package init(random: [UInt8]) {
        precondition(random.count == 8, "a hotspot key is made of 8 random bytes")
        var bits = random.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        var digits: [UInt8] = []
        for _ in 0..<Self.letters {
            digits.append(Self.alphabet[Int(bits & 31)])
            bits >>= 5
        }
        text = Self.grouped(digits)
    }

    /// Reads a key as a person types it: in any case, with or without hyphens and spaces, and with letters that look like digits.
    /// `nil` for anything else.
    package init?(_ text: some StringProtocol) {
        guard text.utf8.count <= 64 else { return nil }
        var digits: [UInt8] = []
        for byte in text.lowercased().utf8 {
            switch byte {
            case UInt8(ascii: "-"), UInt8(ascii: " "): continue
            case UInt8(ascii: "o"): digits.append(UInt8(ascii: "0"))
            case UInt8(ascii: "i"), UInt8(ascii: "l"): digits.append(UInt8(ascii: "1"))
            case _ where Self.alphabet.contains(byte): digits.append(byte)
            default: return nil
            }
        }
        guard digits.count == Self.letters else { return nil }
        self.text = Self.grouped(digits)
    }

    /// The text of a QR code with which a phone joins the network: `WIFI:T:WPA;S:adhan-1a2b3c;P:k7m2-9qxd-4wtp;;`. `nil` for a
    /// name that is no box's, as its punctuation could change the meaning.
    package func joinCode(network name: String) -> String? {
        let isLabel =
            (1...32).contains(name.utf8.count)
            && name.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
                    true
                default: false
                }
            }
        return isLabel ? "WIFI:T:WPA;S:\(name);P:\(text);;" : nil
    }

    private static func grouped(_ digits: [UInt8]) -> String {
        stride(from: 0, to: letters, by: 4).map { start in
            String(decoding: digits[start..<(start + 4)], as: UTF8.self)
        }.joined(separator: "-")
    }
}
