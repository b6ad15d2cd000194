/// A configured sound: a name that is looked up among the added and the shipped sounds, or an absolute path.
package enum SoundName: Sendable, Equatable {
    case absolute(path: String)
    case named(String)
    /// A name that would lead out of the sounds' directories, or cannot be a file name.
    case unusable

    package init(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        if text.isEmpty || text.utf8.count > 1024 || text.utf8.contains(0) {
            self = .unusable
        } else if text.hasPrefix("/") {
            self = .absolute(path: text)
        } else if parts.contains(where: { $0.isEmpty || $0 == "." || $0 == ".." }) {
            self = .unusable
        } else {
            self = .named(text)
        }
    }

    /// The paths to try, the best match first: a recording made for the prayer, the sound's general one, a single file. Relative
    /// to each of the sounds' directories, unless the sound is an absolute path, which may be a directory as well as a file.
    package func candidates(for prayer: Prayer) -> [String] {
        switch self {
        case .unusable: return []
        case .absolute(let path) where path.hasSuffix(".mp3"): return [path]
        case .absolute(let path): return Self.files(of: path, for: prayer) + [path]
        case .named(let name): return Self.files(of: name, for: prayer)
        }
    }

    private static func files(of name: String, for prayer: Prayer) -> [String] {
        // Friday's prayer replaces dhuhr: a sound that does not distinguish them uses dhuhr's.
        let prayers = prayer == .jumua ? ["jumua", "dhuhr"] : [prayer.rawValue]
        return (prayers + ["adhan"]).map { "\(name)/\($0).mp3" } + ["\(name).mp3"]
    }
}
