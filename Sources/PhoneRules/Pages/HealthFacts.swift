package import Protocol

/// `/r/health`: doctor's verdicts about what the daemon reports.
package struct HealthFacts: Sendable, Equatable {
    package enum Verdict: String, Sendable, CaseIterable { case good, warning, fault }

    package struct Check: Sendable, Equatable {
        /// The name in `GetHealth`.
        package let name: String
        package let verdict: Verdict
        package let message: String
        package let fix: String?
        package let output: String?

        package init(
            name: String, verdict: Verdict, message: String, fix: String? = nil, output: String? = nil
        ) {
            self.output = output
            self.name = name
            self.verdict = verdict
            self.message = message
            self.fix = fix
        }
    }

    package let checks: [Check]

    package init(checks: [Check]) { self.checks = checks }

    package init(_ reply: HealthReply) {
        checks = reply.checks.map { check in
            let verdict: Verdict =
                switch check.verdict {
                case .ok: .good
                case .warning: .warning
                case .problem: .fault
                }
            return Check(
                name: check.name, verdict: verdict, message: check.message, fix: check.fix,
                output: check.output)
        }
    }

    /// The pages on which a keeper's phone can fix a failed check.
    static let pages: [String: Route.Name] = [
        "silence": .now, "timetable": .timetable, "location": .setup, "devices": .setup, "sounds": .sounds,
        "mosque-times": .week, "configuration": .settings,
    ]

    /// The checks that have a translated phrase, each with its key.
    static let words = [
        "service": "health-service", "configuration": "settings", "clock": "health-clock",
        "timezone": "health-timezone", "location": "health-location", "timetable": "timetable",
        "silence": "mute",
        "devices": "setup-loudspeaker", "sounds": "sounds", "announcements": "heard", "disk": "health-disk",
    ]
}
