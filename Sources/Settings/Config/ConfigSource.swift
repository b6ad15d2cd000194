/// A text that is part of a configuration.
package struct ConfigSource: Sendable, Equatable {
    /// The name in errors.
    package let file: String
    package let text: [UInt8]
    /// Keys that are treated as if this text did not set them.
    package var ignoredKeys: Set<String> = []
    /// Whether the pins of other texts bind it: a fleet's text, and settings made by command.
    let isBound: Bool

    package init(file: String, text: [UInt8], isBound: Bool = false) {
        (self.file, self.text, self.isBound) = (file, text, isBound)
    }
}

/// The settings that result from the texts of a configuration.
package struct EffectiveConfig: Sendable, Equatable {
    package let config: Config
    /// Every key that is set, with its value and its origin.
    package let settings: [ConfigSetting]

    package init(config: Config, settings: [ConfigSetting]) {
        self.config = config
        self.settings = settings
    }

    init(_ effective: EffectiveSettings<Config>) {
        self.init(config: effective.settings, settings: effective.keys)
    }
}

/// The settings that result from the texts of the display's file.
package struct EffectiveDisplay: Sendable, Equatable {
    package let config: DisplayConfig
    package let settings: [ConfigSetting]

    package init() {
        (config, settings) = (DisplayConfig(), [])
    }

    init(_ effective: EffectiveSettings<DisplayConfig>) {
        (config, settings) = (effective.settings, effective.keys)
    }
}

/// A key that a configuration sets.
public struct ConfigSetting: Codable, Sendable, Equatable {
    /// A line of a file.
    public struct Place: Codable, Sendable, Equatable {
        /// The file's path.
        public let file: String
        /// The line, counted from 1.
        public let line: Int

        /// Names a line of a file.
        public init(file: String, line: Int) {
            self.file = file
            self.line = line
        }
    }

    /// A dotted path such as `adhan.fajr.volume`.
    public let key: String
    /// The value in TOML.
    public let value: String
    /// The path of the file that sets it.
    public let file: String
    /// Counted from 1.
    public let line: Int
    /// The places in earlier files that set the same key, in order.
    public let overridden: [Place]
    /// The person who set it by command; left out of settings in files.
    public var by: String?
    /// The time at which it was set by command; left out of settings in files.
    public var at: String?

    package init(key: String, value: String, place: Place, overridden: [Place] = []) {
        self.key = key
        self.value = value
        file = place.file
        line = place.line
        self.overridden = overridden
    }

    /// The setting under another name.
    func named(_ key: String) -> ConfigSetting {
        ConfigSetting(
            key: key, value: value, place: Place(file: file, line: line), overridden: overridden)
    }

    /// Why the key cannot be set in `main`: a drop-in sets it, and would win.
    public func refusal(toWriteIn main: String) -> String {
        "the drop-in \(file), line \(line), sets \(key) and overrides \(main); change it there"
    }
}
