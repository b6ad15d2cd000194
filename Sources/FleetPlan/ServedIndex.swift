package import PrayerEngine
import Texts

/// The index of the apt archive that boxes are served. The server has no key to sign it again, and apt refuses it after its
/// end.
package struct ServedIndex: Sendable, Equatable {
    /// Seconds before its end at which the alarm begins, so that people have time to sign it on another machine and bring it
    /// here.
    package static let warningSeconds = 3 * 86_400.0

    package let validUntil: Instant

    package init(validUntil: Instant) { self.validUntil = validUntil }

    /// - Parameter text: the file `InRelease`.
    /// - Returns: `nil` if it has no valid end.
    package init?(inRelease text: String) {
        let field = "Valid-Until:"
        guard let line = text.split(separator: "\n").first(where: { $0.hasPrefix(field) }),
            let instant = Self.instant(line.dropFirst(field.count))
        else { return nil }
        validUntil = instant
    }

    private static let months = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(separator: " ")

    /// Parses a date such as `Thu, 10 Dec 2026 04:00:00 UTC`.
    private static func instant(_ text: Substring) -> Instant? {
        let words = text.split(separator: " ")
        guard words.count == 6, words[5] == "UTC" || words[5] == "GMT" || words[5] == "+0000",
            let day = Int(words[1]), let month = months.firstIndex(of: words[2])
        else { return nil }
        let date = "\(words[3])-\(InstantText.padded(month + 1, 2))-\(InstantText.padded(day, 2))"
        return InstantText.parse("\(date)T\(words[4])Z")
    }

    /// The labels and the sentence of the alarm; `nil` while there is enough time.
    func alarm(at now: Instant) -> (labels: [String: String], summary: String)? {
        guard validUntil < now + Self.warningSeconds else { return nil }
        let end = InstantText.rfc3339(validUntil, in: .utc)
        let state = validUntil > now ? "ends on \(end)" : "ended on \(end)"
        return (
            [:],
            "The index of the apt archive that boxes are served \(state), and without one they take no package of this fleet: run \"make archive-rings\" on the machine that signs packages, and copy it here."
        )
    }
}
