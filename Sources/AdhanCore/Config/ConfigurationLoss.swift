/// A file that was part of the configuration in force and no longer says what it said, although nobody edited it to say something else:
/// what a power cut, a full disk or a slip of the hand leaves. Read as it stands it would be valid, and move the box to another place.
package struct ConfigurationLoss: Sendable, Equatable {
    package enum Kind: Sendable, Equatable {
        case gone
        /// It has no key, and no comment that says that this is meant.
        case emptied
        /// It is the beginning of what it was.
        case cut
    }

    package let file: String
    package let kind: Kind

    /// What of the last good reading is missing in the files as they are now, in the order of that reading.
    /// - Parameters:
    ///   - found: what is read now, under the name `name`.
    ///   - candidates: the paths that are looked at before it, in their order. What was read from another path is no loss: somebody
    ///     named another file.
    package static func all(
        since kept: KeptConfiguration?, in found: [ConfigSource], of name: String,
        lookedFor candidates: [String]
    ) -> [ConfigurationLoss] {
        guard let kept else { return [] }
        if kept.configuration != name {
            guard let before = candidates.firstIndex(of: kept.configuration),
                before < candidates.firstIndex(of: name) ?? candidates.endIndex
            else { return [] }
        }
        return kept.sources.compactMap { old in
            loss(of: old, found.first { $0.file == old.file }).map { Self(file: old.file, kind: $0) }
        }
    }

    private static func loss(of old: ConfigSource, _ new: ConfigSource?) -> Kind? {
        guard let said = settings(old), !said.isEmpty else { return nil }
        guard let new else { return .gone }
        // A text with a mistake is refused for its mistake.
        guard let says = settings(new), says != said else { return nil }
        if says.isEmpty, !hasWords(new.text) { return .emptied }
        return old.text.starts(with: new.text) ? .cut : nil
    }

    private static func settings(_ source: ConfigSource) -> [ConfigSetting]? {
        (try? ConfigLoader.load([source]))?.settings
    }

    /// Whether a text without keys has a comment with a word in it: somebody wrote it, and means it.
    private static func hasWords(_ text: [UInt8]) -> Bool {
        guard let comment = text.firstIndex(of: UInt8(ascii: "#")) else { return false }
        return text[comment...].contains { byte in
            byte >= 0x80 || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        }
    }

    /// The losses as one error, for which the last good reading stays in force.
    package static func error(_ losses: [ConfigurationLoss]) -> ConfigError? {
        ConfigError.of(
            losses.map {
                ConfigError(
                    file: $0.file, line: 1, column: 1, key: nil, reason: $0.kind.sentence, cause: .lost)
            })
    }

    /// What a person is told who reloads all the same.
    package var notice: String { "\(file): \(kind.sentence); it is no longer in force" }
}

extension ConfigurationLoss.Kind {
    fileprivate var sentence: String {
        switch self {
        case .gone: "the file was in force and is gone"
        case .emptied: "the file is empty and was not before, as after a loss of power"
        case .cut: "the file breaks off where it went on before, as after a loss of power"
        }
    }
}
