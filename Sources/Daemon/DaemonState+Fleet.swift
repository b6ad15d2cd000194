package import Envelope
import PrayerEngine
import Protocol
import Settings
import Texts

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

/// An envelope that the state has and the disk does not have yet.
struct UnsavedEnvelope: Sendable {
    let request: RequestID
    let envelope: CheckedEnvelope
    /// The record without it.
    let before: FleetRecord
}

/// Signed envelopes: accepted and saved first, carried out afterwards, when nothing sounds and nothing is near.
extension DaemonState {
    /// Seconds before and after an announcement within which nothing changes from afar.
    package static let fleetMarginSeconds = 600.0

    private var configuredKeys: FleetKeys? {
        guard let fleet = inputs.config.fleet, let signing = fleet.signing else { return nil }
        return FleetKeys(signing: signing, recovery: fleet.recovery)
    }

    private var membership: FleetMembership? {
        guard let fleet = inputs.config.fleet, let configured = configuredKeys else { return nil }
        let keys = saved.fleet.keys(over: configured)
        return FleetMembership(
            org: fleet.org, signing: keys.signing, recovery: keys.recovery, groups: fleet.groups,
            box: fleetGate.box)
    }

    private func envelopeCheck(at now: Instant) -> EnvelopeCheck {
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
        let checked: CheckedEnvelope
        do throws(EnvelopeRefusal) {
            checked = try envelopeCheck(at: batch.now).check(Array(text.utf8))
            if checked.state == .new { try tryOut(checked, batch) }
        } catch {
            throw ControlError(error)
        }
        guard checked.state == .new, let configured = configuredKeys else {
            return batch.add(.reply(id, .document(EnvelopeReply(checked.state.rawValue, checked.payload))))
        }
        if let stateProblem { throw .stateNotSaved(reason: stateProblem) }
        guard unsavedEnvelope == nil, saved.fleet.waiting.count < FleetRecord.mostWaiting else {
            throw .busy(playing: "\(saved.fleet.waiting.count) envelopes wait for their instant")
        }
        unsavedEnvelope = UnsavedEnvelope(request: id, envelope: checked, before: saved.fleet)
        saved.fleet.accept(checked, text, configured, at: batch.now)
        batch.add(.reportSave)
    }

    /// Whether this box can do it, by doing it to a copy.
    private func tryOut(_ envelope: CheckedEnvelope, _ batch: EffectBatch) throws(EnvelopeRefusal) {
        var (copy, scratch) = (self, EffectBatch(now: batch.now))
        try copy.carryOut(envelope, &scratch)
    }

    /// The disk has the envelope, or does not: then nothing comes of it.
    mutating func envelopeSaved(_ problem: String?, _ batch: inout EffectBatch) {
        guard let unsaved = unsavedEnvelope else { return }
        unsavedEnvelope = nil
        if let problem {
            saved.fleet = unsaved.before
            return batch.add(
                .reply(unsaved.request, .refused(.stateNotSaved(reason: Reason.stated(problem)))))
        }
        carryOutWaiting(&batch)
        let digest = unsaved.envelope.digest
        let applied = saved.fleet.applied.first { $0.digest == digest }
        let payload = unsaved.envelope.payload
        let isWaiting = saved.fleet.waiting.contains { $0.digest == digest }
        guard applied?.state != .refused else {
            let refusal = EnvelopeRefusal(.invalid, applied?.reason ?? "")
            return batch.add(.reply(unsaved.request, .refused(ControlError(refusal))))
        }
        let at = isWaiting ? InstantText.rfc3339(freeInstant(at: batch.now), in: zone) : nil
        let reply = EnvelopeReply((applied?.state ?? .confirmed).rawValue, payload, at: at)
        batch.add(.reply(unsaved.request, .document(reply)))
        guard let at else { return }
        tell("\(payload.kind.rawValue) \(payload.seq) takes effect at \(at)", payload, &batch)
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

    /// When an envelope that waits is looked at again; `nil` where none waits.
    func envelopeTimer(at now: Instant) -> ArmedTimer? {
        guard !saved.fleet.waiting.isEmpty, unsavedEnvelope == nil, stateProblem == nil, trust.trusted else {
            return nil
        }
        // A sound that is over by the clock and has not said so yet is asked again in a second.
        return ArmedTimer(purpose: .envelope, at: max(freeInstant(at: now), now + 1))
    }

    mutating func carryOutWaiting(_ batch: inout EffectBatch) {
        guard !saved.fleet.waiting.isEmpty, unsavedEnvelope == nil, stateProblem == nil, !stopping else {
            return
        }
        // An announcement that has just become due was due before the change.
        reconcile(&batch)
        guard trust.trusted, jobs.isEmpty, freeInstant(at: batch.now) <= batch.now else { return }
        for waiting in saved.fleet.waiting { carryOut(waiting, &batch) }
    }

    private mutating func carryOut(_ waiting: FleetRecord.Waiting, _ batch: inout EffectBatch) {
        let envelope: CheckedEnvelope
        do throws(EnvelopeRefusal) {
            // The fleet, the groups and the keys may have changed, and its time may be over.
            envelope = try envelopeCheck(at: batch.now).check(Array(waiting.envelope.utf8), isAccepted: true)
        } catch {
            return refuse(waiting.digest, error, &batch)
        }
        guard envelope.state == .new else { return saved.fleet.drop(waiting.digest) }
        // A change that fails half-way leaves nothing behind.
        var (copy, changed) = (self, batch)
        changed.caller = (actor(of: envelope.payload), Self.fleetUser)
        do throws(EnvelopeRefusal) {
            try copy.carryOut(envelope, &changed)
        } catch {
            return refuse(waiting.digest, error, &batch)
        }
        changed.caller = batch.caller
        (self, batch) = (copy, changed)
        saved.fleet.end(.confirmed, of: envelope, at: batch.now)
        let payload = envelope.payload
        tell("\(payload.kind.rawValue) \(payload.seq) is in force", payload, &batch)
    }

    private mutating func refuse(_ digest: String, _ refusal: EnvelopeRefusal, _ batch: inout EffectBatch) {
        saved.fleet.refuse(digest, reason: "\(refusal.reason.rawValue): \(refusal.detail)", at: batch.now)
        batch.publish(
            .fleetChanged, .warning, "an envelope that waited has no effect: \(refusal.detail)",
            Notice.Fields(reason: refusal.reason.rawValue))
    }

    private mutating func carryOut(
        _ envelope: CheckedEnvelope, _ batch: inout EffectBatch
    ) throws(EnvelopeRefusal) {
        guard let body = envelope.body else { return }
        let peer = Peer(
            user: 0, groups: [], name: Self.fleetUser,
            claim: CallerClaim(actor: actor(of: envelope.payload)))
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
            case .configuration, .timetable, .revert:
                throw .nothingSet(
                    what:
                        "this version of adhand does not carry out \(envelope.payload.kind.rawValue); it carries out command, exception, hijri and keys"
                )
            }
        } catch {
            throw EnvelopeRefusal(.invalid, error.sentence)
        }
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
    private static let fleetUser = "fleet"

    private func actor(of payload: FleetPayload) -> String { "fleet \(payload.org)" }

    private func tell(_ message: String, _ payload: FleetPayload, _ batch: inout EffectBatch) {
        var fields = Notice.Fields()
        (fields.actor, fields.user) = (actor(of: payload), Self.fleetUser)
        batch.publish(.fleetChanged, .notice, "\(actor(of: payload)): \(message)", fields)
    }

    // MARK: Reading

    func fleetReply(at now: Instant) -> FleetReply {
        guard let membership else { return FleetReply(fleet: nil) }
        let waiting = Set(saved.fleet.waiting.map(\.digest))
        let applied = saved.fleet.applied.map { entry in
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
