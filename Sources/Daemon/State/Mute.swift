package import PrayerEngine
package import Protocol

/// A silence that somebody asked for.
package struct Mute: Sendable, Equatable {
    package let scope: MuteScope
    /// `nil`: until unmuted (`all`), or until that adhan's instant has passed (`next`).
    package var until: Instant?
    /// True when the end was given as a duration: elapsed time counts, so a step of the wall clock moves the end along.
    package var followsElapsedTime: Bool
    /// The adhan that `next` is about.
    package internal(set) var id: AnnouncementID?

    package static func all(until: Instant?, followsElapsedTime: Bool = false) -> Mute {
        Mute(scope: .all, until: until, followsElapsedTime: followsElapsedTime, id: nil)
    }

    package static func next(_ announcement: Announcement) -> Mute {
        Mute(scope: .next, until: nil, followsElapsedTime: false, id: announcement.id)
    }

    package func isOver(at now: Instant) -> Bool {
        guard let until else { return false }
        // The disk keeps milliseconds: an end that was rounded up must not outlast the prayer it was set to.
        return now >= until - 0.001
    }

    /// Whether the announcement makes no sound at its instant.
    package func silences(_ announcement: Announcement, at instant: Instant) -> Bool {
        switch scope {
        case .all: !isOver(at: instant)
        case .next: id.map { announcement.id == $0 || announcement.id.adhan == $0 } ?? false
        }
    }
}
