import PrayerEngine

/// A fleet's envelopes in progress: the one that is being processed, and a change that is being abandoned.
struct EnvelopeProgress: Sendable {
    /// The machine's part in the check of envelopes.
    let gate: FleetGate
    /// The envelope that is being processed.
    var work: FleetWork?
    /// Whether the configuration from before a failed trial is being resolved.
    var isGoingBack = false
    /// Whether the timetable from before a failed trial is being restored.
    var isGoingBackToFile = false
    /// When to retry writing a timetable that the disk did not accept.
    var fileRetryAt: Instant?
}
