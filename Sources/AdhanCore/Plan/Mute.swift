package import PrayerEngine

/// A silence that somebody asked for.
package struct Mute: Sendable, Equatable {
    package enum Scope: String, Sendable, Codable {
        /// Everything until the end, or until `unmute`.
        case all
        /// The next adhan, with what reminds of it.
        case next
    }

    /// Why an adhan that was muted would make no sound anyway.
    package enum Obstacle: String, Sendable, Codable {
        /// It is skipped for its day.
        case skipped
        /// Its prayer is switched off.
        case disabled
        /// The timetable does not have its day, and nothing is called then.
        case missing
    }

    package let scope: Scope
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

extension Mute.Obstacle {
    /// What the mute of one adhan comes to; `adhan`: `Asr 14:31`.
    package func sentence(of adhan: String) -> String {
        let why =
            switch self {
            case .skipped: "is skipped"
            case .disabled: "is switched off"
            case .missing: "is not called, because the timetable does not have its day"
            }
        return "nothing is muted: \(adhan), which was muted, \(why)"
    }
}
