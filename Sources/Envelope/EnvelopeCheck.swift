package import PrayerEngine
package import Texts

/// The fleet of a box, and the keys that the box obeys.
package struct FleetMembership: Sendable, Equatable {
    package var org: String
    package var signing: FleetKey
    /// The recovery key; `nil`: the keys cannot be replaced remotely.
    package var recovery: FleetKey?
    package var groups: [String]
    package var box: String

    package init(org: String, signing: FleetKey, recovery: FleetKey?, groups: [String] = [], box: String) {
        self.org = org
        self.signing = signing
        self.recovery = recovery
        self.groups = groups
        self.box = box
    }
}

/// The newest envelope of one kind that a box accepted.
package struct AcceptedEnvelope: Sendable, Equatable {
    package let seq: Int
    package let digest: String
    /// The time from which it is valid; `nil` if an earlier version recorded it.
    package let since: Instant?

    package init(seq: Int, digest: String, since: Instant? = nil) {
        (self.seq, self.digest, self.since) = (seq, digest, since)
    }
}

/// The envelopes that a box remembers.
package struct EnvelopeMemory: Sendable, Equatable {
    package var accepted: [FleetKind: AcceptedEnvelope] = [:]
    /// The digests of changes that were tried and abandoned.
    package var reverted: Set<String> = []
    /// The time from which the newest envelope that undoes a kind is valid, by kind.
    package var wentBack: [FleetKind: Instant] = [:]

    package init() {}
}

/// An envelope that is signed by the right key. Only `new` has an effect.
package struct CheckedEnvelope: Sendable, Equatable {
    package enum State: String, Sendable {
        case new
        case notForMe = "not-for-me"
        case already
    }

    package let state: State
    package let payload: FleetPayload
    package let digest: String
    /// The body as its kind reads it; only if the envelope is new.
    package let body: FleetBody?
}

/// The checks of a box, in order. The first one that fails gives the reason.
package struct EnvelopeCheck {
    /// Whether a signature (the first argument) of bytes (the second) is that of a key (the third).
    package typealias Verify =
        @Sendable (_ signature: [UInt8], _ message: [UInt8], _ publicKey: [UInt8]) -> Bool

    package let membership: FleetMembership?
    package let memory: EnvelopeMemory
    /// The time; `nil`: the clock is not trusted.
    package let now: Instant?
    private let verify: Verify

    package init(
        _ membership: FleetMembership?, memory: EnvelopeMemory, now: Instant?, verify: @escaping Verify
    ) {
        self.membership = membership
        self.memory = memory
        self.now = now
        self.verify = verify
    }

    /// - Parameter isAccepted: whether it was accepted before, so that its number is known; everything else is checked again.
    package func check(
        _ text: [UInt8], isAccepted: Bool = false
    ) throws(EnvelopeRefusal) -> CheckedEnvelope {
        let membership = try fleet()
        let (envelope, payload, signers) = try read(text, membership)
        let digest = envelope.digest
        guard payload.selector.includes(box: membership.box, groups: membership.groups) else {
            return CheckedEnvelope(state: .notForMe, payload: payload, digest: digest, body: nil)
        }
        try hold(timeOf: payload)
        // The newest accepted envelope may have been abandoned since; the same one again does not count as accepted.
        guard !memory.reverted.contains(digest) else {
            throw EnvelopeRefusal(
                .revertedBefore, "this box tried the same envelope before and went back to what it had")
        }
        if !isAccepted, try isKnown(payload, digest) {
            return CheckedEnvelope(state: .already, payload: payload, digest: digest, body: nil)
        }
        let body = try FleetBody(payload.kind, payload.body)
        if case .keys(_, let recovery) = body, recovery != membership.recovery, signers.count < 2 {
            throw EnvelopeRefusal(
                .unknownKey,
                "a new recovery key needs two signatures: by the recovery key and by the signing key")
        }
        if !isAccepted { try hold(orderOf: payload, body) }
        return CheckedEnvelope(state: .new, payload: payload, digest: digest, body: body)
    }

    /// An envelope of this fleet with a valid signature, regardless of its time, its number and its body.
    package func signed(
        _ text: [UInt8]
    ) throws(EnvelopeRefusal) -> (envelope: SignedEnvelope, payload: FleetPayload) {
        let (envelope, payload, _) = try read(text, try fleet())
        return (envelope, payload)
    }

    private func fleet() throws(EnvelopeRefusal) -> FleetMembership {
        guard let membership else {
            throw EnvelopeRefusal(.foreign, "this box belongs to no fleet: its configuration has no [fleet]")
        }
        return membership
    }

    /// The checks before that of the receivers.
    private func read(
        _ text: [UInt8], _ membership: FleetMembership
    ) throws(EnvelopeRefusal) -> (envelope: SignedEnvelope, payload: FleetPayload, signers: [FleetKey]) {
        let envelope = try SignedEnvelope(text)
        guard envelope.type == SignedEnvelope.payloadType else {
            throw EnvelopeRefusal(
                .type, "the type of the payload is not \"\(SignedEnvelope.payloadType)\"")
        }
        let signers = try signers(of: envelope, membership)
        let payload = try FleetPayload(envelope.payload)
        try hold(signers, of: payload, membership)
        guard payload.org == membership.org else {
            throw EnvelopeRefusal(
                .foreign,
                "the envelope is for the fleet \"\(payload.org)\", and this box belongs to \"\(membership.org)\""
            )
        }
        return (envelope, payload, signers)
    }

    /// Checks the order. Numbers are counted by kind, and undoing a kind is a separate one. A box that was away, or is new, finds
    /// both at the broker, in any order: the one that was signed last counts.
    private func hold(orderOf payload: FleetPayload, _ body: FleetBody) throws(EnvelopeRefusal) {
        if case .revert(let kind) = body {
            guard let newest = memory.accepted[kind], let since = newest.since, since > payload.notBefore
            else { return }
            throw EnvelopeRefusal(
                .older,
                "this box has taken number \(newest.seq) of \(kind.rawValue), which was signed after this envelope"
            )
        }
        if let back = memory.wentBack[payload.kind], back > payload.notBefore {
            throw EnvelopeRefusal(
                .older, "the fleet went back from \(payload.kind.rawValue) after this envelope was signed")
        }
    }

    private func signers(
        of envelope: SignedEnvelope, _ membership: FleetMembership
    ) throws(EnvelopeRefusal) -> [FleetKey] {
        var signers: [FleetKey] = []
        for signature in envelope.signatures {
            guard
                let key = [membership.signing, membership.recovery].compactMap(\.self)
                    .first(where: { $0.id == signature.keyID })
            else {
                throw EnvelopeRefusal(
                    .unknownKey, "the envelope was signed by a key that this box does not know")
            }
            signers.append(key)
        }
        let message = envelope.signedBytes
        for (signature, key) in zip(envelope.signatures, signers) {
            guard verify(signature.bytes, message, key.bytes) else {
                throw EnvelopeRefusal(
                    .signature,
                    "the signature does not fit: the envelope was altered or not signed by this key")
            }
        }
        return signers
    }

    /// The kind decides whose signature it needs.
    private func hold(
        _ signers: [FleetKey], of payload: FleetPayload, _ membership: FleetMembership
    ) throws(EnvelopeRefusal) {
        if payload.kind == .keys {
            guard let recovery = membership.recovery, signers.contains(recovery) else {
                throw EnvelopeRefusal(.unknownKey, "new keys need the signature of the recovery key")
            }
        } else {
            guard signers.count == 1 else {
                throw EnvelopeRefusal(
                    .malformed, "\(payload.kind.rawValue) has one signature, and this envelope has two")
            }
            guard signers[0] == membership.signing else {
                throw EnvelopeRefusal(
                    .unknownKey, "the recovery key signs new keys only, and this is \(payload.kind.rawValue)")
            }
        }
    }

    private func hold(timeOf payload: FleetPayload) throws(EnvelopeRefusal) {
        guard let now else {
            throw EnvelopeRefusal(
                .clock,
                "the clock of this box is not trusted, so nobody knows whether the envelope is still valid")
        }
        guard now >= payload.notBefore else {
            throw EnvelopeRefusal(
                .tooEarly, "the envelope is valid from \(InstantText.rfc3339(payload.notBefore, in: .utc))")
        }
        guard now < payload.expires else {
            throw EnvelopeRefusal(
                .expired, "the envelope was valid until \(InstantText.rfc3339(payload.expires, in: .utc))")
        }
    }

    private func isKnown(_ payload: FleetPayload, _ digest: String) throws(EnvelopeRefusal) -> Bool {
        guard let newest = memory.accepted[payload.kind], payload.seq <= newest.seq else { return false }
        guard digest == newest.digest else {
            throw EnvelopeRefusal(
                .older,
                "this box has already taken number \(newest.seq) of \(payload.kind.rawValue), and the envelope is another one with number \(payload.seq)"
            )
        }
        return true
    }
}
