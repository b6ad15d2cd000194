import PrayerEngine
package import Protocol
import Texts

/// Decides whether adhand is well. Heartbeats are sent only then, so that their absence has one meaning.
package enum HeartbeatRule {
    /// The limit in seconds for adhand's answer.
    package static let answerSeconds = 5.0
    /// Seconds after an adhan's grace period from which it counts as overdue.
    package static let overdueSeconds = 60.0

    package enum Verdict: Sendable, Equatable {
        case right
        case wrong(Reason)
    }

    package enum Reason: String, Sendable, Equatable {
        case noAnswer, lateAnswer, problem, overdue
    }

    /// - Parameters:
    ///   - status: adhand's answer for this heartbeat; `nil` if there was none.
    ///   - answerSeconds: the duration until the answer.
    ///   - isWrong: whether an alert about a problem is open.
    ///   - graceSeconds: the seconds by which an adhan may be late.
    package static func verdict(
        _ status: StatusDocument?, after answerSeconds: Double, isWrong: Bool, graceSeconds: Double = 120
    ) -> Verdict {
        guard let status else { return .wrong(.noAnswer) }
        guard answerSeconds <= Self.answerSeconds else { return .wrong(.lateAnswer) }
        let problems = status.problems ?? []
        // Without a place or a trusted clock nothing is called.
        guard !isWrong, !problems.contains(where: { $0.severity == .problem }), status.clock.trusted,
            status.awaiting == nil
        else { return .wrong(.problem) }
        guard let now = InstantText.parse(status.now) else { return .wrong(.noAnswer) }
        let isOverdue = status.prayers.contains { prayer in
            guard prayer.enabled, prayer.state == .upcoming, let at = InstantText.parse(prayer.at) else {
                return false
            }
            // Adhans from before adhand's start do not count.
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

    /// Seconds until adhand is asked for the next heartbeat.
    package func waitSeconds(at uptime: Double) -> Double { max(0, dueAt - uptime) }

    package mutating func act(on verdict: HeartbeatRule.Verdict, at uptime: Double) -> Act {
        // Skipped heartbeats are not made up for.
        while dueAt <= uptime { dueAt += max(1, everySeconds) }
        defer { wasRight = verdict == .right }
        if verdict == .right { return .beat }
        // A failure is only reported after a success.
        return wasRight == true ? .fail : .nothing
    }
}
