import PrayerEngine
import Protocol

/// Invariants that hold between any two events, whatever happened.
extension DaemonState {
    /// The broken invariants, in sentences; looked at after every event.
    package func brokenInvariants() -> [String] {
        jobInvariants() + planInvariants()
    }

    private func jobInvariants() -> [String] {
        var broken: [String] = []
        func require(_ holds: Bool, _ sentence: @autoclosure () -> String) {
            if !holds { broken.append(sentence()) }
        }
        let playing = jobs.filter { $0.phase == .playing }
        require(playing.count <= 1, "\(playing.map(\.announcement.title)) play at once")
        require(Set(jobs.map(\.token)).count == jobs.count, "two jobs share a token")
        for job in jobs where !job.announcement.isTest {
            let (id, outcome) = (job.announcement.id, saved.outcome(of: job.announcement.id))
            switch job.phase {
            case .cued:
                require(
                    outcome?.isFinal != true,
                    "\(id) is prepared and has been dealt with as \(outcome?.rawValue ?? "")")
            case .playing:
                require(outcome == .playing, "\(id) sounds and its outcome is \(outcome?.rawValue ?? "none")")
                require(
                    saved.underway.contains { $0.id == id }, "\(id) sounds, and a crash would not know of it")
            case .stopping:
                // Ended in the silence before its sound, it has no outcome yet.
                require(
                    outcome == .playing || outcome?.isFinal != true,
                    "\(id) fades out and its outcome is \(outcome?.rawValue ?? "none")")
            }
        }
        return broken
    }

    private func planInvariants() -> [String] {
        var broken: [String] = []
        var last = Instant(unixSeconds: -.infinity)
        let around = planCache.entries(after: lastRearmed - Self.horizon, through: lastRearmed + Self.horizon)
        for entry in around {
            if entry.announcement.at < last { broken.append("\(entry.announcement.id) is out of order") }
            last = entry.announcement.at
        }
        for timer in armed where timer.at <= lastRearmed {
            broken.append("\(timer.name) is armed for what is past")
        }
        return broken
    }
}
