/// The promised limits in the checker's own figures, so that a changed constant of the core is detected.
enum Limits {
    /// Seconds within which a call is on time.
    static let punctualSeconds = 1.0
    /// The seconds for which a clock must run until it is trusted more than another one.
    static let clockProofSeconds = 86_400.0
    /// Seconds by which a call may be early after a step of the clock.
    static let earlySeconds = 0.1
    /// Seconds of silence after which an adhan is not resumed.
    static let resumeWithinSeconds = 20.0
    /// Seconds ahead for which everything is armed.
    static let horizonSeconds = 86_400.0
    /// Seconds before its instant at which a sound is prepared, without the silence before it.
    static let cueLeadSeconds = 10.0
    /// Seconds before its instant at which the preflight of an announcement takes place.
    static let preflightLeadSeconds = 300.0
    /// Seconds before its instant at which other sounds give way to it, without the silence before it.
    static let giveWayLeadSeconds = 0.3
    /// 2026-01-01T00:00:00Z: an unsynchronised clock before it is never trusted.
    static let firstBelieved = 1_767_225_600.0
    /// Lines of the history from which a starting program learns.
    static let linesLearntFrom = 1920
    /// The number of heard outcomes that are certainly remembered: even with a full memory, there is no room for one that is
    /// older than all of them.
    static let linesSurelyLearnt = 600
    /// The number of sounds that are remembered at least, whatever else happened: two weeks of a mosque.
    static let soundsRemembered = 550
    /// Announcements that were not heard and that are remembered at least.
    static let recordsRemembered = 250
    /// Seconds before its instant from which on the failure of an unheard call is final. A call that failed earlier, because the
    /// clock was set back, is called again. This exceeds the latency of every output.
    static let calledAgainSeconds = 70.0
    /// Seconds between a tone that keeps the loudspeaker awake and a cue.
    static let toneDistanceSeconds = 30.0
    /// The share of a sound's frames below which it counts as cut short.
    static let playedShare = 0.9
}
