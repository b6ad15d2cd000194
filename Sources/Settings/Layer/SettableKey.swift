import TOML
import Texts

/// A key that may be set through the control socket: its path, its values and its role.
package struct SettableKey: Sendable {
    /// The file whose key it is.
    package enum Home: Sendable {
        case adhand, display

        /// The prefix of the keys of `display.toml`.
        package static let displayTable = "display"

        var index: SchemaIndex {
            switch self {
            case .adhand: ConfigSchema.index
            case .display: DisplayConfig.schema.index
            }
        }
    }

    package let key: String
    package let home: Home
    /// The path in its own file.
    let path: [String]
    let rule: ValueRule
    /// The lowest role that may set it, while files allow households to set volumes.
    private let lowest: SettingRole

    /// The keys that commands may set. `*` is one name, `**` one or more. Every other key belongs to files alone, whatever the
    /// caller's role.
    private static let table: [(pattern: String, role: SettingRole)] = [
        ("adhan.volume", .household), ("adhan.*.volume", .household),
        ("adhan.sound", .keeper), ("adhan.*.sound", .keeper),
        ("adhan.reminders", .keeper), ("adhan.*.reminders", .keeper),
        ("adhan.reminder-sound", .keeper), ("adhan.*.reminder-sound", .keeper),
        ("adhan.fade-in", .keeper), ("adhan.*.fade-in", .keeper),
        ("adhan.at", .keeper), ("adhan.*.at", .keeper),
        ("iqama.**", .keeper), ("jumua.**", .keeper), ("ramadan.**", .keeper), ("eid.**", .keeper),
        ("timetable.missing", .keeper), ("hijri.day-begins", .keeper),
        ("location.**", .fresh), ("timezone", .fresh), ("calculation.**", .fresh),
        ("audio.devices", .fresh), ("audio.preroll", .fresh),
    ]

    /// The keys of `display.toml` that commands may set: what it receives, serves and opens is for the file alone.
    private static let displayTable: [(pattern: String, role: SettingRole)] =
        [
            "languages", "digits", "clock", "seconds", "arabic-names", "theme", "title", "ticker", "proof",
            "hijri-turns", "forbidden-times", "notice-days", "scenes.**", "prayer.**", "night.enabled",
            "night.after-isha", "night.before-fajr", "night.brightness", "announcement",
        ].map { ($0, .keeper) }

    /// Finds a key; `nil` for a text that is not a key, or is set in files only. A shorthand stands for its key: `iqama.fajr` is
    /// `iqama.fajr.at`.
    package init?(_ text: String) {
        guard let (home, path) = Self.place(text), let rule = home.index.rule(at: path) else { return nil }
        let table = home == .display ? Self.displayTable : Self.table
        guard let row = table.first(where: { Self.matches(path, $0.pattern) }) else { return nil }
        (self.home, self.path, self.rule, lowest) = (home, path, rule, row.role)
        key = (home == .display ? [Home.displayTable] + path : path).joined(separator: ".")
    }

    /// The file and path of a key; `nil` for a text that is not a key.
    static func place(_ text: String) -> (home: Home, path: [String])? {
        if let path = canonical(text) { return (.adhand, path) }
        let path = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard path.first == Home.displayTable else { return nil }
        let rest = Array(path.dropFirst())
        return DisplayConfig.schema.index.rule(at: rest) == nil ? nil : (.display, rest)
    }

    /// All keys that may be set, in the order of the files.
    package static let all: [SettableKey] =
        (ConfigSchema.index.paths + DisplayConfig.schema.index.paths.map { [Home.displayTable] + $0 })
        .compactMap {
            SettableKey($0.joined(separator: "."))
        }

    /// The settable key that a wrong one probably means.
    package static func near(_ key: String) -> String? {
        NearestName.of(key, among: all.map(\.key))
    }

    /// Whether a text is a key of the files, settable or not.
    package static func isKnown(_ text: String) -> Bool { place(text) != nil }

    /// The key's own path, without a shorthand.
    static func canonical(_ text: String) -> [String]? {
        let path = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        return switch ConfigSchema.index[path] {
        case .shorthand(_, let target): target
        case .key: path
        case .table, nil: nil
        }
    }

    private static func matches(_ path: [String], _ pattern: String) -> Bool {
        let parts = pattern.split(separator: ".").map(String.init)
        if parts.last == "**" {
            return path.count >= parts.count && path.starts(with: parts.dropLast())
        }
        return path.count == parts.count && zip(path, parts).allSatisfy { $1 == "*" || $0 == $1 }
    }

    /// The lowest role that may set it.
    package func role(_ household: HouseholdRights) -> SettingRole {
        lowest == .household && household == .switch ? .keeper : lowest
    }

    /// The kind of its values, as a word for programs.
    package var kind: String {
        switch rule {
        case .flag: "flag"
        case .integer: isVolume ? "volume" : "integer"
        case .number: "number"
        case .oneOf, .method: "choice"
        case .duration: "duration"
        case .integers: "integers"
        case .durations: "durations"
        case .text(let kind): kind.isSound ? "sound" : "text"
        case .texts(let kind, orOne: _): kind.isSound ? "sounds" : "texts"
        case .date: "date"
        case .moment: "moment"
        case .tables: "tables"
        case .entries: "table"
        }
    }

    /// The accepted words, where the rule lists them.
    package var choices: [String]? { if case .oneOf(let words) = rule { words } else { nil } }

    /// Completes "KEY must be …".
    package var allowed: String {
        switch rule {
        case .text(let kind) where kind.isSound: "a sound's name or \"silent\""
        case .texts(let kind, orOne: _) where kind.isSound:
            "a sound's name, \"silent\", or a list of 1 to \(ValueRule.longestList) names"
        default: rule.allowed
        }
    }

    /// Whether it is a volume, which `[control] loudest` bounds.
    package var isVolume: Bool { path.last == "volume" }

    /// Whether it consists of tables.
    package var isCompound: Bool { rule.isCompound }

    /// Whether it concerns the location.
    package var isOfPlace: Bool { home == .adhand && isLocation }

    private var isLocation: Bool { path.first == "location" || path == ["timezone"] }

    /// The value of an empty file in TOML; empty where there is none.
    package var initial: String { value(in: .default, DisplayConfig()) }

    /// Its value in some settings, in TOML; empty where there is none.
    package func value(in config: Config, _ display: DisplayConfig) -> String {
        let value =
            switch home {
            case .adhand: ConfigSchema.schema.value(at: path, in: config)
            case .display: DisplayConfig.schema.value(at: path, in: display)
            }
        return value.map { home.index.toml($0, at: path) } ?? ""
    }

    /// Reads a text of its file: its own value there, and every mistake of that text.
    fileprivate func reading(_ line: [UInt8]) -> (value: ConfigValue?, mistakes: [ConfigError]) {
        func read<Settings>(_ schema: Schema<Settings>) -> (ConfigValue?, [ConfigError]) {
            var reading = SchemaReading(schema)
            reading.add(ConfigSource(file: "", text: line))
            return (reading.facts.value(path), reading.mistakes)
        }
        return switch home {
        case .adhand: read(ConfigSchema.schema)
        case .display: read(DisplayConfig.schema)
        }
    }
}

/// A value that a key accepts, in TOML.
package struct SettingValue: Sendable, Equatable {
    package let toml: String
    let value: ConfigValue

    /// - Parameter text: one TOML value.
    /// - Throws: why the key does not accept it.
    package init(_ text: String, of key: SettableKey) throws(SettingsRefusal) {
        func refusal(_ reason: String) -> SettingsRefusal {
            .invalid(key: key.key, value: text, reason: reason)
        }
        guard text.utf8.count <= Self.longest else {
            throw refusal("the value has \(text.utf8.count) bytes, allowed are \(Self.longest)")
        }
        let line = key.path.map(TOMLEscapes.key).joined(separator: ".") + " = " + text + "\n"
        let document = TOMLDocument(Array(line.utf8))
        guard document.headers.isEmpty, document.pairs.count(where: { !$0.isInline }) <= 1 else {
            throw refusal("\(key.key) must be \(key.allowed), in one TOML value")
        }
        let reading = key.reading(Array(line.utf8))
        if let mistake = reading.mistakes.first {
            throw refusal(
                document.faults.isEmpty
                    ? mistake.reason : "\(key.key) must be \(key.allowed), as TOML writes it")
        }
        guard let value = reading.value else {
            throw refusal("\(key.key) must be \(key.allowed)")
        }
        if let path = value.sounds(key.rule).first(where: { $0.hasPrefix("/") }) {
            throw refusal(
                "a command sets sounds by their names, not by a path such as \(TOMLEscapes.quote(path)); "
                    + "\"adhanctl sound add\" gives a recording a name")
        }
        self.value = value
        toml = key.home.index.toml(value, at: key.path)
    }

    /// The volume, if the key is one.
    var integer: Int? { if case .integer(let integer) = value { integer } else { nil } }

    /// The most bytes. People write nothing nearly as long.
    package static let longest = 64 << 10
}

extension ConfigValue {
    /// The sounds in a value, including a list of tables.
    fileprivate func sounds(_ rule: ValueRule) -> [String] {
        switch (rule, self) {
        case (.text(let kind), _) where kind.isSound: strings
        case (.texts(let kind, orOne: _), _) where kind.isSound: strings
        case (.tables(let shape), .tables(let tables)):
            tables.flatMap { table in
                table.flatMap { name, value in shape.rule(of: name).map { value.sounds($0) } ?? [] }
            }
        default: []
        }
    }
}
