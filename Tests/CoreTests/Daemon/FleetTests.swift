import PrayerEngine
import Signature
import Testing
import Texts
import Times

@testable import Announcements
@testable import Daemon
@testable import Envelope
@testable import Protocol
@testable import Settings

/// A fleet whose envelopes the tests sign.
struct Noor {
    let signing = Ed25519.KeyPair(seed: [UInt8](repeating: 1, count: 32))!
    let recovery = Ed25519.KeyPair(seed: [UInt8](repeating: 2, count: 32))!
    let stranger = Ed25519.KeyPair(seed: [UInt8](repeating: 3, count: 32))!
    static let gate = FleetGate(box: "kitchen") { Ed25519.verify($0, of: $1, by: $2) }
    static let mute = #"{"verb":"mute","duration":"2h"}"#

    static func key(_ pair: Ed25519.KeyPair) -> FleetKey { FleetKey(bytes: pair.publicKey)! }

    var config: Config {
        var config = Config.default
        var fleet = FleetSettings()
        (fleet.org, fleet.groups) = ("noor", ["uk/london"])
        (fleet.signing, fleet.recovery) = (Self.key(signing), Self.key(recovery))
        config.fleet = fleet
        return config
    }

    /// New York is five hours behind.
    func sign(
        _ body: String = mute, kind: String = "command", seq: Int = 1, org: String = "noor",
        to: String = #"{"all":true}"#, from: String = "2026-11-20T17:00:00Z",
        until: String = "2026-11-20T18:00:00Z", by keys: [Ed25519.KeyPair]? = nil
    ) -> String {
        let payload = Array(
            (#"{"v":1,"org":"\#(org)","kind":"\#(kind)","seq":\#(seq),"for":\#(to),"notBefore":"\#(from)","#
                + #""expires":"\#(until)","body":\#(body)}"#).utf8)
        let signatures = (keys ?? [signing]).map { pair in
            SignedEnvelope.Signature(
                keyID: Self.key(pair).id, bytes: pair.sign(SignedEnvelope.signedBytes(payload: payload)))
        }
        let envelope = SignedEnvelope(payload: payload, signatures: signatures)
        return String(decoding: try! envelope.encoded(), as: UTF8.self)
    }

    func box(
        _ clock: String = "2026-11-20T12:30:00-05:00", config: Config? = nil, disk: SavedState? = nil,
        boot: String? = "a boot", synchronized: Bool = true, effectsLeft: Int? = nil,
        fleetFinding: ((FleetTask, DaemonInputs) -> FleetFinding)? = nil
    ) throws -> Box {
        var begun = disk
        _ = begun?.beginRun(boot: boot)
        return try Box(
            clock, config: config ?? self.config, disk: disk, boot: boot,
            inputs: try inputs(config ?? self.config, begun?.fleet.configurationInForce),
            synchronized: synchronized, fleetGate: Self.gate, effectsLeft: effectsLeft,
            fleetFinding: fleetFinding)
    }

    /// A volume is what a configuration of this fleet is about.
    func inputs(_ config: Config, _ fleet: FleetConfiguration?) throws -> DaemonInputs {
        var config = config
        if let fleet {
            let volume = try #require(Int(fleet.toml.filter(\.isNumber)))
            for prayer in Prayer.allCases { config[prayer].volumePercent = volume }
        }
        var inputs = try Box.inputs(config)
        inputs.fleet = fleet.map { FleetLayer($0) }
        return inputs
    }

    /// A machine that can use every configuration and timetable of this fleet.
    func finding(_ task: FleetTask, _ inputs: DaemonInputs) -> FleetFinding {
        switch task {
        case .configuration(let fleet), .back(let fleet):
            FleetFinding(task, (try? self.inputs(config, fleet)) ?? inputs)
        case .timetable:
            FleetFinding(
                task, inputs, table: PublishedTimetable(), fileText: "text", fileHash: "hash", problems: [])
        }
    }

    /// The day's Asr in Queens.
    func asr(_ box: Box) throws -> Instant {
        let day = box.state.inputs.site.times.day(CivilDate("2026-11-20")!)
        return try #require(day[.asr])
    }
}

extension Box {
    /// Hands an envelope over.
    mutating func apply(_ envelope: String, disk problem: String? = nil) -> Reply? {
        diskProblem = problem
        defer { diskProblem = nil }
        let id = RequestID(serial: 9_000_000 + UInt64(effects.count))
        let done = effects(of: .request(id, .applyEnvelope(envelope), from: Peer(user: 0, groups: [])))
        return Self.reply(to: id, in: done)
    }

    mutating func reason(_ envelope: String) -> String? {
        if case .envelopeRefused(let reason, _)? = apply(envelope)?.refusal { reason } else { nil }
    }

    /// Has what sounds half a minute after an instant played to its end.
    mutating func endSounds(after instant: Instant) {
        if now < instant + 30 { run(until: instant + 30) }
        for token in state.jobs.map(\.token) {
            begin(token: token)
            end(token: token)
        }
    }

    var applied: [FleetDocument.Applied] {
        state.fleetReply(at: now).fleet?.applied ?? []
    }
}

extension Reply {
    var envelope: EnvelopeReply? {
        if case .document(let document) = self { document as? EnvelopeReply } else { nil }
    }
}

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
        box.take(.clockHealth(ClockHealth(synchronized: true)))
        box.run(for: 3600)
        #expect(box.state.saved.mute == nil && box.state.saved.fleet.waiting.isEmpty)
        #expect(box.applied.map(\.state) == ["refused"])
        #expect(box.applied[0].reason?.hasPrefix("expired: ") == true)
    }

    @Test("A disk that does not take an envelope keeps it from having an effect")
    func unsaved() throws {
        var box = try noor.box()
        let refusal = box.apply(noor.sign(), disk: "No space left on device")?.refusal
        #expect(refusal == .stateNotSaved(reason: "No space left on device"))
        #expect(box.state.saved.mute == nil && box.state.saved.fleet.isEmpty)
        box.run(for: 3600)
        #expect(box.state.saved.mute == nil)
        // While the disk is known to be full, nothing is begun.
        box = try noor.box()
        box.take(.saveFailed(reason: "full"))
        #expect(box.apply(noor.sign())?.refusal == .stateNotSaved(reason: "full"))
        box.take(.saved)
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
        full.take(.saveFailed(reason: "full"))
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
        box.take(.inputsLoaded(try Box.inputs(.default), .reload(nil)))
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
