import Announcements
import Daemon
import PrayerEngine
import Protocol
import Settings
import StateFile

/// Checks the promise of a planned stop: if the program starts again soon, it resumes the sound that it faded out.
extension Checker {
    struct Pause {
        let announcement: Announcement
        /// The start by the wall clock.
        let startedAt: Instant
        /// The length of the sound in seconds.
        let durationSeconds: Double
        /// The true seconds of the last moment of the program, or of the moment at which the machine fell asleep before that.
        var until: Double?
    }

    /// The seconds within which a program that was stopped on purpose surely resumes its sound: less than the 20 of the promise,
    /// of which a fade and the start itself may take some.
    private static let soonSeconds = 14.0

    /// Notes that the program is asked to end: the next run records later announcements.
    mutating func stops(_ state: DaemonState) {
        isStarted = false
        wasAskedAtEnd = false
        paused = state.jobs.compactMap { job in
            guard job.phase == .playing, !job.announcement.isTest, let startedAt = job.startedAt,
                let durationSeconds = job.durationSeconds
            else { return nil }
            return Pause(
                announcement: job.announcement, startedAt: startedAt,
                durationSeconds: durationSeconds + job.positionSeconds)
        }
    }

    /// Notes another boot, which ends any call.
    mutating func powerFailed() {
        paused = []
        lostWithPower.formUnion(cutOff.keys)
    }

    /// Checks that a sound is resumed after a planned stop, unless a person ended it.
    mutating func checkEnd(_ entry: HistoryEntry, _ id: AnnouncementID) {
        guard let who = entry.endedBy, isDeviceReport, !wasAskedAtEnd else { return }
        require(
            !paused.contains { $0.announcement.id == id && $0.until == nil },
            "\(id) is ended for good by \(who) while adhand stops")
    }

    mutating func checkResumed(_ state: DaemonState, now: Instant, elapsed: Double) {
        defer { paused = [] }
        guard state.trust.trusted, !isUnsure else { return }
        for pause in paused {
            let announcement = pause.announcement
            let positionSeconds = now + state.inputs.config.prerollSeconds - pause.startedAt
            guard let until = pause.until, elapsed - until <= Self.soonSeconds,
                0 <= positionSeconds, positionSeconds < pause.durationSeconds - 0.1,
                !isSilenced(announcement.id, by: state.saved.mute, at: now),
                isPlannedNow(announcement, state, now: now)
            else { continue }
            require(
                state.jobs.contains { $0.announcement.id == announcement.id && $0.phase != .cued },
                "\(announcement.id) does not go on although adhand is back \(elapsed - until) s after its stop"
            )
        }
    }

    private mutating func isPlannedNow(_ announcement: Announcement, _ state: DaemonState, now: Instant)
        -> Bool
    {
        guard announcement.isPlanned else { return true }
        return referencePlan.plan(state, around: now).contains { $0.isEnabled && $0.id == announcement.id }
    }
}
