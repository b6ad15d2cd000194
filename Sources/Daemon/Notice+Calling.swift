import Announcements
import PrayerEngine
import Protocol
import Texts

/// The sentences about announcements in the log.
extension Notice {
    static func began(_ job: Job, at instant: Instant, in zone: Zone) -> Notice {
        let announcement = job.announcement
        let lateness = (instant - announcement.at) * 1000
        let device = job.device ?? "?"
        let what =
            ([announcement.sounds.joined(separator: ", ")] + (job.durationSeconds.map { [seconds($0)] } ?? []))
            .joined(separator: ", ")
        var fields = Fields(announcement, device: device)
        switch announcement.id.kind {
        case .test:
            return Notice(
                .testStarted, .info, at: instant, "\(announcement.title) started on \"\(device)\" (\(what))",
                fields)
        case .reminder, .iqamaReminder:
            fields.latenessMs = lateness
            let text =
                "\(announcement.title) started \(distance(lateness, announcement.at, zone)) on \"\(device)\" (\(what))"
            return Notice(.reminderStarted, .info, at: instant, text, fields)
        case .adhan, .iqama, .khutba, .wake, .imsak, .takbirat, .call, .simulated:
            fields.latenessMs = lateness
            let call = announcement.isAdhan || announcement.isSimulated ? "adhan " : ""
            let resumed =
                job.positionSeconds > 0
                ? "\(call)resumed at \(seconds(job.positionSeconds))," : "\(call)started"
            let text =
                "\(announcement.title): \(resumed) \(distance(lateness, announcement.at, zone)) on \"\(device)\" (\(what))"
            return Notice(.prayerStarted, .info, at: instant, text, fields)
        }
    }

    static func ended(
        _ job: Job, _ outcome: Outcome, _ result: JobResult, reason: String?, _ cause: EndCause,
        at now: Instant
    ) -> Notice {
        let announcement = job.announcement
        var fields = Fields(announcement, device: result.device, reason: reason)
        fields.cause = cause
        fields.durationMs = result.seconds * 1000
        fields.frames = result.framesPlayed
        fields.dropouts = result.dropouts
        let heard =
            "\(seconds(result.seconds)) heard, \(result.dropouts == 0 ? "no dropouts" : "dropouts: \(result.dropouts)")"
        let because = reason.map { ": \($0)" } ?? ""
        let kind: Kind
        let level: Level
        let text: String
        switch (outcome, announcement.isTest) {
        case (.failed, let isTest):
            kind = isTest ? .testFinished : .prayerFailed
            level = .error
            text = "failed\(because)"
        case (.partial, false):
            (kind, level, text) = (.prayerFinished, .warning, "finished, not everywhere, \(heard)\(because)")
        case (_, true): (kind, level, text) = (.testFinished, .info, "finished, \(heard)\(because)")
        case (.interrupted, _):
            (kind, level, text) = (.prayerInterrupted, .notice, "cut short after \(heard)\(because)")
        default: (kind, level, text) = (.prayerFinished, .info, "finished, \(heard)\(because)")
        }
        return Notice(kind, level, at: now, "\(announcement.title): \(text)", fields)
    }

    static func notCalled(
        _ announcement: Announcement, _ outcome: Outcome, _ reason: String, at now: Instant, in zone: Zone
    ) -> Notice {
        let time = InstantText.exact(announcement.at, in: zone)
        let fields = Fields(announcement, reason: reason)
        let (kind, level): (Kind, Level) =
            switch outcome {
            case .muted: (.prayerMuted, .notice)
            case .missed: (.prayerMissed, .error)
            default: (.prayerSkipped, .info)
            }
        return Notice(kind, level, at: now, "\(announcement.title) \(time) was not called: \(reason)", fields)
    }

    static func reachedSilently(_ announcement: Announcement, at now: Instant, in zone: Zone) -> Notice {
        var fields = Fields(announcement, reason: "silent")
        fields.latenessMs = (now - announcement.at) * 1000
        let time = InstantText.exact(announcement.at, in: zone)
        let kind: Kind = announcement.isReminder ? .reminderStarted : .prayerStarted
        return Notice(
            kind, .info, at: now, "\(announcement.title) \(time): reached; its sound is \"silent\"", fields)
    }

    /// `3 ms after 16:32:00`, `2.5 s after …`, `2 ms before …`
    private static func distance(_ milliseconds: Double, _ instant: Instant, _ zone: Zone) -> String {
        let size = abs(milliseconds)
        let amount =
            size < 1000 ? "\(NumberText.decimals(size, 0)) ms" : "\(NumberText.decimals(size / 1000, 1)) s"
        return "\(amount) \(milliseconds < 0 ? "before" : "after") \(InstantText.exact(instant, in: zone))"
    }

    private static func seconds(_ value: Double) -> String {
        "\(NumberText.decimals(value, 1)) s"
    }
}
