import Daemon
import Envelope
import PrayerEngine
import Protocol
import Settings
import Texts

/// Follows envelopes: an answered one is on the disk, its number never goes back, and it takes effect at most once.
struct FleetChecker {
    /// The highest number that an answer has promised.
    private var promised = 0
    /// How often each took effect, since a disk last lacked something.
    private var effects: [Int: Int] = [:]

    private static func highest(_ record: FleetRecord?) -> Int {
        record?.memory(of: Setting.org, Setting.fleetKeys).accepted[.command]?.seq ?? 0
    }

    /// - Returns: what is broken.
    mutating func replied(_ reply: Reply, disk: Disk) -> String? {
        guard case .document(let document) = reply, let envelope = document as? EnvelopeReply else {
            return nil
        }
        if envelope.state == "already" { return nil }
        promised = max(promised, envelope.seq)
        return Self.highest(disk.saved?.fleet) >= envelope.seq
            ? nil : "an envelope is answered before the disk holds it"
    }

    /// - Returns: what is broken.
    mutating func told(_ notice: Notice, _ state: DaemonState) -> String? {
        guard notice.kind == .fleetChanged, let seq = Setting.seq(inForce: notice.message) else { return nil }
        effects[seq, default: 0] += 1
        if effects[seq, default: 0] > 1 { return "envelope \(seq) takes effect twice" }
        if !state.trust.trusted { return "an envelope takes effect by a clock that is not trusted" }
        return state.jobs.isEmpty ? nil : "an envelope takes effect while something sounds"
    }

    /// - Parameter isGappy: whether the disk lacks something.
    /// - Returns: what is broken.
    mutating func starts(_ state: DaemonState, isGappy: Bool) -> String? {
        let found = Self.highest(state.saved.fleet)
        guard isGappy else {
            return found >= promised
                ? nil : "envelope \(promised) was answered, and is unknown after the restart"
        }
        (promised, effects) = (found, [:])
        return nil
    }
}

/// The fleet of every box here. Its signatures always hold: what is not signed never comes so far.
extension Setting {
    static let org = "noor"
    private static let key = FleetKey(bytes: [UInt8](repeating: 7, count: 32))
    static let fleetKeys = FleetKeys(signing: key!, recovery: nil)
    static let fleetGate = FleetGate(box: "box") { _, _, _ in true }

    static let fleet: FleetSettings = {
        var fleet = FleetSettings()
        (fleet.org, fleet.signing) = (org, fleetKeys.signing)
        return fleet
    }()

    /// A command that changes nothing else.
    static func envelope(seq: Int, from now: Instant, lastsSeconds: Double) -> String {
        func text(_ instant: Instant) -> String { InstantText.rfc3339(instant, in: .utc) }
        let payload =
            #"{"v":1,"org":"\#(org)","kind":"command","seq":\#(seq),"for":{"all":true},"notBefore":"\#(text(now))","#
            + #""expires":"\#(text(now + lastsSeconds))","body":{"verb":"stop"}}"#
        let signature = SignedEnvelope.Signature(
            keyID: fleetKeys.signing.id, bytes: [UInt8](repeating: 0, count: 64))
        let bytes = try? SignedEnvelope(payload: Array(payload.utf8), signatures: [signature]).encoded()
        return String(decoding: bytes ?? [], as: UTF8.self)
    }

    /// Of `fleet noor: command 7 is in force`.
    static func seq(inForce message: String) -> Int? {
        guard message.hasSuffix(" is in force") else { return nil }
        return message.split(separator: " ").lazy.compactMap { Int($0) }.first
    }
}
