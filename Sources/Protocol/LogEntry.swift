public import PrayerEngine
import Texts

/// A notice as programs get it: `adhanctl log`, `debug monitor`.
public struct LogEntry: Codable, Sendable, Equatable {
    public let at: String
    public let event: String
    public let level: String
    public let message: String
    public let id: String?
    public let prayer: String?
    public let scheduled: String?
    public let latenessMs: Double?
    public let durationMs: Double?
    public let frames: Int?
    public let dropouts: Int?
    public let device: String?
    public let reason: String?
    /// The cause for which a sound ended; left out elsewhere.
    public let cause: EndCause?
    /// The person for whom something was changed, as the caller claims, and the caller's user; left out elsewhere.
    public let actor: String?
    public let user: String?
    /// The number of a setting's change, and its key.
    public let change: Int?
    public let setting: String?
    /// The output whose part of a sound it is about; left out elsewhere.
    public let output: String?

    public init(_ notice: Notice, in zone: Zone) {
        at = InstantText.rfc3339(notice.at, in: zone, milliseconds: true)
        event = notice.kind.rawValue
        level = notice.level.name
        message = notice.message
        id = notice.fields.id
        prayer = notice.fields.prayer?.rawValue
        scheduled = notice.fields.scheduled.map { InstantText.rfc3339($0, in: zone, milliseconds: true) }
        latenessMs = notice.fields.latenessMs.map { ($0 * 10).rounded() / 10 }
        durationMs = notice.fields.durationMs.map { $0.rounded() }
        frames = notice.fields.frames
        dropouts = notice.fields.dropouts
        device = notice.fields.device
        reason = notice.fields.reason
        cause = notice.fields.cause
        (actor, user) = (notice.fields.actor, notice.fields.user)
        (change, setting) = (notice.fields.change, notice.fields.setting)
        output = notice.fields.output
    }
}
