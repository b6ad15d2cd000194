import Announcements
import Daemon
import PrayerEngine
import Protocol
import StateFile
import Texts

/// Compares the daemon with the last mute that it accepted: one for a duration follows elapsed time, one until a wall time
/// follows the wall clock, and neither ends early or late.
struct MuteChecker {
    private enum Agreement {
        case untilUnmuted
        /// The true seconds of the end, and the tolerance for the clock's error.
        case elapsed(Double, slack: Double)
        case wall(Instant)
        case next(AnnouncementID)
    }

    private var agreed: Agreement?

    /// The end of the mute cannot be known after this event.
    mutating func forget() {
        agreed = nil
    }

    /// Forgets a duration: a program that does not know the time does not know either how long it was away.
    mutating func forgetDuration() {
        if case .elapsed = agreed { agreed = nil }
    }

    mutating func noteRequest(_ asked: MuteParameters, _ reply: ChangeReply, elapsed: Double) {
        if asked.next == true {
            agreed = reply.id.flatMap { AnnouncementID($0) }.map { .next($0) }
        } else if let text = asked.duration {
            // A clock whose rate is wrong by a thousandth measures wrong durations, and nobody can notice.
            agreed = DurationText.parse(text).map { .elapsed(elapsed + $0, slack: 0.5 + $0 * 0.003) }
        } else if asked.until != nil {
            agreed = reply.until.flatMap { InstantText.parse($0) }.map { .wall($0) }
        } else {
            agreed = .untilUnmuted
        }
    }

    /// - Returns: the broken promise, if there is one.
    mutating func check(_ saved: SavedState, now: Instant, elapsed: Double) -> String? {
        let mute = saved.mute
        switch agreed {
        case nil: return nil
        case .untilUnmuted: return mute?.scope == .all ? nil : "muted until unmuted, and yet not muted"
        case .elapsed(let end, let slack):
            if elapsed < end - slack { return mute == nil ? "a mute ends \(end - elapsed) s early" : nil }
            if mute == nil { agreed = nil }
            return mute == nil || elapsed <= end + slack
                ? nil : "a mute for a duration lasts \(elapsed - end) s too long"
        case .wall(let end):
            if now < end - 0.001 { return mute == nil ? "a mute ends \(end - now) s early" : nil }
            if mute == nil { agreed = nil }
            return mute == nil || now <= end + 0.001
                ? nil : "a mute until a wall time lasts \(now - end) s too long"
        case .next(let id):
            if saved.outcome(of: id) == nil { return nil }
            agreed = nil
            return mute == nil ? nil : "the mute of \(id) outlasts it"
        }
    }
}
