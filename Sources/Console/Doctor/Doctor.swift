import Protocol

/// Checks facts: every check has a verdict, sentences that a volunteer understands, and the command to type.
package enum Doctor {
    package static func examine(_ facts: DoctorFacts) -> DoctorDocument {
        var names = DoctorCheck.Name.allCases.filter { $0 != .upgrades || facts.upgrades != nil }
        // The location comes first, because nothing else matters before it is set.
        if facts.status?.awaiting == .place { names = [.location] + names.filter { $0 != .location } }
        return DoctorDocument(checks: names.flatMap { checks($0, facts) })
    }

    /// The checks of one name. Each output has a finding of its own.
    static func checks(_ name: DoctorCheck.Name, _ facts: DoctorFacts) -> [DoctorCheck] {
        name == .devices ? outputs(facts) ?? [check(name, facts)] : [check(name, facts)]
    }

    static func check(_ name: DoctorCheck.Name, _ facts: DoctorFacts) -> DoctorCheck {
        switch name {
        case .service: service(facts)
        case .socket: socket(facts)
        case .configuration: configuration(facts)
        case .clock: clock(facts)
        case .timezone: timezone(facts)
        case .location: location(facts)
        case .timetable: timetable(facts)
        case .mosqueTimes: mosqueTimes(facts)
        case .silence: silence(facts)
        case .devices: devices(facts)
        case .sounds: sounds(facts)
        case .announcements: announcements(facts)
        case .timeWait: timeWait(facts)
        case .disk: disk(facts)
        case .upgrades: upgrades(facts)
        case .version: version(facts)
        case .permission: permission(facts)
        }
    }

    /// A command that needs rights, with `sudo` unless it is for the user's own adhand.
    static func sudo(_ command: String, _ facts: DoctorFacts) -> String {
        facts.isSystem ? "sudo \(command)" : command
    }

    /// `1 adhan`, `3 adhans`
    static func count(_ number: Int, _ one: String) -> String {
        "\(number) \(one)\(number == 1 ? "" : "s")"
    }
}
