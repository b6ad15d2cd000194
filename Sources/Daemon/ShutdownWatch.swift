/// Decides at the end of the program whether it only waits for outputs that do not answer: outputs that are well may take their
/// whole fade-out.
package struct ShutdownWatch: Sendable {
    /// Seconds without a heartbeat after which the program stops waiting for a player.
    package static let patienceSeconds = 1.0

    private var last: [String: (heartbeat: UInt64, since: Double)] = [:]

    package init() {}

    /// - Parameter seconds: the reading of a monotonic clock.
    package mutating func isStuck(_ signs: [OutputWatch.Sign], at seconds: Double) -> Bool {
        let busy = signs.filter { !$0.isIdle }
        for sign in busy where last[sign.output]?.heartbeat != sign.heartbeat {
            last[sign.output] = (sign.heartbeat, seconds)
        }
        return !busy.isEmpty
            && busy.allSatisfy { seconds - (last[$0.output]?.since ?? seconds) >= Self.patienceSeconds }
    }
}
