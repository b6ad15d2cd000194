import PrayerEngine
import Protocol
import Texts

/// Whether adhand runs, and who can talk to it.
extension Doctor {
    static func service(_ facts: DoctorFacts) -> DoctorCheck {
        if case .hangs(let reason) = facts.daemon {
            let fix = facts.isSystem ? "sudo systemctl restart adhand" : nil
            return DoctorCheck(.service, .problem, "adhand runs but says nothing: \(reason).", fix: fix)
        }
        if facts.status != nil, let other = facts.otherSocket { return two(facts, other) }
        if let mistake = internalMistake(facts) { return mistake }
        guard facts.isSystem else { return own(facts) }
        switch facts.systemd {
        case .absent: return unsupervised(facts)
        case .unknown(let reason):
            guard let status = facts.status else {
                return DoctorCheck(
                    .service, .problem, "adhand does not answer, and systemd could not be asked: \(reason).",
                    fix: "sudo systemctl restart adhand")
            }
            return DoctorCheck(
                .service, .warning,
                "\(running(status)), but systemd could not be asked about it: \(reason).",
                fix: "systemctl status adhand")
        case .units: return supervised(facts.systemd[SystemdFacts.service] ?? .init(), facts)
        }
    }

    private static func internalMistake(_ facts: DoctorFacts) -> DoctorCheck? {
        facts.status?.internalProblem.map { problem in
            DoctorCheck(
                .service, .problem,
                "\(PlainText.sentence(problem.message)) It goes on calling. This is a mistake in adhand: please report it.",
                fix: problem.fix)
        }
    }

    /// The daemon's own verdict about itself, for every caller.
    static func ownWord(_ facts: DoctorFacts) -> DoctorCheck {
        guard let status = facts.status else { return own(facts) }
        return internalMistake(facts) ?? DoctorCheck(.service, .ok, "\(running(status)).")
    }

    private static func running(_ status: StatusDocument) -> String {
        "adhand \(status.version) has been running since \(LocalText.spoken(status.startedAt, now: status.now))"
    }

    private static func two(_ facts: DoctorFacts, _ other: String) -> DoctorCheck {
        let own = facts.isSystem ? other : facts.socketPath
        return DoctorCheck(
            .service, .problem,
            "Two adhands run, and every prayer is called twice: the machine's service, and one inside a session (\(own))."
                + "\(holders(facts.sound)) Keep one of them; to keep the session's:",
            fix: "sudo systemctl disable --now adhand.service adhand.socket")
    }

    private static func own(_ facts: DoctorFacts) -> DoctorCheck {
        guard let status = facts.status else {
            guard let system = facts.systemSocket else {
                return DoctorCheck(
                    .service, .problem, "No adhand of your own listens at \(facts.socketPath).", fix: "adhand"
                )
            }
            return DoctorCheck(
                .service, .problem,
                "No adhand of your own listens at \(facts.socketPath). To ask the machine's:",
                fix: "adhanctl --socket \(system) doctor")
        }
        return DoctorCheck(
            .service, .ok, "\(running(status)); it is your own, not the machine's service.")
    }

    private static func unsupervised(_ facts: DoctorFacts) -> DoctorCheck {
        if case .closed = facts.daemon {
            return DoctorCheck(.service, .ok, "Something listens at \(facts.socketPath).")
        }
        guard let status = facts.status else {
            return DoctorCheck(
                .service, .problem,
                "adhand does not run. systemd does not run this machine, so whatever starts its programs has to start "
                    + "adhand too.", fix: "adhand")
        }
        return DoctorCheck(
            .service, .ok,
            "\(running(status)). systemd does not run this machine: make sure that something starts adhand again "
                + "after a power cut.")
    }

    private static func supervised(_ unit: SystemdFacts.Unit, _ facts: DoctorFacts) -> DoctorCheck {
        if unit.load == "masked" {
            return DoctorCheck(
                .service, .problem, "The service is masked: systemd refuses to start it.",
                fix: "sudo systemctl unmask adhand && sudo systemctl enable --now adhand")
        }
        if unit.load == "not-found" {
            guard let status = facts.status else {
                return DoctorCheck(
                    .service, .problem, "adhand is not installed as a service, and none runs.",
                    fix: "sudo make install && sudo systemctl enable --now adhand")
            }
            return DoctorCheck(
                .service, .warning,
                "\(running(status)), but not as a service: nothing starts it again after a power cut.",
                fix: "sudo make install && sudo systemctl enable --now adhand")
        }
        if !unit.isThere {
            return DoctorCheck(
                .service, .problem, "systemd cannot read the unit adhand.service (\(unit.load)).",
                fix: "systemd-analyze verify adhand.service")
        }
        guard let status = facts.status else { return stopped(unit, facts) }
        return check(unit, status)
    }

    private static func check(_ unit: SystemdFacts.Unit, _ status: StatusDocument) -> DoctorCheck {
        if unit.active != "active" {
            return DoctorCheck(
                .service, .warning,
                "\(running(status)), but not as the service (which is \(unit.active)): nothing starts it again after a "
                    + "power cut.", fix: "sudo systemctl enable --now adhand")
        }
        if !unit.startsAtBoot {
            return DoctorCheck(
                .service, .warning,
                "\(running(status)), but it will not start by itself when the machine does.",
                fix: "sudo systemctl enable adhand")
        }
        if unit.restarts > 2 {
            return DoctorCheck(
                .service, .warning,
                "\(running(status)); systemd had to start it again \(unit.restarts) times.",
                fix: "journalctl -u adhand -p warning")
        }
        return DoctorCheck(.service, .ok, "\(running(status)), and starts with the machine.")
    }

    private static func stopped(_ unit: SystemdFacts.Unit, _ facts: DoctorFacts) -> DoctorCheck {
        let since = unit.since.map { " since \(spoken($0, facts))" } ?? ""
        switch unit.active {
        case "active", "reloading":
            return DoctorCheck(
                .service, .problem, "adhand has been running\(since), but does not answer.",
                fix: "sudo systemctl restart adhand")
        case "activating":
            return DoctorCheck(
                .service, .warning,
                "adhand is being started\(since). If that does not end, the journal says why.",
                fix: "journalctl -u adhand -n 20")
        case "failed":
            return DoctorCheck(
                .service, .problem,
                "adhand has not been running\(since): \(cause(unit)). \"journalctl -u adhand -n 20\" has its last words.",
                fix: "sudo systemctl reset-failed adhand.socket adhand.service; sudo systemctl start adhand")
        default:
            let boot = unit.startsAtBoot ? "" : " and does not start with the machine"
            return DoctorCheck(
                .service, .problem, "adhand has been stopped\(since)\(boot): nothing is called.",
                fix: "sudo systemctl enable --now adhand")
        }
    }

    private static func cause(_ unit: SystemdFacts.Unit) -> String {
        switch unit.result {
        case "exit-code" where unit.exitStatus == 65:
            "its configuration has a mistake, which must be fixed first"
        case "exit-code": "it ended with status \(unit.exitStatus)"
        case "signal", "core-dump": "it was killed or crashed"
        case "watchdog": "it hung, and systemd ended it"
        case "start-limit-hit": "it ended again and again, and systemd gave up"
        case "timeout": "it did not start in time"
        default: "systemd says \"\(unit.result)\""
        }
    }

    /// `14:31`, `14:31 yesterday`, in the place's zone.
    static func spoken(_ instant: Instant, _ facts: DoctorFacts) -> String {
        let zone = facts.zone
        return LocalText.spoken(
            InstantText.rfc3339(instant, in: zone), now: InstantText.rfc3339(facts.now, in: zone))
    }

    static func socket(_ facts: DoctorFacts) -> DoctorCheck {
        switch facts.daemon {
        case .answers, .hangs:
            return DoctorCheck(
                .socket, .ok, "adhanctl reaches adhand at \(facts.socketPath); everybody may look.")
        case .closed(let reason):
            return DoctorCheck(
                .socket, .problem, PlainText.sentence(reason),
                fix: "sudo systemctl restart adhand.socket adhand.service")
        case .absent(let reason):
            let unit = facts.systemd[SystemdFacts.socket]
            guard facts.isSystem, let unit, unit.isThere else {
                return DoctorCheck(.socket, .problem, PlainText.sentence(reason))
            }
            return DoctorCheck(
                .socket, .problem,
                "\(PlainText.sentence(reason).dropLast()) (systemd says that adhand.socket is \(unit.active)).",
                fix: "sudo systemctl enable --now adhand.socket adhand.service")
        }
    }

    static func version(_ facts: DoctorFacts) -> DoctorCheck {
        guard let status = facts.status else {
            return DoctorCheck(.version, .ok, "This is adhanctl \(facts.version).")
        }
        guard status.version == facts.version else {
            return DoctorCheck(
                .version, .warning,
                "adhand is \(status.version), adhanctl is \(facts.version): after an upgrade adhand has to be "
                    + "started again.", fix: facts.isSystem ? "sudo systemctl restart adhand" : nil)
        }
        return DoctorCheck(.version, .ok, "adhand and adhanctl are both \(facts.version).")
    }

    static func permission(_ facts: DoctorFacts) -> DoctorCheck {
        let person = facts.person
        if person.isMaster { return DoctorCheck(.permission, .ok, "You may change everything.") }
        if !person.groupExists {
            return DoctorCheck(
                .permission, .warning,
                "There is no group \"\(person.group)\" on this machine, so only root may mute or change anything.",
                fix: "sudo groupadd --system \(person.group) && sudo systemctl restart adhand")
        }
        if person.isMember {
            return DoctorCheck(
                .permission, .ok, "You are in the group \"\(person.group)\" and may change everything.")
        }
        if person.isListed {
            return DoctorCheck(
                .permission, .warning,
                "You were added to the group \"\(person.group)\", which counts from your next login on: log out and in "
                    + "again.")
        }
        return DoctorCheck(
            .permission, .warning,
            "You may look, but not mute or change anything: you are not in the group \"\(person.group)\". After this, "
                + "log out and in again.",
            fix: "sudo usermod -aG \(person.group) $USER")
    }
}
