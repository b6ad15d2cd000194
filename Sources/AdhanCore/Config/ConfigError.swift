/// Why a configuration cannot be used: its first mistake, in one sentence, and those behind it.
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
    /// The other mistakes, in the order of the text.
    package private(set) var others: [ConfigError] = []

    package init(file: String, line: Int, column: Int, key: String?, reason: String) {
        self.file = file
        self.line = line
        self.column = column
        self.key = key
        self.reason = reason
    }

    /// `file:line:column: reason`
    package var message: String { PlainText.visible("\(file):\(line):\(column): \(reason)") }

    /// This mistake and the others.
    package var all: [ConfigError] { [self] + others }

    /// The first mistake, and how many more there are.
    package var summary: String { message + andMore }

    /// ` (and 2 more mistakes)`, to be put behind a sentence; empty when this is the only one.
    var andMore: String {
        switch others.count {
        case 0: ""
        case 1: " (and 1 more mistake)"
        case let count: " (and \(count) more mistakes)"
        }
    }

    /// Throws the first of some mistakes with the others in it; nothing when there are none.
    static func refuse(_ mistakes: [ConfigError]) throws(ConfigError) {
        guard var first = mistakes.first else { return }
        first.others = Array(mistakes.dropFirst())
        throw first
    }
}
