internal import ArgumentParser
internal import CommandKit
internal import Envelope
internal import FleetPlan
internal import Host
internal import PrayerEngine
internal import Signature
internal import Texts

/// `adhan-fleet verify FILE`
struct VerifyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Print what an envelope says, and whether a box that it is for takes it.",
        discussion: """
            Without --signing-key nothing is known about the signature. A box knows more: it refuses a number that is not above \
            the last one of its kind, a timetable or a time that does not fit its place, a sound that it does not have, and a change \
            that its own files cannot take.
            """)

    @OptionGroup var common: CommonOptions

    @Argument(help: ArgumentHelp("The envelope.", valueName: "file"), completion: .file())
    var file: String

    @Option(
        help: ArgumentHelp(
            "The public signing key of the fleet, as adhan-fleet keys prints it.", valueName: "key"))
    var signingKey: String?

    @Option(help: ArgumentHelp("The public recovery key, for an envelope with new keys.", valueName: "key"))
    var recoveryKey: String?

    @Option(help: ArgumentHelp("The fleet that the envelope has to be for.", valueName: "org"))
    var org: String?

    private struct Document: Encodable {
        let org, kind: String
        let seq: Int
        let receivers: SignCommand.Receivers
        let notBefore, expires, digest: String
        let signedBy: [String]
        let body: StrictJSON
        /// Absent where no key was given.
        let signature: String?

        enum CodingKeys: String, CodingKey {
            case org, kind, seq, notBefore, expires, digest, signedBy, body, signature
            case receivers = "for"
        }
    }

    func run() throws {
        let signing = try key(signingKey, "--signing-key")
        let recovery = try key(recoveryKey, "--recovery-key")
        if signing == nil, recovery != nil { throw FleetError(.usage, "--recovery-key needs --signing-key") }
        let text: [UInt8]
        // The limit is higher than a box's, so that too long an envelope gets a refusal of its own.
        do throws(FileError) { text = try FileBytes.read(file, limit: 1_048_576) } catch {
            throw FleetError(.failed, error.message)
        }
        do {
            let envelope = try SignedEnvelope(text)
            let payload: FleetPayload
            if let signing {
                // The checks run in a box's order: contents are not read if the signature fails.
                payload = try Self.checked(text, signing, recovery, org: org)
            } else {
                payload = try FleetPayload(envelope.payload)
                try FleetBody(payload.kind, payload.body).check(from: payload.notBefore)
                if let org, org != payload.org {
                    throw EnvelopeRefusal(.foreign, "the envelope is for the fleet \"\(payload.org)\"")
                }
            }
            try show(envelope, payload, isSignatureKnown: signing != nil)
        } catch let refusal as EnvelopeRefusal {
            throw FleetError(
                .invalidInput, "the envelope is refused (\(refusal.reason.rawValue)): \(refusal.detail)")
        }
    }

    /// Reads an envelope that a box of the fleet would accept now, for the commands that deliver it to boxes.
    static func acceptedEnvelope(
        from file: String, _ content: FleetFolder.Content
    ) throws(FleetError) -> (text: [UInt8], payload: FleetPayload) {
        let text: [UInt8]
        do throws(FileError) { text = try FileBytes.read(file, limit: 1_048_576) } catch {
            throw FleetError(.failed, error.message)
        }
        guard let signing = content.config.signingKey else {
            throw FleetError(
                .invalidInput,
                "fleet.toml has no signing-key, so nobody knows whether a box would take the envelope; write it"
            )
        }
        return (
            text,
            try payload(of: text, signing: signing, recovery: content.config.recoveryKey, org: content.org)
        )
    }

    /// The label of an envelope that the keys of fleet.toml have signed, regardless of its validity in time.
    static func label(of text: [UInt8], _ content: FleetFolder.Content) throws(FleetError) -> EnvelopeLabel {
        do throws(EnvelopeRefusal) { return try signedLabel(of: text, content) } catch {
            throw FleetError(.invalidInput, error.sentence)
        }
    }

    /// The label of an envelope signed by these keys. Throws the reason for which a box would refuse it.
    static func signedLabel(
        of text: [UInt8], _ content: FleetFolder.Content
    ) throws(EnvelopeRefusal) -> EnvelopeLabel {
        guard let signing = content.config.signingKey.flatMap({ FleetKey($0) }) else {
            throw EnvelopeRefusal(.unknownKey, "fleet.toml has no signing-key; write it")
        }
        let recovery = content.config.recoveryKey.flatMap { FleetKey($0) }
        let membership = FleetMembership(org: content.org, signing: signing, recovery: recovery, box: "")
        let (envelope, payload) = try EnvelopeCheck(membership, memory: EnvelopeMemory(), now: nil) {
            Ed25519.verify($0, of: $1, by: $2)
        }.signed(text)
        return EnvelopeLabel(payload, digest: envelope.digest)
    }

    /// The contents of an envelope that a box of the fleet would accept now.
    private static func payload(
        of text: [UInt8], signing: String, recovery: String?, org: String
    ) throws(FleetError) -> FleetPayload {
        guard let signing = FleetKey(signing) else {
            throw FleetError(.invalidInput, "signing-key of fleet.toml is no public key")
        }
        do throws(EnvelopeRefusal) {
            return try checked(
                text, signing, recovery.flatMap { FleetKey($0) }, org: org)
        } catch {
            throw FleetError(
                .invalidInput,
                "nothing is published: boxes would refuse it (\(error.reason.rawValue)): \(error.detail)")
        }
    }

    private func key(_ text: String?, _ option: String) throws(FleetError) -> FleetKey? {
        guard let text else { return nil }
        guard let key = FleetKey(text) else {
            throw FleetError(.usage, "\(option) is not a public key: \"ed25519:\" and 32 bytes in Base64")
        }
        return key
    }

    /// Checks an envelope like an addressed box that has accepted nothing before. Without a fleet's name, the envelope's own is
    /// used.
    private static func checked(
        _ text: [UInt8], _ signing: FleetKey, _ recovery: FleetKey?, org: String?
    ) throws(EnvelopeRefusal) -> FleetPayload {
        var membership = FleetMembership(org: org ?? "", signing: signing, recovery: recovery, box: "")
        let now = WallClock.now()
        func check() throws(EnvelopeRefusal) -> CheckedEnvelope {
            try EnvelopeCheck(membership, memory: EnvelopeMemory(), now: now) {
                Ed25519.verify($0, of: $1, by: $2)
            }.check(text)
        }
        do throws(EnvelopeRefusal) { _ = try check() } catch {
            // Every check before that of the fleet's name has passed, so the contents may be read.
            guard error.reason == .foreign, org == nil else { throw error }
        }
        let payload = try FleetPayload(try SignedEnvelope(text).payload)
        membership.org = org ?? payload.org
        switch payload.selector {
        case .all: break
        case .boxes(let names): membership.box = names[0]
        case .groups(let names): membership.groups = names
        }
        let checked = try check()
        // The envelope is valid now, so the body is checked for application from now on.
        try checked.body?.check(from: now)
        return checked.payload
    }

    private func show(
        _ envelope: SignedEnvelope, _ payload: FleetPayload, isSignatureKnown: Bool
    ) throws(FleetError) {
        let receivers: SignCommand.Receivers =
            switch payload.selector {
            case .all: .all
            case .boxes(let names): .named("boxes", names)
            case .groups(let names): .named("groups", names)
            }
        let from = InstantText.rfc3339(payload.notBefore, in: .utc)
        let until = InstantText.rfc3339(payload.expires, in: .utc)
        let signers = envelope.signatures.map(\.keyID)
        let body = (try? JSON.encode(payload.body)).map { String(decoding: $0, as: UTF8.self) } ?? ""
        let document = Document(
            org: payload.org, kind: payload.kind.rawValue, seq: payload.seq, receivers: receivers,
            notBefore: from, expires: until, digest: envelope.digest, signedBy: signers, body: payload.body,
            signature: isSignatureKnown ? "valid" : nil)
        try common.output.show(document) { _ in
            """
            fleet:      \(payload.org)
            kind:       \(payload.kind.rawValue), number \(payload.seq)
            for:        \(payload.selector.text)
            valid:      \(from) to \(until)
            digest:     \(envelope.digest)
            signed by:  \(signers.joined(separator: ", "))
            body:       \(body)
            signature:  \(isSignatureKnown ? "valid; a box that the envelope is for takes it now" : "not checked, as no --signing-key is named")

            """
        }
    }
}

extension EnvelopeRefusal {
    /// The refusal as a person reads it, without a capital and a full stop.
    var sentence: String { "boxes would refuse it (\(reason.rawValue)): \(detail)" }
}
