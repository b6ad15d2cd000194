import TOML

/// Parses the bytes of configuration files into a ``Config``. Nothing is applied partly, and every mistake is reported, in the
/// order of the texts.
package enum ConfigLoader {
    /// The most bytes of a file. A configuration with every key has three thousand.
    package static let longestFile = 1 << 20

    package static func load(text: String, file: String) throws(ConfigError) -> Config {
        try load(text: Array(text.utf8), file: file)
    }

    package static func load(text: [UInt8], file: String) throws(ConfigError) -> Config {
        try load([ConfigSource(file: file, text: text)]).config
    }

    /// Loads several texts as one configuration, as ``Schema/read(_:)`` reads them.
    package static func load(_ sources: [ConfigSource]) throws(ConfigError) -> EffectiveConfig {
        EffectiveConfig(try ConfigSchema.schema.read(sources))
    }

    /// Loads texts that may contradict each other: values with mistakes are left out, and rules for several keys are not checked.
    package static func unchecked(_ sources: [ConfigSource]) -> EffectiveConfig {
        let reading = SchemaReading(ConfigSchema.schema, sources)
        return EffectiveConfig(config: reading.resolved(), settings: reading.settings())
    }

    /// The mistakes of a text by itself. Rules for several keys are left out: the other keys may be in another text.
    package static func ownMistakes(of source: ConfigSource) -> ConfigError? {
        ConfigError.of(SchemaReading(ConfigSchema.schema, [source]).mistakes)
    }

    /// An error about a key's value that only the machine can detect, such as a zone that it lacks: at the value in force. `key`
    /// is a dotted path; where no text has such a key, the error is at the beginning of `file`.
    package static func error(
        at key: String, in sources: [ConfigSource], file: String, reason: String
    ) -> ConfigError {
        let path = key.split(separator: ".").map(String.init)
        for source in sources.reversed() {
            let text = ConfigText(source, ConfigSchema.index)
            guard let node = text.document.node(path) else { continue }
            return text.error(at: text.document.nodes[node].range.lowerBound, key: key, reason)
        }
        return ConfigError(file: file, line: 1, column: 1, key: key, reason: reason)
    }
}
