import BoxSupport
import LabSupport
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

@Suite("Envelopes of a fleet, as a box carries them out")
struct FleetTests {
    private let noor = Noor()

    @Test("A command is saved, carried out once, and known from then on")
    func command() throws {
        var box = try noor.box()
        let envelope = noor.sign()
        #expect(box.apply(envelope)?.envelope == EnvelopeReply(state: "confirmed", kind: "command", seq: 1))
        #expect(box.state.saved.mute?.until == box.now + 7200)
        #expect(box.state.saved.mute?.by == "fleet noor")
        #expect(box.disk?.mute != nil && box.disk?.fleet.waiting == [])
        #expect(box.applied.map(\.state) == ["confirmed"] && box.applied[0].seq == 1)
        #expect(box.notices.last { $0.kind == .fleetChanged }?.message == "fleet noor: command 1 is in force")
        #expect(box.notices.last { $0.kind == .fleetChanged }?.fleetStep == .inForce(seq: 1))
        #expect(box.notices.last { $0.kind == .muteChanged }?.fields.actor == "fleet noor")
        // Handed over again it changes nothing, also after a restart.
        _ = box.ask(.unmute)
        #expect(box.apply(envelope)?.envelope?.state == "already")
        let bytes = try #require(box.disk).fileBytes()
        box = try noor.box(disk: try SavedState(fileBytes: bytes))
        #expect(box.apply(envelope)?.envelope?.state == "already" && box.state.saved.mute == nil)
        #expect(box.reason(noor.sign(#"{"verb":"unmute"}"#)) == "older")
        #expect(box.apply(noor.sign(#"{"verb":"disable"}"#, seq: 7))?.envelope?.state == "confirmed")
        #expect(Prayer.allCases.allSatisfy { !box.state.saved.toggles.isEnabled($0, in: noor.config) })
    }

    @Test("What is not for this box, not signed for it, or not of this time is refused with its reason")
    func refused() throws {
        var box = try noor.box()
        #expect(box.reason("{}") == "malformed")
        #expect(box.reason(noor.sign(by: [noor.stranger])) == "unknown-key")
        #expect(box.reason(noor.sign(by: [noor.recovery])) == "unknown-key")
        #expect(box.reason(noor.sign(org: "other")) == "foreign")
        #expect(box.reason(noor.sign(from: "2026-11-20T17:30:01Z")) == "too-early")
        #expect(
            box.reason(noor.sign(from: "2026-11-20T16:30:00Z", until: "2026-11-20T17:30:00Z")) == "expired")
        #expect(box.reason(noor.sign(#"{"verb":"reboot"}"#)) == "invalid")
        let other = #"{"boxes":["cellar"]}"#
        #expect(box.apply(noor.sign(to: other))?.envelope?.state == "not-for-me")
        #expect(box.state.saved.fleet.isEmpty && box.state.saved.mute == nil)
        for to in [#"{"boxes":["kitchen"]}"#, #"{"groups":["de/berlin","uk/london"]}"#] {
            var box = try noor.box()
            #expect(box.apply(noor.sign(to: to))?.envelope?.state == "confirmed")
        }
        // Every bit of an envelope counts.
        let good = Array(noor.sign().utf8)
        for index in stride(from: 0, to: good.count, by: 7) {
            var flipped = good
            flipped[index] ^= 1
            guard let text = String(validating: flipped, as: UTF8.self) else { continue }
            #expect(box.reason(text) != nil, "byte \(index)")
        }
        #expect(box.state.saved.fleet.isEmpty)
        var outside = try Box(fleetGate: Noor.gate)
        #expect(outside.reason(noor.sign()) == "foreign")
        #expect(outside.state.fleetReply(at: outside.now).fleet == nil)
    }

    @Test("A clock that is not trusted applies nothing: neither what comes, nor what waits")
    func clock() throws {
        var box = try noor.box()
        let wait = try noor.asr(box) - 300
        box.run(until: wait)
        let until = "2026-11-20T20:00:00Z"
        let late = noor.sign(from: "2026-11-20T19:00:00Z", until: until)
        #expect(box.apply(late)?.envelope?.state == "scheduled")
        // The box comes back without its clock.
        box = try noor.box("2026-11-20T08:00:00-05:00", disk: box.disk, synchronized: false)
        #expect(!box.state.trust.trusted)
        #expect(box.reason(noor.sign(seq: 2)) == "clock")
        box.run(for: 3600)
        #expect(box.state.saved.mute == nil && box.state.saved.fleet.waiting.count == 1)
        // Its time is over by the time that somebody knows it.
        box.now = try instant(until)
        box.handle(.clockHealth(ClockHealth(synchronized: true)))
        box.run(for: 3600)
        #expect(box.state.saved.mute == nil && box.state.saved.fleet.waiting.isEmpty)
        #expect(box.applied.map(\.state) == ["refused"])
        #expect(box.applied[0].reason?.hasPrefix("expired: ") == true)
    }

    @Test("A disk that does not take an envelope keeps it from having an effect")
    func unsaved() throws {
        var box = try noor.box()
        let refusal = box.apply(noor.sign(), disk: "No space left on device")?.refusal
        #expect(refusal == .changeNotSaved(reason: "No space left on device"))
        #expect(box.state.saved.mute == nil && box.state.saved.fleet.isEmpty)
        box.run(for: 3600)
        #expect(box.state.saved.mute == nil)
        // While the disk is known to be full, nothing is begun.
        box = try noor.box()
        box.handle(.saveFailed(reason: "full"))
        #expect(box.apply(noor.sign())?.refusal == .changeNotSaved(reason: "full"))
        box.handle(.saved)
        #expect(box.apply(noor.sign())?.envelope?.state == "confirmed")
    }

    @Test("Within ten minutes of an adhan it waits, and outlives every end of the program")
    func scheduled() throws {
        var box = try noor.box()
        let asr = try noor.asr(box)
        let (from, until) = ("2026-11-20T19:35:00Z", "2026-11-20T20:35:00Z")
        box.run(until: asr - 601)
        var early = box
        #expect(early.apply(noor.sign(from: from, until: until))?.envelope?.state == "confirmed")
        box.run(until: asr - 599)
        let reply = box.apply(noor.sign(from: from, until: until))?.envelope
        let at = InstantText.rfc3339(asr + 600, in: box.state.inputs.site.zone)
        #expect(reply == EnvelopeReply(state: "scheduled", kind: "command", seq: 1, at: at))
        #expect(box.applied.map(\.at) == [at] && box.timers.contains { $0.purpose == .envelope })
        #expect(box.state.saved.mute == nil)
        // A disk that takes nothing wakes nobody.
        var full = box
        full.handle(.saveFailed(reason: "full"))
        #expect(!full.timers.contains { $0.purpose == .envelope })
        let disk = try SavedState(fileBytes: try #require(box.disk).fileBytes())
        #expect(disk.fleet == box.state.saved.fleet)
        // Killed while it waits, and back before and after its instant.
        for back in [asr - 500, asr + 599, asr + 600, asr + 1200] {
            var again = try noor.box(
                InstantText.rfc3339(back, in: .utc, milliseconds: true), disk: disk)
            #expect(again.state.saved.mute == nil || back >= asr + 600)
            again.endSounds(after: asr)
            again.run(until: max(back, asr + 601))
            let until = try #require(again.state.saved.mute?.until, "\(again.state.saved.fleet)")
            #expect(abs(until - (max(back, asr + 600) + 7200)) < 2)
            #expect(again.state.saved.fleet.waiting.isEmpty && again.applied.map(\.state) == ["confirmed"])
            // A restart does not repeat it.
            _ = again.ask(.unmute)
            again = try noor.box(InstantText.rfc3339(again.now, in: .utc), disk: again.disk)
            again.run(for: 3600)
            #expect(again.state.saved.mute == nil)
        }
    }

    @Test("Killed between the save and the effect, it has its effect at the next start, once")
    func killed() throws {
        var box = try noor.box()
        box.isCutOff = true
        let done = box.effects(
            of: .request(RequestID(serial: 5), .applyEnvelope(noor.sign()), from: Peer(user: 0, groups: [])))
        #expect(done.contains { if case .save = $0 { true } else { false } })
        #expect(box.state.saved.mute == nil && box.disk?.fleet.waiting.count == 1)
        box = try noor.box("2026-11-20T12:30:02-05:00", disk: box.disk)
        #expect(box.state.saved.mute?.until == box.now + 7200 && box.disk?.fleet.waiting == [])
        #expect(box.apply(noor.sign())?.envelope?.state == "already")
    }

    @Test("Days set by hand and months take effect as by command, all or nothing")
    func decisions() throws {
        var box = try noor.box()
        let exceptions = #"{"exceptions":[{"date":"2026-11-21","prayer":"asr","adhan":"14:45"}]}"#
        #expect(box.apply(noor.sign(exceptions, kind: "exception"))?.envelope?.state == "confirmed")
        #expect(box.state.saved.exceptions[CivilDate("2026-11-21")!][.asr]?.adhanMinutes == 885)
        let half =
            #"{"exceptions":[{"date":"2026-11-21","prayer":"asr","adhan":"14:50"},{"date":"2020-01-01","prayer":"asr","adhan":"14:50"}]}"#
        #expect(box.reason(noor.sign(half, kind: "exception", seq: 2)) == "invalid")
        #expect(box.state.saved.exceptions[CivilDate("2026-11-21")!][.asr]?.adhanMinutes == 885)
        let month = HijriMonth("1448-07")!
        let first = box.state.inputs.site.calculation.hijri.firstDay(of: month).adding(days: 1)
        let pins = #"{"pins":{"1448-07":"\#(first)"}}"#
        #expect(box.apply(noor.sign(pins, kind: "hijri"))?.envelope?.state == "confirmed")
        #expect(box.state.saved.pins == [month: first])
        #expect(
            box.reason(noor.sign(#"{"pins":{"1448-08":"2020-01-01"}}"#, kind: "hijri", seq: 2)) == "invalid")
        #expect(box.applied.map(\.kind) == ["exception", "hijri"])
    }

    @Test("Days set together are checked as they will be, in any order", arguments: [false, true])
    func together(isReversed: Bool) throws {
        var box = try noor.box()
        func body(_ dhuhr: String, _ asr: String) -> String {
            let all = [("dhuhr", dhuhr), ("asr", asr)].map {
                #"{"date":"2026-11-21","prayer":"\#($0)","adhan":"\#($1)"}"#
            }
            let ordered = isReversed ? all.reversed() : all
            return #"{"exceptions":[\#(ordered.joined(separator: ","))]}"#
        }
        func times() -> [Int?] {
            let day = box.state.saved.exceptions[CivilDate("2026-11-21")!]
            return [day[.dhuhr]?.adhanMinutes, day[.asr]?.adhanMinutes]
        }
        // This Asr is before the usual Dhuhr.
        let first = box.apply(noor.sign(body("11:00", "11:30"), kind: "exception"))
        #expect(first?.envelope?.state == "confirmed" && times() == [660, 690])
        #expect(box.reason(noor.sign(body("11:20", "11:10"), kind: "exception", seq: 2)) == "invalid")
        #expect(times() == [660, 690])
        // And this one before that of the first body.
        let second = box.apply(noor.sign(body("10:30", "10:45"), kind: "exception", seq: 2))
        #expect(second?.envelope?.state == "confirmed" && times() == [630, 645])
    }

    @Test("New keys are in force at once and after a restart, until somebody writes others by hand")
    func keys() throws {
        var box = try noor.box()
        func body(_ signing: Ed25519.KeyPair, _ recovery: Ed25519.KeyPair) -> String {
            #"{"signing":"\#(Noor.key(signing).text)","recovery":"\#(Noor.key(recovery).text)"}"#
        }
        let new = body(noor.stranger, noor.recovery)
        #expect(box.reason(noor.sign(new, kind: "keys")) == "unknown-key")
        #expect(box.apply(noor.sign(new, kind: "keys", by: [noor.recovery]))?.envelope?.state == "confirmed")
        for _ in 0..<2 {
            #expect(box.reason(noor.sign()) == "unknown-key")
            box = try noor.box(disk: try SavedState(fileBytes: try #require(box.disk).fileBytes()))
            #expect(box.state.fleetReply(at: box.now).fleet?.signing == Noor.key(noor.stranger).text)
        }
        #expect(box.apply(noor.sign(by: [noor.stranger]))?.envelope?.state == "confirmed")
        var config = noor.config
        config.fleet?.recovery = nil
        box = try noor.box(config: config, disk: box.disk)
        #expect(box.reason(noor.sign(seq: 2, by: [noor.stranger])) == "unknown-key")
        #expect(box.apply(noor.sign(seq: 2))?.envelope?.state == "confirmed")
    }

    @Test(
        "An envelope that waits has no effect for a box that has left its fleet; nothing old is new when it comes back"
    )
    func left() throws {
        var box = try noor.box()
        box.run(until: try noor.asr(box) - 300)
        let (from, until) = ("2026-11-20T19:00:00Z", "2026-11-20T20:00:00Z")
        let envelope = noor.sign(seq: 4, from: from, until: until)
        #expect(box.apply(envelope)?.envelope?.state == "scheduled")
        box.handle(.inputsLoaded(try Box.inputs(.default), .reload(nil)))
        box.endSounds(after: try noor.asr(box))
        box.run(for: 3600)
        #expect(box.state.saved.mute == nil && box.state.saved.fleet.waiting.isEmpty)
        box = try noor.box("2026-11-20T14:30:00-05:00", disk: box.disk)
        #expect(box.apply(envelope)?.envelope?.state == "already")
        #expect(box.reason(noor.sign(seq: 3, from: from, until: until)) == "older")
        // A loss of the state does not make it new either.
        box = try Box(
            "2026-11-20T14:30:00-05:00", config: noor.config, disk: try #require(box.disk).decisions,
            fleetGate: Noor.gate)
        #expect(box.apply(envelope)?.envelope?.state == "already")
    }

    @Test("The bridge of a box in a fleet may hand envelopes over; other users need the grant")
    func grants() throws {
        func ask(_ config: Config, as name: String) throws -> Reply? {
            var box = try noor.box(config: config)
            let (id, peer) = (RequestID(serial: 1), Peer(user: 990, groups: [], name: name))
            return Box.reply(
                to: id, in: box.effects(of: .request(id, .applyEnvelope(noor.sign()), from: peer)))
        }
        func isDenied(_ reply: Reply?) -> Bool {
            if case .notPermitted? = reply?.refusal { true } else { false }
        }
        #expect(try ask(noor.config, as: "adhan-bridge")?.envelope?.state == "confirmed")
        #expect(isDenied(try ask(noor.config, as: "adhan-hooks")))
        #expect(isDenied(try ask(.default, as: "adhan-bridge")))
        var config = noor.config
        config.control.grants["courier"] = [.fleet]
        #expect(try ask(config, as: "courier")?.envelope?.state == "confirmed")
    }
}
