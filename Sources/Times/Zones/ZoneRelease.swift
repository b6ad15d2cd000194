package import PrayerEngine
import Texts

/// The release of the tz database from which a machine's zone files come.
package struct ZoneRelease: Sendable, Equatable {
    /// `2025b`
    package let name: String

    /// Parses `2025b`, also with a distribution's suffix; `nil` for any other text.
    package init?(name text: some StringProtocol) {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        let letters = text.dropFirst(digits.count).prefix { $0.isASCII && $0.isLowercase }
        guard digits.count == 4, !letters.isEmpty else { return nil }
        name = String(digits) + String(letters)
    }

    /// - Parameters:
    ///   - rules: the file `tzdata.zi`, whose first line is `# version 2025b`.
    ///   - version: the file `+VERSION`, which some systems have instead.
    package init?(rules: [UInt8], version: [UInt8]) {
        func line(_ bytes: [UInt8]) -> String {
            String(decoding: bytes.prefix(64).prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
        }
        let words = line(rules).split(separator: " ")
        if words.count >= 3, words[0] == "#", words[1] == "version", let own = Self(name: words[2]) {
            self = own
        } else if let own = Self(name: line(version)) {
            self = own
        } else {
            return nil
        }
    }

    /// The day of its publication, where this version of adhand knows it.
    package var published: CivilDate? { Self.known[name].flatMap { CivilDate($0) } }

    /// Whether more than a year has passed since its publication, or since the end of its year if it is unknown.
    package func isOld(at now: Instant) -> Bool {
        let year = name.prefix(4)
        guard let published = published ?? CivilDate("\(year)-12-31") else { return false }
        return Zone.utc.civilDate(of: now).dayNumber - published.dayNumber > 366
    }

    /// Days of publication. Source: the file NEWS of the tz database.
    private static let known = [
        "2022a": "2022-03-15", "2022b": "2022-08-10", "2022c": "2022-08-15", "2022d": "2022-09-23",
        "2022e": "2022-10-11", "2022f": "2022-10-28", "2022g": "2022-11-29",
        "2023a": "2023-03-22", "2023b": "2023-03-23", "2023c": "2023-03-28", "2023d": "2023-12-21",
        "2024a": "2024-02-01", "2024b": "2024-09-04",
        "2025a": "2025-01-15", "2025b": "2025-03-22", "2025c": "2025-12-10",
        "2026a": "2026-03-01", "2026b": "2026-04-22", "2026c": "2026-07-08",
    ]
}

/// Warns that the zone files of a machine lack a change of its zone, or are old. The times themselves are instants; wrong are the
/// clock times that are displayed, and those that are read from a timetable.
package struct ZoneFilesWarning: Sendable, Equatable {
    package enum Code: String, Codable, Sendable, CaseIterable {
        /// They lack a change that this version knows.
        case outdated
        /// They are older than a year.
        case old
    }

    package let code: Code
    package let message: String

    package static let fix = "sudo apt update && sudo apt upgrade"

    /// - Parameter now: the time by a trusted clock; `nil` without one, so that only changes from before this version of adhand
    ///     have certainly passed.
    package init?(_ zone: Zone, _ release: ZoneRelease?, now: Instant?) {
        let name = release.map { " (\($0.name))" } ?? ""
        if let change = ZoneChange.all.first(where: { $0.isMissing(in: zone) }) {
            code = .outdated
            message =
                "\(change.sentence), and this machine's zone files\(name) do not have it: clock times in \(zone.name) are wrong"
        } else if let release, release.isOld(at: now ?? adhandRelease) {
            code = .old
            let published = release.published.map { ", published on \($0)" } ?? ""
            message =
                "this machine's zone files are older than a year (\(release.name)\(published)): clocks that were changed "
                + "since then are wrong"
        } else {
            return nil
        }
    }
}
