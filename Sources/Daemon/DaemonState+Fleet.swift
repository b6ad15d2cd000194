import Envelope
import PrayerEngine
import Protocol
import Settings
import StateFile
import Texts

/// Handles signed envelopes: accepted and saved first, applied afterwards, when nothing sounds and nothing is near. Each step
/// ends with an effect that comes back as an event, and the next step begins there.
extension DaemonState {
    /// Seconds before and after an announcement in which nothing changes remotely.
    package static let fleetMarginSeconds = 600.0

    var configuredKeys: FleetKeys? {
        guard let fleet = inputs.config.fleet, let signing = fleet.signing else { return nil }
        return FleetKeys(signing: signing, recovery: fleet.recovery)
    }

    /// The fleet's name in the record.
    var fleetName: String? {
        guard let fleet = inputs.config.fleet, let keys = configuredKeys else { return nil }
        return FleetRecord.name(fleet.org, keys)
    }

    private var membership: FleetMembership? {
        guard let fleet = inputs.config.fleet, let configured = configuredKeys else { return nil }
        let keys = saved.fleet.keys(over: configured)
        return FleetMembership(
            org: fleet.org, signing: keys.signing, recovery: keys.recovery, groups: fleet.groups,
            box: envelopes.gate.box)
    }

    func envelopeCheck(at now: Instant) -> EnvelopeCheck {
        let memory = inputs.config.fleet.flatMap { fleet in
            configuredKeys.map { saved.fleet.memory(of: fleet.org, $0) }
        }
        return EnvelopeCheck(
            membership, memory: memory ?? EnvelopeMemory(), now: trust.trusted ? now : nil,
            verify: envelopes.gate.verify)
    }

    // MARK: Accepting

    mutating func applyEnvelope(
        _ text: String, _ id: RequestID, _ batch: inout EffectBatch
    ) throws(ControlError) {
        // The clock at this moment decides.
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
        if let problem = disk.problem { throw .changeNotSaved(reason: problem) }
        guard envelopes.work == nil, saved.fleet.waiting.count < FleetRecord.mostWaiting else {
            throw .busy(
                playing:
                    "\(max(1, saved.fleet.waiting.count)) envelopes are being carried out or wait for their instant"
            )
        }
        envelopes.work = work
        if let task = work.task { read(.fleet(task), &batch) } else { accept(&batch) }
    }

    /// Accepts the envelope: its number counts as soon as it is on disk.
    private mutating func accept(_ batch: inout EffectBatch) {
        guard let work = envelopes.work, let configured = configuredKeys else { return }
        envelopes.work?.step = .accepting(before: saved.fleet)
        saved.fleet.accept(work.envelope, work.text, configured, at: batch.now)
        if work.task != nil { saved.fleet.beginAttempt(work.envelope.digest) }
        batch.add(.reportSave)
    }

    /// Checks whether this box can apply the change, by applying it to a copy.
    func tryOut(_ work: FleetWork, _ batch: EffectBatch) throws(EnvelopeRefusal) {
        var (copy, scratch) = (self, EffectBatch(now: batch.now))
        try copy.carryOut(work, &scratch)
    }

    /// Handles the machine's finding about a body, or about the configuration to restore.
    mutating func fleetTried(_ finding: FleetFinding, _ batch: inout EffectBatch) {
        guard !isTrialStale else { return begin(.fleet(finding.task), &batch) }
        if case .back = finding.task { return wentBack(finding, &batch) }
        guard let work = envelopes.work, work.step == .checking else {
            return endReading(.fleet(finding.task), &batch)
        }
        do throws(EnvelopeRefusal) {
            if let refusal = finding.refusal { throw EnvelopeRefusal(.invalid, refusal) }
            // The files may have been read again while the envelope waited.
            _ = try check(work, at: batch.now)
        } catch {
            return refuse(error, &batch)
        }
        envelopes.work?.finding = finding
        if work.isAccepted { proceed(&batch) } else { accept(&batch) }
    }

    func check(_ work: FleetWork, at now: Instant) throws(EnvelopeRefusal) -> CheckedEnvelope {
        let checked = try envelopeCheck(at: now).check(Array(work.text.utf8), isAccepted: work.isAccepted)
        guard checked.state == .new, fleetName == work.fleet else {
            throw EnvelopeRefusal(.foreign, "the fleet or the groups of this box have changed meanwhile")
        }
        return checked
    }

    /// Handles the result of saving the envelope or its effect.
    mutating func envelopeSaved(_ problem: String?, _ batch: inout EffectBatch) {
        guard let work = envelopes.work else { return }
        switch work.step {
        case .accepting(let before):
            if let problem {
                saved.fleet = before
                return endWork(.refused(.changeNotSaved(reason: Reason.stated(problem))), &batch)
            }
            envelopes.work?.isAccepted = true
            proceed(&batch)
        case .saving(let proposal):
            if let problem {
                // The envelope waits until the disk accepts writes: an unsaved effect would be repeated after a restart.
                return endWork(.refused(.changeNotSaved(reason: Reason.stated(problem))), &batch)
            }
            if disk.persisted == proposal { takeEffect(&batch) } else { propose(&batch) }
        case .checking, .trying, .writing: break
        }
    }

    /// The user name in the record of a fleet's changes.
    static let fleetUser = "fleet"

    func publishFleet(
        _ message: String, _ org: String, level: Notice.Level = .notice, step: Notice.FleetStep? = nil,
        _ batch: inout EffectBatch
    ) {
        let actor = "fleet \(org)"
        var fields = Notice.Fields()
        (fields.actor, fields.user) = (actor, Self.fleetUser)
        var notice = Notice(.fleetChanged, level, at: batch.now, "\(actor): \(message)", fields)
        notice.fleetStep = step
        batch.publish(notice)
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
    init(_ refusal: EnvelopeRefusal) {
        self = .envelopeRefused(reason: refusal.reason.rawValue, detail: refusal.detail)
    }
}

extension EnvelopeReply {
    init(_ state: String, _ payload: FleetPayload, at: String? = nil) {
        self.init(state: state, kind: payload.kind.rawValue, seq: payload.seq, at: at)
    }
}
