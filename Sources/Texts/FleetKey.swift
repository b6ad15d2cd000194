/// A public key of a fleet, in the form of files: `ed25519:` and 32 bytes in Base64.
package struct FleetKey: Sendable, Hashable {
    package static let byteCount = 32
    private static let scheme = "ed25519:"

    package let bytes: [UInt8]
    /// The identifier of the signing key in an envelope: 16 hexadecimal digits of the SHA-256 of the key.
    package let id: String

    /// Makes the key; `nil` unless there are 32 bytes.
    package init?(bytes: [UInt8]) {
        guard bytes.count == Self.byteCount else { return nil }
        self.bytes = bytes
        id = String(SHA256.hex(bytes).prefix(16))
    }

    package init?(_ text: String) {
        guard text.hasPrefix(Self.scheme),
            let bytes = Base64.decode(String(text.dropFirst(Self.scheme.count)))
        else { return nil }
        self.init(bytes: bytes)
    }

    package var text: String { Self.scheme + Base64.encode(bytes) }
}
