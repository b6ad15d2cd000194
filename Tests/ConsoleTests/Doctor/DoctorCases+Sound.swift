import BoxSupport
import Console
import Texts

@testable import Protocol

/// Troubles of devices, sounds, the record, the disk, and who may do what.
extension DoctorTests {
    static let deviceCases: [Case] = [
        Case(
            "the last adhan failed and nothing opens", .devices, .problem, fix: "aplay -L",
            says: "Cannot open."
        ) {
            try $0.editStatus {
                $0.audio =
                    #"{"devices": ["hw:1,0"], "healthy": false, "lastError": "\"hw:1,0\": No such device", "checkedAt": "2026-11-20T11:42:08.000-05:00"}"#
            }
            $0.facts.sound.devices = [
                .init(name: "hw:1,0", outcome: .fails(reason: "cannot open", isBusy: false))
            ]
        },
        Case(
            "it was well, and is gone now", .devices, .problem, fix: "aplay -L",
            says: "Cannot open \"default\": No such device."
        ) {
            try $0.editStatus {
                $0.audio =
                    #"{"devices": ["default"], "healthy": true, "lastError": null, "checkedAt": "2026-11-20T11:42:08.000-05:00"}"#
            }
            $0.facts.sound.devices = [
                .init(
                    name: "default",
                    outcome: .fails(reason: "cannot open \"default\": No such device", isBusy: false))
            ]
        },
        Case(
            "it failed, but opens now", .devices, .warning, fix: "sudo adhanctl test-play next",
            says: "Now \"default\" opens"
        ) {
            try $0.editStatus {
                $0.audio =
                    #"{"devices": ["default"], "healthy": false, "lastError": "busy", "checkedAt": "2026-11-20T11:42:08.000-05:00"}"#
            }
        },
        Case(
            "muted by the mixer, though it was well", .devices, .problem,
            fix: "amixer -c 0 sset Master 80% unmute", says: "the mixer's Master control is muted."
        ) {
            $0.facts.sound.devices = [
                .init(
                    name: "default", outcome: .opens,
                    silence: .init(
                        reason: "\"default\" is silent: the mixer's Master control is muted",
                        fix: "amixer -c 0 sset Master 80% unmute"))
            ]
        },
        Case("no card", .devices, .problem, fix: "aplay -l", says: "no sound card") {
            $0.facts.daemon = .absent(reason: "there is no socket")
            $0.facts.sound.hasCards = false
            $0.facts.sound.devices = [
                .init(
                    name: "default",
                    outcome: .fails(
                        reason: "cannot open \"default\": No such file or directory", isBusy: false))
            ]
            $0.facts.systemd = Patient.units { $0.active = "inactive" }
        },
        Case(
            "nobody could look as adhand does", .devices, .warning, fix: "sudo adhanctl doctor",
            says: "No device was tried as adhand would: only root can look in its place."
        ) {
            try $0.editStatus {
                $0.audio = #"{"devices": ["default"], "healthy": true, "lastError": null, "checkedAt": null}"#
            }
            $0.facts.sound.devices = []
            $0.facts.sound.unseen = "only root can look in its place"
        },
        Case(
            "in use", .devices, .problem, fix: "fuser -v /dev/snd/*",
            says: "Another program holds the sound card"
        ) {
            try $0.editStatus {
                $0.audio = #"{"devices": ["default"], "healthy": true, "lastError": null, "checkedAt": null}"#
            }
            $0.facts.sound.devices = [
                .init(
                    name: "hw:0",
                    outcome: .fails(reason: "cannot open \"hw:0\": Device or resource busy", isBusy: true))
            ]
        },
        Case(
            "held by a session's sound server", .devices, .problem, fix: "fuser -v /dev/snd/*",
            says:
                "The sound card is held by pipewire (process 812, another person's). If it still does at prayer time"
        ) {
            try $0.editStatus {
                $0.audio = #"{"devices": ["default"], "healthy": true, "lastError": null, "checkedAt": null}"#
            }
            $0.facts.sound.devices = [
                .init(name: "hw:0", outcome: .fails(reason: "Device or resource busy", isBusy: true))
            ]
            $0.facts.sound.holders = [
                CardHolder(
                    program: "pipewire", process: 812, whose: CardHolder.whose(isOwn: false, account: nil))
            ]
        },
        Case(
            "the name is a session's sound server", .devices, .problem, fix: "aplay -L",
            says: "X: the name leads to a sound server"
        ) {
            try $0.editStatus {
                $0.audio = #"{"devices": ["default"], "healthy": true, "lastError": null, "checkedAt": null}"#
            }
            $0.facts.sound.devices = [
                .init(
                    name: "default",
                    outcome: .fails(reason: "x", isBusy: false, needsServer: true))
            ]
        },
        Case("stuck", .devices, .problem, fix: "aplay -L", says: "is a sound server stuck?") {
            try $0.editStatus {
                $0.audio = #"{"devices": ["pulse"], "healthy": true, "lastError": null, "checkedAt": null}"#
            }
            $0.facts.sound.devices = [.init(name: "pulse", outcome: .hangs)]
        },
        Case(
            "the second device has to do", .devices, .warning, fix: "aplay -L",
            says: "\"default\" opens and will be used"
        ) {
            try $0.editStatus {
                $0.audio =
                    #"{"devices": ["hw:1", "default"], "healthy": true, "lastError": null, "checkedAt": null}"#
            }
            $0.facts.sound.devices.insert(
                .init(
                    name: "hw:1",
                    outcome: .fails(reason: "cannot open \"hw:1\": No such device", isBusy: false)), at: 0)
        },
        Case("adhand is playing", .devices, .ok, fix: nil, says: "adhand is using it") {
            try $0.editStatus {
                $0.audio = #"{"devices": ["default"], "healthy": true, "lastError": null, "checkedAt": null}"#
            }
            $0.facts.sound.devices = []
            $0.facts.sound.untried = "adhand is using it"
        },
    ]

    static let soundCases: [Case] = [
        Case(
            "no such sound", .sounds, .problem, fix: "sudo adhanctl sound add FILE --name madinah",
            says: "no sound \"madinah\" for Fajr"
        ) {
            $0.facts.sound.files = [.init(name: "madinah", prayers: [.fajr], path: nil, outcome: .missing)]
        },
        Case(
            "broken", .sounds, .problem, fix: "sudo adhanctl sound list",
            says: "not MP3. It is for Asr and Isha; the time signal"
        ) {
            $0.facts.sound.files.append(
                .init(
                    name: "x", prayers: [.asr, .isha], path: "/x.mp3",
                    outcome: .broken(reason: "cannot play \"/x.mp3\": this is an Ogg Vorbis file, not MP3")))
        },
        Case(
            "Fajr has no recording of its own", .sounds, .warning,
            fix: "sudo adhanctl sound add FAJR.mp3 --name madinah --prayer fajr",
            says: "a phrase of its own: add"
        ) {
            $0.facts.sound.files = [
                .init(
                    name: "madinah", prayers: [.fajr, .dhuhr], path: "/s/madinah/adhan.mp3",
                    outcome: .decodes(seconds: 200))
            ]
        },
        Case(
            "Fajr has no recording of its own, and the other is named by its path", .sounds, .warning,
            fix: "sudo adhanctl sound add FAJR.mp3 --name fajr && sudo adhanctl sound use fajr --prayer fajr",
            says: "add a recording of it and choose it."
        ) {
            $0.facts.sound.files = [
                .init(
                    name: "/srv/a.mp3", prayers: [.fajr, .dhuhr], path: "/srv/a.mp3",
                    outcome: .decodes(seconds: 200))
            ]
        },
        Case(
            "hardly a recording, named by its path", .sounds, .problem, fix: "sudo cp FILE /srv/a.mp3",
            says: "is not fit to be called: it is silent"
        ) {
            $0.facts.sound.files = [
                .init(
                    name: "/srv/a.mp3", prayers: [.dhuhr], path: "/srv/a.mp3",
                    outcome: .doubtful(reason: "it is silent"))
            ]
        },
        Case(
            "a recording that is mostly silence", .sounds, .warning,
            fix: "sudo adhanctl sound play makkah --prayer asr",
            says:
                "Listen to the recording of \"makkah\" for Asr before it is called: only 15 % of it can be heard"
        ) {
            $0.facts.sound.files = [
                .init(
                    name: "makkah", prayers: [.asr], path: "/s/makkah/adhan.mp3",
                    outcome: .questionable(seconds: 9, reason: "only 15 % of it can be heard"))
            ]
        },
        Case(
            "a recording that the sandbox hides", .sounds, .problem,
            fix: "sudo adhanctl sound add /home/ali/adhan.mp3 --name adhan",
            says: "hides /home from adhand. It is for Asr; the time signal"
        ) {
            $0.facts.sound.files = [
                .init(
                    name: "/home/ali/adhan.mp3", prayers: [.asr], path: nil,
                    outcome: .unreadable(
                        reason:
                            "adhand cannot read \"/home/ali/adhan.mp3\": the service's sandbox hides /home from adhand"
                    ))
            ]
        },
        Case(
            "nobody could look as adhand does", .sounds, .warning, fix: nil,
            says: "No sound was tried as adhand would: it cannot read its configuration."
        ) {
            $0.facts.isRoot = true
            $0.facts.sound.unseen = "it cannot read its configuration"
        },
    ]

    static let recordCases: [Case] = [
        Case(
            "the last one failed", .announcements, .problem, fix: "adhanctl history",
            says:
                "34 of 35 adhans due in the last 7 days were played. The last that was not, Fajr of 2026-11-19 05:21, failed: No such device."
        ) {
            $0.facts.history = try Patient.history(
                played: 34, failed: [("fajr_20261119", "failed", "No such device")])
        },
        Case(
            "an earlier one was missed", .announcements, .problem, fix: "adhanctl history",
            says: "was missed: the machine slept"
        ) {
            $0.facts.history = try Patient.history(
                played: 34,
                failed: [("fajr_20261119", "missed", "the machine slept"), ("asr_20261119", "played", "")])
        },
        Case("nothing was due yet", .announcements, .ok, fix: nil, says: "No adhan was due") {
            $0.facts.history = try Patient.history(played: 0, failed: [])
        },
        Case("unsaved", .disk, .problem, fix: "df -h /var/lib/adhand", says: "No space left on device") {
            try $0.editStatus { $0.stateProblem = "\"cannot write: No space left on device\"" }
        },
        Case(
            "a contradiction in adhand's own state", .service, .problem, fix: "adhanctl feedback",
            says: "two jobs share a token. It goes on calling."
        ) {
            try $0.editStatus {
                $0.internalProblem =
                    #"{"code": "shared-token", "message": "adhand contradicts itself: two jobs share a token", "fix": "adhanctl feedback"}"#
            }
        },
        Case("full", .disk, .problem, fix: "df -h /var/lib/adhand", says: "3 MB are left") {
            $0.facts.disk.freeBytes = 3 << 20
        },
        Case("no files left", .disk, .problem, fix: "df -i /var/lib/adhand", says: "no room for another file")
        { $0.facts.disk.freeFiles = 0 },
        Case(
            "a dying memory card", .disk, .problem, fix: "sudo mount -o remount,rw /var/lib/adhand",
            says: "read-only"
        ) { $0.facts.disk.isReadOnly = true },
    ]

    static let personCases: [Case] = [
        Case(
            "a stranger", .permission, .warning, fix: "sudo usermod -aG adhan $USER",
            says: "You may look, but not mute"
        ) { $0.facts.person.isMaster = false },
        Case("a member", .permission, .ok, fix: nil, says: "may change everything") {
            $0.facts.person.isMaster = false
            $0.facts.person.isMember = true
        },
        Case("a member from the next login on", .permission, .warning, fix: nil, says: "log out and in again")
        {
            $0.facts.person.isMaster = false
            $0.facts.person.isListed = true
        },
        Case(
            "no such group", .permission, .warning,
            fix: "sudo groupadd --system adhan && sudo systemctl restart adhand", says: "no group \"adhan\""
        ) {
            $0.facts.person.isMaster = false
            $0.facts.person.groupExists = false
        },
    ]
}
