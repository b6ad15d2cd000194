import PrayerEngine
import Texts

/// `/run/adhan-box/upgrade.json` of a flashed box: the running layer, the prepared one, and the one that was abandoned because
/// adhand failed in it.
package struct UpgradeReport: Codable, Sendable, Equatable {
    /// The running layer, or `image`.
    package let running: String
    /// The layer that becomes active at the next restart.
    package let prepared: String?
    /// The layer that was last abandoned, until a newer one is confirmed.
    package let failed: String?
    /// When it was abandoned; otherwise when the newest of the other layers was made.
    package let at: String?
    /// The version of adhand that the failed layer brought; `nil` if it brought none, or does not report it.
    package let adhand: String?

    package static let file = "/run/adhan-box/upgrade.json"
    package static let mostBytes = 4096

    /// Reads the report; `nil` if the bytes are not one, as with a box of another version.
    package init?(_ bytes: [UInt8]) {
        guard let report = try? JSON.decode(UpgradeReport.self, from: bytes) else { return nil }
        self = report
    }

    /// The version of adhand that this box tried and abandoned.
    package var leftAdhand: String? { failed == nil ? nil : adhand.map { String($0.prefix(64)) } }

    package var condition: AlertCondition? {
        guard let failed else { return nil }
        let layer = PlainText.visible(String(failed.prefix(60)))
        return AlertCondition(
            .upgrade, since: at.flatMap { InstantText.parse($0) },
            text: "The update \(layer) did not bring adhand up, so the box went back to "
                + "\(PlainText.visible(String(running.prefix(60)))). It is tried again in a week.")
    }
}
