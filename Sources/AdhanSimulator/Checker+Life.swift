import Announcements
import Daemon
import PrayerEngine
import Protocol
import Settings
import StateFile
import Times

/// Follows the life of the program and its clock.
extension Checker {
    /// - Parameter soundUntil: the true seconds until which anything played. If the machine fell asleep, that is the moment when
    /// it did.
    mutating func died(at elapsed: Double, soundUntil: Double, now: Instant, state: DaemonState) {
        if state.trust.trusted { responsibleFrom = responsibleFrom ?? now }
        // Include the responsibility that the last event gave: at the next start, the clock may be behind.
        responsibleAtMost = max(responsibleAtMost, state.saved.since)
        // Include sounds that ended in the event over which the program died.
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
        // Drop sounds with a record: they were over before the program was. A record of the next run means that it did not
        // resume them.
        paused.removeAll { recorded[$0.announcement.id] != nil }
        for index in paused.indices { paused[index].until = paused[index].until ?? soundUntil }
    }

    /// Records a start, before the disk is read. Writes that the disk refused or lost are unknown to the next run.
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

    /// Records that a line of the history did not reach the disk.
    mutating func lost(_ text: String) {
        guard let id = AnnouncementID(text) else { return broken("\(text) is no identity") }
        unrecorded.insert(id)
        recorded[id] = nil
        records += 1
    }

    /// Records that a sound is to end, at once or soon. A sound that had only just begun was inaudible.
    mutating func silenced(_ token: Int, at elapsed: Double) {
        guard let id = soundOf[token], let at = audibleFrom[id], elapsed < at + Self.hushedSeconds else {
            return
        }
        begun[id] = nil
    }

    /// Records that the machine slept, with every sound that it was about to play.
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
        // If the machine dies between a sound's start and its record, and the clock is then set back, the next run does not know
        // of the sound.
        begun = begun.filter { cutOff[$0.key] == nil || disk.saved?.outcome(of: $0.key) != nil }
        isClockTouched = true
        mute.forget()
    }

    /// Notes a move to another zone. Announcements from before the setup may then have dates after it, and handled ones may be in
    /// the future.
    mutating func moved() {
        hasMoved = true
    }

    mutating func clockStepped(to now: Instant, by seconds: Double, at elapsed: Double) {
        responsibleFrom = responsibleFrom.map { min($0, now) }
        // A sound that is still silent continues when the clock is set back a little. It is then heard that much early, and
        // recorded for its instant.
        guard -Limits.earlySeconds..<0 ~= seconds else { return }
        for (id, from) in beganAt where elapsed < from { beganAt[id] = from - seconds }
    }
}
