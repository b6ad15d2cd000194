package import PrayerEngine

/// What outlives the program (`state.json`): mute, switches, and which ids have been handled.
package struct SavedState: Sendable, Equatable {
    /// Since when this box has been responsible: what lies before the first start is not "missed".
    package var since: Instant
    /// Up to here every announcement has been judged: called, or recorded with the reason why not.
    package var judgedThrough: Instant
    package var mute: Mute?
    package var toggles = Toggles()
    /// The newest last. Kept by count, not by age: a clock that jumps for years must not make them expire.
    package private(set) var handled: [Handled] = []
    /// What is cued or sounding: saved seconds *before* its instant, so that nothing stands between timer and sound.
    package var current: Current?

    package struct Handled: Sendable, Equatable, Codable {
        package let id: String
        package var outcome: Outcome
        package let at: Instant
    }

    package struct Current: Sendable, Equatable, Codable {
        package let id: String
        package let scheduled: Instant
        package var startedAt: Instant?
        /// The last moment at which this program is known to have been alive and playing it.
        package var aliveAt: Instant
        /// Seconds, once the file is known.
        package var duration: Double?
    }

    package init(since: Instant) {
        self.since = since
        judgedThrough = since
    }

    /// Enough for weeks of prayers with reminders, in some 20 kB.
    package static let mostHandled = 300

    package func outcome(of id: String) -> Outcome? {
        handled.last { $0.id == id }?.outcome
    }

    package mutating func setOutcome(_ outcome: Outcome, of id: String, at: Instant) {
        handled.removeAll { $0.id == id }
        handled.append(Handled(id: id, outcome: outcome, at: at))
        handled.removeFirst(max(0, handled.count - Self.mostHandled))
    }
}
