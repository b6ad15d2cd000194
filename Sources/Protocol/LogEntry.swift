package import PrayerEngine
import Texts

/// A notice as programs receive it: `adhanctl log`, `debug monitor`.
public struct LogEntry: Codable, Sendable, Equatable {
    /// RFC 3339 in milliseconds: when it happened.
    public let at: String
    /// The kind of event: a ``Notice/Kind`` as text; a later adhand may have others.
    public let event: String
    /// `debug`, `info`, `notice`, `warning` or `error`.
    public let level: String
    /// One sentence for a person.
    public let message: String
    /// The announcement concerned, as text: see ``AnnouncementID``; omitted otherwise.
    public let id: String?
    /// The prayer concerned; omitted otherwise.
    public let prayer: String?
    /// RFC 3339 in milliseconds: when the announcement is due; omitted otherwise.
    public let scheduled: String?
    /// Milliseconds from ``scheduled`` to the first sound, to a tenth; omitted for other events.
    public let latenessMs: Double?
    /// Milliseconds of a sound that were heard, whole ones; omitted where none ended.
    public let durationMs: Double?
    /// Frames that the device played; omitted where no sound ended.
    public let frames: Int?
    /// How many times the device ran empty; omitted where no sound ended.
    public let dropouts: Int?
    /// The device concerned; omitted otherwise.
    public let device: String?
    /// Why it happened, in words; omitted where the kind suffices.
    public let reason: String?
    /// The cause for which a sound ended; omitted otherwise.
    public let cause: EndCause?
    /// The person for whom something was changed, as the caller claims; omitted otherwise.
    public let actor: String?
    /// The user whose program made the request; omitted otherwise.
    public let user: String?
    /// The number of a change of settings; omitted otherwise.
    public let change: Int?
    /// The key of the setting as a dotted path; omitted otherwise.
    public let setting: String?
    /// The output whose part of a sound is concerned; omitted otherwise.
    public let output: String?

    package init(_ notice: Notice, in zone: Zone) {
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
