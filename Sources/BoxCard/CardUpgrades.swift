package import PrayerEngine

/// The box's upgrades, for the report on the card and for doctor.
package struct CardUpgrades: Sendable, Equatable {
    /// `/run/adhan-box/upgrade.json`.
    package struct State: Codable, Sendable, Equatable {
        /// The layer that runs, or `image`.
        package let running: String
        /// The layer that a restart goes over to.
        package let prepared: String?
        /// The last layer that was left, until a newer one is well.
        package let failed: String?
        /// When the newest of them was left, prepared, or began to run.
        package let at: String?
    }

    package let version: String
    package let state: State?
    /// Whether `box.txt` lets adhand's own packages be upgraded.
    package let upgradesAdhand: Bool
    /// When the last valid index of adhand's archive was signed.
    package var archiveSigned: Instant?
    /// The result of the last look for upgrades, a line each, written by `upgrade.sh`.
    package let lastLook: [String]

    package init(version: String, state: State?, upgradesAdhand: Bool, lastLook: [String]) {
        (self.version, self.state, self.upgradesAdhand, self.lastLook) =
            (version, state, upgradesAdhand, lastLook)
    }

    private static let mostLines = 5

    package var lines: [String] {
        var lines = ["adhand       \(version)" + origin]
        if let prepared = state?.prepared {
            lines.append("Upgrade      \(prepared) is ready and waits for a restart")
        }
        if let failed = state?.failed {
            lines.append(
                "PROBLEM: the upgrade \(failed) did not bring adhand up well, so the box went back to the one before."
            )
        }
        if !upgradesAdhand {
            lines.append("Upgrades     adhand stays as it is, by box.txt; Debian's updates go on")
        }
        return lines + lastLook.prefix(Self.mostLines).map { "Upgrades     \($0)" }
    }

    private var origin: String {
        guard let running = state?.running else { return "" }
        if running == "image" { return ", as it was flashed" }
        return Self.date(of: running).map { ", upgraded on \($0)" } ?? ", in the layer \(running)"
    }

    /// A layer is named by its time: `upgrade-20261126-031500`.
    private static func date(of layer: String) -> String? {
        let digits = layer.dropFirst("upgrade-".count).prefix(8)
        guard layer.hasPrefix("upgrade-"), digits.count == 8, digits.allSatisfy(\.isNumber) else {
            return nil
        }
        return "\(digits.prefix(4))-\(digits.dropFirst(4).prefix(2))-\(digits.suffix(2))"
    }
}
