import Announcements
import Daemon
import PrayerEngine
import Protocol
import Settings
import StateFile
import Texts
import Times

/// The checker's own computation of several outputs, without the daemon's code.
struct OutputReferencePlan {
    private let config: Config
    private let mutes: [OutputMute]
    private let quiet: QuietReferencePlan

    init(_ state: DaemonState, endedMutes: [OutputMute] = []) {
        mutes = endedMutes + state.saved.outputMutes
        (config, quiet) = (state.inputs.config, QuietReferencePlan(state))
    }

    func output(_ name: String) -> OutputSettings {
        config.outputs.first { $0.name == name } ?? OutputSettings()
    }

    /// The volume in percent; `nil` where the filters exclude it.
    func volume(of id: AnnouncementID, own: Int, on name: String, at instant: Instant) -> Int? {
        let output = output(name)
        let kind = QuietReferencePlan.kind(of: id)
        if !output.kinds.isEmpty, !output.kinds.contains(where: { $0.rawValue == kind }) { return nil }
        let prayer = id.prayer.rawValue
        let isFriday = prayer == "jumua"
        let listed = { (prayers: [Prayer]) in
            prayers.contains { $0.rawValue == prayer || isFriday && $0.rawValue == "dhuhr" }
        }
        if !output.prayers.isEmpty, !listed(output.prayers) || listed(output.except) { return nil }
        if listed(output.except) { return nil }
        if mutes.contains(where: {
            $0.output == name && $0.since.unixSeconds <= instant.unixSeconds
                && instant.unixSeconds < $0.until.unixSeconds - 0.001
        }) {
            return 0
        }
        var volume = own
        if let all = output.volumePercent { volume = all }
        for (key, percent) in output.prayerVolumes where isFriday && key == .dhuhr { volume = percent }
        for (key, percent) in output.prayerVolumes where key.rawValue == prayer { volume = percent }
        if let cap = quiet.cap(of: id, at: instant, on: name)?.percent { volume = min(volume, cap) }
        return min(volume, output.mostPercent)
    }

    func isQuiet(_ id: AnnouncementID, on name: String, at instant: Instant) -> Bool {
        volume(of: id, own: 50, on: name, at: instant) == 0
    }

    func isSilent(_ id: AnnouncementID, at instant: Instant) -> Bool {
        config.outputs.allSatisfy { (volume(of: id, own: 50, on: $0.name, at: instant) ?? 0) == 0 }
    }

    /// Whether a quiet window forbids every sound there.
    func isDead(_ name: String, at instant: Instant) -> Bool {
        config.quiet.contains { window in
            window.volumePercent == 0 && window.kinds.isEmpty
                && (window.outputs.isEmpty || window.outputs.contains(name))
                && quiet.covers(window, instant)
        }
    }

    /// The outcomes that are possible with these results of the outputs.
    func outcome(of proofs: [OutputProof], isEnded: Bool) -> [Outcome] {
        let played = proofs.filter { $0.outcome == .played }
        let failed = proofs.filter { $0.outcome == .failed }
        let isComplete = proofs.allSatisfy { $0.outcome == .played || !output($0.name).isRequired }
        if played.isEmpty {
            return failed.isEmpty ? [.interrupted] : isEnded ? [.interrupted] : [.failed, .interrupted]
        }
        if isComplete { return [.played] }
        if failed.contains(where: { output($0.name).isRequired }) { return [.partial] }
        // The output was stopped by a person after the others had ended, or it failed.
        return [.played, .partial]
    }
}
