package import PrayerEngine
package import Texts

/// The configuration that a fleet gave this box: a text between `adhand.toml` and its drop-ins.
package struct FleetConfiguration: Sendable, Equatable {
    /// The fleet, as ``FleetRecord/name(_:_:)`` writes it. A configuration of another fleet is not in force.
    package let fleet: String
    /// The digest of the envelope.
    package let digest: String
    package let toml: String

    package init(fleet: String, digest: String, toml: String) {
        (self.fleet, self.digest, self.toml) = (fleet, digest, toml)
    }

    /// Whether it belongs to the fleet that a configuration names.
    package func isOf(_ org: String, signing: FleetKey) -> Bool {
        fleet == FleetRecord.name(org, FleetKeys(signing: signing, recovery: nil))
    }
}

/// The timetable that a fleet gave this box, in the place of every timetable, where an import replaces it.
package struct FleetTimetable: Sendable, Equatable {
    package let fleet: String
    /// The digest of the envelope.
    package let digest: String
    /// SHA-256 of the file.
    package let sha256: String

    package init(fleet: String, digest: String, sha256: String) {
        (self.fleet, self.digest, self.sha256) = (fleet, digest, sha256)
    }
}

/// A change in force that has not been confirmed by an audible adhan.
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

    /// The most crashes in one boot of the machine; a second one ends the trial.
    package static let mostCrashes = 1

    package let digest: String
    /// The last configuration that was confirmed.
    package let before: Before
    package let since: Instant
    /// Whether the next adhan would have been heard without it.
    package let passedBefore: Bool
    /// Whether the preflight after it has ended.
    package internal(set) var isTried = false
    /// The machine's boot in which adhand last ran.
    package internal(set) var boot: String?
    /// The number of ends of adhand that were not requested, in a boot that continued.
    package internal(set) var crashes = 0
    /// Whether adhand was asked to end.
    package internal(set) var isStopped = false
    /// Whether the machine was started again since adhand ran last.
    package internal(set) var isAfterBoot = false
    /// Why the trial is to be abandoned, until that is done.
    package internal(set) var leaving: String?

    package var kind: FleetKind { before.kind }

    package init(
        digest: String, before: Before, since: Instant, passedBefore: Bool, boot: String?
    ) {
        (self.digest, self.before, self.since) = (digest, before, since)
        (self.passedBefore, self.boot) = (passedBefore, boot)
    }

    /// Records a start of adhand: a crash counts, a loss of power does not.
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
    /// Begins a run of adhand. Call it before the configuration is read, because that may be the reason why adhand ended.
    /// - Returns: whether the record should be saved before anything else is done.
    package mutating func beginRun(boot: String?) -> Bool {
        for index in trials.indices { trials[index].beginRun(boot: boot) }
        return !trials.isEmpty
    }

    /// Records that adhand was asked to end.
    package mutating func noteStop() {
        for index in trials.indices { trials[index].isStopped = true }
    }

    package func trial(of kind: FleetKind) -> FleetTrial? { trials.first { $0.kind == kind } }

    /// The configuration in force, unless it is to be abandoned.
    package var configurationInForce: FleetConfiguration? {
        guard let trial = trial(of: .configuration), trial.leaving != nil,
            case .configuration(let before) = trial.before
        else { return configuration }
        return before
    }

    /// Begins the trial of a new change, which is in force from now on. If the previous one was on trial as well, the last good
    /// state is the one before both.
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

    /// Records the result of the preflight for changes that had none.
    package mutating func preflighted(_ passed: Bool, _ reason: String) {
        for index in trials.indices where !trials[index].isTried {
            trials[index].isTried = true
            if !passed, trials[index].passedBefore, trials[index].leaving == nil {
                trials[index].leaving = reason
            }
        }
    }

    /// Marks trials as to be abandoned.
    package mutating func leaveTrials(_ reason: String, where isMeant: (FleetTrial) -> Bool) {
        for index in trials.indices where trials[index].leaving == nil && isMeant(trials[index]) {
            trials[index].leaving = reason
        }
    }

    /// Confirms trials, because an adhan was heard.
    /// - Returns: the confirmed changes.
    package mutating func confirm(_ isMeant: (FleetTrial) -> Bool, at now: Instant) -> [Applied] {
        let good = trials.filter { $0.leaving == nil && isMeant($0) }
        trials.removeAll { good.contains($0) }
        return good.compactMap { note(.confirmed, $0.digest, reason: nil, at: now) }
    }

    /// Records that the abandoned change is no longer in force. Its envelope is refused from now on.
    /// - Returns: its outcome; `nil` if a newer one has replaced it.
    package mutating func endTrial(_ kind: FleetKind, at now: Instant) -> Applied? {
        guard let trial = trial(of: kind), let reason = trial.leaving else { return nil }
        switch trial.before {
        case .configuration(let before): configuration = before
        case .timetable(let before): timetable = before
        }
        trials.removeAll { $0.kind == kind }
        refuseAgain(trial.digest)
        return note(.reverted, trial.digest, reason: reason, at: now)
    }

    /// Returns to the state before this kind. The caller restores manual decisions that the fleet overrode.
    /// - Parameter fleet: the fleet that requests it.
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
        // An envelope that waits for its instant was signed before the revert.
        digests.append(newest(kind, of: fleet, isWaiting: true))
        for digest in digests.compactMap(\.self) {
            drop(digest)
            refuseAgain(digest)
            _ = note(.reverted, digest, reason: reason, at: now)
        }
    }

    /// Records that the box belongs to this fleet now, or to none: changes of others are not in force.
    /// - Returns: whether this removed a configuration.
    package mutating func keep(only fleet: String?) -> Bool {
        let isForeign = configuration.map { $0.fleet != fleet } ?? false
        if isForeign {
            configuration = nil
            trials.removeAll { $0.kind == .configuration }
        }
        // Days and months stay as if the household had set them, and a timetable stays as if it was imported.
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
