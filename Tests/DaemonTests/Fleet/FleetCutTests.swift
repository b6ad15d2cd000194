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

@Suite("An envelope whose way is cut off after any effect has all of its effect or none, and once")
struct FleetCutTests {
    private struct Change {
        let name: String
        let envelope: String
        /// Those that the box has carried out before.
        var earlier: [String] = []
        /// Where the machine takes part, adhand may end twice on the way and no more.
        var hasTask = false
        var changesFile = false
    }

    /// The things that a person sees of a box.
    private struct Outcome: Equatable {
        let isMuted: Bool
        let isCalled: [Bool]
        let pins: [HijriMonth: CivilDate]
        let exceptions: DayExceptions
        let signing: String?
        let volume: Int
        let configuration: String?
        let timetable: String?
    }

    private let noor = Noor()
    private let month = HijriMonth("1448-07")!

    private func sign(_ body: String, _ kind: String, seq: Int = 1, by pair: Ed25519.KeyPair? = nil) -> String
    {
        noor.sign(
            body, kind: kind, seq: seq,
            until: kind == "command" ? "2026-11-20T18:00:00Z" : "2026-11-21T17:00:00Z",
            by: pair.map { [$0] })
    }

    private func changes() throws -> [Change] {
        let csv = "date,fajr\n2026-11-21,05:00\n"
        let text = csv.replacing("\n", with: "\\n")
        let timetable = sign(
            #"{"csv":"\#(text)","sha256":"\#(SHA256.hex(Array(csv.utf8)))"}"#, "timetable")
        let configuration = sign(#"{"toml":"[adhan]\nvolume = 33\n"}"#, "configuration")
        let computed = try noor.box().state.inputs.site.calculation.hijri.firstDay(of: month)
        let pins = sign(#"{"pins":{"1448-07":"\#(computed.adding(days: 1))"}}"#, "hijri")
        let exception = sign(
            #"{"exceptions":[{"date":"2026-11-21","prayer":"asr","adhan":"14:45"}]}"#, "exception")
        let (signing, recovery) = (Noor.key(noor.stranger).text, Noor.key(noor.recovery).text)
        let keys = sign(
            #"{"signing":"\#(signing)","recovery":"\#(recovery)"}"#, "keys", by: noor.recovery)
        func revert(_ kind: String) -> String { sign(#"{"kind":"\#(kind)"}"#, "revert") }
        return [
            Change(name: "mute", envelope: sign(Noor.mute, "command")),
            Change(name: "disable", envelope: sign(#"{"verb":"disable"}"#, "command")),
            Change(name: "configuration", envelope: configuration, hasTask: true),
            Change(name: "timetable", envelope: timetable, hasTask: true, changesFile: true),
            Change(name: "hijri", envelope: pins),
            Change(name: "exception", envelope: exception),
            Change(name: "keys", envelope: keys),
            Change(
                name: "revert of configuration", envelope: revert("configuration"), earlier: [configuration],
                hasTask: true),
            Change(
                name: "revert of timetable", envelope: revert("timetable"), earlier: [timetable],
                changesFile: true),
            Change(name: "revert of hijri", envelope: revert("hijri"), earlier: [pins]),
            Change(name: "revert of exception", envelope: revert("exception"), earlier: [exception]),
        ]
    }

    /// A start after a loss of power.
    private func start(_ disk: SavedState?, _ boot: String, effectsLeft: Int? = nil) throws -> Box {
        try noor.box(
            disk: try disk.map { try SavedState(fileBytes: try $0.fileBytes()) }, boot: boot,
            effectsLeft: effectsLeft, fleetFinding: noor.finding)
    }

    private func outcome(_ box: Box) -> Outcome {
        let saved = box.state.saved
        return Outcome(
            isMuted: saved.mute != nil,
            isCalled: Prayer.allCases.map { saved.toggles.isEnabled($0, in: noor.config) },
            pins: saved.pins, exceptions: saved.exceptions,
            signing: box.state.fleetReply(at: box.now).fleet?.signing,
            volume: box.state.inputs.config[.asr].volumePercent,
            configuration: saved.fleet.configurationInForce?.digest, timetable: saved.fleet.timetable?.digest)
    }

    /// The box before a change.
    private func prepared(_ change: Change) throws -> SavedState? {
        var box = try start(nil, "first")
        for envelope in change.earlier {
            let reply = box.apply(envelope)?.envelope
            #expect(reply != nil, "\(change.name)")
        }
        return box.disk
    }

    @Test("Cut off once: before or after, and the second delivery leads to after")
    func once() throws {
        for change in try changes() {
            let disk = try prepared(change)
            var whole = try start(disk, "second")
            let before = outcome(whole)
            let word = try #require(whole.apply(change.envelope)?.envelope?.state)
            let after = outcome(whole)
            #expect(["trial", "confirmed"].contains(word) && before != after, "\(change.name)")
            var (cut, isCut) = (0, true)
            while isCut, cut < 200 {
                let place = "\(change.name), cut off after \(cut) effects"
                var box = try start(disk, "second")
                box.effectsLeft = cut
                _ = box.apply(change.envelope)
                isCut = box.effectsLeft == 0
                cut += 1
                var next = try start(box.disk, "third")
                next.run(for: 90)
                let now = outcome(next)
                #expect(now == before || now == after, "\(place)")
                #expect(next.state.saved.fleet.waiting.isEmpty, "\(place)")
                // An answer is a promise.
                if box.replies.contains(where: { $0.envelope != nil }) { #expect(now == after, "\(place)") }
                if change.changesFile {
                    let isUntouched = (box.fileChanges + next.fileChanges).isEmpty
                    #expect(isUntouched == (now == before), "\(place)")
                }
                let (until, files) = (next.state.saved.mute?.until, next.fileChanges.count)
                let again = next.apply(change.envelope)?.envelope?.state
                #expect(again == (now == after ? "already" : word), "\(place)")
                if now == after {
                    let isOnce = next.state.saved.mute?.until == until && next.fileChanges.count == files
                    #expect(isOnce, "\(place)")
                }
                let last = try start(next.disk, "fourth")
                #expect(outcome(next) == after && outcome(last) == after, "\(place)")
            }
            // Accepted, saved with its effect, told and answered.
            #expect(!isCut && cut > 5, "\(change.name)")
        }
    }

    @Test("Cut off again while it is taken up")
    func twice() throws {
        for change in try changes() where !change.hasTask {
            let disk = try prepared(change)
            var whole = try start(disk, "second")
            let before = outcome(whole)
            _ = whole.apply(change.envelope)
            let after = outcome(whole)
            // The disk has the envelope, and nothing else has happened.
            var box = try start(disk, "second")
            box.isCutOff = true
            _ = box.apply(change.envelope)
            #expect(box.disk?.fleet.waiting.count == 1 && outcome(box) == before, "\(change.name)")
            var (cut, isCut) = (0, true)
            while isCut, cut < 200 {
                let place = "\(change.name), cut off after \(cut) effects"
                let second = try start(box.disk, "third", effectsLeft: cut)
                isCut = second.effectsLeft == 0
                cut += 1
                var third = try start(second.disk, "fourth")
                third.run(for: 90)
                #expect(outcome(third) == after, "\(place)")
                let again = third.apply(change.envelope)?.envelope?.state
                #expect(again == "already" && outcome(third) == after, "\(place)")
            }
            #expect(!isCut, "\(change.name)")
        }
    }
}
