package import PrayerEngine

/// The last configuration that could be used, text by text, as the state directory keeps it: a box whose file has been broken
/// since goes on calling by it after a restart.
package struct KeptConfiguration: Codable, Sendable, Equatable {
    private struct Text: Codable, Sendable, Equatable {
        let file: String
        let text: String
    }

    private let version: Int
    /// Which configuration it is: nothing is taken for a file of another path.
    package let configuration: String
    /// RFC 3339, in UTC.
    package let keptAt: String
    private let texts: [Text]

    package init(_ configuration: String, _ sources: [ConfigSource], at now: Instant) {
        version = 1
        self.configuration = configuration
        keptAt = InstantText.rfc3339(now, in: .utc)
        texts = sources.map { Text(file: $0.file, text: String(decoding: $0.text, as: UTF8.self)) }
    }

    package var sources: [ConfigSource] {
        texts.map { ConfigSource(file: $0.file, text: Array($0.text.utf8)) }
    }

    /// Whether it says the same, whenever it was kept.
    package func isSame(as other: Self) -> Bool {
        configuration == other.configuration && texts == other.texts
    }

    package func fileBytes() throws -> [UInt8] { try JSON.encode(self, pretty: true) + [UInt8(ascii: "\n")] }

    package init(fileBytes: [UInt8]) throws { self = try JSON.decode(Self.self, from: fileBytes) }
}

/// What is wrong with the configuration on disk, while an older one is in force.
package struct ConfigurationProblem: Sendable, Equatable {
    package let error: ConfigError
    /// When what is in force was kept; `nil` when this very run of the program read it.
    package let keptAt: String?

    package init(_ error: ConfigError, keptAt: String? = nil) {
        self.error = error
        self.keptAt = keptAt
    }

    /// What to type once the file has been mended.
    package static let fix = "adhanctl reload"

    /// What is wrong, and what is in force instead.
    package var message: String {
        let since = keptAt.map { ", kept on \($0.prefix(10))," } ?? ""
        return
            "the configuration cannot be used: \(error.message); the last one that could\(since) stays in force until the "
            + "file is right"
    }
}
