public import Settings
import Texts

/// The parameters of `SetSettings`: keys and their TOML values, all or nothing.
public struct SettingsParameters: Codable, Sendable, Equatable {
    /// 1 to 64 changes; without a value the setting is removed.
    public var changes: [SettingChange]
    /// The change that the caller has seen: if one of these keys was changed since, the call is refused as a conflict.
    public var expect: Int?
    /// Whether to report the effect only, and change nothing.
    public var dryRun: Bool?

    /// Makes the parameters; without `expect` there is no conflict.
    public init(changes: [SettingChange], expect: Int? = nil, dryRun: Bool? = nil) {
        (self.changes, self.expect, self.dryRun) = (changes, expect, dryRun)
    }
}

/// `GetSettings`
public struct SettingsPrefixParameters: Codable, Sendable, Equatable {
    /// A key or a table; everything when omitted.
    public var prefix: String?

    /// Makes the parameters; without a prefix they request every key.
    public init(prefix: String? = nil) { self.prefix = prefix }
}

/// `UndoSettings`
public struct SettingsChangeParameters: Codable, Sendable, Equatable {
    /// The number of the change to undo; the newest when omitted.
    public var change: Int?

    /// Makes the parameters; without a number the newest change is undone.
    public init(change: Int? = nil) { self.change = change }
}

/// The answer of `SetSettings`.
public struct SettingsChangedReply: ReplyDocument, Equatable {
    public static var described: String {
        "message: string, change: int, problems: []string, silent: ?bool, awaitsTrial: ?bool, details: ?[]string"
    }
    /// One sentence for a person.
    public let message: String
    /// The number of the newest change.
    public let change: Int
    /// Parts of the configuration that do not work although the change was made, and outputs that are inaudible now.
    public let problems: [String]
    /// Whether inaudible outputs are among ``problems``; omitted where not.
    public var silent: Bool?
    /// Whether new devices are tried later, because a sound needs them now; omitted where not.
    public var awaitsTrial: Bool?
    /// The old and new values in force, a sentence for each key; omitted where nothing changes.
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
    /// One sentence for a person.
    public let message: String
    /// The number of the undoing change, which is the newest now.
    public let change: Int
    /// Parts of the configuration that do not work although the change was made; omitted where there are none.
    public var problems: [String]?
    /// Whether inaudible outputs are among ``problems``; omitted where not.
    public var silent: Bool?
    /// Whether new devices are tried later, because a sound needs them now; omitted where not.
    public var awaitsTrial: Bool?
    /// The old and new values in force, a sentence for each key; omitted where nothing changes.
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
    /// The number of the newest change; 0 where there was none yet.
    public let change: Int
    /// The requested settings that were made by command, in force or not.
    public let settings: [SettingDocument]
    /// The requested keys that a command may set.
    public let keys: [SettableKeyDocument]

    package init(change: Int, settings: [SettingDocument], keys: [SettableKeyDocument]) {
        (self.change, self.settings, self.keys) = (change, settings, keys)
    }
}

/// A setting that was made by command.
public struct SettingDocument: Codable, Sendable, Equatable {
    /// A dotted path: `adhan.fajr.volume`.
    public let key: String
    /// The value in TOML, empty where there is none; likewise the two values below.
    public let value: String
    /// Whether it is in force, or the kind of obstacle.
    public let state: SettingState
    /// The value of an empty file.
    public let `default`: String
    /// The value in force, whatever its source.
    public let inForce: String
    /// The person for whom it was set, or the user.
    public let by: String
    /// The user whose program set it.
    public let user: String
    /// RFC 3339: when it was set.
    public let at: String
    /// The number of the change that set it.
    public let change: Int
    /// The file that keeps it from being in force.
    public var file: String?
    /// The line of ``file``, from 1; omitted where no file keeps it from being in force.
    public var line: Int?
    /// Why it is not in force, a sentence; omitted where it is, or where ``state`` suffices.
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
    /// The key as a dotted path: `adhan.fajr.volume`; `[[…]]` of TOML and tables with free names are keys as a whole.
    public let key: String
    /// The kind of its values: `flag`, `volume`, `integer`, `number`, `choice`, `duration`, `integers`, `durations`,
    /// `sound`, `sounds`, `text`, `texts`, `date`, `moment`, `tables` or `table`.
    public let kind: String
    /// Completes "KEY must be …".
    public let allowed: String
    /// The lowest role that may set it on this box.
    public let role: SettingRole
    /// The pin in files that keeps it from being set.
    public var pinned: String?
    /// The value in force in TOML, empty where there is none; omitted by an older adhand.
    public var inForce: String?
    /// The file that sets it; omitted where none does.
    public var file: String?

    package init(_ key: SettableKey, in layered: LayeredConfig, _ files: LayerFiles) {
        (self.key, kind, allowed) = (key.key, key.kind, key.allowed)
        role = key.role(files.household)
        pinned = files.pin(of: key.key)?.name
        inForce = layered.inForce(key)
        file = files.settings[key.key]?.file
    }
}

/// `GetChanges`
public struct ChangesParameters: Codable, Sendable, Equatable {
    /// The number of changes; all kept ones when omitted.
    public var limit: Int?

    /// Makes the parameters; without any they request all kept changes.
    public init(limit: Int? = nil) { self.limit = limit }
}

/// The answer of `GetChanges`: the newest last.
public struct ChangesReply: ReplyDocument, Equatable {
    public static var described: String { "changes: []Change" }
    /// At most 50 changes, the newest last.
    public let changes: [ChangeDocument]

    package init(_ layer: SettingsLayer, limit: Int) {
        changes = layer.changes.suffix(limit).map(ChangeDocument.init)
    }
}

/// One change of settings, which is undone as a whole.
public struct ChangeDocument: Codable, Sendable, Equatable {
    /// The effect of a change on one key.
    public struct Step: Codable, Sendable, Equatable {
        /// A dotted path: `adhan.fajr.volume`.
        public let key: String
        /// The old value in TOML; omitted where it was not set.
        public var before: String?
        /// The new value in TOML; omitted where it was removed.
        public var after: String?
    }

    /// The number of the change, from 1.
    public let change: Int
    /// RFC 3339: when it was made.
    public let at: String
    /// The person for whom it was made, as the caller claimed, or otherwise the user.
    public let by: String
    /// The user whose program made it.
    public let user: String
    /// The number of the change that it undid; omitted where it undid none.
    public var undoes: Int?
    /// Every key that it changed, in the order of the request.
    public let steps: [Step]

    package init(_ change: SettingsLayer.Change) {
        (self.change, at, undoes) = (change.change, change.at, change.undoes)
        (by, user) = (change.author.name, change.author.user)
        steps = change.steps.map { Step(key: $0.key, before: $0.before, after: $0.after) }
    }
}
