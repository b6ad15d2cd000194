import BoxSupport
import PrayerEngine
import Signature
import StateFile
import Testing
import Texts
import Times

@testable import Announcements
@testable import Daemon
@testable import Envelope
@testable import Protocol
@testable import Settings

@Suite("A configuration and a timetable of a fleet are on trial until an adhan was heard with them")
struct FleetTrialTests {
    private let noor = Noor()
    private let from = "2026-11-20T17:00:00Z"
    private let until = "2026-11-21T17:00:00Z"

    private func configuration(_ volume: Int, seq: Int) -> String {
        noor.sign(
            #"{"toml":"[adhan]\nvolume = \#(volume)\n"}"#, kind: "configuration", seq: seq, from: from,
            until: until)
    }

    private func timetable(seq: Int) -> String {
        let csv = "date,fajr\n2026-11-21,05:00\n"
        let body =
            #"{"csv":"\#(csv.replacing("\n", with: "\\n"))","sha256":"\#(SHA256.hex(Array(csv.utf8)))"}"#
        return noor.sign(body, kind: "timetable", seq: seq, from: from, until: until)
    }

    private func revert(_ kind: String, seq: Int = 1) -> String {
        noor.sign(#"{"kind":"\#(kind)"}"#, kind: "revert", seq: seq, from: from, until: until)
    }

    private func box(
        _ clock: String = "2026-11-20T12:30:00-05:00", disk: SavedState? = nil, boot: String? = "a boot"
    ) throws -> Box {
        var box = try noor.box(clock, disk: disk, boot: boot)
        box.fleetFinding = noor.finding
        return box
    }

    private func volume(_ box: Box) -> Int { box.state.inputs.config[.asr].volumePercent }

    /// Runs to the next adhan and lets it be heard, or fail.
    private func hear(_ box: inout Box, fails: Bool = false) throws {
        let next = try #require(box.state.nextAdhan(at: box.now))
        box.run(until: next.at)
        let token = try #require(box.state.jobs.first?.token)
        if fails {
            box.end(token: token, .failed(reason: "cannot open \"hw:9\""), framesPlayed: 0)
            // No device is touched at the instant itself.
            box.run(for: 30)
        } else {
            box.begin(token: token)
            box.run(for: 11)
            box.end(token: token)
        }
        box.handle(.timerDue)
    }

    private let own = Config.default[.asr].volumePercent

    @Test(
        "It is saved together with its effect, answered as a trial, and confirmed by the next adhan that is heard"
    )
    func confirmed() throws {
        var box = try box()
        let reply = box.apply(configuration(33, seq: 1))?.envelope
        #expect(reply == EnvelopeReply(state: "trial", kind: "configuration", seq: 1))
        #expect(volume(box) == 33 && box.applied.map(\.state) == ["trial"])
        #expect(box.disk?.fleet.configuration?.toml == "[adhan]\nvolume = 33\n")
        // A restart that was meant changes nothing.
        box.handle(.stopping)
        let disk = try SavedState(fileBytes: try #require(box.disk).fileBytes())
        #expect(disk.fleet == box.state.saved.fleet)
        for _ in 0..<4 {
            box = try self.box("2026-11-20T12:40:00-05:00", disk: box.disk)
            box.handle(.stopping)
        }
        box = try self.box("2026-11-20T12:40:00-05:00", disk: box.disk)
        #expect(volume(box) == 33 && box.applied.map(\.state) == ["trial"])
        try hear(&box)
        #expect(volume(box) == 33 && box.applied.map(\.state) == ["confirmed"])
        #expect(box.state.saved.fleet.trials.isEmpty)
        #expect(box.apply(configuration(33, seq: 1))?.envelope?.state == "already")
    }

    @Test("A failed adhan brings back what was confirmed last, and the same envelope is refused from then on")
    func failed() throws {
        var box = try box()
        #expect(box.apply(configuration(33, seq: 1))?.envelope?.state == "trial")
        try hear(&box)
        box.run(for: 700)
        // Two in a row before any adhan: the first of them was never confirmed.
        #expect(box.apply(configuration(44, seq: 2))?.envelope?.state == "trial")
        #expect(box.apply(configuration(55, seq: 3))?.envelope?.state == "trial")
        #expect(volume(box) == 55)
        try hear(&box, fails: true)
        #expect(volume(box) == 33)
        #expect(box.applied.map(\.state) == ["reverted"])
        #expect(box.applied[0].reason?.contains("failed") == true)
        #expect(box.notices.last { $0.kind == .fleetChanged }?.level == .warning)
        for _ in 0..<2 {
            #expect(box.reason(configuration(55, seq: 3)) == "reverted-before")
            box = try self.box("2026-11-20T19:00:00-05:00", disk: box.disk)
            #expect(volume(box) == 33 && box.applied.map(\.state) == ["reverted"])
        }
        // A better one is taken.
        #expect(box.apply(configuration(66, seq: 4))?.envelope?.state == "trial")
    }

    @Test("A sound that fails while it is prepared counts as well, though nothing else happens then")
    func failedEarly() throws {
        var box = try box()
        #expect(box.apply(configuration(33, seq: 1))?.envelope?.state == "trial")
        let next = try #require(box.state.nextAdhan(at: box.now))
        box.run(until: next.at - 8)
        let token = try #require(box.state.jobs.first?.token)
        box.end(token: token, .failed(reason: "no such file"), framesPlayed: 0)
        #expect(box.applied.map(\.state) == ["trial"])
        box.run(for: 120)
        #expect(volume(box) == own && box.applied.map(\.state) == ["reverted"])
    }

    @Test("A preflight that fails only since the change brings back what was before, long before the adhan")
    func preflight() throws {
        var box = try box()
        box.fleetPreflight = { $0 == .after ? ["cannot open \"hw:9\""] : [] }
        #expect(box.apply(configuration(33, seq: 1))?.envelope?.state == "trial")
        #expect(volume(box) == own && box.applied.map(\.state) == ["reverted"])
        #expect(box.applied[0].reason?.contains("hw:9") == true)
        // One that failed before, too, says nothing against the change: the adhan decides.
        box.fleetPreflight = { _ in ["cannot open \"hw:9\""] }
        #expect(box.apply(configuration(44, seq: 2))?.envelope?.state == "trial")
        #expect(volume(box) == 44 && box.applied.map(\.state) == ["trial"])
        try hear(&box)
        #expect(box.applied.map(\.state) == ["confirmed"])
    }

    @Test("The second crash in a boot brings back what was before; losses of power do not")
    func crashes() throws {
        var box = try box()
        #expect(box.apply(configuration(33, seq: 1))?.envelope?.state == "trial")
        for boot in ["second", "third", "fourth"] {
            box = try self.box("2026-11-20T12:31:00-05:00", disk: box.disk, boot: boot)
            #expect(volume(box) == 33 && box.applied.map(\.state) == ["trial"])
        }
        box = try self.box("2026-11-20T12:32:00-05:00", disk: box.disk, boot: "fourth")
        #expect(volume(box) == 33 && box.applied.map(\.state) == ["trial"])
        box = try self.box("2026-11-20T12:33:00-05:00", disk: box.disk, boot: "fourth")
        #expect(volume(box) == own && box.applied.map(\.state) == ["reverted"])
        #expect(box.reason(configuration(33, seq: 1)) == "reverted-before")
    }

    @Test("An adhan that was missed brings back what was before, unless the machine was off")
    func missed() throws {
        var first = try box()
        #expect(first.apply(configuration(33, seq: 1))?.envelope?.state == "trial")
        let off = try box("2026-11-20T16:00:00-05:00", disk: first.disk, boot: "another boot")
        #expect(volume(off) == 33 && off.applied.map(\.state) == ["trial"])
        let gone = try box("2026-11-20T16:00:00-05:00", disk: first.disk)
        #expect(
            gone.state.saved.fleet.configurationInForce == nil && gone.applied.map(\.state) == ["reverted"])
    }

    @Test(
        "Within ten minutes of an adhan it waits; one that the machine cannot use is refused, and takes no number"
    )
    func waits() throws {
        var box = try box()
        let asr = try noor.asr(box)
        box.run(until: asr - 599)
        #expect(box.apply(configuration(33, seq: 1))?.envelope?.state == "scheduled")
        #expect(volume(box) == own)
        try hear(&box)
        box.run(until: asr + 599)
        #expect(volume(box) == own && box.applied.map(\.state) == ["scheduled"])
        box.run(until: asr + 601)
        #expect(volume(box) == 33 && box.applied.map(\.state) == ["trial"])
        box.fleetFinding = { FleetFinding($0, $1, refusal: "there is no sound \"bells\"") }
        #expect(box.reason(configuration(44, seq: 2)) == "invalid")
        #expect(volume(box) == 33 && box.applied.map(\.seq) == [1])
    }

    @Test("An envelope that adhand ends of whenever it looks at it is refused at the third start")
    func endsOfIt() throws {
        var box = try box()
        box.isCutOff = true
        // The machine answers, and the program is killed before the effect is saved.
        let envelope = configuration(33, seq: 1)
        _ = box.effects(
            of: .request(RequestID(serial: 5), .applyEnvelope(envelope), from: Peer(user: 0, groups: [])))
        let finding = FleetFinding(try #require(box.state.envelopes.work?.task), box.state.inputs)
        box.handle(.fleetTried(finding))
        #expect(box.disk?.fleet.waiting.map(\.attempts) == [1])
        func start(_ disk: SavedState?) throws -> Box {
            var box = try Box(
                "2026-11-20T12:30:01-05:00", config: noor.config, disk: disk, fleetGate: Noor.gate,
                isCutOff: true)
            box.isCutOff = true
            return box
        }
        let second = try start(box.disk)
        #expect(second.disk?.fleet.waiting.map(\.attempts) == [2])
        let third = try start(second.disk)
        #expect(third.disk?.fleet.waiting == [] && third.applied.map(\.state) == ["refused"])
    }

    @Test("A disk that does not take the effect keeps it from taking place, so that nothing is done twice")
    func diskFull() throws {
        var box = try noor.box()
        box.run(until: try noor.asr(box) - 300)
        let (from, until) = ("2026-11-20T19:40:00Z", "2026-11-20T20:40:00Z")
        #expect(box.apply(noor.sign(from: from, until: until))?.envelope?.state == "scheduled")
        box.diskProblem = "No space left on device"
        box.run(until: try noor.asr(box) + 30)
        for token in box.state.jobs.map(\.token) {
            box.begin(token: token)
            box.end(token: token)
        }
        box.diskProblem = nil
        box.handle(.saved)
        // From here the accepted envelope is on a disk that takes nothing more.
        box.run(until: try noor.asr(box) + 599)
        box.diskProblem = "No space left on device"
        box.run(until: try noor.asr(box) + 700)
        #expect(box.state.saved.mute == nil && box.disk?.mute == nil)
        #expect(box.disk?.fleet.waiting.count == 1)
        box.diskProblem = nil
        box.handle(.saved)
        box.run(for: 90)
        #expect(box.state.saved.mute != nil && box.disk?.mute != nil && box.disk?.fleet.waiting == [])
    }

    @Test(
        "revert brings back what the box had before, and a box that leaves its fleet keeps no configuration of it"
    )
    func reverted() throws {
        var box = try box()
        for seq in 1...2 {
            #expect(box.apply(configuration(30 + seq, seq: seq))?.envelope?.state == "trial")
        }
        #expect(box.apply(revert("configuration"))?.envelope?.state == "confirmed")
        #expect(volume(box) == own && box.state.saved.fleet.trials.isEmpty)
        #expect(box.applied.map(\.state) == ["reverted", "confirmed"])
        #expect(box.reason(configuration(32, seq: 2)) == "reverted-before")
        // Where there is nothing to go back from, nothing happens.
        #expect(box.apply(revert("timetable", seq: 2))?.envelope?.state == "confirmed")
        #expect(box.fileChanges.isEmpty)
        #expect(box.apply(configuration(35, seq: 3))?.envelope?.state == "trial")
        box.handle(.inputsLoaded(try Box.inputs(.default), .reload(nil)))
        #expect(box.state.saved.fleet.configuration == nil && box.state.saved.fleet.trials.isEmpty)
        #expect(box.notices.last { $0.kind == .fleetChanged }?.message.contains("no longer in force") == true)
    }

    @Test("A timetable is a file that is written first, and put back where the trial fails")
    func timetable() throws {
        var box = try box()
        #expect(box.apply(timetable(seq: 1))?.envelope?.state == "trial")
        #expect(box.fileChanges == [.put(text: "text", known: nil, keepsPrevious: false)])
        #expect(box.disk?.fleet.timetable?.sha256 == "hash")
        #expect(box.apply(timetable(seq: 2))?.envelope?.state == "trial")
        #expect(box.fileChanges.last == .put(text: "text", known: "hash", keepsPrevious: true))
        try hear(&box, fails: true)
        #expect(box.fileChanges.last == .undo(known: "hash") && box.applied.map(\.state) == ["reverted"])
        #expect(box.state.saved.fleet.timetable == nil)
        box.run(for: 700)
        #expect(box.apply(timetable(seq: 3))?.envelope?.state == "trial")
        try hear(&box)
        box.run(for: 700)
        #expect(box.apply(revert("timetable"))?.envelope?.state == "confirmed")
        #expect(box.fileChanges.last == .restoreOwn(known: "hash") && box.state.saved.fleet.timetable == nil)
    }

    @Test("A timetable that fails while an announcement is near is put back when that is over")
    func timetableNear() throws {
        var box = try box()
        #expect(box.apply(timetable(seq: 1))?.envelope?.state == "trial")
        let next = try #require(box.state.nextAdhan(at: box.now))
        box.run(until: next.at - 8)
        box.end(
            token: try #require(box.state.jobs.first?.token), .failed(reason: "no such file"), framesPlayed: 0
        )
        #expect(box.fileChanges.count == 1)
        box.run(for: 120)
        #expect(box.fileChanges.last == .undo(known: "hash"))
    }
}
