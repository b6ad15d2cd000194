package import Protocol
package import Texts

/// `doctor --json`: the checks and their remedies.
package struct DoctorDocument: Codable, Sendable, Equatable {
    /// Whether no check found a problem; warnings do not count.
    package let ok: Bool
    /// The checks in the order of importance.
    package let checks: [DoctorCheck]

    package init(checks: [DoctorCheck]) {
        ok = !checks.contains { $0.verdict == .problem }
        self.checks = checks
    }
}

/// One thing that was checked.
package struct DoctorCheck: Codable, Sendable, Equatable {
    /// The names, which scripts may rely on; in the order of importance.
    package enum Name: String, Codable, Sendable, CaseIterable {
        case service, socket, configuration, clock, timezone, location, timetable
        case mosqueTimes = "mosque-times"
        case silence, devices, sounds
        case announcements
        case timeWait = "time-wait"
        case disk
        /// Upgrades, on a flashed box only.
        case upgrades
        case version, permission

        /// `Time zone`
        package var title: String {
            switch self {
            case .timezone: "Time zone"
            case .mosqueTimes: "Mosque times"
            case .timeWait: "Clock at start"
            case .devices: "Sound device"
            default: rawValue.prefix(1).uppercased() + rawValue.dropFirst()
            }
        }
    }

    package typealias Verdict = HealthCheck.Verdict

    package let name: Name
    package let verdict: Verdict
    /// Sentences for a person.
    package let message: String
    /// The command that repairs it.
    @Nullable package var fix: String?
    /// The affected output; omitted otherwise.
    package var output: String?

    package init(_ name: Name, _ verdict: Verdict, _ message: String, fix: String? = nil) {
        self.name = name
        self.verdict = verdict
        self.message = message
        self.fix = fix
    }
}
