import Announcements
import Daemon
import PrayerEngine
import Protocol
import Testing
import Times

@testable import Settings
@testable import Texts

extension Reply? {
    fileprivate var refusal: ControlError? { if case .refused(let error)? = self { error } else { nil } }
    fileprivate var isDone: Bool { if case .document? = self { true } else { false } }
}

@Suite("Settings by command, in the daemon")
struct SettingsLifeTests {
    private let phone = CallerClaim(actor: "Kitchen phone", role: .household)

    @Test("It is saved, in force, answered and journaled with who did it")
    func set() throws {
        var box = try SettingsBox()
        let reply = box.set("adhan.fajr.volume", "45", claim: phone)
        guard case .document(let document)? = reply, let changed = document as? SettingsChangedReply else {
            Issue.record("no answer: \(String(describing: reply))")
            return
        }
        #expect(changed.change == 1 && changed.message == "adhan.fajr.volume 80 → 45 (change 1)")
        #expect(changed.details == [changed.message])
        #expect(box.disk == box.state.settings && box.state.inputs.config[.fajr].volumePercent == 45)
        let notice = try #require(box.notices.last { $0.kind == .settingsChanged })
        #expect(notice.message == "Kitchen phone (user adhan-remote): adhan.fajr.volume 80 → 45 (change 1)")
        #expect(notice.fields.actor == "Kitchen phone" && notice.fields.user == "adhan-remote")
        #expect(notice.fields.change == 1 && notice.fields.setting == "adhan.fajr.volume")
    }

    @Test("An answer has a sentence for each key, whatever stands in a value")
    func details() throws {
        var box = try SettingsBox()
        let changes = SettingsParameters(changes: [
            .init(key: "audio.devices", value: "[\"hall; left\"]"), .init(key: "adhan.volume", value: "45"),
        ])
        guard case .document(let changed as SettingsChangedReply)? = box.ask(.setSettings(changes)) else {
            Issue.record("no answer")
            return
        }
        let details = try #require(changed.details)
        #expect(details.count == 2 && details.contains { $0.contains("\"hall; left\"") })
        #expect(changed.message == details.joined(separator: "; "))
        guard case .document(let undone as SettingsUndoneReply)? = box.ask(.undoSettings(change: nil)) else {
            Issue.record("no answer")
            return
        }
        #expect(undone.details?.count == 2)
    }

    @Test("Devices that are tried later, as something sounds, are no problem: a field says so")
    func later() throws {
        var box = try SettingsBox()
        for isUntried in [true, false] {
            box.isUntried = isUntried
            let reply = box.set("audio.devices", isUntried ? "[\"hall\"]" : "[\"room\"]")
            guard case .document(let document)? = reply, let changed = document as? SettingsChangedReply
            else {
                Issue.record("no answer: \(String(describing: reply))")
                return
            }
            #expect(changed.awaitsTrial == (isUntried ? true : nil) && changed.problems.isEmpty)
        }
    }

    @Test("The keys that may be set name the file that sets them")
    func files() throws {
        var box = try SettingsBox("[adhan.fajr]\nvolume = 30\n")
        guard case .document(let settings as SettingsReply)? = box.ask(.getSettings(prefix: "adhan")) else {
            Issue.record("nothing is read")
            return
        }
        #expect(settings.keys.filter { $0.file != nil }.map(\.key) == ["adhan.fajr.volume"])
        #expect(settings.keys.first { $0.key == "adhan.fajr.volume" }?.file == "a.toml")
    }

    @Test("A role reduces what the caller may do, and gives a stranger nothing")
    func roles() throws {
        var box = try SettingsBox()
        #expect(box.set("iqama.isha.at", "\"20:15\"", claim: phone).refusal == .roleNeeded(.keeper))
        #expect(box.ask(.reload(), claim: phone).refusal == .roleNeeded(.fresh))
        let fresh = CallerClaim(role: .fresh)
        let stranger = box.ask(
            .setSettings(.init(changes: [.init(key: "adhan.volume", value: "45")])), user: 12, claim: fresh)
        #expect(stranger.refusal == .notPermitted(needed: "adhan"))
        #expect(box.ask(.mute(MuteParameters(duration: "25h")), claim: phone).refusal?.code == .invalidTime)
        #expect(box.ask(.mute(MuteParameters()), claim: phone).refusal?.code == .invalidTime)
        #expect(box.ask(.mute(MuteParameters(duration: "23h")), claim: phone).isDone)
        #expect(box.state.status(at: box.state.startedAt).mute.by == "Kitchen phone")
        #expect(
            box.ask(.playSound(name: "/etc/passwd", prayer: nil), claim: phone).refusal?.code
                == .soundUnusable)
    }

    @Test(
        "What is refused changes nothing: pins, bounds, conflicts, sounds, devices, and what the whole would be"
    )
    func refusals() throws {
        var box = try SettingsBox()
        #expect(
            box.set("adhan.isha.volume", "45").refusal
                == .settingPinned(key: "adhan.isha.volume", file: "a.toml", line: 3))
        #expect(box.set("adhan.volume", "91").refusal?.code == .settingInvalid)
        #expect(box.set("adhan.echo", "1").refusal?.code == .unknownSetting)
        #expect(box.set("location.latitude", "52.5").refusal?.code == .settingInvalid)
        box.soundProblems = [InputsProblem(.soundMissing, of: "mine", "there is no sound \"mine\"")]
        #expect(
            box.set("adhan.fajr.sound", "\"mine\"").refusal
                == .settingInvalid(
                    key: "adhan.fajr.sound", value: "\"mine\"", reason: "there is no sound \"mine\""))
        box.soundProblems = []
        box.unknownDevices = ["file:/etc/passwd"]
        #expect(box.set("audio.devices", "[\"file:/etc/passwd\"]").refusal?.code == .settingInvalid)
        box.unknownDevices = []
        #expect(box.disk == SettingsLayer() && box.state.inputs.layered.settings.isEmpty)
        #expect(box.set("adhan.volume", "45", dryRun: true).isDone && box.disk == SettingsLayer())
    }

    @Test("A timetable that does not fit, or a sound that has gone, is not the fault of any later change")
    func problemsBefore() throws {
        var box = try SettingsBox()
        func problem(_ sentence: String) -> InputsProblem {
            InputsProblem(.timetableAgainstSun, of: "Makkah", extent: "maghrib 20", sentence)
        }
        func missing(_ name: String) -> InputsProblem { InputsProblem(.soundMissing, of: name, "x") }
        let mismatch = problem("the timetable does not fit this place")
        box.handle(.timetableRead(.table(PublishedTimetable()), problems: [mismatch], for: nil))
        #expect(box.notices.contains { $0.kind == .timetableChanged && $0.message == mismatch.sentence })
        #expect(box.state.inputs.mosqueProblems == [mismatch])
        // In other words it is no news.
        let noticesBefore = box.notices.count
        box.handle(.timetableRead(.table(PublishedTimetable()), problems: [problem("x")], for: nil))
        #expect(!box.notices[noticesBefore...].contains { $0.message == "x" })
        box.handle(.timetableRead(.unusable("it is damaged"), for: nil))
        #expect(box.state.inputs.mosqueProblems == [mismatch])
        // Another sound is another problem, also where the sentence is the same.
        (box.soundProblems, box.problemsBefore) = ([missing("mine")], [mismatch, missing("yours")])
        #expect(box.set("adhan.volume", "45").refusal?.code == .settingInvalid)
        box.problemsBefore = [InputsProblem(.soundMissing, of: "mine", "in other words")]
        #expect(box.set("adhan.volume", "45").isDone)
        #expect(box.set("adhan.volume", "46").isDone)
    }

    @Test("What the disk does not take is not in force, and the answer says so")
    func fullDisk() throws {
        var box = try SettingsBox()
        box.diskProblem = "No space left on device"
        let refusal = box.set("adhan.volume", "45").refusal
        #expect(refusal == .changeNotSaved(reason: "No space left on device"))
        #expect(box.state.inputs.config[.asr].volumePercent == 80 && box.state.settings == SettingsLayer())
        box.diskProblem = nil
        #expect(box.set("adhan.volume", "45").isDone && box.state.inputs.config[.asr].volumePercent == 45)
    }

    @Test("A phone that sets the volume of all prayers does not change the pinned one, nor does a restart")
    func pinnedValue() throws {
        var box = try SettingsBox()
        let reply = box.set("adhan.volume", "45", claim: phone)
        #expect(reply.isDone)
        for box in [box, try SettingsBox(disk: box.disk)] {
            let config = box.state.inputs.config
            #expect(config[.asr].volumePercent == 45 && config[.isha].volumePercent == 80)
        }
    }

    @Test("Undo brings back what was in force; settings, keys and changes can be read")
    func undo() throws {
        var box = try SettingsBox()
        box.set("adhan.volume", "45", claim: phone)
        box.set("adhan.volume", "50")
        #expect(
            box.ask(.undoSettings(change: 1)).refusal
                == .settingConflict(key: "adhan.volume", change: 2, by: "adhan-remote"))
        #expect(
            box.ask(.undoSettings(change: nil)).isDone && box.state.inputs.config[.asr].volumePercent == 45)
        guard case .document(let settings as SettingsReply)? = box.ask(.getSettings(prefix: "adhan")),
            case .document(let changes as ChangesReply)? = box.ask(.getChanges(limit: 2))
        else {
            Issue.record("nothing is read")
            return
        }
        #expect(settings.change == 3 && settings.settings.map(\.inForce) == ["45"])
        #expect(settings.settings.first?.state == .set && settings.settings.first?.default == "80")
        #expect(settings.keys.contains { $0.key == "adhan.isha.volume" && $0.pinned == "adhan.isha.volume" })
        #expect(!settings.keys.contains { $0.key.hasPrefix("iqama") })
        #expect(changes.changes.map(\.change) == [2, 3] && changes.changes.last?.undoes == 2)
    }

    @Test("A damaged file is reported at the start and in the status, until something is set")
    func damaged() throws {
        var box = try SettingsBox(loss: SettingsLoss(message: "it is damaged"))
        #expect(box.notices.contains { $0.kind == .settingsChanged && $0.level == .error })
        #expect(box.state.status(at: box.state.startedAt).settingsProblem?.code == SettingsLoss.code)
        box.set("adhan.volume", "45")
        #expect(box.state.status(at: box.state.startedAt).settingsProblem == nil)
    }

    @Test("A setting that the files keep from being in force is reported at the start, with the place")
    func complaint() throws {
        var first = try SettingsBox("")
        first.set("adhan.isha.volume", "45")
        let box = try SettingsBox(disk: first.disk)
        let notice = try #require(box.notices.first { $0.kind == .settingsChanged })
        #expect(notice.level == .warning && notice.message.contains("a.toml, line 3"))
        #expect(box.state.inputs.config[.isha].volumePercent == 80)
    }

    @Test(
        "Killed after every single effect: what was answered is in force at the next start, and nothing is half there"
    )
    func kills() throws {
        let whole = SettingsParameters(changes: [
            .init(key: "location.latitude", value: "52.5"), .init(key: "location.longitude", value: "13.4"),
        ])
        for effects in 1..<40 {
            var box = try SettingsBox()
            box.set("adhan.volume", "45")
            let before = box.disk
            box.effectsToLive = effects
            let isAnswered = box.ask(.setSettings(whole)).isDone
            let isUndone = box.ask(.undoSettings(change: 1)).isDone
            let next = try SettingsBox(disk: box.disk)
            let location = next.state.inputs.config.location
            let isMoved = location?.latitude == 52.5 && location?.longitude == 13.4
            #expect(isMoved || location == nil && box.disk == before, "after \(effects) effects")
            if isAnswered { #expect(isMoved, "after \(effects) effects") }
            if isUndone {
                #expect(next.state.inputs.config[.asr].volumePercent == 80, "after \(effects) effects")
            }
            #expect(next.state.inputs.layered.settings.allSatisfy { $0.state == .set })
        }
    }
}
