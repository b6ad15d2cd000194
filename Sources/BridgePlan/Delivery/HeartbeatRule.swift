import PrayerEngine
package import Protocol
import Texts

/// Whether adhand is right: only then is a heartbeat asked for, so that silence has one meaning.
package enum HeartbeatRule {
    /// Seconds within which adhand has to answer.
    package static let answerSeconds = 5.0
    /// Seconds beyond an adhan's grace after which it is overdue.
    package static let overdueSeconds = 60.0

    package enum Verdict: Sendable, Equatable {
        case right
        case wrong(Reason)
    }

    package enum Reason: String, Sendable, Equatable {
        case noAnswer, lateAnswer, problem, overdue
    }

    /// - Parameters:
    ///   - status: adhand's answer to the question for this beat; `nil`: none.
    ///   - answerSeconds: the time until that answer.
    ///   - isWrong: whether an alert is open that is a problem.
    ///   - graceSeconds: how late an adhan may still be called.
    package static func verdict(
        _ status: StatusDocument?, after answerSeconds: Double, isWrong: Bool, graceSeconds: Double = 120
    ) -> Verdict {
        guard let status else { return .wrong(.noAnswer) }
        guard answerSeconds <= Self.answerSeconds else { return .wrong(.lateAnswer) }
        let problems = status.problems ?? []
        // Nothing is called while a place or the right time is missing.
        guard !isWrong, !problems.contains(where: { $0.severity == .problem }), status.clock.trusted,
            status.awaiting == nil
        else { return .wrong(.problem) }
        guard let now = InstantText.parse(status.now) else { return .wrong(.noAnswer) }
        let isOverdue = status.prayers.contains { prayer in
            guard prayer.enabled, prayer.state == .upcoming, let at = InstantText.parse(prayer.at) else {
                return false
            }
            // Adhans before adhand's start are not its responsibility.
            guard let started = InstantText.parse(status.startedAt), at >= started else { return false }
            return now - at > graceSeconds + overdueSeconds
        }
        return isOverdue ? .wrong(.overdue) : .right
    }
}

/// Schedules the heartbeats of one target. A beat is never queued or repeated.
package struct HeartbeatClock: Sendable, Equatable {
    package let everySeconds: Double
    private var dueAt: Double
    private var wasRight: Bool?

    package init(everySeconds: Double, at uptime: Double) {
        (self.everySeconds, dueAt) = (everySeconds, uptime)
    }

    package enum Act: Sendable, Equatable { case beat, fail, nothing }

    /// Seconds until adhand is to be asked for the next beat.
    package func waitSeconds(at uptime: Double) -> Double { max(0, dueAt - uptime) }

    package mutating func act(on verdict: HeartbeatRule.Verdict, at uptime: Double) -> Act {
        // A late beat does not make up for those that were skipped.
        while dueAt <= uptime { dueAt += max(1, everySeconds) }
        defer { wasRight = verdict == .right }
        if verdict == .right { return .beat }
        // Only a target that was right can fail.
        return wasRight == true ? .fail : .nothing
    }
}
