import Announcements
import Daemon
import PrayerEngine
import Protocol
import Settings
import Times

/// Follows the life of the program and its clock.
extension Checker {
    /// - Parameter soundUntil: true seconds up to which anything sounded: until the machine fell asleep, if it did.
    mutating func died(at elapsed: Double, soundUntil: Double, now: Instant, state: DaemonState) {
        if state.trust.trusted { responsibleFrom = responsibleFrom ?? now }
        // Since when the box was responsible in the very event over which it died: an earlier clock may say otherwise at the start.
        responsibleAtMost = max(responsibleAtMost, state.saved.since)
        // Sounds that ended in the very event over which the program died, too.
        for job in state.jobs + jobsBefore where job.phase != .cued {
            cutOff[job.announcement.id] = elapsed
        }
        // A sound that was cut off in its first moment, before the disk recorded it, was inaudible.
        for id in soundOf.values {
            let sounded = beganAt[id].map { soundUntil - $0 } ?? 0
            if sounded < Self.audibleSeconds { begun[id] = nil }
        }
        cues.died(state, now: now)
        isStarted = false
        soundOf = [:]
        // Where it has a record by now, it was over before the program was; a record of the next run means that it did not go on.
        paused.removeAll { recorded[$0.announcement.id] != nil }
        for index in paused.indices { paused[index].until = paused[index].until ?? soundUntil }
    }

    /// Notes a start, before the disk is read. Writes that it refused or lost are unknown to the next run.
    mutating func starts(at elapsed: Double, disk: Disk) {
        disturbed(at: elapsed)
        cues.starts(isGappy: disk.isGappy)
        (toneAt, cueAt) = (nil, nil)
        kept = disk.saved
        // A run without a trusted clock leaves its interrupted sound to the next.
        isUnsure = disk.isGappy || isClockTouched || (isUnsure && !hasKnownTime)
        hasKnownTime = false
        isClockTouched = false
        soundOf = [:]
        if let broken = trust.starts(confirmed: kept?.clock.confirmed) { self.broken(broken) }
        guard disk.isGappy else { return }
        let witnesses = disk.witnesses()
        begun = begun.filter { disk.knowsHeard($0.key, witnesses: witnesses) }
        mute.forget()
    }

    /// A line of the history did not reach the disk.
    mutating func lost(_ text: String) {
        guard let id = AnnouncementID(text) else { return broken("\(text) is no identity") }
        unrecorded.insert(id)
        recorded[id] = nil
        records += 1
    }

    /// Notes that a sound is to end, at once or soon. A sound that had only just begun was inaudible.
    mutating func silenced(_ token: Int, at elapsed: Double) {
        guard let id = soundOf[token], let at = audibleFrom[id], elapsed < at + Self.hushedSeconds else {
            return
        }
        begun[id] = nil
    }

    /// The machine slept, and whatever it was about to sound with it.
    mutating func slept(from start: Double, to end: Double) {
        disturbed(at: end)
        for (id, from) in audibleFrom where start < from + Self.hushedSeconds {
            audibleFrom[id] = max(from, start) + end - start
        }
        for (id, from) in beganAt where start < from + Self.audibleSeconds {
            beganAt[id] = from + end - start
        }
    }

    mutating func clockTouchedUnseen(_ disk: Disk) {
        // Cut off between the start and the note of it, and then set back: indistinguishable from a sound that never began.
        begun = begun.filter { cutOff[$0.key] == nil || disk.saved?.outcome(of: $0.key) != nil }
        isClockTouched = true
        mute.forget()
    }

    /// Notes a move to another zone, in which announcements before the box was set up may be dated after it, and handled ones in
    /// the future.
    mutating func moved() {
        hasMoved = true
    }

    mutating func clockStepped(to now: Instant, by seconds: Double, at elapsed: Double) {
        responsibleFrom = responsibleFrom.map { min($0, now) }
        // A sound that is still silent continues when the clock is set back a little: it is heard that much early, and noted at
        // its instant.
        guard -Limits.earlySeconds..<0 ~= seconds else { return }
        for (id, from) in beganAt where elapsed < from { beganAt[id] = from - seconds }
    }
}
