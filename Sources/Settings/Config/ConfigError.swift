import Texts

/// Why a configuration cannot be used: its first mistake in one sentence, and the following ones.
public struct ConfigError: Error, Sendable, Equatable {
    package let file: String
    /// The line, counted from 1.
    package let line: Int
    /// The column, counted from 1, in characters.
    package let column: Int
    /// The key as a dotted path such as `adhan.fajr.volume`; `nil` when the text is not TOML.
    package let key: String?
    /// The problem, the allowed values, and the nearest valid name.
    package let reason: String
    /// The origin of the error.
    package let cause: Cause
    /// The other mistakes, in the order of the text.
    package private(set) var others: [ConfigError] = []

    /// The kinds of reasons for which a configuration cannot be used.
    public enum Cause: String, Codable, Sendable, CaseIterable {
        /// A file with a mistake, or one that cannot be read.
        case mistake
        /// A file that was in force and has gone, is empty or is cut off (``ConfigurationLoss``).
        case lost
        /// A file system that does not answer.
        case unanswered
    }

    package init(
        file: String, line: Int, column: Int, key: String?, reason: String, cause: Cause = .mistake
    ) {
        self.cause = cause
        self.file = file
        self.line = line
        self.column = column
        self.key = key
        self.reason = reason
    }

    /// `file:line:column: reason`; a file that is missing or does not answer has no lines.
    package var message: String {
        let place = cause == .mistake ? "\(file):\(line):\(column)" : file
        return PlainText.visible("\(place): \(reason)")
    }

    /// This mistake and the others.
    package var all: [ConfigError] { [self] + others }

    /// The first mistake, and how many more there are.
    package var summary: String { message + andMore }

    /// ` (and 2 more mistakes)`, to be appended to a sentence; empty when this is the only one.
    package var andMore: String {
        switch others.count {
        case 0: ""
        case 1: " (and 1 more \(cause == .lost ? "file" : "mistake"))"
        case let count: " (and \(count) more \(cause == .lost ? "files" : "mistakes"))"
        }
    }

    /// Throws the first of some mistakes with the others in it; returns when there are none.
    static func refuse(_ mistakes: [ConfigError]) throws(ConfigError) {
        if let error = of(mistakes) { throw error }
    }

    /// Returns the first of some mistakes with the others in it.
    package static func of(_ mistakes: [ConfigError]) -> ConfigError? {
        guard var first = mistakes.first else { return nil }
        first.others = Array(mistakes.dropFirst())
        return first
    }
}
