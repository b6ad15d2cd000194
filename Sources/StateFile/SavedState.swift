package import Announcements
package import Envelope
package import PrayerEngine
package import Protocol
package import Settings
import Texts
package import Times

/// The state that outlives the program (`state.json`): decisions of people and of the fleet, outcomes of announcements, sounds
/// in progress, problems, and the time that has certainly passed.
package struct SavedState: Sendable, Equatable {
    /// The beginning of this box's responsibility: nothing before the first start counts as missed.
    package var since: Instant
    /// The instant up to which every announcement has been resolved: called, or recorded with the reason why not.
    package var resolvedThrough: Instant
    /// The time that has certainly passed.
    package var clock: ClockRecord
    package var mute: Mute?
    /// Outputs that are silent by command, each once.
    package var outputMutes: [OutputMute] = []
    package var toggles = Toggles()
    /// Whether nothing was called so far for lack of a place.
    package var isWithoutPlace = false
    package var exceptions = DayExceptions()
    /// First days of Hijri months that a person set by command.
    package var pins: [HijriMonth: CivilDate] = [:]
    /// The envelopes that were accepted.
    package var fleet = FleetRecord()
    package private(set) var handled = HandledIds()
    /// The loss of an earlier state, until a person confirms it.
    package var loss: StateLoss?
    /// Problems that are not over.
    package var problems: [NotedProblem] = []
    /// Sounds in progress or just started. Usually one; two while one takes over from another.
    package var underway: [Underway] = []

    package struct Underway: Sendable, Equatable {
        package typealias Cap = Announcement.Cap

        package let id: AnnouncementID
        package let scheduled: Instant
        package var startedAt: Instant?
        /// The last moment at which this program is known to have been alive and playing it.
        package var aliveAt: Instant
        /// The sounds that were configured at its beginning, whatever is configured by now; `nil` from older versions.
        package let sounds: [String]?
        /// The volume that a quiet window imposed at its beginning; `nil` where none did.
        package let cap: Cap?
        /// The duration in seconds, once the file is known.
        package var durationSeconds: Double?
        /// The boot of the machine in which it began; `nil` when the machine does not report it.
        package var boot: String?
        /// The ending, if it was ended: it is fading out, and is not to be resumed.
        package var endedBy: EndedBy?
        /// The position of each output, where the configuration names outputs.
        package var outputs: [Output] = []
        /// Whether all outputs had played it when the program ended.
        package var isPlayed: Bool {
            let heard = outputs.filter { $0.volumePercent > 0 }
            return !heard.isEmpty && heard.allSatisfy { $0.proof?.outcome == .played }
        }

        package struct Output: Sendable, Equatable {
            package let output: String
            /// The volume in percent, and the name of the window that imposed it.
            package let volumePercent: Int
            package let quiet: String?
            package let startedAt: Instant?
            package let device: String?
            /// The proof of its end, if it has ended.
            package let proof: OutputProof?

            package init(
                output: String, volumePercent: Int, quiet: String?, startedAt: Instant?, device: String?,
                proof: OutputProof?
            ) {
                self.output = output
                self.volumePercent = volumePercent
                self.quiet = quiet
                self.startedAt = startedAt
                self.device = device
                self.proof = proof
            }
        }

        package init(_ announcement: Announcement, aliveAt: Instant, boot: String?) {
            self.init(
                id: announcement.id, scheduled: announcement.at, aliveAt: aliveAt,
                sounds: announcement.sounds,
                cap: announcement.quiet.map { Cap(volume: announcement.volumePercent, quiet: $0) }, boot: boot
            )
        }

        package init(
            id: AnnouncementID, scheduled: Instant, startedAt: Instant? = nil, aliveAt: Instant,
            sounds: [String]? = nil, cap: Cap? = nil, durationSeconds: Double? = nil, boot: String? = nil,
            endedBy: EndedBy? = nil
        ) {
            self.cap = cap
            self.id = id
            self.scheduled = scheduled
            self.startedAt = startedAt
            self.aliveAt = aliveAt
            self.sounds = sounds
            self.durationSeconds = durationSeconds
            self.boot = boot
            self.endedBy = endedBy
        }
    }

    package init(since: Instant) {
        self.since = since
        resolvedThrough = since
        clock = ClockRecord(confirmed: adhandRelease, candidate: since)
    }

    /// Begins a run of adhand, before the configuration is read.
    /// - Returns: whether the state should be saved first.
    package mutating func beginRun(boot: String?) -> Bool { fleet.beginRun(boot: boot) }

    package func outcome(of id: AnnouncementID) -> Outcome? {
        handled[id]
    }

    package mutating func setOutcome(_ outcome: Outcome, of id: AnnouncementID, at: Instant) {
        handled.set(outcome, of: id, at: at)
    }

    /// Sets the outcomes in this order.
    package mutating func setOutcomes(_ entries: [HandledAnnouncement]) { handled.set(entries) }

    /// Completes the state from the history if the program ended between the two writes or the state was lost.
    package mutating func learn(from recorded: [HistoryEntry]) {
        let recorded = recorded.compactMap { entry in AnnouncementID(entry.id).map { (id: $0, entry: entry) }
        }
        // Collect all unknown outcomes before adding any: adding evicts the oldest, which would then count as unknown, and in the
        // end displace the newest.
        let isNew = recorded.map { isNews($0.id, $0.entry) }
        // A record that is older than all known ones adds nothing about an announcement with a known outcome: an announcement
        // that was evicted and recorded as missed since has two lines in the history.
        let newest = recorded.indices.last { !isNew[$0] } ?? -1
        var (older, newer): ([HandledAnnouncement], [HandledAnnouncement]) = ([], [])
        for (index, entry) in recorded.enumerated() where isNew[index] {
            guard let at = InstantText.parse(entry.entry.scheduled) else { continue }
            let learnt = HandledAnnouncement(id: entry.id, outcome: entry.entry.outcome, at: at)
            if index > newest || outcome(of: entry.id) == .playing {
                newer.append(learnt)
            } else {
                older.append(learnt)
            }
        }
        if !older.isEmpty { handled.learn(older: older) }
        handled.set(newer)
        underway.removeAll { underway in (older + newer).contains { $0.id == underway.id } }
    }

    private func isNews(_ id: AnnouncementID, _ entry: HistoryEntry) -> Bool {
        let known = outcome(of: id)
        if entry.outcome.isFinal { return known?.isFinal != true || known == .playing }
        // "Missed" is not final: after a clock was set back it may have been called after all.
        return known == nil && !underway.contains { $0.id == id }
    }

    /// Ensures that the outcomes of these survive the recording of others.
    package mutating func protect(_ ids: some Sequence<AnnouncementID>) { handled.protect(ids) }

    package mutating func forget(_ id: AnnouncementID) {
        handled.remove(id)
    }

    package mutating func setUnderway(_ id: AnnouncementID, _ change: (inout Underway) -> Void) {
        guard let index = underway.firstIndex(where: { $0.id == id }) else { return }
        change(&underway[index])
    }

    /// Whether the change is worth saving: the passing of time alone is not.
    package func differsInSubstance(from other: SavedState?) -> Bool {
        guard var other, handled.changes == other.handled.changes else { return true }
        // Time that goes back is worth saving: the next start would otherwise distrust a clock that was set right, or let a later
        // one confirm what this one contradicts.
        if resolvedThrough < other.resolvedThrough || clock.isBefore(other.clock) { return true }
        other.resolvedThrough = resolvedThrough
        other.clock = clock
        return self != other
    }
}

extension SavedState.Underway.Output {
    /// The entry of an output that a window or a mute silences: kept for the record.
    package init(silenced share: OutputShare) {
        self.init(
            output: share.output, volumePercent: 0, quiet: share.quiet, startedAt: nil, device: nil,
            proof: nil)
    }
}
