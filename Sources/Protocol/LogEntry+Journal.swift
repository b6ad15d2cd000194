package import PrayerEngine
import Texts

/// Events from the journal (the fields are in adhand(8)), for the time before adhand was started.
extension LogEntry {
    /// The fields that ``entries(journal:in:)`` reads.
    package static let journalFields = [
        "MESSAGE", "PRIORITY", "ADHAND_EVENT", "ADHAND_ID", "ADHAND_PRAYER", "ADHAND_SCHEDULED",
        "ADHAND_LATENESS_MS",
        "ADHAND_DURATION_MS", "ADHAND_FRAMES", "ADHAND_DROPOUTS", "ADHAND_DEVICE", "ADHAND_REASON",
        "ADHAND_CAUSE", "ADHAND_ACTOR", "ADHAND_USER", "ADHAND_CHANGE", "ADHAND_SETTING", "ADHAND_OUTPUT",
    ]

    /// Reads the output of `journalctl -o json`, an object a line. Skips unreadable lines, and lines that are not adhand's
    /// events, such as systemd's about the service.
    package static func entries(journal text: String, in zone: Zone) -> [LogEntry] {
        text.split(separator: "\n").compactMap { line in
            (try? JSON.decode(JournalLine.self, from: line.utf8)).flatMap { LogEntry($0, in: zone) }
        }
    }

    private init?(_ line: JournalLine, in zone: Zone) {
        guard let event = line.event, let message = line.message,
            let micros = line.realtime.flatMap(Double.init),
            let level = line.priority.flatMap({ Int($0) }).flatMap({ number in
                Notice.Level.allCases.first { Int($0.rawValue) == number }
            })
        else { return nil }
        at = InstantText.rfc3339(Instant(unixSeconds: micros / 1e6), in: zone, milliseconds: true)
        self.event = event
        self.level = level.name
        self.message = message
        id = line.id
        prayer = line.prayer
        scheduled = line.scheduled
        latenessMs = line.lateness.flatMap(Double.init)
        durationMs = line.duration.flatMap(Double.init)
        frames = line.frames.flatMap { Int($0) }
        dropouts = line.dropouts.flatMap { Int($0) }
        device = line.device
        reason = line.reason
        cause = line.cause.flatMap { EndCause(rawValue: $0) }
        (actor, user) = (line.actor, line.user)
        (change, setting) = (line.change.flatMap { Int($0) }, line.setting)
        output = line.output
    }
}

/// One line of `journalctl -o json`: every value is a text.
private struct JournalLine: Decodable {
    let message: String?
    let priority: String?
    let realtime: String?
    let event: String?
    let id: String?
    let prayer: String?
    let scheduled: String?
    let lateness: String?
    let duration: String?
    let frames: String?
    let dropouts: String?
    let device: String?
    let reason: String?
    let cause: String?
    let actor: String?
    let user: String?
    let change: String?
    let setting: String?
    let output: String?

    private enum CodingKeys: String, CodingKey {
        case message = "MESSAGE"
        case priority = "PRIORITY"
        case realtime = "__REALTIME_TIMESTAMP"
        case event = "ADHAND_EVENT"
        case id = "ADHAND_ID"
        case prayer = "ADHAND_PRAYER"
        case scheduled = "ADHAND_SCHEDULED"
        case lateness = "ADHAND_LATENESS_MS"
        case duration = "ADHAND_DURATION_MS"
        case frames = "ADHAND_FRAMES"
        case dropouts = "ADHAND_DROPOUTS"
        case device = "ADHAND_DEVICE"
        case reason = "ADHAND_REASON"
        case cause = "ADHAND_CAUSE"
        case actor = "ADHAND_ACTOR"
        case user = "ADHAND_USER"
        case change = "ADHAND_CHANGE"
        case setting = "ADHAND_SETTING"
        case output = "ADHAND_OUTPUT"
    }
}
