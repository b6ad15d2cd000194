internal import CommandKit
internal import Envelope
internal import Host
internal import Signature
internal import Texts

/// A private key on disk.
enum KeyFile {
    static func read(_ path: String) throws(FleetError) -> Ed25519.KeyPair {
        let bytes: [UInt8]
        do throws(FileError) { bytes = try FileBytes.read(path, limit: FileBytes.mostSecretBytes) } catch {
            throw FleetError(.failed, error.message)
        }
        let seed: [UInt8]
        do throws(KeyPEM.FormatError) { seed = try KeyPEM.decode(bytes) } catch {
            throw FleetError(.invalidInput, "\"\(PlainText.visible(path))\" \(error.reason)")
        }
        guard let pair = Ed25519.KeyPair(seed: seed) else {
            throw FleetError(.failed, "libsodium cannot use the key in \"\(PlainText.visible(path))\"")
        }
        return pair
    }

    /// Creates a key in a new file that its owner alone can read.
    static func create(_ path: String) throws(FleetError) -> FleetKey {
        let seed = Ed25519.newSeed()
        guard let pair = Ed25519.KeyPair(seed: seed), let key = FleetKey(bytes: pair.publicKey) else {
            throw FleetError(.failed, "libsodium cannot make a key on this machine")
        }
        do throws(FileError) {
            try OutputFile.create(Array(KeyPEM.encode(seed: seed).utf8), at: path)
        } catch {
            throw FleetError(.failed, error.message)
        }
        return key
    }
}
