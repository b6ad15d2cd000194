/// Decides from the players' heartbeats whether adhand is alive, which outputs are stuck, and when a restart is to cure them.
///
/// With one output, a stuck player is a stuck adhand, which the service manager restarts at once. With several, that would cut
/// off the others, so the restart waits until nothing sounds and nothing is due.
package struct OutputWatch: Sendable {
    /// An output at the moment of a check.
    package struct Sign: Sendable, Equatable {
        package let output: String
        /// A counter that rises while its player makes progress.
        package let heartbeat: UInt64
        /// Whether its player has nothing to do.
        package let isIdle: Bool
        /// Whether the configuration requires it.
        package let isRequired: Bool

        package init(output: String, heartbeat: UInt64, isIdle: Bool, isRequired: Bool) {
            self.output = output
            self.heartbeat = heartbeat
            self.isIdle = isIdle
            self.isRequired = isRequired
        }
    }

    package struct Finding: Sendable, Equatable {
        /// Whether the service manager is to learn that adhand is alive.
        package let isAlive: Bool
        /// The outputs that have made no progress since the last check; none where there is only one.
        package let stuck: [String]
        package let isRestartDue: Bool
    }

    private var last: [String: Sign] = [:]

    package init() {}

    /// - Parameters:
    ///   - isQueueWell: whether the daemon's queue makes progress, or waits for a slow disk.
    ///   - isQuiet: whether nothing sounds and nothing is due within a minute.
    package mutating func update(with signs: [Sign], isQueueWell: Bool, isQuiet: Bool) -> Finding {
        let well = signs.filter { $0.isIdle || $0.heartbeat != last[$0.output]?.heartbeat }
        let stuck = signs.filter { sign in
            guard let before = last[sign.output], !before.isIdle else { return false }
            return !well.contains(sign)
        }
        last = Dictionary(signs.map { ($0.output, $0) }, uniquingKeysWith: { first, _ in first })
        guard signs.count > 1 else {
            return Finding(isAlive: isQueueWell && well.count == signs.count, stuck: [], isRestartDue: false)
        }
        let isRequiredMet =
            signs.contains(where: \.isRequired) ? well.contains(where: \.isRequired) : !well.isEmpty
        return Finding(
            isAlive: isQueueWell && isRequiredMet, stuck: stuck.map(\.output),
            isRestartDue: !stuck.isEmpty && isQuiet)
    }
}
