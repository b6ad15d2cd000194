internal import Texts

/// The stage of a prayer of today at the moment of a status: the one rule for all displays.
package enum PrayerStage: String, Codable, Sendable, CaseIterable {
    /// Its time was over when adhand started. No alarm: this is normal on the day of the installation, and for other days the
    /// history has the misses.
    case beforeStart = "before-start"
    /// Its time has come, but its outcome is not known yet.
    case passed
    case upcoming
    /// It is ``StatusDocument/next``.
    case next
    /// It is muted or skipped, even before its time.
    case muted, skipped
    case skipping
    /// A quiet window silences it, or will.
    case quiet
    case playing
    /// adhand plays it, but its device is silent.
    case unheard
    /// It was heard, but not everywhere.
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
