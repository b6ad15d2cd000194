internal import Envelope
internal import FleetPlan
internal import Host
internal import PrayerEngine
internal import Texts

/// A roll-out of an envelope, or of a package.
enum KnownRollout {
    case envelope(FleetRollout)
    case release(PackageRollout)

    /// The digest of an envelope, or a package and version such as `adhand=0.3.0`.
    var name: String {
        switch self {
        case .envelope(let rollout): rollout.digest
        case .release(let rollout): rollout.name
        }
    }

    /// The name as people read it.
    var shortName: String {
        switch self {
        case .envelope(let rollout): String(rollout.digest.prefix(16))
        case .release(let rollout): rollout.name
        }
    }

    var state: FleetRollout.State {
        switch self {
        case .envelope(let rollout): rollout.state
        case .release(let rollout): rollout.state
        }
    }

    var ring: Int {
        switch self {
        case .envelope(let rollout): rollout.ring
        case .release(let rollout): rollout.ring
        }
    }

    var beganAt: Instant {
        switch self {
        case .envelope(let rollout): rollout.beganAt
        case .release(let rollout): rollout.beganAt
        }
    }

    var isOnItsWay: Bool { !state.isOver }

    mutating func pause() {
        change({ $0.pause() }, { $0.pause() })
    }

    mutating func resume() {
        change({ $0.resume() }, { $0.resume() })
    }

    mutating func abort() {
        change({ $0.abort() }, { $0.abort() })
    }

    private mutating func change(
        _ envelope: (inout FleetRollout) -> Void, _ release: (inout PackageRollout) -> Void
    ) {
        switch self {
        case .envelope(var rollout):
            envelope(&rollout)
            self = .envelope(rollout)
        case .release(var rollout):
            release(&rollout)
            self = .release(rollout)
        }
    }
}

extension RolloutFolder {
    /// The names of all roll-outs in the folder.
    func allNames() -> [String] { digests() + versions().map(PackageRollout.name) }

    func readAny(_ name: String) throws(FileError) -> KnownRollout {
        guard let version = PackageRollout.version(of: name) else { return .envelope(try read(name)) }
        return .release(try read(version: version))
    }

    func save(_ rollout: KnownRollout) throws(FileError) {
        switch rollout {
        case .envelope(let rollout): try save(rollout)
        case .release(let rollout): try save(rollout)
        }
    }
}

/// One roll-out as programs read it.
struct RolloutDocument: Encodable {
    /// `kind` is `package` or a kind of envelope.
    let rollout, kind: String
    /// The number of an envelope; absent for a package.
    @Nullable var seq: Int?
    /// The version of a package; absent for an envelope.
    @Nullable var version: String?
    let state: FleetRollout.State
    /// The ring's number, from 1.
    let ring: Int
    /// The number of boxes that were given the envelope or have installed the package.
    let given: Int
    let success, failure, notCounted: Int
    /// The boxes that failed, each with its reason or an empty text.
    let failures: [String: String]

    init(_ rollout: FleetRollout) {
        (self.rollout, kind, state) = (rollout.digest, rollout.kind.rawValue, rollout.state)
        (ring, given) = (rollout.ring + 1, rollout.given.count)
        success = rollout.count(.success)
        failure = rollout.count(.failure)
        notCounted = rollout.count(.notCounted)
        failures = Self.failures(rollout.verdicts, rollout.reasons)
        (_seq, _version) = (Nullable(wrappedValue: rollout.seq), Nullable(wrappedValue: nil))
    }

    init(_ rollout: PackageRollout) {
        (self.rollout, kind, state) = (rollout.name, "package", rollout.state)
        (ring, given) = (rollout.ring + 1, rollout.taken.count)
        success = rollout.count(.success)
        failure = rollout.count(.failure)
        notCounted = rollout.count(.notCounted)
        failures = Self.failures(rollout.verdicts, rollout.reasons)
        (_seq, _version) = (Nullable(wrappedValue: nil), Nullable(wrappedValue: rollout.version))
    }

    private static func failures(
        _ verdicts: [String: FleetRollout.Verdict], _ reasons: [String: String]
    ) -> [String: String] {
        verdicts.filter { $0.value == .failure }.reduce(into: [:]) { $0[$1.key] = reasons[$1.key] ?? "" }
    }

    init(_ rollout: KnownRollout) {
        switch rollout {
        case .envelope(let rollout): self.init(rollout)
        case .release(let rollout): self.init(rollout)
        }
    }

    var line: String {
        let what = seq.map { "\(rollout.prefix(16))  \(kind) number \($0)" } ?? rollout
        let shown = failures.sorted { $0.key < $1.key }.prefix(Self.mostFailuresShown)
        let rest = failures.count - shown.count
        return
            "\(what)  \(state.rawValue)  ring \(ring): given to \(given), \(success) well, \(failure) failed, \(notCounted) not counted\n"
            + shown.map { "    \($0.key): \(PlainText.visible($0.value))\n" }.joined()
            + (rest > 0 ? "    and \(rest) more\n" : "")
    }

    private static let mostFailuresShown = 20
}
