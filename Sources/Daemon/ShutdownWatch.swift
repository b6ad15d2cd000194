/// Decides at the end of the program whether only outputs that do not answer are still waited for: those that are well may fade
/// out for as long as they are to.
package struct ShutdownWatch: Sendable {
    /// Seconds without a sign of life after which a player is not waited for.
    package static let patienceSeconds = 1.0

    private var last: [String: (heartbeat: UInt64, since: Double)] = [:]

    package init() {}

    /// - Parameter seconds: by a clock that nobody sets.
    package mutating func isStuck(_ signs: [OutputWatch.Sign], at seconds: Double) -> Bool {
        let busy = signs.filter { !$0.isIdle }
        for sign in busy where last[sign.output]?.heartbeat != sign.heartbeat {
            last[sign.output] = (sign.heartbeat, seconds)
        }
        return !busy.isEmpty
            && busy.allSatisfy { seconds - (last[$0.output]?.since ?? seconds) >= Self.patienceSeconds }
    }
}
