internal import Texts

/// Private keys as files keep them: PKCS#8 in PEM (RFC 8410), as `openssl genpkey -algorithm ed25519` writes them.
package enum KeyPEM {
    package struct FormatError: Error, Sendable, Equatable {
        /// Follows the name of the file in a sentence.
        package let reason: String
    }

    private static let first = "-----BEGIN PRIVATE KEY-----"
    private static let last = "-----END PRIVATE KEY-----"
    /// DER of everything before the 32 bytes: a version, the algorithm 1.3.101.112, and two lengths.
    private static let prefix: [UInt8] = [
        0x30, 0x2E, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2B, 0x65, 0x70, 0x04, 0x22, 0x04, 0x20,
    ]

    package static func encode(seed: [UInt8]) -> String {
        "\(first)\n\(Base64.encode(prefix + seed))\n\(last)\n"
    }

    /// The 32 bytes of a private key.
    package static func decode(_ text: [UInt8]) throws(FormatError) -> [UInt8] {
        let lines = String(decoding: text, as: UTF8.self).split(whereSeparator: \.isNewline).map(String.init)
        if lines.first == "-----BEGIN ENCRYPTED PRIVATE KEY-----" {
            throw FormatError(
                reason: "is encrypted; write a decrypted copy with: openssl pkey -in FILE -out COPY")
        }
        guard lines.count >= 3, lines.first == first, lines.last == last,
            let bytes = Base64.decode(lines.dropFirst().dropLast().joined())
        else { throw FormatError(reason: "is not a private key in PEM") }
        guard bytes.count == prefix.count + 32, bytes.starts(with: prefix) else {
            throw FormatError(reason: "is not an Ed25519 key, which is the only kind that boxes know")
        }
        return Array(bytes.dropFirst(prefix.count))
    }
}
