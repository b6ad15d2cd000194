public import Settings
import Texts

/// `SetSettings`: keys and the TOML values that they are set to, all or nothing.
public struct SettingsParameters: Codable, Sendable, Equatable {
    /// 1 to 64; without a value the setting is taken away.
    public var changes: [SettingChange]
    /// The change that the caller has seen: one of these keys that was changed since is a conflict.
    public var expect: Int?
    /// Whether to report the effect only, and change nothing.
    public var dryRun: Bool?

    public init(changes: [SettingChange], expect: Int? = nil, dryRun: Bool? = nil) {
        (self.changes, self.expect, self.dryRun) = (changes, expect, dryRun)
    }
}

/// `GetSettings`
public struct SettingsPrefixParameters: Codable, Sendable, Equatable {
    /// A key or a table; everything when left out.
    public var prefix: String?

    public init(prefix: String? = nil) { self.prefix = prefix }
}

/// `UndoSettings`
public struct SettingsChangeParameters: Codable, Sendable, Equatable {
    /// The newest when left out.
    public var change: Int?

    public init(change: Int? = nil) { self.change = change }
}

/// The answer of `SetSettings`.
public struct SettingsChangedReply: ReplyDocument, Equatable {
    public static var described: String {
        "message: string, change: int, problems: []string, silent: ?bool, awaitsTrial: ?bool, details: ?[]string"
    }
    public let message: String
    /// The number of the newest change.
    public let change: Int
    /// Parts of the configuration that do not work, as they did not before; outputs from which nothing would be heard now.
    public let problems: [String]
    /// Whether such outputs are among them; left out where not.
    public var silent: Bool?
    /// Whether devices that the change brings in are tried later, as a sound needs them now; left out where not.
    public var awaitsTrial: Bool?
    /// The values in force before and now, a sentence for each key; left out where nothing changes.
    public var details: [String]?

    package init(_ message: String, change: Int, problems: [String] = [], silent: Bool? = nil) {
        (self.message, self.change, self.problems, self.silent) = (message, change, problems, silent)
    }
}

/// The answer of `UndoSettings`.
public struct SettingsUndoneReply: ReplyDocument, Equatable {
    public static var described: String {
        "message: string, change: int, problems: ?[]string, silent: ?bool, awaitsTrial: ?bool, details: ?[]string"
    }
    public let message: String
    public let change: Int
    /// As of `SetSettings`; left out where there are none.
    public var problems: [String]?
    public var silent: Bool?
    public var awaitsTrial: Bool?
    public var details: [String]?

    package init(_ message: String, change: Int, problems: [String] = [], silent: Bool? = nil) {
        (self.message, self.change, self.silent) = (message, change, silent)
        self.problems = problems.isEmpty ? nil : problems
    }
}

/// The sentence about a change that awaits its trial.
package enum LaterTrial {
    package static let sentence =
        "the new devices were not tried, as something sounds or is about to; adhand tries them afterwards, "
        + "and \"adhanctl doctor\" shows what it found"
}

/// The answer of `GetSettings`.
public struct SettingsReply: ReplyDocument, Equatable {
    public static var described: String { "change: int, settings: []Setting, keys: []SettableKey" }
    public let change: Int
    public let settings: [SettingDocument]
    public let keys: [SettableKeyDocument]

    package init(change: Int, settings: [SettingDocument], keys: [SettableKeyDocument]) {
        (self.change, self.settings, self.keys) = (change, settings, keys)
    }
}

/// A setting that was made by command.
public struct SettingDocument: Codable, Sendable, Equatable {
    public let key: String
    /// As TOML writes it, as are the two that follow; these are empty where there is no value.
    public let value: String
    public let state: SettingState
    /// The value of an empty file.
    public let `default`: String
    public let inForce: String
    /// The person for whom it was set, and the user whose program set it.
    public let by: String
    public let user: String
    public let at: String
    public let change: Int
    /// The place in a file that keeps it from being in force.
    public var file: String?
    public var line: Int?
    public var reason: String?

    package init(_ setting: EvaluatedSetting, in layered: LayeredConfig) {
        let entry = setting.entry
        let key = SettableKey(entry.key)
        (self.key, value, state) = (entry.key, entry.value, setting.state)
        `default` = key?.initial ?? ""
        inForce = key.map { layered.inForce($0) } ?? ""
        (by, user, at, change) = (entry.author.name, entry.author.user, entry.at, entry.change)
        (file, line, reason) = (setting.place?.file, setting.place?.line, setting.reason)
    }
}

/// A key that may be set.
public struct SettableKeyDocument: Codable, Sendable, Equatable {
    public let key: String
    public let kind: String
    /// Completes "KEY must be …".
    public let allowed: String
    public let role: SettingRole
    /// The name under which files keep it from being set.
    public var pinned: String?
    /// The value in force as TOML writes it, empty where there is none; an older adhand does not say.
    public var inForce: String?
    /// The file that sets it; left out where none does.
    public var file: String?

    package init(_ key: SettableKey, in layered: LayeredConfig, _ files: LayerFiles) {
        (self.key, kind, allowed) = (key.key, key.kind, key.allowed)
        role = key.role(files.household)
        pinned = files.pin(of: key.key)?.name
        inForce = layered.inForce(key)
        file = files.said[key.key]?.file
    }
}

/// `GetChanges`
public struct ChangesParameters: Codable, Sendable, Equatable {
    /// The number of changes; all kept ones where it is left out.
    public var limit: Int?

    public init(limit: Int? = nil) { self.limit = limit }
}

/// The answer of `GetChanges`: the newest last.
public struct ChangesReply: ReplyDocument, Equatable {
    public static var described: String { "changes: []Change" }
    public let changes: [ChangeDocument]

    package init(_ layer: SettingsLayer, limit: Int) {
        changes = layer.changes.suffix(limit).map(ChangeDocument.init)
    }
}

public struct ChangeDocument: Codable, Sendable, Equatable {
    public struct Step: Codable, Sendable, Equatable {
        public let key: String
        /// As TOML writes it; left out where it was not set.
        public var before: String?
        public var after: String?
    }

    public let change: Int
    public let at: String
    public let by: String
    public let user: String
    public var undoes: Int?
    public let steps: [Step]

    package init(_ change: SettingsLayer.Change) {
        (self.change, at, undoes) = (change.change, change.at, change.undoes)
        (by, user) = (change.author.name, change.author.user)
        steps = change.steps.map { Step(key: $0.key, before: $0.before, after: $0.after) }
    }
}
