package import Settings
import TOML

/// A file of the configuration in force that lost a part without being edited to contain something else: the trace of a power
/// cut, a full disk or a slip of the hand. The rest might be valid, and move the box to another place.
package struct ConfigurationLoss: Sendable, Equatable {
    package enum Kind: Sendable, Equatable {
        case gone
        /// The file has no key, and no comment that explains why.
        case emptied
        /// The file breaks off: it is the beginning of the former text.
        case cut
        /// Keys of the file are in no file any more, and the last change by command did not remove them.
        case keys([String])
    }

    package let file: String
    package let kind: Kind

    package init(file: String, kind: Kind) {
        self.file = file
        self.kind = kind
    }

    /// The parts of the last good reading that are missing in the present files, in the order of that reading.
    /// - Parameters:
    ///   - found: the files that were read now, under the name `name`.
    ///   - candidates: the paths that adhand tries before it, in their order. A configuration from another path is no loss: a
    ///       person named another file.
    ///   - mark: the mark of the text that the last command wrote: that text is intended.
    package static func all(
        since kept: KeptConfiguration?, in found: [ConfigSource], of name: String,
        lookedFor candidates: [String], mark: ConfigurationMark? = nil
    ) -> [ConfigurationLoss] {
        guard let kept else { return [] }
        if kept.configuration != name {
            guard let before = candidates.firstIndex(of: kept.configuration),
                before < candidates.firstIndex(of: name) ?? candidates.endIndex
            else { return [] }
        }
        let losses = kept.sources.compactMap { old -> Self? in
            let new = found.first { $0.file == old.file }
            if let new, old.file == kept.configuration, mark?.isOf(new.text) == true { return nil }
            if let kind = loss(of: old, new) { return Self(file: old.file, kind: kind) }
            // A text without keys is intended if a person wrote words into it.
            guard let new, !contentLines(new.text).isEmpty || !hasWords(new.text) else { return nil }
            return defaults(in: found, of: old)
        }
        // Renamed, split or joined files that set the same keys are no loss.
        guard !losses.isEmpty, !isSame(kept.sources, found) else { return [] }
        let known = Set(kept.sources.map(\.file))
        let new = found.filter { !known.contains($0.file) }
        return losses.filter { loss in
            guard loss.kind == .gone, let old = kept.sources.first(where: { $0.file == loss.file }) else {
                return true
            }
            return !new.contains { contentLines($0.text) == contentLines(old.text) }
        }
    }

    private static func isSame(_ old: [ConfigSource], _ new: [ConfigSource]) -> Bool {
        guard let old = try? ConfigLoader.load(old).config, let new = try? ConfigLoader.load(new).config
        else { return false }
        return old == new
    }

    private static func loss(of old: ConfigSource, _ new: ConfigSource?) -> Kind? {
        let oldLines = Self.contentLines(old.text)
        guard oldLines.contains(where: { !$0.starts(with: [UInt8(ascii: "[")]) }) else { return nil }
        guard let new else { return .gone }
        // A text that is not TOML is refused for its mistake. Rules for several keys are not checked: half of a place, or a place
        // without the other half, is a loss all the more.
        guard TOMLDocument(new.text).faults.isEmpty else { return nil }
        let newLines = Self.contentLines(new.text)
        guard newLines != oldLines else { return nil }
        let hasKeys = newLines.contains { !$0.starts(with: [UInt8(ascii: "[")]) }
        if !hasKeys, !hasWords(new.text) { return .emptied }
        return old.text.starts(with: new.text) ? .cut : nil
    }

    /// The lines that are neither blank nor comments, without the blanks around them.
    private static func contentLines(_ text: [UInt8]) -> [ArraySlice<UInt8>] {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        return text.dropFirst(text.starts(with: mark) ? mark.count : 0).split(separator: UInt8(ascii: "\n"))
            .compactMap { line in
                let isBlank = { (byte: UInt8) in byte <= UInt8(ascii: " ") }
                let rest = line.drop(while: isBlank)
                guard let first = rest.first, first != UInt8(ascii: "#") else { return nil }
                return rest.prefix(through: rest.lastIndex { !isBlank($0) } ?? rest.startIndex)
            }
    }

    /// Whether a text without keys has a comment with a word in it: a person wrote and intended it.
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

    /// The losses of a file that a command has just written: keys that were in force, and that the command neither found in the
    /// file nor removed.
    /// - Parameters:
    ///   - old: the configuration in force until now.
    ///   - new: the configuration in force from now on.
    package static func keys(
        since old: [ConfigSource], in new: [ConfigSource], written: WrittenFile
    ) -> ConfigurationLoss? {
        guard let removed = written.removed, let before = old.first(where: { $0.file == written.file })
        else { return nil }
        let after = new.first { $0.file == written.file }?.text ?? []
        let gone = keys(of: before.text, goneFrom: after).filter { !removed.contains($0) }
        guard !gone.isEmpty else { return nil }
        // A value that another file sets instead is in force as before.
        let (was, now) = (settings(old), settings(new))
        let lost = gone.filter { was[$0] == nil || was[$0] != now[$0] }
        return lost.isEmpty ? nil : ConfigurationLoss(file: written.file, kind: .keys(lost))
    }

    /// The keys of a text that are missing in another.
    package static func keys(of old: [UInt8], goneFrom new: [UInt8]) -> [String] {
        ConfigDifference.of(texts: old, new).filter { $0.after == nil }.map(\.key)
    }

    private static func settings(_ sources: [ConfigSource]) -> [String: String] {
        let settings = (try? ConfigLoader.load(sources).settings) ?? []
        return Dictionary(settings.map { ($0.key, $0.value) }) { $1 }
    }

    /// The text for a person who reloads nevertheless.
    package var notice: String {
        let isOne = if case .keys(let keys) = kind { keys.count == 1 } else { true }
        return "\(file): \(kind.sentence); \(isOne ? "it is" : "they are") no longer in force"
    }
}

/// A file that a caller has just written.
package struct WrittenFile: Sendable, Equatable {
    package let file: String
    /// The keys that the command removed. `nil`: it wrote the whole file, and missing keys are intended to be missing.
    package let removed: [String]?

    package init(_ file: String, removed: [String]? = nil) {
        (self.file, self.removed) = (file, removed)
    }
}

extension ConfigurationLoss.Kind {
    fileprivate var sentence: String {
        switch self {
        case .gone: "the file was in force and is gone"
        case .emptied: "the file is empty and was not before, as after a loss of power"
        case .cut: "the file breaks off where it went on before, as after a loss of power"
        case .keys(let keys):
            "\(Self.named(keys)) \(keys.count == 1 ? "was" : "were") in force and \(keys.count == 1 ? "is" : "are") gone"
        }
    }

    private static func named(_ keys: [String]) -> String {
        let most = 4
        guard keys.count > most else { return keys.joined(separator: ", ") }
        return keys.prefix(most).joined(separator: ", ") + " and \(keys.count - most) more"
    }
}
