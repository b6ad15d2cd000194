package import PrayerEngine

/// The box's upgrades, for the report on the card and for doctor.
package struct CardUpgrades: Sendable, Equatable {
    /// `/run/adhan-box/upgrade.json`.
    package struct State: Codable, Sendable, Equatable {
        /// The layer that runs, or `image`.
        package let running: String
        /// The layer that becomes active at the next restart.
        package let prepared: String?
        /// The last layer that was left, until a newer one is well.
        package let failed: String?
        /// When the newest of them was left, prepared, or began to run.
        package let at: String?
    }

    /// Whether adhand's own packages come from its archive. Debian's updates go on in any case.
    package enum Archive: String, Codable, Sendable, Equatable {
        case on
        /// Switched off by `box.txt`.
        case off
        /// Switched off by `Enabled: no` in the source.
        case disabled
        /// The image was made without the address of an archive.
        case absent
    }

    package let version: String
    package let state: State?
    package let archive: Archive
    /// When the last valid index of adhand's archive was signed.
    package var archiveSigned: Instant?
    /// Since when the archive has been asked, where it has never had a valid index.
    package var archiveAskedSince: Instant?
    /// The result of the last look for upgrades, a line each, written by `upgrade.sh`.
    package let lastLook: [String]

    package init(version: String, state: State?, archive: Archive, lastLook: [String]) {
        (self.version, self.state, self.archive, self.lastLook) = (version, state, archive, lastLook)
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
        if let reason = archive.reason { lines.append("Upgrades     \(reason)") }
        return lines + newestLook.map { "Upgrades     \($0)" }
    }

    package var newestLook: [String] { Array(lastLook.prefix(Self.mostLines)) }

    /// `adhand 0.2.0, upgraded on 2026-11-26`
    package var runningVersion: String { "adhand \(version)\(origin)" }

    /// The day on which the layer that runs was made; `nil` for the image.
    package var runningSince: String? { state.flatMap { Self.date(of: $0.running) } }

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

extension CardUpgrades.Archive {
    /// The words by which a source of apt is switched off.
    private static let noes: Set<String> = ["no", "false", "without", "off", "disable", "0"]

    /// - Parameters:
    ///   - isOff: whether `box.txt` keeps adhand as it is.
    ///   - source: the text of `adhand.sources`; `nil` where there is none.
    package init(isOff: Bool, source: String?) {
        if isOff {
            self = .off
        } else if let source {
            self = Self.isDisabled(source) ? .disabled : .on
        } else {
            self = .absent
        }
    }

    /// Whether every part of the source is switched off, as `upgrade.sh` reads it.
    private static func isDisabled(_ source: String) -> Bool {
        var (parts, disabled) = (0, 0)
        for line in source.split(whereSeparator: \.isNewline) {
            guard let colon = line.firstIndex(of: ":") else { continue }
            let words = line[line.index(after: colon)...].split(whereSeparator: \.isWhitespace)
            switch line[..<colon].lowercased() {
            case "types": parts += 1
            case "enabled":
                if words.count == 1, noes.contains(words[0].lowercased()) { disabled += 1 }
            default: break
            }
        }
        return disabled >= parts
    }

    /// Why adhand is not upgraded; `nil` where it is.
    package var reason: String? {
        switch self {
        case .on: nil
        case .off: "adhand stays as it is, by box.txt on the card; Debian's updates go on"
        case .disabled:
            "adhand stays as it is, by \"Enabled: no\" in /etc/apt/sources.list.d/adhand.sources; Debian's updates go on"
        case .absent:
            "adhand stays as it is, as this image has no archive of it: for a newer one flash a newer image; Debian's updates go on"
        }
    }
}
