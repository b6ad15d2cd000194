package import PrayerEngine

/// The state of the units that matter, as systemd reports it.
package enum SystemdFacts: Sendable, Equatable {
    /// Another service manager runs this machine.
    case absent
    /// systemd runs the machine, but does not answer.
    case unknown(reason: String)
    case units([String: Unit])

    package static let service = "adhand.service"
    package static let socket = "adhand.socket"
    /// Units that delay the boot until the clock was set: those of systemd-timesyncd and of chrony.
    package static let timeWaits = ["systemd-time-wait-sync.service", "chrony-wait.service"]
    package static let all = [service, socket] + timeWaits
    /// The properties to request of each unit.
    package static let properties = [
        "Id", "LoadState", "ActiveState", "Result", "UnitFileState", "NRestarts", "ExecMainStatus",
        "StateChangeTimestamp",
    ]

    package struct Unit: Sendable, Equatable {
        /// `loaded`, `not-found`, `masked`, `bad-setting`.
        package var load = "not-found"
        /// `active`, `inactive`, `failed`, `activating`, `deactivating`.
        package var active = "inactive"
        /// `success`, `exit-code`, `signal`, `watchdog`, `start-limit-hit`, `timeout`.
        package var result = "success"
        /// `enabled`, `disabled`, `static`, `masked`; empty for a unit without a file.
        package var file = ""
        /// How many times systemd had to restart it.
        package var restarts = 0
        package var exitStatus = 0
        /// The time of its last change of state.
        package var since: Instant?

        package init() {}

        package var isThere: Bool { load == "loaded" }
        package var startsAtBoot: Bool { file.hasPrefix("enabled") || file == "linked" }
    }

    package subscript(name: String) -> Unit? {
        if case .units(let units) = self { units[name] } else { nil }
    }

    /// Parses the output of `systemctl show --timestamp=unix`: a block of `Key=Value` lines for each unit, with an
    /// empty line between.
    package init(shown text: String) {
        var units: [String: Unit] = [:]
        for block in text.replacing("\r", with: "").split(separator: "\n\n") {
            var unit = Unit()
            var name: String?
            for line in block.split(separator: "\n") {
                let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                guard parts.count == 2 else { continue }
                let value = String(parts[1])
                switch parts[0] {
                case "Id": name = value
                case "LoadState": unit.load = value
                case "ActiveState": unit.active = value
                case "Result": unit.result = value
                case "UnitFileState": unit.file = value
                case "NRestarts": unit.restarts = Int(value) ?? 0
                case "ExecMainStatus": unit.exitStatus = Int(value) ?? 0
                case "StateChangeTimestamp": unit.since = Self.instant(value)
                default: break
                }
            }
            if let name { units[name] = unit }
        }
        self = units.isEmpty ? .unknown(reason: "systemctl said nothing about adhand") : .units(units)
    }

    /// `@1763700000`
    private static func instant(_ text: String) -> Instant? {
        guard text.hasPrefix("@"), let seconds = Double(text.dropFirst()) else { return nil }
        return Instant(unixSeconds: seconds)
    }
}
