/// Settings that were made by command: a layer over the files, kept by adhand alone.
package struct SettingsLayer: Sendable, Equatable {
    /// One key that is set.
    package struct Entry: Sendable, Equatable {
        package let key: String
        /// The value in TOML.
        package let value: String
        /// The value in the files when the key was set; `nil` where there was none.
        package let over: String?
        /// The change that set it.
        package let change: Int
        /// The change with which it is in or out of force. Settings that were tried together stay together.
        package var unit: Int
        package let author: SettingAuthor
        /// The time in RFC 3339, in UTC.
        package let at: String
    }

    package struct Step: Sendable, Equatable {
        package let key: String
        package let before: String?
        /// The value in the files when `before` was set.
        package let over: String?
        package let after: String?
    }

    package struct Change: Sendable, Equatable {
        package let change: Int
        package let at: String
        package let author: SettingAuthor
        package let undoes: Int?
        package let steps: [Step]
    }

    /// The number of the newest change; 0 before the first.
    package internal(set) var change = 0
    /// The entries in the order in which they take effect: by unit, then by key.
    package internal(set) var entries: [Entry] = []
    /// The last changes, the newest last.
    package internal(set) var changes: [Change] = []

    /// The most changes that can be undone.
    package static let mostChanges = 50
    /// The most keys of one change.
    package static let mostKeys = 64

    package init() {}

    package subscript(key: String) -> Entry? { entries.first { $0.key == key } }

    /// A key in force, with the person who set it by command.
    func signed(_ setting: ConfigSetting) -> ConfigSetting {
        guard setting.file == LayeredConfig.sourceName, let entry = self[setting.key] else { return setting }
        var setting = setting
        (setting.by, setting.at) = (entry.author.name, entry.at)
        return setting
    }

    /// The newest known change of a key.
    package func lastChange(of key: String) -> (number: Int, author: SettingAuthor)? {
        let step = changes.last { $0.steps.contains { $0.key == key } }
        return step.map { ($0.change, $0.author) } ?? self[key].map { ($0.change, $0.author) }
    }
}

/// The author of a change.
package struct SettingAuthor: Codable, Sendable, Equatable {
    /// The person for whom the caller claims to act; `nil` where it acts for its own user.
    package let actor: String?
    /// The user of the calling process, according to the kernel.
    package let user: String

    package init(actor: String? = nil, user: String) {
        (self.actor, self.user) = (actor, user)
    }

    /// The name of the person, program or user.
    package var name: String { actor ?? user }

    /// `Kitchen phone (user adhan-remote)`
    package var text: String { actor.map { "\($0) (user \(user))" } ?? user }

    /// The most characters of a claim.
    package static let longestActor = 60

    /// Whether a text may be a claim: readable, and in one line.
    package static func isActor(_ text: String) -> Bool {
        (1...longestActor).contains(text.count) && text.utf8.count <= 4 * longestActor
            && text.contains { !$0.isWhitespace }
            && !text.unicodeScalars.contains { $0.value < 0x20 || (0x7F..<0xA0).contains($0.value) }
    }
}

/// Why a setting is refused.
package enum SettingsRefusal: Error, Sendable, Equatable {
    case unknown(key: String, near: String?)
    case invalid(key: String, value: String, reason: String)
    case pinned(key: String, file: String, line: Int)
    case conflict(key: String, change: Int, by: String)
    /// The caller's role is lower.
    case role(SettingRole)
    /// The change does not exist.
    case nothing(reason: String)
    /// There are no keys, or more than ``SettingsLayer/mostKeys``.
    case count
    /// All settings together exceed ``SettingsLayer/longestFile``.
    case tooLarge
}
