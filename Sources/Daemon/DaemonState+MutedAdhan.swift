import Announcements
import PrayerEngine
import Protocol
import StateFile
import Texts

/// The one adhan that `mute --next` silences: if it is not called, no other is silenced instead.
extension DaemonState {
    /// The adhan that `mute --next` silences; `nil` for every other mute, and where the plan does not have it.
    func mutedAdhan(at now: Instant) -> PlannedAnnouncement? {
        guard saved.mute?.scope == .next, let id = saved.mute?.id else { return nil }
        return plan(at: now).first { $0.announcement.id == id }
    }

    func muteState(at now: Instant) -> StatusDocument.MuteState {
        guard let mute = saved.mute else { return .init(active: false) }
        let adhan = mutedAdhan(at: now)
        return .init(
            active: adhan?.obstacle == nil, until: mute.until.map { text($0) }, scope: mute.scope.rawValue,
            id: mute.id?.description, at: adhan.map { text($0.announcement.at) }, obstacle: adhan?.obstacle,
            by: mute.by)
    }

    mutating func endMute(_ batch: inout EffectBatch) {
        guard let mute = saved.mute else {
            publishedObstacle = nil
            return
        }
        switch mute.scope {
        case .all:
            if mute.isOver(at: batch.now) { endMute(saying: Self.muteIsOver, &batch) }
        case .next:
            // An untrusted clock must not decide that an adhan is over.
            guard let id = mute.id, saved.outcome(of: id) == nil else {
                return endMute(saying: Self.muteIsOver, &batch)
            }
            if let adhan = mutedAdhan(at: batch.now) {
                reportObstacle(to: adhan, &batch)
            } else if trust.trusted {
                endMute(
                    saying: "nothing is muted: the adhan that was muted (\(id)) is no longer planned", &batch)
            }
        }
    }

    private static let muteIsOver = "the mute is over; what is due will be called again"

    private mutating func endMute(saying message: String, _ batch: inout EffectBatch) {
        saved.mute = nil
        publishedObstacle = nil
        batch.publish(.muteChanged, .notice, message)
    }

    private mutating func reportObstacle(to adhan: PlannedAnnouncement, _ batch: inout EffectBatch) {
        let obstacle = adhan.obstacle
        guard obstacle != publishedObstacle else { return }
        publishedObstacle = obstacle
        let name = upcomingName(adhan.announcement)
        batch.publish(
            .muteChanged, .notice,
            obstacle?.sentence(of: name) ?? "\(name) is to be called again, and is still muted")
    }

    /// Updates the mute after a change, and returns the sentences for the caller. A mute of everything ends only by the clock,
    /// and not before everything that was due under it is resolved: the machine may have slept through both.
    mutating func muteNews(_ batch: inout EffectBatch) -> [String] {
        guard saved.mute?.scope == .next else { return [] }
        ensurePlanned(batch.now)
        let before = batch.notices.count
        endMute(&batch)
        return batch.notices[before...].filter { $0.kind == .muteChanged }.map(\.message)
    }

    /// Renames the muted adhan when a reload gives the same adhan of a Friday its other name.
    mutating func renameMutedAdhan(since old: PlannedAnnouncement?, now: Instant) {
        guard let old = old?.announcement, old.id.date?.isFriday == true else { return }
        ensurePlanned(now)
        let plan = plan(at: now).map(\.announcement)
        guard !plan.contains(where: { $0.id == old.id }) else { return }
        let same = plan.first {
            $0.isAdhan && $0.id.date == old.id.date && $0.at == old.at && $0.prayer.event == old.prayer.event
        }
        if let same { saved.mute?.id = same.id }
    }

    /// `Asr 14:31`
    private func upcomingName(_ announcement: Announcement) -> String {
        "\(announcement.title) \(InstantText.minute(announcement.at, in: zone))"
    }
}

extension PlannedAnnouncement {
    /// Why a mute of this announcement has no effect.
    var obstacle: MuteObstacle? {
        if enabled { return nil }
        if isSkipped { return .skipped }
        return reason == nil ? .disabled : .missing
    }
}
