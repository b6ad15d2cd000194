import LabSupport
package import PrayerEngine
package import Signature
package import StateFile
import Testing
package import Texts
import Times

@testable import Announcements
@testable package import Daemon
@testable package import Envelope
@testable package import Protocol
@testable package import Settings

/// A fleet whose envelopes the tests sign.
package struct Noor {
    package let signing = Ed25519.KeyPair(seed: [UInt8](repeating: 1, count: 32))!
    package let recovery = Ed25519.KeyPair(seed: [UInt8](repeating: 2, count: 32))!
    package let stranger = Ed25519.KeyPair(seed: [UInt8](repeating: 3, count: 32))!
    package static let gate = FleetGate(box: "kitchen") { Ed25519.verify($0, of: $1, by: $2) }
    package static let mute = #"{"verb":"mute","duration":"2h"}"#

    package init() {}

    package static func key(_ pair: Ed25519.KeyPair) -> FleetKey { FleetKey(bytes: pair.publicKey)! }

    package var config: Config {
        var config = Config.default
        var fleet = FleetSettings()
        (fleet.org, fleet.groups) = ("noor", ["uk/london"])
        (fleet.signing, fleet.recovery) = (Self.key(signing), Self.key(recovery))
        config.fleet = fleet
        return config
    }

    /// New York is five hours behind.
    package func sign(
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

    package func box(
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
    package func inputs(_ config: Config, _ fleet: FleetConfiguration?) throws -> DaemonInputs {
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
    package func finding(_ task: FleetTask, _ inputs: DaemonInputs) -> FleetFinding {
        switch task {
        case .configuration(let fleet), .back(let fleet):
            FleetFinding(task, (try? self.inputs(config, fleet)) ?? inputs)
        case .timetable:
            FleetFinding(
                task, inputs, table: PublishedTimetable(), fileText: "text", fileHash: "hash", problems: [])
        }
    }

    /// The day's Asr in Queens.
    package func asr(_ box: Box) throws -> Instant {
        let day = box.state.inputs.site.times.day(CivilDate("2026-11-20")!)
        return try #require(day[.asr])
    }
}

extension Box {
    /// Hands an envelope over.
    package mutating func apply(_ envelope: String, disk problem: String? = nil) -> Reply? {
        diskProblem = problem
        defer { diskProblem = nil }
        let id = RequestID(serial: 9_000_000 + UInt64(effects.count))
        let done = effects(of: .request(id, .applyEnvelope(envelope), from: Peer(user: 0, groups: [])))
        return Self.reply(to: id, in: done)
    }

    package mutating func reason(_ envelope: String) -> String? {
        if case .envelopeRefused(let reason, _)? = apply(envelope)?.refusal { reason } else { nil }
    }

    /// Has what sounds half a minute after an instant played to its end.
    package mutating func endSounds(after instant: Instant) {
        if now < instant + 30 { run(until: instant + 30) }
        for token in state.jobs.map(\.token) {
            begin(token: token)
            end(token: token)
        }
    }

    package var applied: [FleetDocument.Applied] {
        state.fleetReply(at: now).fleet?.applied ?? []
    }
}

extension Reply {
    package var envelope: EnvelopeReply? {
        if case .document(let document) = self { document as? EnvelopeReply } else { nil }
    }
}
