import Announcements
import Daemon
import PrayerEngine
import Protocol
import Settings
import StateFile
import Texts
import Times

/// Checks the history: one record for each announcement, and nothing but the truth.
extension Checker {
    mutating func recorded(_ entry: HistoryEntry, state: DaemonState, elapsed: Double, now: Instant) {
        guard let id = AnnouncementID(entry.id) else { return broken("\(entry.id) is no identity") }
        let outcome = entry.outcome
        outcomes[outcome, default: 0] += 1
        if let before = recorded[id] {
            require(
                before.outcome == .missed || records - before.number > Limits.recordsRemembered,
                "\(id) is recorded as \(outcome) after \(before.outcome)")
        }
        records += 1
        recorded[id] = (outcome, records)
        require(outcome == .played || entry.reason != nil, "\(id) is recorded as \(outcome) without a reason")
        guard let at = InstantText.parse(entry.scheduled) else { return broken("\(id) has no instant") }
        let isHeard = begun[id].map { sounds - $0 <= Limits.soundsRemembered } ?? false
        switch outcome {
        case .played:
            require(isHeard, "\(id) is recorded as played, but nothing was heard")
            require(!unheard.contains(id), "\(id) is recorded as played, but its device was silent")
            let seconds = Double(entry.framesPlayed) / Double(max(1, entry.rate ?? 1))
            let share = lengths[id].map { seconds / $0 } ?? 1
            // A resumed sound may lack a tenth of a second at its end.
            let isWhole = lengths[id].map { seconds > $0 - 0.101 } ?? true
            require(
                isWhole || share >= Limits.playedShare - 0.001,
                "\(id) is recorded as played after \(share) of its sound")
        case .partial: require(isHeard, "\(id) is recorded as partial, but nothing was heard")
        case .missed, .muted, .disabled, .silent, .quiet, .skipped:
            require(!isHeard, "\(id) is recorded as \(outcome), but it was heard")
            require(state.trust.trusted, "\(id) is recorded as \(outcome) by a clock that is not trusted")
        case .upcoming, .playing: broken("\(id) is recorded as \(outcome)")
        case .failed, .interrupted:
            require(
                isDeviceReport || cutOff[id] != nil || isUnsure,
                "\(id) is recorded as \(outcome), but nothing cut it off")
            require(
                !isDeviceReport || !isStarted || entry.cause != .shutdown,
                "\(id) is recorded as ended with adhand, which goes on")
            require(
                !isDeviceReport || entry.cause != .announcement || entry.endedBy != nil
                    || elapsed - disturbedAt < Self.droppedSeconds,
                "\(id) is recorded as ended by a sound without a name")
            require(
                outcome != .failed || isHeard || cutOff[id] != nil
                    || at <= now + Limits.calledAgainSeconds + 0.001,
                "\(id) is recorded as failed, and is yet to come")
        }
        checkEnd(entry, id)
        checkCallRecord(entry, id)
        if let broken = CueChecker.checkLost(entry, id, state, now: now) { self.broken(broken) }
        checkReason(entry, id, at: at, state: state, elapsed: elapsed, now: now)
        checkQuiet(entry, id, at: at, state, now: now)
    }

    private mutating func checkReason(
        _ entry: HistoryEntry, _ id: AnnouncementID, at: Instant, state: DaemonState, elapsed: Double,
        now: Instant
    ) {
        switch entry.outcome {
        case .missed:
            require(!isCalm(since: now - at, elapsed), "\(id) was missed for no reason")
            // A triggered announcement keeps the settings of its trigger, whose grace may have been shorter than the present one.
            let grace =
                id.isPlanned
                ? ReferencePlan.grace(of: id, in: state.inputs.config) + Limits.punctualSeconds : 0
            require(now - at > grace - 0.001, "\(id) was missed within its grace")
            require(
                responsibleFrom.map { at >= $0 - 1 } ?? false, "\(id) was missed before the box was set up")
            let isBeforeMute = muteBefore?.since.map { at < $0 + 1 } ?? false
            require(
                changesMute || isBeforeMute || !isSilenced(id, by: muteBefore, at: at),
                "\(id) was muted at its instant, and is recorded as missed")
        case .muted:
            let wasMuted = [muteBefore, state.saved.mute].contains { mute in
                guard let mute else { return false }
                guard mute.scope == .all else {
                    return mute.id.map { Self.goes(entry.id, with: $0.description) } ?? false
                }
                // The history stores milliseconds.
                return !mute.isOver(at: at - 0.001) || !mute.isOver(at: now)
            }
            require(wasMuted, "\(id) is recorded as muted, but nothing was muted")
        case .disabled:
            guard let prayer = Prayer(rawValue: entry.prayer) else { return broken("\(id) has no prayer") }
            let config = state.inputs.config
            require(
                ReferencePlan.isSilenced(id, config)
                    || !ReferencePlan.isEnabled(prayer, config, togglesBefore.switches)
                    || !ReferencePlan.isEnabled(prayer, config, state.saved.toggles.switches),
                "\(id) is recorded as disabled, but it is enabled")
        case .silent: eventHadSound = true
        case .skipped where entry.cause == .toggle:
            let wasSkipped = [togglesBefore, state.saved.toggles].contains { toggles in
                id.date.map {
                    ReferencePlan.isSkipped(id.prayer, on: $0, state.inputs.config, toggles.skips)
                } ?? false
            }
            require(wasSkipped, "\(id) is recorded as skipped, but nobody skipped it")
        case .skipped:
            // An iqama waits for its own adhan.
            let others = (state.jobs + jobsBefore).contains { job in
                guard id.kind != .iqama || job.announcement.id != id.adhan else { return false }
                return job.phase != .cued && job.announcement.id != id
                    || job.phase == .cued && (!job.announcement.isReminder || id.isCall)
                        && job.announcement.at > now && job.announcement.id != id
                        && job.announcement.at - now <= job.leadSeconds + Limits.giveWayLeadSeconds
            }
            guard entry.cause == .announcement else {
                return require(
                    state.saved.handled.inOrder.contains { Self.isTwin($0.id, $0.at, of: id, at) },
                    "\(id) is skipped for no cause")
            }
            guard let other = entry.gaveWayTo.flatMap({ AnnouncementID($0) }) else {
                return broken("\(id) gave way, and its record does not say to which")
            }
            require(
                id.kind != .adhan || other.kind == .adhan, "\(id) gave way to less than an adhan: \(other)")
            require(others || eventHadSound || state.isReachedSilently(now), "\(id) gave way to nothing")
        default: break
        }
    }

    /// Whether it is the same call under another date, as a change of the time zone makes it.
    private static func isTwin(_ other: AnnouncementID, _ at: Instant, of id: AnnouncementID, _ due: Instant)
        -> Bool
    {
        other.prayer == id.prayer && other.kind == id.kind && other.date != id.date && abs(at - due) < 3600
    }

    /// Returns the exceptions that were lost. One that a person set is removed only by a person, or when a synchronised clock has
    /// passed it.
    func lostExceptions(_ event: Event, _ state: DaemonState) -> String? {
        guard !state.clock.synchronized, exceptionsBefore != state.saved.exceptions else { return nil }
        if case .request(_, .removeException, _) = event { return nil }
        let lost = exceptionsBefore.all.first { state.saved.exceptions[$0.date][$0.prayer] == nil }
        return lost.map { "the exception of \($0.date) is gone, by a clock that nobody vouches for" }
    }
}

extension DaemonState {
    /// Whether an announcement with the sound "silent" has just been reached.
    fileprivate func isReachedSilently(_ now: Instant) -> Bool {
        saved.handled.inOrder.suffix(4).contains { $0.outcome == .silent && now - $0.at < 22_000 }
    }
}
