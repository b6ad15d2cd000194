import Announcements
import PrayerEngine
import Protocol
import Settings
import StateFile
import Texts

/// Arms one timer for each coming announcement, and no other.
extension DaemonState {
    mutating func rearm(_ batch: inout EffectBatch) {
        lastRearmed = batch.now
        let timers = stopping ? overdueTimers(at: batch.now) + aliveTimers : timers(at: batch.now)
        guard timers != armed else { return }
        let before = Set(armed)
        for timer in timers where !before.contains(timer) {
            guard case .announcement(let id) = timer.purpose else { continue }
            let at = InstantText.exact(timer.at, in: zone)
            batch.publish(
                .timerArmed, .debug, "timer armed: \(id) at \(at)",
                .init(id: id.description, scheduled: timer.at))
        }
        if batch.explains { explainTimers(timers, &batch) }
        armed = timers
        batch.add(.arm(timers))
    }

    /// Reports timers that are newly armed, and timers that are disarmed before their time.
    private func explainTimers(_ timers: [ArmedTimer], _ batch: inout EffectBatch) {
        for timer in timers where !armed.contains(timer) {
            if case .announcement = timer.purpose { continue }
            batch.explain("timer armed: \(timer.name) at \(InstantText.exact(timer.at, in: zone))")
        }
        for timer in armed where timer.at > batch.now && !timers.contains(timer) {
            batch.explain("timer cancelled: \(timer.name) at \(InstantText.exact(timer.at, in: zone))")
        }
    }

    /// `Asr 14:31:00`
    func named(_ announcement: Announcement) -> String {
        "\(announcement.title) \(InstantText.exact(announcement.at, in: zone))"
    }

    /// `standard at volume 80, on "hw:1,0", "default"`
    func soundText(_ announcement: Announcement) -> String {
        if let shares = announcement.shares {
            let all = shares.heard.map { "\"\($0.output)\" at volume \($0.volumePercent)" }
            return "\(announcement.sounds.joined(separator: ", ")), on \(all.joined(separator: ", "))"
        }
        let devices = inputs.config.devices.map { "\"\($0)\"" }.joined(separator: ", ")
        return
            "\(announcement.sounds.joined(separator: ", ")) at volume \(announcement.volumePercent), on \(devices)"
    }

    private func timers(at now: Instant) -> [ArmedTimer] {
        var timers = trust.trusted ? announcementTimers(at: now) : []
        // A clock that is never set becomes trusted once it passes the last known instant. Where the machine reports that it does
        // not know the time, no instant makes the time known.
        if !trust.trusted, now < trust.floor, trust.floor - now <= Self.horizonSeconds {
            timers.append(ArmedTimer(purpose: .clockKnown, at: trust.floor))
        }
        let tomorrow = zone.civilDate(of: now).adding(days: 1)
        // A day of 25 hours extends beyond the timers that were armed at its beginning.
        let midnight = min(zone.startOfDay(tomorrow), now + Self.horizonSeconds)
        timers.append(ArmedTimer(purpose: .midnight, at: midnight))
        if let until = saved.mute?.until {
            timers.append(ArmedTimer(purpose: .muteEnds, at: until))
        }
        if needsReadingAgain, let due = readings.due {
            timers.append(ArmedTimer(purpose: .readAgain, at: due))
        }
        if let due = refusalLog.due {
            timers.append(ArmedTimer(purpose: .refusalLog, at: due))
        }
        if let timer = envelopeTimer(at: now) { timers.append(timer) }
        if let at = keepAwakeTimer(at: now) { timers.append(ArmedTimer(purpose: .keepAwake, at: at)) }
        for mute in saved.outputMutes where mute.until > now {
            timers.append(ArmedTimer(purpose: .outputMuteEnds(mute.output), at: mute.until))
        }
        return timers + overdueTimers(at: now) + heardTimers(at: now) + aliveTimers
    }

    private var aliveTimers: [ArmedTimer] {
        guard jobs.contains(where: \.isToGoOn) else { return [] }
        return [ArmedTimer(purpose: .alive, at: lastAlive + Self.aliveIntervalSeconds)]
    }

    private func announcementTimers(at now: Instant) -> [ArmedTimer] {
        var timers: [ArmedTimer] = []
        // Only the next sound is prepared, or a later one whose output is so far from the ear that it starts first: the others
        // follow when that one is done.
        var (preflight, cue, giveWay): (ArmedTimer?, ArmedTimer?, ArmedTimer?)
        for entry in plan(at: now).after(now) where isToCome(entry) {
            let (id, at) = (entry.announcement.id, entry.announcement.at)
            timers.append(ArmedTimer(purpose: .announcement(id: id), at: at))
            func mayBeBefore(_ other: ArmedTimer?) -> Bool {
                other.map { at - Self.cueLeadSeconds - longestOutputLeadSeconds < $0.at } ?? true
            }
            let isGiveWayWanted =
                mayBeBefore(giveWay) && jobs.contains { $0.isInTheWay(of: entry.announcement) }
            guard preflight == nil || mayBeBefore(cue) || isGiveWayWanted, isToSound(entry) else { continue }
            let leadSeconds = leadSeconds(of: entry.announcement)
            if preflight == nil, now < at - Self.preflightLeadSeconds {
                preflight = ArmedTimer(purpose: .preflight(id: id), at: at - Self.preflightLeadSeconds)
            }
            let cueAt = at - Self.cueLeadSeconds - leadSeconds
            if now < cueAt, cue.map({ cueAt < $0.at }) ?? true {
                cue = ArmedTimer(purpose: .cue(id: id), at: cueAt)
            }
            let giveWayAt = at - Self.giveWayLeadSeconds - leadSeconds
            if isGiveWayWanted, now < giveWayAt, giveWay.map({ giveWayAt < $0.at }) ?? true {
                giveWay = ArmedTimer(purpose: .giveWay(id: id), at: giveWayAt)
            }
        }
        return timers + [preflight, cue, giveWay].compactMap(\.self)
    }

    /// Whether an announcement in the future is to be resolved at its instant, and has no final outcome.
    private func isToCome(_ entry: PlannedAnnouncement) -> Bool {
        entry.enabled && saved.outcome(of: entry.announcement.id)?.isFinal != true
    }

    /// The next adhan: shown by `status`, `next` and systemd.
    func nextAdhan(at now: Instant) -> Announcement? {
        guard trust.trusted else { return nil }
        return plan(at: now).after(now).first { $0.announcement.isAdhan && isToCome($0) }?.announcement
    }

    mutating func sendStatus(_ batch: inout EffectBatch) {
        let line = currentStatusLine(at: batch.now)
        guard line != statusLine else { return }
        statusLine = line
        batch.add(.notifyService(.status(line)))
    }

    private func currentStatusLine(at now: Instant) -> String {
        if !trust.trusted { return "Waiting for the clock to be set" }
        if inputs.placeProblem != nil, jobs.isEmpty {
            return "No place is set, nothing is called; run \"sudo \(PlaceProblem.fix)\""
        }
        let broken =
            configurationProblem == nil ? "" : "; the configuration cannot be used, an older one is in force"
        let next = nextAdhan(at: now)
        var mute = ""
        if let all = saved.mute, all.scope == .all { mute = "; \(muteText(all, now: now))" }
        if let one = saved.mute?.id, one == next?.id { mute = "; muted" }
        let note = mute + broken
        if let job = jobs.first(where: { $0.phase == .playing }) {
            return "Playing \(job.announcement.title)\(note)"
        }
        guard let next else { return "No prayer is enabled\(note)" }
        return "Next: \(next.prayer.title) \(InstantText.minute(next.at, in: zone))\(note)"
    }

    /// `muted until 15:30`; on another day than today's `muted until Friday 27 November 2026, 11:54`.
    func muteText(_ mute: Mute, now: Instant) -> String {
        if mute.scope == .next { return "muted for one adhan" + (mute.id.map { ", \($0)" } ?? "") }
        guard let until = mute.until else { return "muted until unmuted" }
        let date = zone.civilDate(of: until)
        let day = date == zone.civilDate(of: now) ? "" : "\(LocalText.long(date)), "
        return "muted until \(day)\(InstantText.minute(until, in: zone))"
    }
}
