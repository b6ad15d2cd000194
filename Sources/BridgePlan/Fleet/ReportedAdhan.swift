import Envelope
import PrayerEngine
import Protocol
import Texts

/// An adhan in the history, or the one that is playing, in the form for the fleet.
struct ReportedAdhan {
    let prayer: Prayer
    let due: Instant
    let report: AdhanReport

    init?(_ entry: HistoryEntry) {
        guard AnnouncementID(entry.id)?.kind == .adhan, let prayer = Prayer(rawValue: entry.prayer),
            let due = InstantText.parse(entry.scheduled)
        else { return nil }
        (self.prayer, self.due) = (prayer, due)
        let lateness = entry.latenessMs.flatMap { $0.isFinite && abs($0) < 1e9 ? Int($0.rounded()) : nil }
        report = AdhanReport(
            id: entry.id, prayer: entry.prayer, due: entry.scheduled, state: entry.outcome.rawValue,
            at: entry.started ?? entry.scheduled, latenessMs: lateness,
            reason: entry.reason.map { String($0.prefix(200)) }, cause: entry.cause?.rawValue)
    }

    init?(playing snapshot: BoxSnapshot, _ agenda: [OccasionDocument]) {
        let playback = snapshot.status.playback
        guard playback.state == .playing || playback.state == .stopping, let id = playback.id,
            AnnouncementID(id)?.kind == .adhan,
            let occasion = (agenda + snapshot.agenda).first(where: { $0.id == id }),
            let prayer = occasion.prayer.flatMap({ Prayer(rawValue: $0) }),
            let due = InstantText.parse(occasion.at)
        else { return nil }
        (self.prayer, self.due) = (prayer, due)
        report = AdhanReport(
            id: id, prayer: prayer.rawValue, due: occasion.at, state: "playing", at: occasion.at)
    }
}
