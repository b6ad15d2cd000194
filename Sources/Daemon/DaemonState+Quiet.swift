import PrayerEngine
import Protocol
import Settings
import Texts

/// Quiet windows: how loud an announcement is by the configuration's `[[quiet]]`, judged once, at the instant at which its sound begins.
extension DaemonState {
    /// The window that makes an announcement quieter at an instant, if one does.
    func window(over announcement: Announcement, at instant: Instant) -> QuietWindow? {
        let windows = inputs.config.quiet
        guard !windows.isEmpty else { return nil }
        return windows.lowering(
            announcement.ownVolumePercent, of: announcement.id.announcedKind, on: QuietWindow.mainOutput,
            at: instant,
            in: zone)
    }

    /// The window that silences it at an instant.
    func silencing(_ announcement: Announcement, at instant: Instant) -> QuietWindow? {
        window(over: announcement, at: instant).flatMap { $0.isSilent ? $0 : nil }
    }

    /// As loud as the windows of an instant let it be.
    func judged(_ announcement: Announcement, at instant: Instant) -> Announcement {
        announcement.under(window(over: announcement, at: instant))
    }

    /// The instant by which an announcement is judged that is called now: its own, unless it is late. One whose sound has begun was
    /// judged.
    func instantOfJudgement(_ announcement: Announcement, now: Instant) -> Instant {
        let hasBegun = jobs.contains {
            $0.phase == .cued && $0.startedAt != nil && $0.announcement.id == announcement.id
        }
        return hasBegun || now - announcement.at < Self.punctualSeconds ? announcement.at : now
    }

    /// The volume of each output, for documents; `nil` where the configuration has no window.
    func outputs(of announcement: Announcement) -> [OutputPlan]? {
        guard !inputs.config.quiet.isEmpty else { return nil }
        let judged = judged(announcement, at: announcement.at)
        return [OutputPlan(name: QuietWindow.mainOutput, volume: judged.volumePercent, quiet: judged.quiet)]
    }

    // MARK: Tests

    /// A test is as loud as an adhan would be now, unless the caller may say otherwise and does.
    func judgedTest(
        _ test: Announcement, despiteQuiet: Bool, now: Instant
    ) throws(ControlError) -> Announcement {
        guard !despiteQuiet, let window = window(over: test, at: now) else { return test }
        guard window.isSilent else { return test.under(window) }
        throw .quiet(window: window.name, until: window.end(after: now, in: zone).map { text($0) } ?? "")
    }

    // MARK: The tone that keeps a loudspeaker awake

    /// Seconds before the end of a silent window from which on the loudspeaker is kept awake again.
    private static let awakeBeforeEndSeconds = 300.0

    /// From when on the tone may sound: a window that silences everything silences it, too. `nil`: not within a year.
    func toneAllowed(from instant: Instant) -> Instant? {
        var at = instant
        // Each round ends one window; more than there are means that one follows the other for ever.
        for _ in 0...inputs.config.quiet.count {
            let inForce = inputs.config.quiet.first {
                $0.isSilent && $0.kinds.isEmpty && $0.outputs.allSatisfy { $0 == QuietWindow.mainOutput }
                    && $0.holds(at: at, in: zone) && $0.holds(at: at + Self.awakeBeforeEndSeconds, in: zone)
            }
            guard let inForce else { return at }
            guard let end = inForce.end(after: at, in: zone) else { return nil }
            at = max(at, end - Self.awakeBeforeEndSeconds)
        }
        return nil
    }
}

extension AnnouncementID {
    /// The kind that windows are written for.
    var announcedKind: AnnouncedKind {
        switch kind {
        case .adhan, .simulated, .test: .adhan
        case .iqama: .iqama
        case .khutba: .khutba
        case .reminder, .iqamaReminder: .reminder
        case .wake: .wake
        case .imsak: .imsak
        case .takbirat: .takbirat
        case .call: .call
        }
    }
}
