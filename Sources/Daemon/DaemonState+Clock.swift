import Announcements
import PrayerEngine
import Protocol
import Texts

/// The worth of the wall clock, and the consequences when it is set.
extension DaemonState {
    mutating func checkClock(_ batch: inout EffectBatch) {
        if trust.look(at: batch.now, clock) { publishTrust(&batch) }
        recordClock(batch.now)
        // A mute is in force from the moment at which it is known, whatever the clock showed when it was asked for.
        defer { if let since = saved.mute?.since { saved.mute?.since = min(since, batch.now) } }
        guard !hasTakenUp else { return }
        guard trust.trusted else {
            // The time that a mute lasted under an unknown clock is unknown; its end on the wall stands.
            if !hasWaited {
                saved.mute?.followsElapsedTime = false
                dropReplacedSounds(&batch)
            }
            hasWaited = true
            return
        }
        // A box that was set up without a clock has been responsible since it has one.
        if saved.since < adhandRelease, hasWaited || saved.resolvedThrough < adhandRelease {
            saved.since = batch.now
        }
        // A box that was set up by a clock that was ahead has been responsible since it has a right one.
        saved.since = min(saved.since, batch.now)
        if !hasWaited { shortenMute(now: batch.now) }
        resumeUnderway(&batch)
    }

    /// A clock that is not believed says neither which day it is nor how long it is until a time of day.
    func refuseByClock(_ value: String, _ advice: String) throws(ControlError) {
        guard !trust.trusted else { return }
        throw .invalidTime(
            value: value,
            reason: "the clock is not set, so it is unknown when that is; \(advice), or set the clock first")
    }

    private mutating func recordClock(_ now: Instant) {
        defer { lastClockLook = now }
        guard trust.trusted else { return }
        if clock.synchronized {
            saved.clock.confirm(now)
        } else {
            saved.clock.goOn(to: now, after: lastClockLook.map { now - $0 } ?? 0)
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
        // A time before the first release was set by no person who knew the time, so the earlier knowledge stays.
        if clock.synchronized || batch.now >= adhandRelease {
            trust.wasSet()
            saved.clock.confirm(batch.now)
        }
        // A person who sets the clock back wants the adhan by the time that it shows now.
        if clock.synchronized || batch.now >= adhandRelease { saved.since = min(saved.since, batch.now) }
        lastAlive = batch.now
        if let last = lastAdhan { lastAdhan = (last.id, last.endedAt + seconds) }
        shiftTone(by: seconds)
        shiftPreroll(by: seconds, &batch)
        // "date --set=now" vouches for the clock, and changes nothing.
        guard abs(seconds) >= Self.smallestStepSeconds else { return }
        let size = NumberText.decimals(abs(seconds), 1)
        batch.publish(
            .clockStepped, .notice,
            "the clock was set \(seconds < 0 ? "back" : "forward") by \(size) s; the plan was made again",
            Notice.Fields(reason: "\(NumberText.decimals(seconds, 3)) s"))
    }

    /// A mute of some minutes must not become one of years because the clock was ahead when it was requested and was
    /// set back unobserved: it keeps the time that was left when the state was saved. A mute requested by a clock like
    /// this one keeps its end.
    private mutating func shortenMute(now: Instant) {
        guard let mute = saved.mute, mute.followsElapsedTime, let until = mute.until,
            now < mute.since ?? saved.resolvedThrough
        else { return }
        saved.mute?.until = now + max(0, until - saved.resolvedThrough)
    }
}
