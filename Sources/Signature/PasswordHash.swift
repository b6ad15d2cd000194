internal import CSodium

/// The hashes of a broker's password file: PBKDF2 (RFC 8018) with HMAC-SHA-512, in mosquitto's format.
package enum PasswordHash {
    private static let hashBytes = 64
    /// The length of the salt; mosquitto before 2.1 reads no other.
    private static let saltBytes = 12
    /// The iterations that mosquitto_passwd uses. They suffice because the passwords are 32 random bytes, which cannot be
    /// guessed.
    private static let iterations = 101
    /// The most iterations that are accepted; more would keep a broker busy for too long.
    private static let mostIterations = 1_000_000

    /// Makes a hash `$7$101$SALT$HASH` with a new salt.
    package static func make(_ password: [UInt8]) -> String {
        precondition(sodium_init() >= 0, "libsodium needs the random numbers of the system")
        var salt = [UInt8](repeating: 0, count: saltBytes)
        unsafe salt.withUnsafeMutableBytes { unsafe randombytes_buf($0.baseAddress!, $0.count) }
        return make(password, salt: salt, iterations: iterations)
    }

    /// Makes the same hash each time, which identifies a repeated request. Use it only for passwords of random bytes: the salt
    /// is derived from the password, which does not help to guess those.
    package static func makeRepeatable(_ password: [UInt8]) -> String {
        make(
            password, salt: Array(hmac(Array("salt".utf8), key: password).prefix(saltBytes)),
            iterations: iterations)
    }

    static func make(_ password: [UInt8], salt: [UInt8], iterations: Int) -> String {
        let hash = derive(password, salt: salt, iterations: iterations)
        return "$7$\(iterations)$\(base64(salt))$\(base64(hash))"
    }

    /// Whether a text is such a hash, cheap enough for a broker to check.
    package static func isHash(_ text: String) -> Bool {
        let parts = text.split(separator: "$", omittingEmptySubsequences: false)
        guard text.utf8.count <= 300, parts.count == 5, parts[0].isEmpty, parts[1] == "7",
            let count = Int(parts[2]), (1...mostIterations).contains(count), String(count) == parts[2],
            parts[3].utf8.count >= 8
        else { return false }
        func isBase64(_ part: Substring) -> Bool {
            part.utf8.count.isMultiple(of: 4)
                && part.utf8.allSatisfy { byte in
                    (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
                        || (0x61...0x7A).contains(byte)
                        || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "/") || byte == UInt8(ascii: "=")
                }
        }
        return isBase64(parts[3]) && isBase64(parts[4]) && parts[4].utf8.count == 88
    }

    /// Derives the first block, which is as long as the hash.
    private static func derive(_ password: [UInt8], salt: [UInt8], iterations: Int) -> [UInt8] {
        var block = hmac(salt + [0, 0, 0, 1], key: password)
        var sum = block
        for _ in 1..<max(1, iterations) {
            block = hmac(block, key: password)
            for index in sum.indices { sum[index] ^= block[index] }
        }
        return sum
    }

    private static func hmac(_ message: [UInt8], key: [UInt8]) -> [UInt8] {
        var state = crypto_auth_hmacsha512_state()
        var hash = [UInt8](repeating: 0, count: hashBytes)
        unsafe crypto_auth_hmacsha512_init(&state, key, key.count)
        unsafe crypto_auth_hmacsha512_update(&state, message, UInt64(message.count))
        unsafe crypto_auth_hmacsha512_final(&state, &hash)
        return hash
    }

    private static func base64(_ bytes: [UInt8]) -> String {
        let most = sodium_base64_encoded_len(bytes.count, Int32(sodium_base64_VARIANT_ORIGINAL))
        var text = [CChar](repeating: 0, count: most)
        unsafe sodium_bin2base64(&text, most, bytes, bytes.count, Int32(sodium_base64_VARIANT_ORIGINAL))
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
