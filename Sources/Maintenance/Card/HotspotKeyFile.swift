import BoxCard
package import Host
package import Texts

/// The key of the box's own network. It is made once, so that a printed label stays right.
package struct HotspotKeyFile {
    private let path: String

    init(_ box: CardBox) { path = box.state + "/hotspot-key" }

    /// The key; `nil` if there is none, or this user may not read it.
    package var key: HotspotKey? {
        (try? FileBytes.read(path, limit: 256)).flatMap {
            HotspotKey(String(decoding: $0.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self))
        }
    }

    /// Returns the existing key, or makes one. A file without a key, which a power cut may leave, is replaced.
    package func ensure() throws(FileError) -> HotspotKey {
        if let key { return key }
        var generator = SystemRandomNumberGenerator()
        let key = HotspotKey(random: (0..<8).map { _ in UInt8.random(in: 0...255, using: &generator) })
        try Directories.make(Directories.parent(of: path), mode: 0o755)
        try AtomicFile.replace(path, mode: 0o600) { draft throws(FileError) in
            try draft.write(Array("\(key.text)\n".utf8))
        }
        return key
    }
}
