import PrayerEngine
import Protocol
import Texts

/// Whether the clock is right, and from when on.
extension Doctor {
    static func clock(_ facts: DoctorFacts) -> DoctorCheck {
        let isSynchronized = facts.status?.clock.synchronized ?? facts.clock.isSynchronized
        if let status = facts.status, !status.clock.trusted {
            let doubt = ClockDoubt(now: status.now, seen: status.clock.seen)
            return DoctorCheck(
                .clock, .problem,
                "adhand calls nothing until the clock is set: \(doubt.why). \(doubt.remedy)",
                fix: timeFix(facts))
        }
        if isSynchronized { return DoctorCheck(.clock, .ok, "A time server keeps the clock accurate.") }
        return DoctorCheck(
            .clock, .warning,
            "Nothing keeps the clock accurate. It can drift by minutes within weeks, and every adhan with it.",
            fix: timeFix(facts))
    }

    private static func timeFix(_ facts: DoctorFacts) -> String {
        if facts.systemd == .absent { return "sudo apt install chrony" }
        return facts.clock.services.isEmpty
            ? "sudo apt install systemd-timesyncd" : "sudo timedatectl set-ntp true"
    }

    static func timeWait(_ facts: DoctorFacts) -> DoctorCheck {
        if facts.systemd == .absent {
            return DoctorCheck(.timeWait, .ok, "systemd does not run this machine: nothing to look at.")
        }
        if facts.clock.hasHardwareClock {
            return DoctorCheck(
                .timeWait, .ok,
                "This machine has a hardware clock, so the time is right at once after a start.")
        }
        if let wait = SystemdFacts.timeWaits.first(where: { facts.systemd[$0]?.startsAtBoot == true }) {
            return DoctorCheck(
                .timeWait, .ok,
                "After a power cut adhand waits until a time server has set the clock (\(wait)).")
        }
        // chrony-wait.service gives up after its TimeoutStartSec; systemd-time-wait-sync.service never does.
        let (unit, limit) =
            facts.clock.services.contains("chrony")
            ? ("chrony-wait.service", "without a network it starts after three minutes")
            : ("systemd-time-wait-sync.service", "without a network it does not start at all")
        return DoctorCheck(
            .timeWait, .warning,
            "This machine has no battery-backed clock. After a power cut its clock resumes where it stopped, and until a "
                + "time server corrects it, an adhan may be called at a wrong time. With this, adhand waits for a time "
                + "server; \(limit):",
            fix: "sudo systemctl enable \(unit)")
    }
}
