import Announcements
import PrayerEngine
import Protocol
import StateFile
import Texts

/// Whether the wall clock can be trusted, and what follows when it is set.
extension DaemonState {
    mutating func checkClock(_ batch: inout EffectBatch) {
        if trust.update(at: batch.now, clock) { publishTrust(&batch) }
        recordClock(batch.now)
        // A mute is in force from the moment of its request, even if the clock was ahead at the time.
        defer { if let since = saved.mute?.since { saved.mute?.since = min(since, batch.now) } }
        guard !hasTakenUp else { return }
        guard trust.trusted else {
            // How long a mute lasted under an unknown clock is unknown; its end by the wall clock stands.
            if !hasWaited {
                saved.mute?.followsElapsedTime = false
                dropReplacedSounds(&batch)
            }
            hasWaited = true
            return
        }
        // A box that was set up without a clock is responsible from the moment when it has one.
        if saved.since < adhandRelease, hasWaited || saved.resolvedThrough < adhandRelease {
            saved.since = batch.now
        }
        // A box that was set up while its clock was ahead is responsible from the moment when its clock is right.
        saved.since = min(saved.since, batch.now)
        if !hasWaited { shortenMute(now: batch.now) }
        resumeUnderway(&batch)
    }

    /// Refuses a time that depends on an untrusted clock: neither today's date nor the time until a time of day is known.
    func refuseByClock(_ value: String, _ advice: String) throws(ControlError) {
        guard !trust.trusted else { return }
        throw .invalidTime(
            value: value,
            reason: "the clock is not set, so it is unknown when that is; \(advice), or set the clock first")
    }

    private mutating func recordClock(_ now: Instant) {
        defer { lastClockCheck = now }
        guard trust.trusted else {
            // A clock that was never set contradicts nothing.
            if !clock.isUnknown, now >= adhandRelease { saved.clock.dropCandidate(after: now) }
            return
        }
        if clock.synchronized {
            saved.clock.confirm(now)
        } else {
            saved.clock.goOn(to: now, after: lastClockCheck.map { now - $0 } ?? 0)
        }
    }

    private func publishTrust(_ batch: inout EffectBatch) {
        if trust.trusted {
            batch.publish(.clockTrusted, .notice, "the clock can be trusted; prayers are called again")
        } else {
            batch.publish(
                .clockUntrusted, .warning,
                ClockDoubt(now: InstantText.rfc3339(batch.now, in: zone), seen: seenText).sentence)
        }
    }

    mutating func wokeUp(_ batch: inout EffectBatch) {
        forgiveSleep(now: batch.now)
        batch.explain("the machine woke up; plan and clock are looked at again")
    }

    mutating func clockStepped(by seconds: Double, _ batch: inout EffectBatch) {
        saved.mute?.clockWasSet(by: seconds)
        for index in saved.outputMutes.indices { saved.outputMutes[index].clockWasSet(by: seconds) }
        // A time before the first release was not set by a person who knew the time, so the earlier knowledge stays.
        if clock.synchronized || batch.now >= adhandRelease {
            trust.wasSet()
            saved.clock.confirm(batch.now)
        }
        // A person who sets the clock back wants the adhan at the time that it now shows.
        if clock.synchronized || batch.now >= adhandRelease { saved.since = min(saved.since, batch.now) }
        lastAlive = batch.now
        if let last = lastAdhan { lastAdhan = (last.id, last.endedAt + seconds) }
        shiftTone(by: seconds)
        shiftPreroll(by: seconds, &batch)
        // "date --set=now" confirms the clock and changes nothing.
        guard abs(seconds) >= Self.smallestStepSeconds else { return }
        let size = NumberText.decimals(abs(seconds), 1)
        batch.publish(
            .clockStepped, .notice,
            "the clock was set \(seconds < 0 ? "back" : "forward") by \(size) s; the plan was made again",
            Notice.Fields(reason: "\(NumberText.decimals(seconds, 3)) s"))
    }

    /// Keeps a mute of some minutes from becoming one of years because the clock was ahead when it was requested and was set back
    /// unobserved: the mute keeps the time that was left when the state was saved. A mute that was requested by a clock like the
    /// present one keeps its end.
    private mutating func shortenMute(now: Instant) {
        guard let mute = saved.mute, mute.followsElapsedTime, let until = mute.until,
            now < mute.since ?? saved.resolvedThrough
        else { return }
        saved.mute?.until = now + max(0, until - saved.resolvedThrough)
    }
}
