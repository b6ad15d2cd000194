import Daemon
import Envelope
import PrayerEngine
import Protocol
import Settings
import StateFile
import Texts

/// Follows envelopes: an answered one is on disk, its number never goes back, it takes effect at most once and never near an
/// announcement, and an abandoned one stays abandoned.
struct FleetChecker {
    /// The highest number of each kind that an answer has promised.
    private var promised: [FleetKind: Int] = [:]
    /// The number of times that each took effect, since a disk last lacked something.
    private var effects: [Int: Int] = [:]
    /// The numbers of configurations that were abandoned.
    private var left: Set<Int> = []

    /// The seconds before an announcement within which the fleet changes nothing, and within which nothing is abandoned.
    private static let (marginSeconds, leavingSeconds) = (600.0, 60.0)

    private static func highest(_ record: FleetRecord?, _ kind: FleetKind) -> Int {
        record?.memory(of: ScenarioChoices.org, ScenarioChoices.fleetKeys).accepted[kind]?.seq ?? 0
    }

    /// - Returns: the broken promise, if any.
    mutating func replied(_ reply: Reply, disk: Disk) -> String? {
        guard case .document(let document) = reply, let envelope = document as? EnvelopeReply,
            let kind = FleetKind(rawValue: envelope.kind)
        else { return nil }
        if envelope.state == "already" { return nil }
        promised[kind] = max(promised[kind] ?? 0, envelope.seq)
        guard Self.highest(disk.saved?.fleet, kind) >= envelope.seq else {
            return "an envelope is answered before the disk holds it"
        }
        guard envelope.state == "trial" else { return nil }
        return disk.saved?.fleet.configuration.map { FleetBehaviour($0).seq } == envelope.seq
            ? nil : "a configuration is answered to be on trial, and the disk does not have it"
    }

    /// - Returns: the broken promise, if any.
    mutating func checkNotice(_ notice: Notice, _ state: DaemonState, now: Instant) -> String? {
        let seq: Int
        switch notice.fleetStep {
        case nil: return nil
        case .left(let number):
            left.insert(number)
            return nearest(state, now) < Self.leavingSeconds
                ? "configuration \(number) is left \(nearest(state, now)) s before an announcement" : nil
        case .inForce(let number), .onTrial(let number): seq = number
        }
        effects[seq, default: 0] += 1
        if effects[seq, default: 0] > 1 { return "envelope \(seq) takes effect twice" }
        if left.contains(seq) { return "configuration \(seq) was left, and takes effect again" }
        if !state.trust.trusted { return "an envelope takes effect by a clock that is not trusted" }
        if nearest(state, now) < Self.marginSeconds {
            return "an envelope takes effect \(nearest(state, now)) s before an announcement"
        }
        return state.jobs.isEmpty ? nil : "an envelope takes effect while something sounds"
    }

    /// Seconds until the next announcement for which a timer is armed.
    private func nearest(_ state: DaemonState, _ now: Instant) -> Double {
        state.armed.compactMap { timer in
            if case .announcement = timer.purpose, timer.at > now { timer.at - now } else { nil }
        }.min() ?? .infinity
    }

    /// - Parameter isGappy: whether the disk lacks something.
    /// - Returns: what is broken.
    mutating func starts(_ state: DaemonState, isGappy: Bool) -> String? {
        let inForce = state.inputs.fleet.map { FleetBehaviour($0.configuration).seq }
        if !isGappy, let inForce, left.contains(inForce) {
            return "configuration \(inForce) was left, and is in force after a restart"
        }
        for kind in [FleetKind.command, .configuration] {
            let found = Self.highest(state.saved.fleet, kind)
            guard isGappy || found >= promised[kind] ?? 0 else {
                return "\(kind) \(promised[kind] ?? 0) was answered, and is unknown after the restart"
            }
            if isGappy { promised[kind] = found }
        }
        if isGappy { (effects, left) = ([:], []) }
        return nil
    }
}

/// The effect of a simulated configuration of a fleet on a box, by the number of its envelope.
struct FleetBehaviour {
    enum Fate: Int {
        /// The machine cannot use the configuration.
        case unusable
        /// The next adhan could not be played with it.
        case failsPreflight
        /// The program crashes with it.
        case crashes
        case good
    }

    let seq: Int

    /// Reads the configuration `fade-in = "7s" # 7`.
    init(_ configuration: FleetConfiguration) {
        seq = Int(configuration.toml.split(separator: "#").last?.filter(\.isNumber) ?? "") ?? 0
    }

    var fate: Fate { Fate(rawValue: seq % 7) ?? .good }

    var fadeInSeconds: Double { Double(seq % 5) }
}

/// The fleet of every box here. Its signatures are always valid: unsigned envelopes never get this far.
extension ScenarioChoices {
    static let org = "noor"
    private static let key = FleetKey(bytes: [UInt8](repeating: 7, count: 32))
    static let fleetKeys = FleetKeys(signing: key!, recovery: nil)
    static let fleetGate = FleetGate(box: "box") { _, _, _ in true }

    static let fleet: FleetSettings = {
        var fleet = FleetSettings()
        (fleet.org, fleet.signing) = (org, fleetKeys.signing)
        return fleet
    }()

    /// A command that changes nothing else, or a configuration.
    static func envelope(
        _ kind: FleetKind, seq: Int, from now: Instant, lastsSeconds: Double
    ) -> String {
        func text(_ instant: Instant) -> String { InstantText.rfc3339(instant, in: .utc) }
        let body =
            kind == .command
            ? #"{"verb":"stop"}"# : #"{"toml":"[adhan]\nfade-in = \"\#(seq % 5)s\" # \#(seq)\n"}"#
        let payload =
            #"{"v":1,"org":"\#(org)","kind":"\#(kind.rawValue)","seq":\#(seq),"for":{"all":true},"#
            + #""notBefore":"\#(text(now))","expires":"\#(text(now + lastsSeconds))","body":\#(body)}"#
        let signature = SignedEnvelope.Signature(
            keyID: fleetKeys.signing.id, bytes: [UInt8](repeating: 0, count: 64))
        let bytes = try? SignedEnvelope(payload: Array(payload.utf8), signatures: [signature]).encoded()
        return String(decoding: bytes ?? [], as: UTF8.self)
    }
}
