import TOMLKit

/// Turns the bytes of a configuration file into a ``Config``.
///
/// The first mistake in the order of the text is reported: first what is no text or no TOML, then keys and values one by
/// one, then what keys say together. Nothing is half-applied.
package enum ConfigLoader {
    /// In bytes. A configuration that says everything has three thousand.
    package static let longestFile = 1 << 20

    package static func load(text: String, file: String) throws(ConfigError) -> Config {
        try load(text: Array(text.utf8), file: file)
    }

    package static func load(text: [UInt8], file: String) throws(ConfigError) -> Config {
        let text = ConfigText(bytes: text, file: file)
        let string = try text.decoded()
        let keys = KeyLocator(text.bytes)
        try text.refuseStructure(keys)
        let table: TOMLTable
        do {
            table = try TOMLTable(string: string)
        } catch let error as TOMLParseError {
            throw text.syntaxError(error, keys)
        } catch {
            throw text.error(at: 0, key: nil, "not readable as TOML: \(error)")
        }
        var reading = ConfigReading(text: text, keys: keys)
        try reading.read(table)
        try reading.checkRelations()
        let config = reading.resolved()
        try reading.checkCalculation(of: config)
        return config
    }

    /// An error about a key's value that only the machine can tell, such as a zone that it does not have.
    /// `key` is a dotted path; where the text has no such key, the error stands at its beginning.
    package static func error(
        at key: String, in text: [UInt8], file: String, reason: String
    ) -> ConfigError {
        let text = ConfigText(bytes: text, file: file)
        let keys = KeyLocator(text.bytes)
        let node = keys.node(key.split(separator: ".").map(String.init))
        return text.error(at: node.map { keys.nodes[$0].valueOffset } ?? 0, key: key, reason)
    }
}
