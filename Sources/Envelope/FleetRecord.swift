package import PrayerEngine
package import Texts

/// A box's memory of envelopes (`state.json`): accepted ones, so that no old one has an effect, and waiting ones.
package struct FleetRecord: Sendable, Equatable {
    /// The fate of the newest envelope of one kind.
    package struct Applied: Sendable, Equatable {
        package enum State: String, Sendable, CaseIterable {
            case scheduled, trial, confirmed, reverted, refused
        }

        package let kind: FleetKind
        package let seq: Int
        package let digest: String
        package var state: State
        /// Why the envelope was refused or abandoned.
        package var reason: String?
        package var at: Instant

        package init(
            kind: FleetKind, seq: Int, digest: String, state: State, reason: String? = nil, at: Instant
        ) {
            (self.kind, self.seq, self.digest) = (kind, seq, digest)
            (self.state, self.reason, self.at) = (state, reason, at)
        }
    }

    /// An envelope that was accepted, saved, and has had no effect yet.
    package struct Waiting: Sendable, Equatable {
        package let digest: String
        /// The envelope, which is checked again before it has an effect.
        package let envelope: String
        /// The number of times that adhand ended while the machine examined it.
        package internal(set) var attempts = 0

        init(digest: String, envelope: String, attempts: Int = 0) {
            (self.digest, self.envelope, self.attempts) = (digest, envelope, attempts)
        }
    }

    /// Keys that an envelope of the recovery key put in place of those of the configuration.
    package struct ReplacedKeys: Sendable, Equatable {
        /// The configured keys at that time: if they are changed in the configuration, those apply again.
        let configured: FleetKeys
        let inForce: FleetKeys
    }

    /// The newest accepted envelope of each kind, for each fleet to which the box has belonged. A fleet that is joined again with
    /// other keys is another fleet, because nothing that was signed with the former keys is valid.
    private(set) var accepted: [String: [FleetKind: AcceptedEnvelope]] = [:]
    /// The time from which the newest envelope that undoes a kind is valid, by fleet and kind.
    private(set) var wentBack: [String: [FleetKind: Instant]] = [:]
    /// The applied envelopes in the order of the kinds' names.
    package internal(set) var applied: [Applied] = []
    /// The waiting envelopes in the order of their acceptance.
    package private(set) var waiting: [Waiting] = []
    private(set) var keys: ReplacedKeys?
    /// The configuration that the fleet gave, on trial or confirmed.
    package internal(set) var configuration: FleetConfiguration?
    package internal(set) var timetable: FleetTimetable?
    /// The trials, at most one of a kind.
    package internal(set) var trials: [FleetTrial] = []
    /// Months and days that the fleet set by hand, in the order in which it did.
    package internal(set) var overrides: [FleetOverride] = []
    /// The digests of changes that were tried and abandoned, the newest last.
    package private(set) var reverted: [String] = []

    /// The attempts after which an envelope is refused, because it may be the reason why adhand ends.
    package static let mostAttempts = 2

    /// The most digests of abandoned changes: an older one has a number that is refused anyway.
    private static let mostReverted = 64

    /// The most envelopes that may wait at a time.
    package static let mostWaiting = 16

    package init() {}

    package var isEmpty: Bool { self == FleetRecord() }

    /// The memory of one fleet's envelopes, for ``EnvelopeCheck``.
    /// - Parameter configured: the keys in the configuration of the box.
    package func memory(of org: String, _ configured: FleetKeys) -> EnvelopeMemory {
        var memory = EnvelopeMemory()
        memory.accepted = accepted[Self.name(org, configured)] ?? [:]
        memory.reverted = Set(reverted)
        memory.wentBack = wentBack[Self.name(org, configured)] ?? [:]
        return memory
    }

    /// The identity of a fleet as this box joined it: its name and the key in the configuration of the box.
    package static func name(_ org: String, _ configured: FleetKeys) -> String {
        "\(org)/\(configured.signing.id)"
    }

    /// The fates of the envelopes of one fleet: a fleet that takes over the box learns nothing about the former one, whose
    /// numbers may be higher.
    package func applied(of org: String, _ configured: FleetKeys) -> [Applied] {
        let own = accepted[Self.name(org, configured)] ?? [:]
        return applied.filter { own[$0.kind]?.digest == $0.digest }
    }

    mutating func refuseAgain(_ digest: String) {
        guard !reverted.contains(digest) else { return }
        reverted = (reverted + [digest]).suffix(Self.mostReverted)
    }

    /// Accepts an envelope, which counts as accepted from now on, whatever its outcome.
    package mutating func accept(
        _ new: CheckedEnvelope, _ envelope: String, _ configured: FleetKeys, at now: Instant
    ) {
        let payload = new.payload
        let name = Self.name(payload.org, configured)
        accepted[name, default: [:]][payload.kind] = AcceptedEnvelope(
            seq: payload.seq, digest: new.digest, since: payload.notBefore)
        if case .revert(let kind) = new.body { remember(wentBack: payload.notBefore, kind, of: name) }
        waiting.append(Waiting(digest: new.digest, envelope: envelope))
        // Its number is the highest of this fleet: a higher one in the record belongs to a former fleet.
        applied.removeAll { $0.kind == payload.kind }
        note(.scheduled, of: new, at: now)
    }

    /// Ends an envelope's wait.
    package mutating func end(
        _ state: Applied.State, of envelope: CheckedEnvelope, reason: String? = nil, at now: Instant
    ) {
        drop(envelope.digest)
        note(state, of: envelope, reason: reason, at: now)
    }

    /// Records that the machine begins to examine an envelope.
    package mutating func beginAttempt(_ digest: String) { count(digest) { $0 + 1 } }

    /// Records that the attempt is over, and adhand has survived it.
    package mutating func endAttempt(_ digest: String) { count(digest) { _ in 0 } }

    private mutating func count(_ digest: String, _ change: (Int) -> Int) {
        guard let index = waiting.firstIndex(where: { $0.digest == digest }) else { return }
        waiting[index].attempts = change(waiting[index].attempts)
    }

    package mutating func drop(_ digest: String) { waiting.removeAll { $0.digest == digest } }

    /// Refuses an envelope that can no longer be read as this fleet's: only its digest identifies it.
    package mutating func refuse(_ digest: String, reason: String, at now: Instant) {
        drop(digest)
        guard let index = applied.firstIndex(where: { $0.digest == digest }) else { return }
        (applied[index].state, applied[index].reason, applied[index].at) = (.refused, reason, now)
    }

    private mutating func note(
        _ state: Applied.State, of envelope: CheckedEnvelope, reason: String? = nil, at now: Instant
    ) {
        let payload = envelope.payload
        // A newer one of the same kind may have been accepted meanwhile.
        if let known = applied.first(where: { $0.kind == payload.kind }), known.seq > payload.seq { return }
        applied.removeAll { $0.kind == payload.kind }
        applied.append(
            Applied(
                kind: payload.kind, seq: payload.seq, digest: envelope.digest, state: state, reason: reason,
                at: now))
        applied.sort { $0.kind.rawValue < $1.kind.rawValue }
    }

    /// The newest envelope of a kind, unless it was signed after the envelope that undoes it.
    func newest(_ kind: FleetKind, of fleet: String, isWaiting: Bool) -> String? {
        guard let newest = accepted[fleet]?[kind],
            waiting.contains(where: { $0.digest == newest.digest }) == isWaiting
        else { return nil }
        guard let since = newest.since, let back = wentBack[fleet]?[kind] else {
            return isWaiting ? nil : newest.digest
        }
        // Two envelopes that were signed in the same second keep their order of arrival.
        return since < back || !isWaiting && since == back ? newest.digest : nil
    }

    // MARK: Keys

    package func keys(over configured: FleetKeys) -> FleetKeys {
        guard let keys, keys.configured == configured else { return configured }
        return keys.inForce
    }

    package mutating func replace(_ configured: FleetKeys, by new: FleetKeys) {
        keys = ReplacedKeys(configured: configured, inForce: new)
    }

    // MARK: Reading from the disk

    mutating func remember(_ newest: AcceptedEnvelope, _ kind: FleetKind, of fleet: String) {
        accepted[fleet, default: [:]][kind] = newest
    }

    mutating func remember(wentBack since: Instant, _ kind: FleetKind, of fleet: String) {
        wentBack[fleet, default: [:]][kind] = max(since, wentBack[fleet]?[kind] ?? since)
    }

    mutating func remember(_ entry: Applied) { applied.append(entry) }

    mutating func remember(_ entry: Waiting) { waiting.append(entry) }
}

/// The two public keys of a fleet.
package struct FleetKeys: Sendable, Equatable {
    package let signing: FleetKey
    package let recovery: FleetKey?

    package init(signing: FleetKey, recovery: FleetKey?) {
        (self.signing, self.recovery) = (signing, recovery)
    }
}
