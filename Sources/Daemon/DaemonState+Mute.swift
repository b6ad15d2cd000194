import Announcements
import PrayerEngine
import Protocol
import Settings
import StateFile
import Texts
import Times

extension DaemonState {
    mutating func mute(
        _ asked: MuteParameters, by peer: Peer, _ batch: inout EffectBatch
    ) throws(ControlError) -> ChangeReply {
        let given = [asked.duration != nil, asked.until != nil, asked.next == true].count { $0 }
        guard given <= 1 else {
            throw .invalidTime(
                value: asked.duration ?? asked.until ?? "next",
                reason: "give only one of a duration, a time, and \"next\"")
        }
        // An announcement that is due at this moment was due before the mute.
        reconcile(&batch)
        var mute = try resolvedMute(asked, by: peer, now: batch.now)
        mute.by = peer.claim.actor ?? peer.name
        saved.mute = mute
        publishedObstacle = nil
        // Part of the next adhan may already be on its way to a distant loudspeaker: that is cut.
        let echo = fadeOut(
            because: EndedBy(.mute, "adhanctl mute"),
            where: { mute.scope == .all || $0.announcement.id == mute.id }, &batch)
        let what = mute.scope == .next ? "muted for the next adhan" : muteText(mute, now: batch.now)
        let text = what + silencedText(mute, now: batch.now)
        batch.publish(.muteChanged, .notice, text)
        return ChangeReply(
            text + echo, id: mute.id?.description,
            until: mute.until.map { InstantText.rfc3339($0, in: zone, milliseconds: true) }
        )
    }

    /// Refuses a mute that is longer than its role allows: a forgotten mute must end by itself.
    private func refuseLong(
        _ mute: Mute, _ asked: MuteParameters, _ role: SettingRole?, now: Instant
    ) throws(ControlError) {
        guard let longest = role?.longestMuteSeconds, mute.scope == .all,
            mute.until.map({ $0 - now > longest }) ?? true
        else { return }
        throw .invalidTime(
            value: asked.duration ?? asked.until ?? "",
            reason: "with this role a mute ends within \(role == .household ? "24 hours" : "7 days")")
    }

    mutating func unmute(_ batch: inout EffectBatch) -> ChangeReply {
        reconcile(&batch)
        let others = mutedOutputsText(now: batch.now)
        guard saved.mute != nil else { return ChangeReply("it was not muted\(others)") }
        saved.mute = nil
        let next = nextAdhan(at: batch.now).map { "; next is \(upcomingText($0, now: batch.now))" } ?? ""
        batch.publish(.muteChanged, .notice, "unmuted\(next)")
        return ChangeReply("unmuted\(next)\(others)")
    }

    /// Names the rooms that stay silent, which a person who ends a mute may not expect.
    private func mutedOutputsText(now: Instant) -> String {
        saved.outputMutes.map { mute in
            "; output \"\(mute.output)\" stays \(outputMuteText(mute, now: now)): \"adhanctl unmute --output \(mute.output)\""
        }.joined()
    }

    /// The mute that a caller requests; refused where its role does not allow one that long.
    func resolvedMute(
        _ asked: MuteParameters, by peer: Peer, now: Instant
    ) throws(ControlError) -> Mute {
        let mute = try resolve(asked, now: now)
        try refuseLong(mute, asked, inputs.limitedRole(of: peer), now: now)
        return mute
    }

    private func resolve(_ asked: MuteParameters, now: Instant) throws(ControlError) -> Mute {
        if asked.next == true {
            guard let next = nextAdhan(at: now) else {
                throw .invalidTime(value: "next", reason: "no prayer is enabled in the coming 24 hours")
            }
            return .next(next)
        }
        if let text = asked.duration {
            guard let seconds = DurationText.parse(text), seconds > 0 else {
                throw .invalidTime(value: text, reason: "give \(DurationText.described)")
            }
            return .all(since: now, until: now + seconds, followsElapsedTime: true)
        }
        guard let text = asked.until else { return .all(since: now, until: nil) }
        try refuseByClock(
            text, "mute for a duration, such as \"adhanctl mute 2h\", or until \"adhanctl unmute\"")
        if let prayer = Prayer(rawValue: text.lowercased()) {
            guard let instant = nextInstant(of: prayer, after: now) else {
                throw .invalidTime(value: text, reason: "it does not occur in the coming week")
            }
            return .all(since: now, until: instant)
        }
        guard let second = ClockText.secondOfDay(text) else {
            // A word is a misspelt prayer; anything else is a time.
            if text.allSatisfy(\.isLetter), !text.isEmpty { throw .unknownPrayer(prayer: text) }
            throw .invalidTime(
                value: text, reason: "write a time of day such as 14:00, or a prayer such as isha")
        }
        return .all(since: now, until: nextInstant(atSecond: Double(second), after: now))
    }

    /// The next instant of a prayer, whether it is enabled or not.
    private func nextInstant(of prayer: Prayer, after now: Instant) -> Instant? {
        let today = zone.civilDate(of: now)
        for ahead in -1...8 {
            let date = today.adding(days: ahead)
            guard Prayer.prayers(on: date).contains(prayer) || prayer == .dhuhr else { continue }
            if let at = inputs.site.times.day(date)[prayer.event], at > now { return at }
        }
        return nil
    }

    private func nextInstant(atSecond second: Double, after now: Instant) -> Instant {
        let today = zone.civilDate(of: now)
        let candidates = (0...2).map { zone.instant(of: today.adding(days: $0), secondOfDay: second) }
        return candidates.first { $0 > now } ?? now + 86_400
    }

    /// ` (Asr 14:31 will be silent)`
    private func silencedText(_ mute: Mute, now: Instant) -> String {
        let silenced = plan(at: now).map(\.announcement).filter {
            $0.isAdhan && now < $0.at && mute.silences($0, at: $0.at)
                && saved.outcome(of: $0.id)?.isFinal != true
        }
        guard let first = silenced.first else { return " (no adhan is due before that)" }
        let listed = silenced.prefix(5).map { "\($0.prayer.title) \(InstantText.minute($0.at, in: zone))" }
        if mute.until == nil, mute.scope == .all {
            return " (the first silent one: \(first.prayer.title) \(InstantText.minute(first.at, in: zone)))"
        }
        let others =
            silenced.count > 5 || mute.until.map { $0 > now + Self.horizonSeconds } == true ? " and more" : ""
        return " (\(listed.joined(separator: ", "))\(others) will be silent)"
    }
}
