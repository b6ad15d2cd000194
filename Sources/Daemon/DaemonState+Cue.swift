import Announcements
import PrayerEngine
import Protocol
import Settings
import StateFile
import Texts

/// Publishes an event when an announcement is about to be heard (`prayer.cued`) or will not be after all (`prayer.released`).
extension DaemonState {
    /// Publishes how the sounds that wait on the device differ from those of the last events. A beginning and a failure have
    /// events of their own.
    mutating func publishCues(_ batch: inout EffectBatch) {
        let cued = jobs.filter { $0.phase == .cued && !$0.announcement.isTest }.map(\.announcement)
        for cue in cues.published where !cued.contains(where: { $0.isCall(of: cue) }) {
            batch.publish(released(cue, batch.now))
        }
        for announcement in cued where !cues.published.contains(where: { $0.isCall(of: announcement) }) {
            batch.publish(
                .prayerCued, .info, "\(named(announcement)) is about to be heard: \(soundText(announcement))",
                Notice.Fields(announcement))
        }
        cues.published = cued
    }

    /// Publishes the end of a cue whose announcement makes no sound after all, before the event that reports it.
    mutating func releaseCue(of announcement: Announcement, _ batch: inout EffectBatch) {
        for cue in cues.published where cue.id == announcement.id { batch.publish(released(cue, batch.now)) }
        cues.published.removeAll { $0.id == announcement.id }
    }

    private func released(_ cue: Announcement, _ now: Instant) -> Notice {
        let (cause, why) = reasonOfRelease(cue, at: now)
        var fields = Notice.Fields(cue, reason: why)
        fields.cause = cause
        return Notice(
            .prayerReleased, .info, at: now, "\(named(cue)) is not to be heard after all: \(why)", fields)
    }

    private func reasonOfRelease(_ cue: Announcement, at now: Instant) -> (EndCause?, String) {
        if stopping { return (.shutdown, "adhand is stopping") }
        guard trust.trusted else { return (nil, "the clock cannot be trusted") }
        if let job = jobs.first(where: { $0.announcement.id == cue.id && $0.phase == .stopping }) {
            return (job.endedBy?.cause, job.endedBy.map { "ended by \($0.who)" } ?? "it was ended")
        }
        if let mute = saved.mute, mute.silences(cue, at: cue.at) { return (.mute, muteReason(mute)) }
        guard let entry = plan(at: now).first(where: { $0.announcement.id == cue.id }) else {
            return (nil, "it is no longer planned")
        }
        if entry.isSkipped { return (.toggle, Self.skippedByHand) }
        guard entry.enabled else { return (.toggle, entry.reason ?? "it was switched off") }
        if entry.announcement.at != cue.at { return (nil, "its time was changed") }
        if entry.announcement.isSilent { return (nil, "its sound is \"silent\"") }
        if let silence = silencing(cue, at: cue.at) { return (nil, silence.reason) }
        // After the clock was set back the announcement is no longer near, even if something else sounds.
        let isNear = cue.at <= now + Self.longestLeadSeconds
        let isCompeting =
            saved.outcome(of: cue.id) == .skipped || jobs.contains { $0.announcement.id != cue.id }
        return isNear && isCompeting
            ? (.announcement, "another announcement is to be heard")
            : (nil, "it is not due yet, or no longer")
    }
}

extension Announcement {
    /// Whether both are the same call at the same instant.
    fileprivate func isCall(of other: Self) -> Bool { id == other.id && at == other.at }
}
