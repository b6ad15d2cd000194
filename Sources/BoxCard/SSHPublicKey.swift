import Texts

/// Public keys of SSH in one line, as a `.pub` file has them: type, data in base64, comment (RFC 4253 section 6.6, RFC 4648).
enum SSHPublicKey {
    private static let types: Set = [
        "ssh-ed25519", "ssh-rsa", "ecdsa-sha2-nistp256", "ecdsa-sha2-nistp384", "ecdsa-sha2-nistp521",
        "sk-ssh-ed25519@openssh.com", "sk-ecdsa-sha2-nistp256@openssh.com",
    ]

    /// Options before the type are refused: they name commands.
    static func isValid(_ line: String) -> Bool {
        let words = line.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
        guard words.count >= 2, types.contains(String(words[0])),
            line.unicodeScalars.allSatisfy({ !PlainText.isHidden($0.value) }),
            let data = decode(words[1])
        else { return false }
        // The data begins with the length of the type, and the type again. More follows.
        let type = Array(words[0].utf8)
        let length = [0, 0, 0, UInt8(type.count)]
        return data.starts(with: length + type) && data.count > length.count + type.count
    }

    private static func decode(_ text: Substring) -> [UInt8]? {
        var bytes: [UInt8] = []
        var held: UInt32 = 0
        var bits = 0
        let padding = text.utf8.reversed().prefix { $0 == UInt8(ascii: "=") }.count
        guard text.utf8.count % 4 == 0, padding <= 2 else { return nil }
        for byte in text.utf8.dropLast(padding) {
            let value: UInt8
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): value = byte - UInt8(ascii: "A")
            case UInt8(ascii: "a")...UInt8(ascii: "z"): value = byte - UInt8(ascii: "a") + 26
            case UInt8(ascii: "0")...UInt8(ascii: "9"): value = byte - UInt8(ascii: "0") + 52
            case UInt8(ascii: "+"): value = 62
            case UInt8(ascii: "/"): value = 63
            default: return nil
            }
            held = held << 6 | UInt32(value)
            bits += 6
            guard bits >= 8 else { continue }
            bits -= 8
            bytes.append(UInt8(truncatingIfNeeded: held >> UInt32(bits)))
            held &= 1 << UInt32(bits) - 1
        }
        return bytes
    }
}
