package import PrayerEngine
import Texts

/// A notice as programs get it: `adhanctl log`, `debug monitor`.
package struct LogEntry: Codable, Sendable, Equatable {
    package let at: String
    package let event: String
    package let level: String
    package let message: String
    package let id: String?
    package let prayer: String?
    package let scheduled: String?
    package let latenessMs: Double?
    package let durationMs: Double?
    package let frames: Int?
    package let dropouts: Int?
    package let device: String?
    package let reason: String?
    /// Why what sounded ended; left out where nothing did.
    package let cause: EndCause?

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
    }
}
