package import Announcements
package import PrayerEngine
package import Protocol

/// A mute that a person requested.
package struct Mute: Sendable, Equatable {
    package let scope: MuteScope
    /// The instant of the request, never later than the clock shows; `nil` for `next` and in an older state. The mute does not
    /// silence announcements that were due before.
    package var since: Instant?
    /// The end; `nil`: until unmuted (`all`), or until that adhan's instant has passed (`next`).
    package var until: Instant?
    /// Whether the end was given as a duration: elapsed time counts, so a step of the wall clock moves the end along.
    package var followsElapsedTime: Bool
    /// The adhan that `next` silences.
    package var id: AnnouncementID?
    /// The name of the person or program that requested it; `nil` from an older state without one.
    package var by: String?

    package static func all(since: Instant?, until: Instant?, followsElapsedTime: Bool = false) -> Mute {
        Mute(scope: .all, since: since, until: until, followsElapsedTime: followsElapsedTime, id: nil)
    }

    package static func next(_ announcement: Announcement) -> Mute {
        Mute(scope: .next, since: nil, until: nil, followsElapsedTime: false, id: announcement.id)
    }

    /// Moves the end of a mute by duration when the wall clock is set, so that the remaining time stays the same.
    package mutating func clockWasSet(by seconds: Double) {
        guard followsElapsedTime else { return }
        since = since.map { $0 + seconds }
        until = until.map { $0 + seconds }
    }

    package func isOver(at now: Instant) -> Bool {
        guard let until else { return false }
        // The disk keeps milliseconds: a rounded end must not outlast the prayer at which it was set.
        return now >= until - 0.001
    }

    /// Whether the announcement makes no sound at its instant.
    package func silences(_ announcement: Announcement, at instant: Instant) -> Bool {
        switch scope {
        case .all: !isOver(at: instant) && since.map { instant >= $0 } ?? true
        case .next: id.map { announcement.id == $0 || announcement.id.adhan == $0 } ?? false
        }
    }
}
