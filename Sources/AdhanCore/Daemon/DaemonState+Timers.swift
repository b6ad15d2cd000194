import PrayerEngine

/// What is armed: exactly what is to come.
extension DaemonState {
    mutating func rearm(_ turn: inout Turn) {
        let timers = stopping ? [] : timers(at: turn.now)
        guard timers != armed else { return }
        for timer in timers where !armed.contains(timer) {
            guard case .announcement(let id) = timer.purpose else { continue }
            let at = InstantText.exact(timer.at, in: zone)
            turn.publish(
                .timerArmed, .debug, "timer armed: \(id) at \(at)", .init(id: id, scheduled: timer.at))
        }
        if turn.explains { explainTimers(timers, &turn) }
        armed = timers
        turn.add(.arm(timers))
    }

    /// What else is armed, and what no longer is although its time has not come.
    private func explainTimers(_ timers: [ArmedTimer], _ turn: inout Turn) {
        for timer in timers where !armed.contains(timer) {
            if case .announcement = timer.purpose { continue }
            turn.explain("timer armed: \(timer.name) at \(InstantText.exact(timer.at, in: zone))")
        }
        for timer in armed where timer.at > turn.now && !timers.contains(timer) {
            turn.explain("timer taken back: \(timer.name) at \(InstantText.exact(timer.at, in: zone))")
        }
    }

    /// `Asr 14:31:00`
    func named(_ announcement: Announcement) -> String {
        "\(announcement.title) \(InstantText.exact(announcement.at, in: zone))"
    }

    /// `standard at volume 80, on "hw:1,0", "default"`
    func soundText(_ announcement: Announcement) -> String {
        let devices = world.config.devices.map { "\"\($0)\"" }.joined(separator: ", ")
        return
            "\(announcement.sounds.joined(separator: ", ")) at volume \(announcement.volume), on \(devices)"
    }

    private func timers(at now: Instant) -> [ArmedTimer] {
        var timers = trust.trusted ? announcementTimers(at: now) : []
        let tomorrow = zone.civilDate(of: now).adding(days: 1)
        timers.append(ArmedTimer(purpose: .midnight, at: zone.startOfDay(tomorrow)))
        if let until = saved.mute?.until {
            timers.append(ArmedTimer(purpose: .muteEnds, at: until))
        }
        if jobs.contains(where: { $0.phase == .playing }) {
            timers.append(ArmedTimer(purpose: .alive, at: lastAlive + Self.aliveInterval))
        }
        return timers
    }

    private func announcementTimers(at now: Instant) -> [ArmedTimer] {
        let coming = plan(at: now).filter { entry in
            entry.enabled && now < entry.announcement.at
                && saved.outcome(of: entry.announcement.id)?.isFinal != true
        }
        var timers = coming.map { entry in
            ArmedTimer(purpose: .announcement(id: entry.announcement.id), at: entry.announcement.at)
        }
        // Only the next sound is prepared: the ones after it get their turn when it has had its own.
        let sounding = coming.filter { isToSound($0) }.map(\.announcement)
        if let next = sounding.first(where: { now < $0.at - Self.preflightLead }) {
            timers.append(ArmedTimer(purpose: .preflight(id: next.id), at: next.at - Self.preflightLead))
        }
        let preroll = world.config.preroll
        let cueLead = Self.cueLead + preroll
        if let next = sounding.first(where: { now < $0.at - cueLead }) {
            timers.append(ArmedTimer(purpose: .cue(id: next.id), at: next.at - cueLead))
        }
        let giveWayLead = Self.giveWayLead + preroll
        let isPlaying = jobs.contains { $0.phase == .playing }
        if isPlaying, let next = sounding.first(where: { !$0.isReminder && now < $0.at - giveWayLead }) {
            timers.append(ArmedTimer(purpose: .giveWay(id: next.id), at: next.at - giveWayLead))
        }
        return timers
    }

    /// The next adhan that is to come: what `status`, `next` and systemd show.
    func nextAdhan(at now: Instant) -> Announcement? {
        guard trust.trusted else { return nil }
        return plan(at: now).first { entry in
            let announcement = entry.announcement
            return entry.enabled && announcement.isAdhan && now < announcement.at
                && saved.outcome(of: announcement.id)?.isFinal != true
        }?.announcement
    }

    mutating func tellStatus(_ turn: inout Turn) {
        let line = currentStatusLine(at: turn.now)
        guard line != statusLine else { return }
        statusLine = line
        turn.add(.tell(.status(line)))
    }

    private func currentStatusLine(at now: Instant) -> String {
        if !trust.trusted { return "Waiting for the clock to be set" }
        let mute = saved.mute.map { $0.scope == .next ? "; muted" : "; \(muteText($0, now: now))" } ?? ""
        if let job = jobs.first(where: { $0.phase == .playing }) {
            return "Playing \(job.announcement.title)\(mute)"
        }
        guard let next = nextAdhan(at: now) else { return "No prayer is enabled\(mute)" }
        return "Next: \(next.prayer.title) \(InstantText.minute(next.at, in: zone))\(mute)"
    }

    /// `muted until 15:04`, `muted until unmuted`, `muted for the next adhan`.
    /// `muted until 15:30`; on another day than today's `muted until Friday 27 November 2026, 11:54`.
    func muteText(_ mute: Mute, now: Instant) -> String {
        if mute.scope == .next { return "muted for the next adhan" }
        guard let until = mute.until else { return "muted until unmuted" }
        let date = zone.civilDate(of: until)
        let day = date == zone.civilDate(of: now) ? "" : "\(LocalText.long(date)), "
        return "muted until \(day)\(InstantText.minute(until, in: zone))"
    }
}
