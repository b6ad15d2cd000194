package import Envelope

/// The machine's part in the check of an envelope.
package struct FleetGate: Sendable {
    /// The name by which envelopes select this box; empty where it has none.
    let box: String
    let verify: EnvelopeCheck.Verify

    package init(box: String?, verify: @escaping EnvelopeCheck.Verify) {
        (self.box, self.verify) = (box ?? "", verify)
    }

    /// A gate that accepts no signature.
    package static let closed = FleetGate(box: nil) { _, _, _ in false }
}
