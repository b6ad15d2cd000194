import Announcements
import PrayerEngine
import Protocol
import Settings
import StateFile
import Texts

/// How loud an announcement is on each output: filters, volumes, mutes of single outputs and the configured `[[quiet]]` decide it
/// once, at the instant at which its sound begins.
extension DaemonState {
    /// Whether the configuration names outputs.
    var hasOutputs: Bool { !inputs.config.outputs.isEmpty }

    var planning: OutputPlanning {
        OutputPlanning(config: inputs.config, mutes: saved.outputMutes, zone: zone)
    }

    /// The window that makes an announcement quieter at an instant, where there is one output.
    private func window(over announcement: Announcement, at instant: Instant) -> QuietWindow? {
        let windows = inputs.config.quiet
        guard !windows.isEmpty else { return nil }
        return windows.lowering(
            announcement.ownVolumePercent, of: announcement.id.announcedKind, on: QuietWindow.mainOutput,
            at: instant,
            in: zone)
    }

    /// Why no output would make a sound at an instant; `nil` where at least one does.
    func silencing(_ announcement: Announcement, at instant: Instant) -> NotCalled? {
        guard hasOutputs else {
            return window(over: announcement, at: instant).flatMap { $0.isSilent ? NotCalled($0) : nil }
        }
        let shares = planning.shares(of: announcement, at: instant)
        guard shares.heard.isEmpty else { return nil }
        guard let silent = shares.silencing else { return NotCalled(.silent, Self.unplayed) }
        return NotCalled(shares, silent, words(of: silent, at: instant))
    }

    /// The reason for silence when no filter lets an announcement through.
    static let unplayed = "no output plays it"

    /// `quiet window "night-law" until 06:00`, `output "bedroom" muted until 15:30`
    private func words(of share: OutputShare, at instant: Instant) -> String {
        if let mute = saved.outputMutes.first(where: { $0.silences(share.output, at: instant) }) {
            return "output \"\(share.output)\" \(outputMuteText(mute, now: instant))"
        }
        return inputs.config.quiet.first { $0.name == share.quiet }?.words ?? Self.unplayed
    }

    /// The announcement as loud as the outputs and windows of an instant allow.
    func withVolumes(_ announcement: Announcement, at instant: Instant) -> Announcement {
        hasOutputs
            ? announcement.on(planning.shares(of: announcement, at: instant))
            : announcement.under(window(over: announcement, at: instant))
    }

    /// The instant whose volumes apply to an announcement that is called now: its own, unless it is late. A sound that has begun
    /// keeps the volumes with which it began.
    func volumeInstant(_ announcement: Announcement, now: Instant) -> Instant {
        let hasBegun = jobs.contains {
            $0.phase == .cued && $0.startedAt != nil && $0.announcement.id == announcement.id
        }
        return hasBegun || now - announcement.at < Self.punctualSeconds ? announcement.at : now
    }

    /// The volume of each output, for documents; `nil` where the configuration has neither outputs nor windows.
    func outputs(of announcement: Announcement) -> [OutputPlan]? {
        guard inputs.config.tellsOutputs else { return nil }
        let loud = withVolumes(announcement, at: announcement.at)
        return loud.shares?.map(\.document) ?? [
            OutputPlan(name: QuietWindow.mainOutput, volume: loud.volumePercent, quiet: loud.quiet)
        ]
    }

    /// The longest lead of an announcement's outputs in seconds.
    func leadSeconds(of announcement: Announcement) -> Double {
        guard hasOutputs else { return inputs.config.prerollSeconds }
        let shares = announcement.shares ?? planning.shares(of: announcement, at: announcement.at)
        return parts(of: announcement.on(shares)).map(\.leadSeconds).max() ?? 0
    }

    /// The longest lead of any announcement in seconds.
    var longestOutputLeadSeconds: Double {
        hasOutputs
            ? inputs.config.allOutputs.map(\.leadSeconds).max() ?? 0 : inputs.config.prerollSeconds
    }

    /// The announcement's part on each output that makes a sound.
    func parts(of announcement: Announcement) -> [OutputPart] {
        let outputs = inputs.config.allOutputs
        guard let shares = announcement.shares else {
            let share = OutputShare(
                output: QuietWindow.mainOutput, volumePercent: announcement.volumePercent,
                quiet: announcement.quiet)
            return outputs.prefix(1).map { OutputPart($0, share) }
        }
        return shares.heard.compactMap { share in
            outputs.first { $0.name == share.output }.map { OutputPart($0, share) }
        }
    }

    // MARK: Tests

    /// The volumes of a test: as loud as an adhan would be now, unless the caller may and does choose otherwise.
    /// - Parameter named: the outputs that the caller requests; none: those that would play it.
    func testWithVolumes(
        _ test: Announcement, on named: [String] = [], despiteQuiet: Bool, now: Instant
    ) throws(ControlError) -> Announcement {
        for name in named where !inputs.config.allOutputs.contains(where: { $0.name == name }) {
            throw .unknownOutput(output: name, allowed: inputs.config.allOutputs.map(\.name))
        }
        guard hasOutputs else {
            guard !despiteQuiet, let window = window(over: test, at: now) else { return test }
            guard window.isSilent else { return test.under(window) }
            let until = quietUntil(QuietWindow.mainOutput, test.id.announcedKind, at: now)
            throw .quiet(window: window.name, until: until ?? "")
        }
        let shares = planning.shares(of: test, at: now, named: named, despiteQuiet: despiteQuiet)
        guard let silent = shares.silencing, let name = silent.quiet else { return test.on(shares) }
        throw .quiet(window: name, until: quietUntil(silent.output, test.id.announcedKind, at: now) ?? "")
    }

    /// The end of consecutive mutes and windows that silence one kind on an output; `nil` where that is more than a year ahead.
    func quietUntil(_ output: String, _ kind: AnnouncedKind, at now: Instant) -> String? {
        var at = now
        // Each round ends one of them; more rounds mean that they repeat for ever.
        for _ in 0...2 * inputs.config.quiet.count + 2 {
            if let mute = saved.outputMutes.first(where: { $0.silences(output, at: at) }) {
                at = mute.until
                continue
            }
            let window = inputs.config.quiet.lowering(100, of: kind, on: output, at: at, in: zone)
            guard let window, window.isSilent else { return text(at) }
            guard let end = window.end(after: at, in: zone) else { return nil }
            at = end
        }
        return nil
    }

    // MARK: The tone that keeps a loudspeaker awake

    /// Seconds before the end of a silent window from which the loudspeaker is kept awake again.
    private static let awakeBeforeEndSeconds = 300.0

    /// The first instant from which the tone may sound on an output: a window that silences everything silences it too. `nil`:
    /// not within a year.
    func toneAllowed(from instant: Instant, on output: String) -> Instant? {
        var at = instant
        // Each round ends one window; more rounds mean that they repeat for ever.
        for _ in 0...inputs.config.quiet.count + 1 {
            if let mute = saved.outputMutes.first(where: {
                $0.silences(output, at: at) && $0.silences(output, at: at + Self.awakeBeforeEndSeconds)
            }) {
                at = max(at, mute.until - Self.awakeBeforeEndSeconds)
                continue
            }
            let inForce = inputs.config.quiet.first {
                $0.isSilent && $0.kinds.isEmpty && ($0.outputs.isEmpty || $0.outputs.contains(output))
                    && $0.holds(at: at, in: zone) && $0.holds(at: at + Self.awakeBeforeEndSeconds, in: zone)
            }
            guard let inForce else { return at }
            guard let end = inForce.end(after: at, in: zone) else { return nil }
            at = max(at, end - Self.awakeBeforeEndSeconds)
        }
        return nil
    }
}
