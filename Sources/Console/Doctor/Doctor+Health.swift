package import Protocol

/// Doctor's checks of the daemon's own knowledge, without systemd, the caller or a device.
extension Doctor {
    /// The checks that need only that, in the order of importance.
    private static let known: Set<DoctorCheck.Name> = [
        .service, .configuration, .clock, .timezone, .location, .timetable, .mosqueTimes, .silence, .devices,
        .sounds, .announcements, .disk,
    ]

    package static func health(_ facts: DoctorFacts) -> [HealthCheck] {
        DoctorCheck.Name.allCases.filter(known.contains).flatMap { name in
            // The daemon cannot know whether systemd would restart it.
            name == .service ? [ownWord(facts)] : checks(name, facts)
        }.map { check in
            HealthCheck(
                name: check.name.rawValue, verdict: check.verdict, message: check.message, fix: check.fix,
                output: check.output)
        }
    }
}
