package import Envelope
package import PrayerEngine

/// The topic for one kind of change, of one box or of all boxes.
package struct ChangePlace: Hashable, Sendable {
    /// The word that replaces a box's name on the topic of all boxes.
    package static let everyBox = "all"

    /// A box, or ``everyBox``.
    package let box: String
    package let kind: FleetKind

    package init(box: String, kind: FleetKind) { (self.box, self.kind) = (box, kind) }
}

/// An envelope's description of itself.
package struct EnvelopeLabel: Sendable, Equatable {
    package let digest: String
    package let kind: FleetKind
    package let seq: Int
    package let selector: FleetSelector
    package let expires: Instant
    /// The kind of change that a `revert` undoes.
    package let reverted: FleetKind?

    package init(
        digest: String, kind: FleetKind, seq: Int, selector: FleetSelector, expires: Instant,
        reverted: FleetKind? = nil
    ) {
        (self.digest, self.kind, self.seq) = (digest, kind, seq)
        (self.selector, self.expires, self.reverted) = (selector, expires, reverted)
    }

    package init(_ payload: FleetPayload, digest: String) {
        var reverted: FleetKind?
        if payload.kind == .revert, case .revert(let kind)? = try? FleetBody(payload.kind, payload.body) {
            reverted = kind
        }
        self.init(
            digest: digest, kind: payload.kind, seq: payload.seq, selector: payload.selector,
            expires: payload.expires, reverted: reverted)
    }

    /// Reads the text of an envelope with this digest; `nil` if it is damaged. The signature is not checked.
    package init?(of text: [UInt8], digest: String) {
        guard let envelope = try? SignedEnvelope(text), envelope.digest == digest,
            let payload = try? FleetPayload(envelope.payload)
        else { return nil }
        self.init(payload, digest: digest)
    }

    /// The topics to which `publish` writes it. Boxes know their groups, and those in none of the envelope's groups refuse it.
    package var places: [ChangePlace] {
        switch selector {
        case .all, .groups: [ChangePlace(box: ChangePlace.everyBox, kind: kind)]
        case .boxes(let names): names.map { ChangePlace(box: $0, kind: kind) }
        }
    }

    /// Whether boxes no longer accept it.
    package func isOver(at now: Instant) -> Bool { expires <= now }

    /// One label per receiver.
    var parts: [EnvelopeLabel] {
        let selectors: [FleetSelector]
        switch selector {
        case .all: selectors = [.all]
        case .boxes(let names): selectors = names.map { .boxes([$0]) }
        case .groups(let names): selectors = names.map { .groups([$0]) }
        }
        return selectors.map {
            EnvelopeLabel(
                digest: digest, kind: kind, seq: seq, selector: $0, expires: expires, reverted: reverted)
        }
    }

    /// Whether its receivers include all receivers of another envelope.
    package func reaches(allOf other: EnvelopeLabel) -> Bool {
        switch (selector, other.selector) {
        case (.all, _): true
        case (.groups(let own), .groups(let others)): Set(others).isSubset(of: own)
        case (.boxes(let own), .boxes(let others)): Set(others).isSubset(of: own)
        default: false
        }
    }
}

extension FleetTopic {
    package func topic(of place: ChangePlace) -> String { change(place.kind, for: place.box) }

    /// - Returns: `nil` for a topic that is not for changes.
    package func place(at topic: String) -> ChangePlace? {
        guard let (box, kind) = change(at: topic) else { return nil }
        return ChangePlace(box: box ?? ChangePlace.everyBox, kind: kind)
    }
}
