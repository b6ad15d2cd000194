import Announcements
import Envelope
import PrayerEngine
import Protocol
import Settings
import StateFile
import Texts
import Times

/// Applies an envelope step by step: check, try, write, save, apply.
extension DaemonState {
    /// The first instant from now on at which nothing sounds and no announcement is armed within ten minutes before or after.
    func freeInstant(at now: Instant) -> Instant {
        // The end of a sound triggers an event of its own, and is checked again in a minute.
        var free = jobs.isEmpty ? now : now + 60
        for entry in plan(at: now) where entry.enabled {
            let at = entry.announcement.at
            if at - Self.fleetMarginSeconds < free, free < at + Self.fleetMarginSeconds {
                free = at + Self.fleetMarginSeconds
            }
        }
        return free
    }

    private func isFree(at now: Instant) -> Bool {
        trust.trusted && jobs.isEmpty && freeInstant(at: now) <= now
    }

    /// When a waiting envelope is looked at again; `nil` where none waits.
    func envelopeTimer(at now: Instant) -> ArmedTimer? {
        guard disk.problem == nil, trust.trusted, envelopes.work == nil else { return nil }
        // A sound that is over by the clock but has not reported its end is checked again in a second.
        let waiting = saved.fleet.waiting.isEmpty ? nil : max(freeInstant(at: now), now + 1)
        let leaving = leavingInstant(at: now)
        guard let at = [waiting, leaving].compactMap(\.self).min() else { return nil }
        return ArmedTimer(
            purpose: .envelope,
            at: envelopes.fileRetryAt.map { max(at, min($0, now + Self.fileRetrySeconds)) } ?? at)
    }

    mutating func carryOutWaiting(_ batch: inout EffectBatch) {
        guard !saved.fleet.waiting.isEmpty, envelopes.work == nil, disk.problem == nil, !stopping,
            isFileDue(at: batch.now)
        else { return }
        // An announcement that has just become due was due before the change.
        reconcile(&batch)
        guard isFree(at: batch.now), let waiting = saved.fleet.waiting.first else { return }
        do throws(EnvelopeRefusal) {
            guard waiting.attempts < FleetRecord.mostAttempts else {
                throw EnvelopeRefusal(
                    .invalid, "adhand ended \(waiting.attempts) times while it was looking at the envelope")
            }
            // The fleet, the groups and the keys may have changed, and the envelope may have expired.
            let checked = try envelopeCheck(at: batch.now).check(
                Array(waiting.envelope.utf8), isAccepted: true)
            guard checked.state == .new, let fleetName else { return saved.fleet.drop(waiting.digest) }
            envelopes.work = FleetWork(waiting.envelope, checked, of: fleetName, isAccepted: true)
        } catch {
            return refuse(waiting.digest, error, &batch)
        }
        guard let task = envelopes.work?.task else { return proceed(&batch) }
        saved.fleet.beginAttempt(waiting.digest)
        read(.fleet(task), &batch)
    }

    /// Continues with an envelope that is on disk: it takes effect now or later.
    mutating func proceed(_ batch: inout EffectBatch) {
        guard let work = envelopes.work else { return }
        guard isFree(at: batch.now) else { return postpone(&batch) }
        guard work.isTrial, let order = orderOfNextAdhan(at: batch.now) else { return prepareFile(&batch) }
        envelopes.work?.step = .trying
        batch.add(.fleetPreflight(.before(digest: work.envelope.digest), order))
    }

    /// Handles the preflight of the next adhan without the change.
    mutating func preflightedBefore(_ digest: String, passed: Bool, _ batch: inout EffectBatch) {
        guard let work = envelopes.work, work.step == .trying, work.envelope.digest == digest else { return }
        envelopes.work?.passedBefore = passed
        prepareFile(&batch)
    }

    /// Prepares a timetable, which is a file: it is written first, since writing it again does no harm.
    private mutating func prepareFile(_ batch: inout EffectBatch) {
        guard let work = envelopes.work else { return }
        // The file of a failed trial is about to change, and the file to restore depends on that.
        guard isFree(at: batch.now), !envelopes.isGoingBackToFile else { return postpone(&batch) }
        guard let change = work.fileChange(since: saved.fleet) else { return propose(&batch) }
        envelopes.work?.step = .writing
        batch.add(.changeTimetable(change))
    }

    mutating func timetableChanged(_ problem: String?, _ batch: inout EffectBatch) {
        envelopes.fileRetryAt = problem == nil ? nil : batch.now + Self.fileRetrySeconds
        if envelopes.isGoingBackToFile { return wentBackToFile(problem, &batch) }
        guard let work = envelopes.work, work.step == .writing else { return }
        if let problem {
            return endWork(.refused(.changeNotSaved(reason: Reason.stated(problem))), &batch)
        }
        guard isFree(at: batch.now) else { return postpone(&batch) }
        propose(&batch)
    }

    /// Saves the effect before it takes place: otherwise a full disk and a restart would repeat it.
    mutating func propose(_ batch: inout EffectBatch) {
        guard let work = envelopes.work else { return }
        do throws(EnvelopeRefusal) {
            _ = try check(work, at: batch.now)
            try tryOut(work, batch)
        } catch {
            return refuse(error, &batch)
        }
        envelopes.work?.step = .saving(saved)
        batch.add(.reportSave)
    }

    /// The state with the effect of the envelope, for the disk; `nil` where nothing is to be saved now.
    mutating func proposal(_ batch: EffectBatch) -> SavedState? {
        guard let work = envelopes.work, case .saving = work.step,
            batch.rest.contains(where: { if case .reportSave = $0 { true } else { false } })
        else { return nil }
        var (copy, scratch) = (self, EffectBatch(now: batch.now))
        guard (try? copy.carryOut(work, &scratch)) != nil else { return nil }
        // Outcomes of announcements belong to another event, with their lines in the history.
        var proposal = saved
        proposal.adopt(copy.saved)
        envelopes.work?.step = .saving(proposal)
        return proposal
    }

    mutating func takeEffect(_ batch: inout EffectBatch) {
        guard let work = envelopes.work else { return }
        // A change that fails half-way leaves no trace.
        var (copy, changed) = (self, batch)
        changed.caller = (work.actor, Self.fleetUser)
        do throws(EnvelopeRefusal) {
            try copy.carryOut(work, &changed)
        } catch {
            return refuse(error, &batch)
        }
        changed.caller = batch.caller
        (self, batch) = (copy, changed)
        let payload = work.envelope.payload
        publishFleet(
            "\(work.title) is \(work.isTrial ? "on trial: the next adhan decides" : "in force")", payload.org,
            step: work.isTrial ? .onTrial(seq: payload.seq) : .inForce(seq: payload.seq), &batch)
        envelopes.work = nil
        if let request = work.request {
            let state = work.isTrial ? FleetRecord.Applied.State.trial : .confirmed
            batch.add(.reply(request, .document(EnvelopeReply(state.rawValue, payload))))
        }
        switch work.envelope.body {
        case .timetable:
            if let table = work.finding?.table {
                timetableRead(.table(table), work.finding?.problems, nil, &batch)
            }
        case .revert(.timetable): batch.add(.readTimetable(nil))
        default: break
        }
        if let task = work.task {
            if task.isConfiguration, let finding = work.finding {
                enter(finding.inputs, .fleet(task), [], &batch)
            } else {
                endReading(.fleet(task), &batch)
            }
        }
        tryTrials(&batch)
    }

    private mutating func postpone(_ batch: inout EffectBatch) {
        guard let work = envelopes.work else { return }
        let at = InstantText.rfc3339(freeInstant(at: batch.now), in: zone)
        let payload = work.envelope.payload
        if work.request != nil { publishFleet("\(work.title) takes effect at \(at)", payload.org, &batch) }
        let reply = EnvelopeReply(FleetRecord.Applied.State.scheduled.rawValue, payload, at: at)
        endWork(.document(reply), &batch)
    }

    /// Refuses the envelope, whether or not it was accepted before.
    mutating func refuse(_ refusal: EnvelopeRefusal, _ batch: inout EffectBatch) {
        guard let work = envelopes.work else { return }
        if work.isAccepted { refuse(work.envelope.digest, refusal, &batch) }
        endWork(.refused(ControlError(refusal)), &batch)
    }

    mutating func endWork(_ reply: Reply, _ batch: inout EffectBatch) {
        guard let work = envelopes.work else { return }
        envelopes.work = nil
        saved.fleet.endAttempt(work.envelope.digest)
        if let request = work.request { batch.add(.reply(request, reply)) }
        if let task = work.task { endReading(.fleet(task), &batch) }
    }

    private mutating func refuse(_ digest: String, _ refusal: EnvelopeRefusal, _ batch: inout EffectBatch) {
        saved.fleet.refuse(digest, reason: "\(refusal.reason.rawValue): \(refusal.detail)", at: batch.now)
        batch.publish(
            .fleetChanged, .warning, "an envelope that waited has no effect: \(refusal.detail)",
            Notice.Fields(reason: refusal.reason.rawValue))
    }

    /// Forgets the caller, which has disconnected; work on its envelope continues.
    mutating func forgetEnvelope(of id: RequestID) {
        if envelopes.work?.request == id { envelopes.work?.request = nil }
    }
}
