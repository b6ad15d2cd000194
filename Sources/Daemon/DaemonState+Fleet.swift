import Announcements
package import Envelope
import PrayerEngine
import Protocol
import Settings
import Texts
import Times

/// The machine's part in the check of an envelope.
package struct FleetGate: Sendable {
    /// The name by which envelopes select this box; empty where it has none.
    let box: String
    let verify: EnvelopeCheck.Verify

    package init(box: String?, verify: @escaping EnvelopeCheck.Verify) {
        (self.box, self.verify) = (box ?? "", verify)
    }

    /// Without it no signature holds.
    package static let closed = FleetGate(box: nil) { _, _, _ in false }
}

/// Signed envelopes: accepted and saved first, carried out afterwards, when nothing sounds and nothing is near. Each step ends with an
/// effect that comes back as an event, and the next one begins there.
extension DaemonState {
    /// Seconds before and after an announcement within which nothing changes from afar.
    package static let fleetMarginSeconds = 600.0

    var configuredKeys: FleetKeys? {
        guard let fleet = inputs.config.fleet, let signing = fleet.signing else { return nil }
        return FleetKeys(signing: signing, recovery: fleet.recovery)
    }

    /// The fleet as the record names it.
    var fleetName: String? {
        guard let fleet = inputs.config.fleet, let keys = configuredKeys else { return nil }
        return FleetRecord.name(fleet.org, keys)
    }

    private var membership: FleetMembership? {
        guard let fleet = inputs.config.fleet, let configured = configuredKeys else { return nil }
        let keys = saved.fleet.keys(over: configured)
        return FleetMembership(
            org: fleet.org, signing: keys.signing, recovery: keys.recovery, groups: fleet.groups,
            box: fleetGate.box)
    }

    func envelopeCheck(at now: Instant) -> EnvelopeCheck {
        let memory = inputs.config.fleet.flatMap { fleet in
            configuredKeys.map { saved.fleet.memory(of: fleet.org, $0) }
        }
        return EnvelopeCheck(
            membership, memory: memory ?? EnvelopeMemory(), now: trust.trusted ? now : nil,
            verify: fleetGate.verify)
    }

    // MARK: Accepting

    mutating func applyEnvelope(
        _ text: String, _ id: RequestID, _ batch: inout EffectBatch
    ) throws(ControlError) {
        // The clock that decides is the one of this moment.
        reconcile(&batch)
        let work: FleetWork
        do throws(EnvelopeRefusal) {
            let checked = try envelopeCheck(at: batch.now).check(Array(text.utf8))
            guard checked.state == .new, let fleetName else {
                let reply = EnvelopeReply(checked.state.rawValue, checked.payload)
                return batch.add(.reply(id, .document(reply)))
            }
            work = FleetWork(text, checked, of: fleetName, request: id)
            if work.task == nil { try tryOut(work, batch) }
        } catch {
            throw ControlError(error)
        }
        if let stateProblem { throw .stateNotSaved(reason: stateProblem) }
        guard fleetWork == nil, saved.fleet.waiting.count < FleetRecord.mostWaiting else {
            throw .busy(
                playing:
                    "\(max(1, saved.fleet.waiting.count)) envelopes are being carried out or wait for their instant"
            )
        }
        fleetWork = work
        if let task = work.task { read(.fleet(task), &batch) } else { accept(&batch) }
    }

    /// From here on its number counts, as soon as the disk has it.
    private mutating func accept(_ batch: inout EffectBatch) {
        guard let work = fleetWork, let configured = configuredKeys else { return }
        fleetWork?.step = .accepting(before: saved.fleet)
        saved.fleet.accept(work.envelope, work.text, configured, at: batch.now)
        if work.task != nil { saved.fleet.beginAttempt(work.envelope.digest) }
        batch.add(.reportSave)
    }

    /// Whether this box can do it, by doing it to a copy.
    private func tryOut(_ work: FleetWork, _ batch: EffectBatch) throws(EnvelopeRefusal) {
        var (copy, scratch) = (self, EffectBatch(now: batch.now))
        try copy.carryOut(work, &scratch)
    }

    /// The machine has looked at a body, or at the configuration to go back to.
    mutating func fleetTried(_ finding: FleetFinding, _ batch: inout EffectBatch) {
        guard !isTrialStale else { return begin(.fleet(finding.task), &batch) }
        if case .back = finding.task { return wentBack(finding, &batch) }
        guard let work = fleetWork, work.step == .checking else {
            return endReading(.fleet(finding.task), &batch)
        }
        do throws(EnvelopeRefusal) {
            if let refusal = finding.refusal { throw EnvelopeRefusal(.invalid, refusal) }
            // The files may have been read again while it waited for its turn.
            _ = try check(work, at: batch.now)
        } catch {
            return refuse(error, &batch)
        }
        fleetWork?.finding = finding
        if work.isAccepted { proceed(&batch) } else { accept(&batch) }
    }

    private func check(_ work: FleetWork, at now: Instant) throws(EnvelopeRefusal) -> CheckedEnvelope {
        let checked = try envelopeCheck(at: now).check(Array(work.text.utf8), isAccepted: work.isAccepted)
        guard checked.state == .new, fleetName == work.fleet else {
            throw EnvelopeRefusal(.foreign, "the fleet or the groups of this box have changed meanwhile")
        }
        return checked
    }

    /// The disk has the envelope, or its effect, or does not.
    mutating func envelopeSaved(_ problem: String?, _ batch: inout EffectBatch) {
        guard let work = fleetWork else { return }
        switch work.step {
        case .accepting(let before):
            if let problem {
                saved.fleet = before
                return endWork(.refused(.stateNotSaved(reason: Reason.stated(problem))), &batch)
            }
            fleetWork?.isAccepted = true
            proceed(&batch)
        case .saving(let proposal):
            if let problem {
                // It waits until the disk takes something again: what the disk does not have would be done once more after a restart.
                return endWork(.refused(.stateNotSaved(reason: Reason.stated(problem))), &batch)
            }
            if persisted == proposal { takeEffect(&batch) } else { propose(&batch) }
        case .checking, .trying, .writing: break
        }
    }

    // MARK: Carrying out

    /// The first instant from now on at which nothing sounds, and no announcement is armed within ten minutes before or after.
    func freeInstant(at now: Instant) -> Instant {
        // The end of a sound is an event of its own, and is looked at again in a minute.
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

    /// When an envelope that waits is looked at again; `nil` where none waits.
    func envelopeTimer(at now: Instant) -> ArmedTimer? {
        guard stateProblem == nil, trust.trusted, fleetWork == nil else { return nil }
        // A sound that is over by the clock and has not said so yet is asked again in a second.
        let waiting = saved.fleet.waiting.isEmpty ? nil : max(freeInstant(at: now), now + 1)
        let leaving = leavingInstant(at: now)
        guard let at = [waiting, leaving].compactMap(\.self).min() else { return nil }
        return ArmedTimer(
            purpose: .envelope, at: fileRetryAt.map { max(at, min($0, now + Self.fileRetrySeconds)) } ?? at)
    }

    mutating func carryOutWaiting(_ batch: inout EffectBatch) {
        guard !saved.fleet.waiting.isEmpty, fleetWork == nil, stateProblem == nil, !stopping,
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
            // The fleet, the groups and the keys may have changed, and its time may be over.
            let checked = try envelopeCheck(at: batch.now).check(
                Array(waiting.envelope.utf8), isAccepted: true)
            guard checked.state == .new, let fleetName else { return saved.fleet.drop(waiting.digest) }
            fleetWork = FleetWork(waiting.envelope, checked, of: fleetName, isAccepted: true)
        } catch {
            return refuse(waiting.digest, error, &batch)
        }
        guard let task = fleetWork?.task else { return proceed(&batch) }
        saved.fleet.beginAttempt(waiting.digest)
        read(.fleet(task), &batch)
    }

    /// It is on the disk, and takes effect now or later.
    private mutating func proceed(_ batch: inout EffectBatch) {
        guard let work = fleetWork else { return }
        guard isFree(at: batch.now) else { return postpone(&batch) }
        guard work.isTrial, let order = orderOfNextAdhan(at: batch.now) else { return prepareFile(&batch) }
        fleetWork?.step = .trying
        batch.add(.fleetPreflight(.before(digest: work.envelope.digest), order))
    }

    /// The next adhan as it would be played before the change was looked at.
    mutating func preflightedBefore(_ digest: String, passed: Bool, _ batch: inout EffectBatch) {
        guard let work = fleetWork, work.step == .trying, work.envelope.digest == digest else { return }
        fleetWork?.passedBefore = passed
        prepareFile(&batch)
    }

    /// A timetable is a file: it is written first, since writing it again does no harm.
    private mutating func prepareFile(_ batch: inout EffectBatch) {
        guard let work = fleetWork else { return }
        guard isFree(at: batch.now) else { return postpone(&batch) }
        guard let change = work.fileChange(since: saved.fleet) else { return propose(&batch) }
        fleetWork?.step = .writing
        batch.add(.changeTimetable(change))
    }

    mutating func timetableChanged(_ problem: String?, _ batch: inout EffectBatch) {
        fileRetryAt = problem == nil ? nil : batch.now + Self.fileRetrySeconds
        if isGoingBackToFile { return wentBackToFile(problem, &batch) }
        guard let work = fleetWork, work.step == .writing else { return }
        if let problem {
            return endWork(.refused(.stateNotSaved(reason: Reason.stated(problem))), &batch)
        }
        guard isFree(at: batch.now) else { return postpone(&batch) }
        propose(&batch)
    }

    /// Has the effect saved before it takes place: otherwise a disk that takes nothing and an end of the program would repeat it.
    private mutating func propose(_ batch: inout EffectBatch) {
        guard let work = fleetWork else { return }
        do throws(EnvelopeRefusal) {
            _ = try check(work, at: batch.now)
            try tryOut(work, batch)
        } catch {
            return refuse(error, &batch)
        }
        fleetWork?.step = .saving(saved)
        batch.add(.reportSave)
    }

    /// The state with the effect of the envelope, for the disk; `nil` where none is to be saved now.
    mutating func proposal(_ batch: EffectBatch) -> SavedState? {
        guard let work = fleetWork, case .saving = work.step,
            batch.rest.contains(where: { if case .reportSave = $0 { true } else { false } })
        else { return nil }
        var (copy, scratch) = (self, EffectBatch(now: batch.now))
        guard (try? copy.carryOut(work, &scratch)) != nil else { return nil }
        // The outcomes of announcements are another event's, with their lines of the history.
        var proposal = saved
        proposal.adopt(copy.saved)
        fleetWork?.step = .saving(proposal)
        return proposal
    }

    private mutating func takeEffect(_ batch: inout EffectBatch) {
        guard let work = fleetWork else { return }
        // A change that fails half-way leaves nothing behind.
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
        tell(
            "\(work.title) is \(work.isTrial ? "on trial: the next adhan decides" : "in force")", payload.org,
            &batch)
        fleetWork = nil
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
        guard let work = fleetWork else { return }
        let at = InstantText.rfc3339(freeInstant(at: batch.now), in: zone)
        let payload = work.envelope.payload
        if work.request != nil { tell("\(work.title) takes effect at \(at)", payload.org, &batch) }
        let reply = EnvelopeReply(FleetRecord.Applied.State.scheduled.rawValue, payload, at: at)
        endWork(.document(reply), &batch)
    }

    /// Nothing comes of it, be it accepted or not.
    private mutating func refuse(_ refusal: EnvelopeRefusal, _ batch: inout EffectBatch) {
        guard let work = fleetWork else { return }
        if work.isAccepted { refuse(work.envelope.digest, refusal, &batch) }
        endWork(.refused(ControlError(refusal)), &batch)
    }

    private mutating func endWork(_ reply: Reply, _ batch: inout EffectBatch) {
        guard let work = fleetWork else { return }
        fleetWork = nil
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

    /// The caller has gone; what it handed over goes on.
    mutating func forgetEnvelope(of id: RequestID) {
        if fleetWork?.request == id { fleetWork?.request = nil }
    }

    // MARK: What each kind does

    private mutating func carryOut(
        _ work: FleetWork, _ batch: inout EffectBatch
    ) throws(EnvelopeRefusal) {
        guard let body = work.envelope.body else { return }
        let digest = work.envelope.digest
        let peer = Peer(
            user: 0, groups: [], name: Self.fleetUser, claim: CallerClaim(actor: work.actor))
        do throws(ControlError) {
            switch body {
            case .command(let command): try carryOut(command, by: peer, &batch)
            case .hijri(let pins): try setPins(pins, &batch)
            case .exceptions(let exceptions):
                for exception in exceptions {
                    _ = try setException(
                        ExceptionParameters(
                            date: exception.date.description, prayer: exception.prayer.rawValue,
                            adhan: exception.adhan, iqama: exception.iqama), &batch)
                }
            case .keys(let signing, let recovery):
                guard let configured = configuredKeys else { return }
                saved.fleet.replace(configured, by: FleetKeys(signing: signing, recovery: recovery))
            case .configuration(let toml):
                saved.fleet.begin(
                    FleetConfiguration(fleet: work.fleet, digest: digest, toml: toml),
                    passedBefore: work.passedBefore, boot: boot, at: batch.now)
            case .timetable:
                saved.fleet.begin(
                    FleetTimetable(fleet: work.fleet, digest: digest, sha256: work.finding?.fileHash ?? ""),
                    passedBefore: work.passedBefore, boot: boot, at: batch.now)
            case .revert(let kind):
                saved.fleet.revert(kind, because: "\(work.title) of the fleet", at: batch.now)
            }
        } catch {
            throw EnvelopeRefusal(.invalid, error.sentence)
        }
        saved.fleet.end(work.isTrial ? .trial : .confirmed, of: work.envelope, at: batch.now)
    }

    private mutating func carryOut(
        _ command: FleetBody.Command, by peer: Peer, _ batch: inout EffectBatch
    ) throws(ControlError) {
        let everyPrayer = Prayer.allCases.map(\.rawValue)
        switch command {
        case .mute(let seconds):
            _ = try mute(MuteParameters(duration: DurationText.format(seconds)), by: peer, &batch)
        case .unmute: _ = unmute(&batch)
        case .enable: _ = try toggle(everyPrayer, true, &batch)
        case .disable: _ = try toggle(everyPrayer, false, &batch)
        // Nothing sounds whenever an envelope takes effect.
        case .stop: break
        }
    }

    private mutating func setPins(
        _ pins: [String: CivilDate], _ batch: inout EffectBatch
    ) throws(ControlError) {
        for (text, date) in pins.sorted(by: { $0.key < $1.key }) {
            guard let month = HijriMonth(text) else { throw .invalidParameter(parameter: "pins") }
            _ = try set(HijriCalendar.Pin(month: month, date: date), &batch)
        }
    }

    /// The user whose name stands beside a fleet's changes.
    static let fleetUser = "fleet"

    func tell(
        _ message: String, _ org: String, level: Notice.Level = .notice, _ batch: inout EffectBatch
    ) {
        let actor = "fleet \(org)"
        var fields = Notice.Fields()
        (fields.actor, fields.user) = (actor, Self.fleetUser)
        batch.publish(.fleetChanged, level, "\(actor): \(message)", fields)
    }

    // MARK: Reading

    func fleetReply(at now: Instant) -> FleetReply {
        guard let membership, let configured = configuredKeys else { return FleetReply(fleet: nil) }
        let waiting = Set(saved.fleet.waiting.map(\.digest))
        let applied = saved.fleet.applied(of: membership.org, configured).map { entry in
            FleetDocument.Applied(
                kind: entry.kind.rawValue, seq: entry.seq, digest: entry.digest, state: entry.state.rawValue,
                reason: entry.reason,
                at: InstantText.rfc3339(
                    waiting.contains(entry.digest) && trust.trusted ? freeInstant(at: now) : entry.at,
                    in: zone))
        }
        return FleetReply(
            fleet: FleetDocument(
                org: membership.org, groups: membership.groups, signing: membership.signing.text,
                applied: applied))
    }
}

extension ControlError {
    fileprivate init(_ refusal: EnvelopeRefusal) {
        self = .envelopeRefused(reason: refusal.reason.rawValue, detail: refusal.detail)
    }
}

extension EnvelopeReply {
    fileprivate init(_ state: String, _ payload: FleetPayload, at: String? = nil) {
        self.init(state: state, kind: payload.kind.rawValue, seq: payload.seq, at: at)
    }
}
