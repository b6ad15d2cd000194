package import Announcements
package import PrayerEngine
package import Protocol
package import Settings
import Texts

extension HistoryEntry {
    package init(
        _ announcement: Announcement, _ outcome: Outcome, in zone: Zone, startedAt: Instant? = nil,
        reason: String? = nil, endedBy: String? = nil, cause: EndCause? = nil, result: JobResult? = nil,
        source: TimeOrigin = .computed
    ) {
        self.init(
            id: announcement.id.description, prayer: announcement.id.prayerName,
            scheduled: InstantText.rfc3339(announcement.at, in: zone, milliseconds: true), outcome: outcome,
            sound: announcement.sounds)
        started = startedAt.map { InstantText.rfc3339($0, in: zone, milliseconds: true) }
        latenessMs = startedAt.map { (($0 - announcement.at) * 10_000).rounded() / 10 }
        self.reason = reason
        self.endedBy = endedBy
        self.cause = cause
        self.source = source == .computed ? nil : source
        quiet = announcement.quiet
        guard let result else { return }
        device = result.device
        rate = result.rateHz > 0 ? result.rateHz : nil
        framesDecoded = result.framesWritten
        framesPlayed = result.framesPlayed
        dropouts = result.dropouts
        gainDb = (result.gainDb * 10).rounded() / 10
    }

    /// An announcement that was due and is not called.
    init(_ announcement: Announcement, _ verdict: NotCalled, in zone: Zone, source: TimeOrigin) {
        self.init(
            announcement, verdict.outcome, in: zone, reason: verdict.reason, cause: verdict.cause,
            source: source)
        gaveWayTo = verdict.gaveWayTo?.description
        quiet = verdict.quiet
        outputs = verdict.shares?.silenced
    }
}
