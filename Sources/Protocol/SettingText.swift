import Texts

/// Texts about settings that were made by command.
package enum SettingText {
    /// `set by Kitchen phone, 23 Nov`
    package static func author(_ by: String, _ at: String) -> String {
        "set by \(by)" + (day(at).map { ", \($0)" } ?? "")
    }

    /// The day of an instant (RFC 3339) for people.
    private static func day(_ at: String) -> String? {
        let parts = at.prefix(10).split(separator: "-").compactMap { Int($0) }
        guard parts.count == 3, (1...12).contains(parts[1]) else { return nil }
        return "\(parts[2]) \(LocalText.shortMonth(parts[1]))"
    }
}
