internal import Texts

/// How a prayer of today stands at the moment of a status: the one rule of all who show it.
package enum PrayerStage: String, Codable, Sendable, CaseIterable {
    /// Its time was over when adhand started. No alarm: on the day of the installation that is normal, and for other days the
    /// history has the misses.
    case beforeStart = "before-start"
    /// Its time has come, and adhand has not said yet what came of it.
    case passed
    case upcoming
    /// The one of ``StatusDocument/next``.
    case next
    /// Mutes and skips that are decided stand here before their time, too.
    case muted, skipped
    case skipping
    /// Silent by a quiet window, or to be.
    case quiet
    case playing
    /// adhand plays it, and its device does not sound.
    case unheard
    /// Heard, but not everywhere.
    case partial
    case played, disabled, silent, interrupted, missed, failed
}

extension StatusDocument {
    package func stage(of prayer: PrayerState) -> PrayerStage {
        func isOver(at instant: String) -> Bool {
            guard let at = InstantText.parse(prayer.at), let limit = InstantText.parse(instant) else {
                return false
            }
            return at <= limit
        }
        return switch prayer.state {
        case .missed: isOver(at: startedAt) ? .beforeStart : .missed
        case .upcoming where isOver(at: now): .passed
        case .upcoming where isMuted(prayer.id, at: prayer.at): .muted
        case .upcoming where prayer.enabled && prayer.outputs?.silencedBy != nil: .quiet
        case .upcoming where prayer.enabled && prayer.outputs?.isUnplayed == true: .silent
        case .upcoming: prayer.at == next?.at ? .next : .upcoming
        case .playing: playback.problem != nil && playback.prayer == prayer.prayer ? .unheard : .playing
        case .skipped: isOver(at: now) ? .skipped : .skipping
        case .played: .played
        case .partial: .partial
        case .disabled: .disabled
        case .silent: .silent
        case .quiet: .quiet
        case .muted: .muted
        case .interrupted: .interrupted
        case .failed: .failed
        }
    }
}
