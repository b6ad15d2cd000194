import PrayerEngine
package import Protocol
import Texts

/// Decides when to call `GetHistory`, which only contains announcements that were due. An adhan that fails during its
/// preparation has its event seconds before its instant, but appears in the history only after it.
package struct HistoryClock: Sendable, Equatable {
    /// Whether something has happened since the last call.
    package private(set) var isOld = true
    /// The instants of announcements that had an event in advance, by the monotonic clock.
    private var dues: [Double] = []

    /// Seconds beyond an instant, because adhand's clock and the bridge's timers differ slightly.
    static let settleSeconds = 0.2
    private static let mostDues = 40
    /// The most seconds by which an announcement is prepared in advance: 10 s, and a preroll of a minute. Its event may have
    /// occurred before the connection.
    static let longestLeadSeconds = 75.0
    private static let unheardEverySeconds = 5.0

    package init() {}

    package mutating func note(_ entry: LogEntry, at uptime: Double) {
        isOld = true
        guard let at = InstantText.parse(entry.at),
            let due = entry.scheduled.flatMap({ InstantText.parse($0) }),
            due > at
        else { return }
        dues.append(uptime + (due - at) + Self.settleSeconds)
        dues = Array(dues.sorted().prefix(Self.mostDues))
    }

    /// Starts again after a time in which events may have been lost.
    package mutating func forget(at uptime: Double) {
        isOld = true
        dues = stride(
            from: Self.unheardEverySeconds, through: Self.longestLeadSeconds, by: Self.unheardEverySeconds
        )
        .map { uptime + $0 }
    }

    /// - Returns: whether an instant has passed whose outcome may be available.
    package mutating func advance(to uptime: Double) -> Bool {
        guard let first = dues.first, first <= uptime else { return false }
        dues.removeAll { $0 <= uptime }
        isOld = true
        return true
    }

    package mutating func noteRequest() { isOld = false }

    /// Seconds until the next call without an event.
    package func waitSeconds(at uptime: Double) -> Double? { dues.first.map { max(0, $0 - uptime) } }
}
