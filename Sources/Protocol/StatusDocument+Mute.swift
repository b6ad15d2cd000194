import PrayerEngine
import Texts

extension StatusDocument {
    /// Whether an adhan that is due at an instant (RFC 3339) will be silent because of a mute.
    public func isMuted(_ id: String?, at: String) -> Bool {
        guard mute.active else { return false }
        if mute.scope == MuteScope.next.rawValue {
            // An older adhand omits its identity.
            guard let muted = mute.id else { return at == next?.at }
            return id == muted
        }
        guard let until = mute.until.flatMap(InstantText.parse), let instant = InstantText.parse(at) else {
            return true
        }
        return instant < until
    }
}
