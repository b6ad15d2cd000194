import BoxSupport

@testable import Console
@testable import Protocol

/// Troubles of the service, the configuration, the clock, and silence that somebody asked for.
extension DoctorTests {
    static let serviceCases: [Case] = [
        Case(
            "stopped", .service, .problem, fix: "sudo systemctl enable --now adhand",
            says: "stopped since 09:00 on 2026-11-17 and does not start"
        ) {
            $0.facts.daemon = .absent(reason: "cannot connect: nobody listens there")
            $0.facts.systemd = Patient.units { ($0.active, $0.file) = ("inactive", "disabled") }
        },
        Case(
            "two at once", .service, .problem,
            fix: "sudo systemctl disable --now adhand.service adhand.socket",
            says:
                "one inside a session (/run/user/1000/adhand/control.sock). The sound card is held by adhand (process 7, of adhand)."
        ) {
            $0.facts.otherSocket = "/run/user/1000/adhand/control.sock"
            $0.facts.sound.holders = [
                CardHolder(
                    program: "adhand", process: 7, whose: CardHolder.whose(isOwn: false, account: "adhand"))
            ]
        },
        Case(
            "a mistake in its file", .service, .problem,
            fix: "sudo systemctl reset-failed adhand.socket adhand.service; sudo systemctl start adhand",
            says: "its configuration has a mistake"
        ) {
            $0.facts.daemon = .absent(reason: "nobody listens there")
            $0.facts.systemd = Patient.units {
                ($0.active, $0.result, $0.exitStatus) = ("failed", "exit-code", 65)
            }
        },
        Case(
            "crashes until systemd gives up", .service, .problem,
            fix: "sudo systemctl reset-failed adhand.socket adhand.service; sudo systemctl start adhand",
            says: "systemd gave up"
        ) {
            $0.facts.daemon = .absent(reason: "nobody listens there")
            $0.facts.systemd = Patient.units { ($0.active, $0.result) = ("failed", "start-limit-hit") }
        },
        Case(
            "not at boot", .service, .warning, fix: "sudo systemctl enable adhand",
            says: "will not start by itself"
        ) {
            $0.facts.systemd = Patient.units { $0.file = "disabled" }
        },
        Case(
            "masked", .service, .problem,
            fix: "sudo systemctl unmask adhand && sudo systemctl enable --now adhand", says: "masked"
        ) {
            $0.facts.daemon = .absent(reason: "there is no socket")
            $0.facts.systemd = Patient.units { $0.load = "masked" }
        },
        Case(
            "not installed", .service, .problem,
            fix: "sudo make install && sudo systemctl enable --now adhand", says: "not installed"
        ) {
            $0.facts.daemon = .absent(reason: "there is no socket")
            $0.facts.systemd = Patient.units { $0.load = "not-found" }
        },
        Case("hangs", .service, .problem, fix: "sudo systemctl restart adhand", says: "says nothing") {
            $0.facts.daemon = .hangs(reason: "it did not answer within 4 s")
        },
        Case(
            "was started again and again", .service, .warning, fix: "journalctl -u adhand -p warning",
            says: "start it again 7 times"
        ) {
            $0.facts.systemd = Patient.units { $0.restarts = 7 }
        },
        Case(
            "started by hand beside a stopped service", .service, .warning,
            fix: "sudo systemctl enable --now adhand", says: "not as the service"
        ) {
            $0.facts.systemd = Patient.units { $0.active = "inactive" }
        },
        Case("without systemd", .service, .problem, fix: "adhand", says: "systemd does not run this machine")
        {
            $0.facts.systemd = .absent
            $0.facts.daemon = .absent(reason: "there is no socket")
        },
        Case(
            "systemd is silent", .service, .warning, fix: "systemctl status adhand",
            says: "could not be asked"
        ) {
            $0.facts.systemd = .unknown(reason: "no answer")
        },
        Case(
            "one's own is not there, the machine's is", .service, .problem,
            fix: "adhanctl --socket /run/adhand/control.sock doctor", says: "To ask the machine's:"
        ) {
            $0.facts.isSystem = false
            $0.facts.systemSocket = "/run/adhand/control.sock"
            $0.facts.daemon = .absent(reason: "nobody listens there")
        },
        Case(
            "the socket is gone", .socket, .problem,
            fix: "sudo systemctl enable --now adhand.socket adhand.service", says: "There is no socket"
        ) {
            $0.facts.daemon = .absent(reason: "there is no socket")
        },
        Case(
            "an older daemon", .version, .warning, fix: "sudo systemctl restart adhand",
            says: "adhand is 0.1.0, adhanctl is 9.9.9"
        ) {
            $0.facts.version = "9.9.9"
        },
    ]

    static let configurationCases: [Case] = [
        Case(
            "a mistake while it runs", .configuration, .problem, fix: "sudoedit /etc/adhand/adhand.toml",
            says: "stays in force, after a restart as well"
        ) {
            $0.facts.configuration.state = .invalid(reason: "/etc/adhand/adhand.toml:3:1: unknown key")
        },
        Case(
            "an older one in force since the start", .configuration, .problem, fix: "sudo adhanctl reload",
            says: "The last one stays in force"
        ) {
            try $0.editStatus {
                $0.configurationProblem =
                    #"{"file": "/etc/adhand/adhand.toml", "line": 3, "column": 1, "message": "the last one stays in force"}"#
            }
        },
        Case(
            "changed and not reloaded", .configuration, .warning, fix: "sudo adhanctl reload",
            says: "not in force"
        ) {
            $0.facts.configuration.isNewer = true
        },
        Case(
            "none at all", .configuration, .warning, fix: "sudo adhanctl setup", says: "no configuration file"
        ) {
            $0.facts.configuration.state = .embedded
        },
        Case(
            "not for strangers", .configuration, .warning, fix: "sudo adhanctl check /etc/adhand/adhand.toml",
            says: "Permission denied"
        ) {
            $0.facts.configuration.state = .unreadable(reason: "cannot read: Permission denied")
        },
        Case(
            "not for adhand", .configuration, .problem, fix: "sudo chmod a+r /etc/adhand/adhand.toml",
            says: "but the next start will be refused"
        ) {
            $0.facts.configuration.state = .closed(
                reason:
                    "adhand cannot read \"/etc/adhand/adhand.toml\": its mode 0600 does not let the user adhand read it",
                fix: "sudo chmod a+r /etc/adhand/adhand.toml")
        },
        Case(
            "nobody chose a place", .location, .warning, fix: "sudo adhanctl setup",
            says: "Nobody has set a location"
        ) {
            $0.facts.locationFacts?.isApproximate = true
        },
        Case("one's own needs no sudo", .location, .warning, fix: "adhanctl setup", says: "Nobody") {
            $0.facts.isSystem = false
            $0.facts.locationFacts?.isApproximate = true
        },
    ]

    static let clockCases: [Case] = [
        Case(
            "the past", .clock, .problem, fix: "sudo timedatectl set-ntp true",
            says: "calls nothing until the clock is set"
        ) {
            try $0.editStatus { $0.clock = #"{"synchronized": false, "trusted": false}"# }
        },
        Case(
            "left alone", .clock, .warning, fix: "sudo timedatectl set-ntp true",
            says: "Nothing keeps the clock accurate"
        ) {
            try $0.editStatus { $0.clock = #"{"synchronized": false, "trusted": true}"# }
        },
        Case(
            "left alone, and nothing there to keep it", .clock, .warning,
            fix: "sudo apt install systemd-timesyncd", says: "Nothing keeps"
        ) {
            $0.facts.clock.services = []
            try $0.editStatus { $0.clock = #"{"synchronized": false, "trusted": true}"# }
        },
        Case(
            "no clock battery", .timeWait, .warning,
            fix: "sudo systemctl enable systemd-time-wait-sync.service",
            says: "no battery-backed clock"
        ) {
            $0.facts.clock.hasHardwareClock = false
        },
        Case(
            "no clock battery, chrony", .timeWait, .warning, fix: "sudo systemctl enable chrony-wait.service",
            says: "power cut"
        ) {
            $0.facts.clock.hasHardwareClock = false
            $0.facts.clock.services = ["chrony"]
        },
        Case("no clock battery, but it waits", .timeWait, .ok, fix: nil, says: "waits until a time server") {
            $0.facts.clock.hasHardwareClock = false
            guard case .units(var units) = $0.facts.systemd else { return }
            units["chrony-wait.service"] = units[SystemdFacts.socket]
            $0.facts.systemd = .units(units)
        },
    ]

    static let silenceCases: [Case] = [
        Case(
            "muted", .silence, .problem, fix: "sudo adhanctl unmute",
            says: "everything is silent until \"adhanctl unmute\""
        ) {
            try $0.editStatus { $0.mute = #"{"active": true, "until": null, "scope": "all"}"# }
        },
        Case("muted for a while", .silence, .warning, fix: "sudo adhanctl unmute", says: "adhand is muted") {
            try $0.editStatus {
                $0.mute = #"{"active": true, "until": "2026-11-20T18:00:00-05:00", "scope": "all"}"#
            }
        },
        Case(
            "one prayer of a box without a place is switched off", .silence, .warning,
            fix: "sudo adhanctl enable isha", says: "Isha is switched off"
        ) {
            try $0.editStatus {
                $0.hasPrayers = false
                $0.switchedOff = #"[{"prayer": "isha", "how": "command"}]"#
            }
        },
    ]
}
