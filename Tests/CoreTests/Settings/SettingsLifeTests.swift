import Announcements
import Daemon
import PrayerEngine
import Protocol
import Testing
import Times

@testable import Settings
@testable import Texts

/// A daemon whose configuration is a text, with a disk for its settings, that may die after any effect.
private struct SettingsBox {
    var files = "[control]\nloudest = 90\npinned = [\"adhan.isha.volume\"]\n"
    var disk = SettingsLayer()
    var diskProblem: String?
    var soundProblems: [String] = []
    var unknownDevices: [String] = []
    var problemsBefore: Set<String> = []
    var isUntried = false
    /// How many more effects it lives for.
    var effectsToLive = Int.max
    private(set) var state: DaemonState
    private(set) var replies: [RequestID: Reply] = [:]
    private(set) var notices: [Notice] = []
    private var serial: UInt64 = 0
    private let now = Instant(unixSeconds: 1_795_500_000)

    init(_ files: String? = nil, disk: SettingsLayer = SettingsLayer(), loss: SettingsLoss? = nil) throws {
        if let files { self.files = files }
        self.disk = disk
        let inputs = try Self.inputs(self.files, disk)
        state = DaemonState(
            inputs: inputs, saved: nil, recorded: [], settings: disk, settingsLoss: loss, now: now)
        take(.clockHealth(ClockHealth(synchronized: true)))
        take(.started)
    }

    static func inputs(
        _ files: String, _ layer: SettingsLayer, soundProblems: [String] = []
    ) throws -> DaemonInputs {
        let layered = try LayeredConfig([ConfigSource(file: "a.toml", text: Array(files.utf8))], layer)
        let plain = try Box.inputs(layered.effective.config)
        return DaemonInputs(
            config: layered.effective.config, configuration: "a.toml", site: plain.site, user: 900,
            controlGroup: 901, soundProblems: soundProblems, layered: layered)
    }

    mutating func take(_ event: Event) {
        var pending = [event]
        while !pending.isEmpty, effectsToLive > 0 {
            for effect in state.handle(pending.removeFirst(), at: now) {
                guard effectsToLive > 0 else { return }
                effectsToLive -= 1
                switch effect {
                case .trySettings(let trial):
                    guard
                        let inputs = try? Self.inputs(
                            files, trial.draft.layer, soundProblems: soundProblems)
                    else { continue }
                    var finding = SettingsFinding(
                        trial, inputs, unknownDevices: unknownDevices, problemsBefore: problemsBefore)
                    finding.isUntried = isUntried
                    pending.append(.settingsTried(finding))
                case .saveSettings(let layer):
                    if diskProblem == nil { disk = layer }
                    pending.append(.settingsSaved(problem: diskProblem))
                case .reply(let id, let reply): replies[id] = reply
                case .publish(let notice): notices.append(notice)
                default: break
                }
            }
        }
    }

    @discardableResult
    mutating func ask(
        _ request: ControlRequest, user: UInt32 = 900, name: String = "adhan-remote",
        claim: CallerClaim = CallerClaim()
    ) -> Reply? {
        serial += 1
        let id = RequestID(serial: serial)
        take(.request(id, request, from: Peer(user: user, groups: [], name: name, claim: claim)))
        return replies[id]
    }

    @discardableResult
    mutating func set(
        _ key: String, _ value: String?, claim: CallerClaim = CallerClaim(), dryRun: Bool? = nil
    ) -> Reply? {
        ask(
            .setSettings(SettingsParameters(changes: [.init(key: key, value: value)], dryRun: dryRun)),
            claim: claim)
    }
}

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
        guard case .document(let document)? = reply, let said = document as? SettingsChangedReply else {
            Issue.record("no answer: \(String(describing: reply))")
            return
        }
        #expect(said.change == 1 && said.message == "adhan.fajr.volume 80 → 45 (change 1)")
        #expect(box.disk == box.state.settings && box.state.inputs.config[.fajr].volumePercent == 45)
        let notice = try #require(box.notices.last { $0.kind == .settingsChanged })
        #expect(notice.message == "Kitchen phone (user adhan-remote): adhan.fajr.volume 80 → 45 (change 1)")
        #expect(notice.fields.actor == "Kitchen phone" && notice.fields.user == "adhan-remote")
        #expect(notice.fields.change == 1 && notice.fields.setting == "adhan.fajr.volume")
    }

    @Test("Devices that are tried later, as something sounds, are no problem: a field says so")
    func later() throws {
        var box = try SettingsBox()
        for isUntried in [true, false] {
            box.isUntried = isUntried
            let reply = box.set("audio.devices", isUntried ? "[\"hall\"]" : "[\"room\"]")
            guard case .document(let document)? = reply, let said = document as? SettingsChangedReply else {
                Issue.record("no answer: \(String(describing: reply))")
                return
            }
            #expect(said.awaitsTrial == (isUntried ? true : nil) && said.problems.isEmpty)
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
        box.soundProblems = ["there is no sound \"mine\""]
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
        let problem = "the timetable does not fit this place"
        box.take(.timetableRead(.table(PublishedTimetable()), problems: [problem], for: nil))
        #expect(box.notices.contains { $0.kind == .timetableChanged && $0.message == problem })
        #expect(box.state.inputs.mosqueProblems == [problem])
        box.take(.timetableRead(.unusable("it is damaged"), for: nil))
        #expect(box.state.inputs.mosqueProblems == [problem])
        (box.soundProblems, box.problemsBefore) = (["there is no sound \"mine\""], [problem])
        #expect(box.set("adhan.volume", "45").refusal?.code == .settingInvalid)
        box.problemsBefore = Set(box.soundProblems)
        #expect(box.set("adhan.volume", "45").isDone)
        #expect(box.set("adhan.volume", "46").isDone)
    }

    @Test("What the disk does not take is not in force, and the answer says so")
    func fullDisk() throws {
        var box = try SettingsBox()
        box.diskProblem = "No space left on device"
        #expect(box.set("adhan.volume", "45").refusal?.code == .stateNotSaved)
        #expect(box.state.inputs.config[.asr].volumePercent == 80 && box.state.settings == SettingsLayer())
        box.diskProblem = nil
        #expect(box.set("adhan.volume", "45").isDone && box.state.inputs.config[.asr].volumePercent == 45)
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
