/// Turns the bytes of configuration files into a ``Config``.
///
/// The first mistake in the order of the texts is reported: first what is no text or no TOML, then keys and values one by
/// one, then what keys say together. Nothing is half-applied.
package enum ConfigLoader {
    /// In bytes. A configuration that says everything has three thousand.
    package static let longestFile = 1 << 20

    package static func load(text: String, file: String) throws(ConfigError) -> Config {
        try load(text: Array(text.utf8), file: file)
    }

    package static func load(text: [UInt8], file: String) throws(ConfigError) -> Config {
        try load([ConfigSource(file: file, text: text)]).config
    }

    /// Several texts as one configuration: of two that set the same key the later one wins. Each is valid TOML with valid
    /// values by itself; what keys say together is judged of all of them.
    package static func load(_ sources: [ConfigSource]) throws(ConfigError) -> EffectiveConfig {
        var reading = ConfigReading()
        for source in sources { try reading.add(source) }
        try reading.checkRelations()
        let config = reading.resolved()
        try reading.checkCalculation(of: config)
        return EffectiveConfig(config: config, settings: reading.settings())
    }

    /// An error about a key's value that only the machine can tell, such as a zone that it does not have: at the value
    /// that counts. `key` is a dotted path; where no text has such a key, the error stands at the beginning of `file`.
    package static func error(
        at key: String, in sources: [ConfigSource], file: String, reason: String
    ) -> ConfigError {
        let path = key.split(separator: ".").map(String.init)
        for source in sources.reversed() {
            let keys = KeyLocator(source.text)
            guard let node = keys.node(path) else { continue }
            return ConfigText(bytes: source.text, file: source.file)
                .error(at: keys.nodes[node].valueOffset, key: key, reason)
        }
        return ConfigError(file: file, line: 1, column: 1, key: key, reason: reason)
    }
}
