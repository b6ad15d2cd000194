package import PrayerEngine
package import Texts

/// The configuration that a fleet gave this box: a text between `adhand.toml` and its drop-ins.
package struct FleetConfiguration: Sendable, Equatable {
    /// The fleet, as ``FleetRecord/name(_:_:)`` writes it. Of another fleet nothing is in force.
    package let fleet: String
    /// Of the envelope.
    package let digest: String
    package let toml: String

    package init(fleet: String, digest: String, toml: String) {
        (self.fleet, self.digest, self.toml) = (fleet, digest, toml)
    }

    /// Whether it is of the fleet that a configuration names.
    package func isOf(_ org: String, signing: FleetKey) -> Bool {
        fleet == FleetRecord.name(org, FleetKeys(signing: signing, recovery: nil))
    }
}

/// The timetable that a fleet gave this box. It lies where every timetable lies; whoever imports another one replaces it.
package struct FleetTimetable: Sendable, Equatable {
    package let fleet: String
    /// Of the envelope.
    package let digest: String
    /// SHA-256 of the file.
    package let sha256: String

    package init(fleet: String, digest: String, sha256: String) {
        (self.fleet, self.digest, self.sha256) = (fleet, digest, sha256)
    }
}

/// A change that is in force and has not shown yet that adhans are heard with it.
package struct FleetTrial: Sendable, Equatable {
    package enum Before: Sendable, Equatable {
        case configuration(FleetConfiguration?)
        case timetable(FleetTimetable?)

        package var kind: FleetKind {
            switch self {
            case .configuration: .configuration
            case .timetable: .timetable
            }
        }
    }

    /// The second crash in a boot of the machine is one too many.
    package static let mostCrashes = 1

    package let digest: String
    /// The last one that was confirmed.
    package let before: Before
    package let since: Instant
    /// Whether the next adhan would have been heard without it.
    package let passedBefore: Bool
    /// Whether the preflight after it has ended.
    package internal(set) var isTried = false
    /// The machine's boot in which adhand runs.
    package internal(set) var boot: String?
    /// Ends of adhand that nobody asked for, in a boot that went on.
    package internal(set) var crashes = 0
    /// Whether adhand was asked to end.
    package internal(set) var isStopped = false
    /// Whether the machine was started again since adhand ran last.
    package internal(set) var isAfterBoot = false
    /// Why it is to be left; until that is done.
    package internal(set) var leaving: String?

    package var kind: FleetKind { before.kind }

    package init(
        digest: String, before: Before, since: Instant, passedBefore: Bool, boot: String?
    ) {
        (self.digest, self.before, self.since) = (digest, before, since)
        (self.passedBefore, self.boot) = (passedBefore, boot)
    }

    /// adhand starts: a crash counts, a loss of power does not.
    mutating func beginRun(boot now: String?) {
        defer { (boot, isStopped) = (now, false) }
        isAfterBoot = boot != now
        guard !isAfterBoot, !isStopped else { return }
        crashes += 1
        if crashes > Self.mostCrashes, leaving == nil { leaving = Self.crashed }
    }

    static let crashed = "adhand crashed twice"
}

extension FleetRecord {
    /// adhand starts. Comes before the configuration is read, as that may be what it ended of.
    /// - Returns: whether the disk should know before anything else is done.
    package mutating func beginRun(boot: String?) -> Bool {
        for index in trials.indices { trials[index].beginRun(boot: boot) }
        return !trials.isEmpty
    }

    /// adhand was asked to end.
    package mutating func noteStop() {
        for index in trials.indices { trials[index].isStopped = true }
    }

    package func trial(of kind: FleetKind) -> FleetTrial? { trials.first { $0.kind == kind } }

    /// The one that counts: a change that is to be left is no longer in force.
    package var configurationInForce: FleetConfiguration? {
        guard let trial = trial(of: .configuration), trial.leaving != nil,
            case .configuration(let before) = trial.before
        else { return configuration }
        return before
    }

    /// A new change is in force from now on, on trial. Where the one before was on trial, too, there is nothing good to go back to
    /// but what was before both.
    package mutating func begin(
        _ new: FleetConfiguration, passedBefore: Bool, boot: String?, at now: Instant
    ) {
        let before = trial(of: .configuration)?.before ?? .configuration(configuration)
        configuration = new
        begin(
            FleetTrial(
                digest: new.digest, before: before, since: now, passedBefore: passedBefore, boot: boot))
    }

    package mutating func begin(
        _ new: FleetTimetable, passedBefore: Bool, boot: String?, at now: Instant
    ) {
        let before = trial(of: .timetable)?.before ?? .timetable(timetable)
        timetable = new
        begin(
            FleetTrial(
                digest: new.digest, before: before, since: now, passedBefore: passedBefore, boot: boot))
    }

    private mutating func begin(_ trial: FleetTrial) {
        trials.removeAll { $0.kind == trial.kind }
        trials.append(trial)
    }

    /// The preflight after the changes that have had none is over.
    package mutating func preflighted(_ passed: Bool, _ reason: String) {
        for index in trials.indices where !trials[index].isTried {
            trials[index].isTried = true
            if !passed, trials[index].passedBefore, trials[index].leaving == nil {
                trials[index].leaving = reason
            }
        }
    }

    /// Everything that is on trial is to be left.
    package mutating func leaveTrials(_ reason: String, where isMeant: (FleetTrial) -> Bool) {
        for index in trials.indices where trials[index].leaving == nil && isMeant(trials[index]) {
            trials[index].leaving = reason
        }
    }

    /// An adhan was heard: what was on trial is good.
    /// - Returns: what was confirmed by that.
    package mutating func confirm(_ isMeant: (FleetTrial) -> Bool, at now: Instant) -> [Applied] {
        let good = trials.filter { $0.leaving == nil && isMeant($0) }
        trials.removeAll { good.contains($0) }
        return good.compactMap { note(.confirmed, $0.digest, reason: nil, at: now) }
    }

    /// The change that was to be left is no longer in force. Its envelope is refused from now on.
    /// - Returns: what became of it; `nil` where a newer one has taken its place.
    package mutating func left(_ kind: FleetKind, at now: Instant) -> Applied? {
        guard let trial = trial(of: kind), let reason = trial.leaving else { return nil }
        switch trial.before {
        case .configuration(let before): configuration = before
        case .timetable(let before): timetable = before
        }
        trials.removeAll { $0.kind == kind }
        refuseAgain(trial.digest)
        return note(.reverted, trial.digest, reason: reason, at: now)
    }

    /// Back to what the box had before this kind. The caller puts back what the fleet overrode by hand.
    /// - Parameter fleet: the one that asks for it.
    package mutating func revert(
        _ kind: FleetKind, of fleet: String, because reason: String, at now: Instant
    ) {
        var digests: [String?] = []
        switch kind {
        case .configuration:
            digests.append(configuration?.digest)
            configuration = nil
        case .timetable:
            digests.append(timetable?.digest)
            timetable = nil
        case .hijri, .exception:
            if !overrides(of: kind).isEmpty { digests.append(newest(kind, of: fleet, isWaiting: false)) }
            overrides.removeAll { $0.subject.kind == kind }
        case .command, .keys, .revert: break
        }
        trials.removeAll { $0.kind == kind }
        // One that waits for its instant was signed before the way back from it.
        digests.append(newest(kind, of: fleet, isWaiting: true))
        for digest in digests.compactMap(\.self) {
            drop(digest)
            refuseAgain(digest)
            _ = note(.reverted, digest, reason: reason, at: now)
        }
    }

    /// The box belongs to this fleet now, or to none: what others brought is not in force.
    /// - Returns: whether a configuration went with it.
    package mutating func keep(only fleet: String?) -> Bool {
        let isForeign = configuration.map { $0.fleet != fleet } ?? false
        if isForeign {
            configuration = nil
            trials.removeAll { $0.kind == .configuration }
        }
        // Days and months stay as a household's own do, and so does a timetable, as any that was imported.
        overrides.removeAll { $0.fleet != fleet }
        if let known = timetable, known.fleet != fleet {
            timetable = nil
            trials.removeAll { $0.kind == .timetable }
        }
        return isForeign
    }

    private mutating func note(
        _ state: Applied.State, _ digest: String, reason: String?, at now: Instant
    ) -> Applied? {
        guard let index = applied.firstIndex(where: { $0.digest == digest }) else { return nil }
        (applied[index].state, applied[index].reason, applied[index].at) = (state, reason, now)
        return applied[index]
    }
}
