import Announcements
import PrayerEngine
import Protocol

/// Announcements of the coming minutes, from their preflight to their first sound.
struct CueRecord: Sendable {
    /// Those that have had their preflight.
    var preflighted: Set<AnnouncementID> = []
    /// Those whose preflight found a silent mixer.
    var silent: Set<AnnouncementID> = []
    /// Those whose `prayer.cued` was published, and that have neither begun nor been released.
    var published: [Announcement] = []
    /// When a sound was last prepared.
    var lastAt: Instant?
}
