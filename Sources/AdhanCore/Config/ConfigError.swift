/// Why a configuration cannot be used: the first mistake of the file, in one sentence.
package struct ConfigError: Error, Sendable, Equatable {
    package let file: String
    /// Counted from 1.
    package let line: Int
    /// Counted from 1, in characters.
    package let column: Int
    /// The key as a dotted path such as `adhan.fajr.volume`; `nil` when the text is not TOML.
    package let key: String?
    /// What is wrong, what is allowed, and the nearest valid name.
    package let reason: String

    package init(file: String, line: Int, column: Int, key: String?, reason: String) {
        self.file = file
        self.line = line
        self.column = column
        self.key = key
        self.reason = reason
    }

    /// `file:line:column: reason`
    package var message: String { PlainText.visible("\(file):\(line):\(column): \(reason)") }
}
