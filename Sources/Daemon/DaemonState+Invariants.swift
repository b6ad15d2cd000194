import Announcements
import PrayerEngine
package import Protocol
import StateFile

/// One invariant that does not hold: a bug in adhand itself, whatever the machine did.
package struct BrokenInvariant: Sendable, Equatable {
    package let code: InvariantCode
    package let sentence: String
}

/// Invariants that hold between any two events, whatever happened.
extension DaemonState {
    /// The broken invariants, in sentences, for tests and the simulator.
    package func brokenInvariants() -> [String] {
        invariantsBroken().map(\.sentence)
    }

    /// The broken invariants. Examines jobs and timers of two days: some dozen comparisons.
    package func invariantsBroken() -> [BrokenInvariant] {
        jobInvariants() + planInvariants()
    }

    /// Checks the state for contradictions after an event. The first contradiction is kept until adhand restarts, and is logged
    /// once; prayers are called all the same.
    mutating func checkInvariants(_ batch: inout EffectBatch) {
        guard brokenInvariant == nil, let broken = invariantsBroken().first else { return }
        brokenInvariant = broken
        batch.publish(
            .stateInconsistent, .error,
            "adhand contradicts itself: \(broken.sentence). It goes on calling. \(InvariantCode.remedy)",
            Notice.Fields(reason: broken.code.rawValue))
    }

    private func jobInvariants() -> [BrokenInvariant] {
        var broken: [BrokenInvariant] = []
        func require(_ holds: Bool, _ code: InvariantCode, _ sentence: @autoclosure () -> String) {
            if !holds { broken.append(BrokenInvariant(code: code, sentence: sentence())) }
        }
        let playing = jobs.filter { $0.phase == .playing }
        require(playing.count <= 1, .severalPlay, "\(playing.map(\.announcement.title)) play at once")
        require(Set(jobs.map(\.token)).count == jobs.count, .sharedToken, "two jobs share a token")
        for job in jobs where !job.announcement.isTest {
            let (id, outcome) = (job.announcement.id, saved.outcome(of: job.announcement.id))
            switch job.phase {
            case .cued:
                require(
                    outcome?.isFinal != true, .preparedAfterOutcome,
                    "\(id) is prepared and has been dealt with as \(outcome?.rawValue ?? "")")
            case .playing:
                require(
                    outcome == .playing, .playsWithoutOutcome,
                    "\(id) sounds and its outcome is \(outcome?.rawValue ?? "none")")
                require(
                    saved.underway.contains { $0.id == id }, .playsUnsaved,
                    "\(id) sounds, and a crash would not know of it")
            case .stopping:
                // A job that ended in the silence before its sound has no outcome yet.
                require(
                    outcome == .playing || outcome?.isFinal != true, .fadesAfterOutcome,
                    "\(id) fades out and its outcome is \(outcome?.rawValue ?? "none")")
            }
        }
        return broken
    }

    private func planInvariants() -> [BrokenInvariant] {
        var broken: [BrokenInvariant] = []
        var last = Instant(unixSeconds: -.infinity)
        let around = planCache.entries(
            after: lastRearmed - Self.horizonSeconds, through: lastRearmed + Self.horizonSeconds)
        for entry in around {
            if entry.announcement.at < last {
                broken.append(
                    BrokenInvariant(
                        code: .planOutOfOrder, sentence: "\(entry.announcement.id) is out of order"))
            }
            last = entry.announcement.at
        }
        for timer in armed where timer.at <= lastRearmed {
            broken.append(
                BrokenInvariant(code: .timerInThePast, sentence: "\(timer.name) is armed for what is past"))
        }
        return broken
    }
}
