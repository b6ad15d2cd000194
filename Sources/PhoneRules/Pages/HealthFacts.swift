package import Protocol

/// `/r/health`: doctor's verdicts on what the daemon knows.
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

    /// Pages on which a keeper's phone can mend it.
    static let pages: [String: Route.Name] = [
        "silence": .now, "timetable": .timetable, "location": .setup, "devices": .setup, "sounds": .sounds,
        "mosque-times": .week, "configuration": .settings,
    ]

    /// Checks that tables have words for, with the phrase of each.
    static let words = [
        "service": "health-service", "configuration": "settings", "clock": "health-clock",
        "timezone": "health-timezone", "location": "health-location", "timetable": "timetable",
        "silence": "mute",
        "devices": "setup-loudspeaker", "sounds": "sounds", "announcements": "heard", "disk": "health-disk",
    ]
}
