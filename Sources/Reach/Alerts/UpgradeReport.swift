import PrayerEngine
import Texts

/// `/run/adhan-box/upgrade.json` of a flashed box: what runs, what is ready, and what was left again because adhand did not come up in it.
package struct UpgradeReport: Codable, Sendable, Equatable {
    package struct Left: Codable, Sendable, Equatable {
        package let layer: String
        package let at: String?
    }

    package let v: Int
    /// The layer that runs, or `image`.
    package let installed: String
    /// The layer that a restart goes over to.
    package let prepared: String?
    /// The last one that was left, until a newer one is confirmed.
    package let left: Left?

    package static let file = "/run/adhan-box/upgrade.json"
    package static let mostBytes = 4096

    /// `nil` where the bytes are no such report: a box of another version, or none.
    package init?(_ bytes: [UInt8]) {
        guard let report = try? JSON.decode(UpgradeReport.self, from: bytes), report.v == 1 else {
            return nil
        }
        self = report
    }

    package var condition: AlertCondition? {
        guard let left else { return nil }
        let layer = PlainText.visible(String(left.layer.prefix(60)))
        return AlertCondition(
            .upgrade, since: left.at.flatMap { InstantText.parse($0) },
            text: "The update \(layer) did not bring adhand up, so the box went back to "
                + "\(PlainText.visible(String(installed.prefix(60)))). It is tried again in a week.")
    }
}
