import PrayerEngine
package import Protocol
import Texts

/// Decides when to call `GetHistory`. It only contains what was due: an adhan that fails while it is prepared has its event
/// seconds before, and appears in the history only from its instant on.
package struct HistoryClock: Sendable, Equatable {
    /// Whether something has happened since the last call.
    package private(set) var isOld = true
    /// Instants of announcements whose events preceded them, by the monotonic clock.
    private var dues: [Double] = []

    /// Seconds beyond an instant: adhand's clock and the bridge's timers are not one.
    static let settleSeconds = 0.2
    private static let mostDues = 40
    /// The most seconds by which an announcement is prepared before its instant: 10 s, and a preroll of a minute. Its event may
    /// have preceded the connection.
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

    /// Anything may have happened.
    package mutating func forget(at uptime: Double) {
        isOld = true
        dues = stride(
            from: Self.unheardEverySeconds, through: Self.longestLeadSeconds, by: Self.unheardEverySeconds
        )
        .map { uptime + $0 }
    }

    /// - Returns: whether an instant has come whose outcome may be known already.
    package mutating func look(at uptime: Double) -> Bool {
        guard let first = dues.first, first <= uptime else { return false }
        dues.removeAll { $0 <= uptime }
        isOld = true
        return true
    }

    package mutating func asked() { isOld = false }

    /// Seconds until the next call without an event.
    package func waitSeconds(at uptime: Double) -> Double? { dues.first.map { max(0, $0 - uptime) } }
}
