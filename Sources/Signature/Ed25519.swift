internal import CSodium

/// Signs and verifies bytes by Ed25519 (RFC 8032), with libsodium.
package enum Ed25519 {
    package static let publicKeyBytes = 32
    package static let signatureBytes = 64
    /// The bytes of the seed, which RFC 8032 calls the private key; both halves of a pair follow from it.
    package static let seedBytes = 32

    /// Whether libsodium is initialised, which selects its code for the processor.
    private static let isReady = sodium_init() >= 0

    /// Whether `signature` is a signature of `message` by the owner of `publicKey`. False for keys and signatures of any other
    /// length.
    package static func verify(_ signature: [UInt8], of message: [UInt8], by publicKey: [UInt8]) -> Bool {
        guard isReady, signature.count == signatureBytes, publicKey.count == publicKeyBytes else {
            return false
        }
        return unsafe crypto_sign_ed25519_verify_detached(
            signature, message, UInt64(message.count), publicKey) == 0
    }

    /// A pair of keys. The secret half is overwritten when the pair is released.
    package final class KeyPair {
        package let publicKey: [UInt8]
        private var secret: [UInt8]

        /// Returns `nil` if the seed has another length.
        package init?(seed: [UInt8]) {
            guard Ed25519.isReady, seed.count == Ed25519.seedBytes else { return nil }
            var publicKey = [UInt8](repeating: 0, count: Ed25519.publicKeyBytes)
            var secret = [UInt8](repeating: 0, count: 64)
            guard unsafe crypto_sign_ed25519_seed_keypair(&publicKey, &secret, seed) == 0 else { return nil }
            (self.publicKey, self.secret) = (publicKey, secret)
        }

        deinit {
            unsafe secret.withUnsafeMutableBytes { unsafe sodium_memzero($0.baseAddress!, $0.count) }
        }

        package func sign(_ message: [UInt8]) -> [UInt8] {
            var signature = [UInt8](repeating: 0, count: Ed25519.signatureBytes)
            let status = unsafe crypto_sign_ed25519_detached(
                &signature, nil, message, UInt64(message.count), secret)
            precondition(status == 0, "libsodium signs every message")
            return signature
        }
    }

    /// Returns random bytes for a new pair of keys.
    package static func newSeed() -> [UInt8] {
        precondition(isReady, "libsodium needs the random numbers of the system")
        var seed = [UInt8](repeating: 0, count: seedBytes)
        unsafe seed.withUnsafeMutableBytes { unsafe randombytes_buf($0.baseAddress!, $0.count) }
        return seed
    }
}
