internal import Clocks
internal import Synchronization

/// One `Player` for each output, by the output's name. They share nothing: no lock, no queue, no thread and no file handle, so
/// that a player whose device hangs does not affect the others.
///
/// The list itself has a lock, which no playback thread ever acquires.
package final class Players: Sendable {
    /// An output's state for its watchdog.
    package struct Sign: Sendable, Equatable {
        package let output: String
        /// See `Player.heartbeat`.
        package let heartbeat: UInt64
        package let isIdle: Bool

        package init(output: String, heartbeat: UInt64, isIdle: Bool) {
            self.output = output
            self.heartbeat = heartbeat
            self.isIdle = isIdle
        }
    }

    private struct Entry {
        let player: Player
        /// Whether the configuration names the output.
        var isNamed = false
        /// The cued orders that have not ended, by identity: the seconds from each one's start until it is heard.
        var leads: [String: Double] = [:]
    }

    private let entries = Mutex<[String: Entry]>([:])
    private let make: @Sendable (String) -> Player

    /// - Parameters:
    ///   - now: the wall clock in Unix seconds, read on the playback threads.
    ///   - report: called on the playback thread of the named output; it must return quickly.
    package init(
        now: @escaping @Sendable () -> Double,
        report: @escaping @Sendable (_ output: String, PlayerEvent) -> Void
    ) {
        make = { output in Player(now: now) { report(output, $0) } }
    }

    /// Sets the outputs that the configuration names. A new one gets a player; a removed one loses it once all its orders have
    /// ended.
    package func setOutputs(_ names: [String]) {
        let dropped = entries.withLock { entries in
            for name in names where entries[name] == nil { entries[name] = Entry(player: make(name)) }
            for name in entries.keys { entries[name]?.isNamed = names.contains(name) }
            return Self.drop(from: &entries)
        }
        // The players end here, outside of the lock.
        _ = dropped
    }

    private static func drop(from entries: inout [String: Entry]) -> [Player] {
        let gone = entries.filter { !$0.value.isNamed && $0.value.leads.isEmpty }
        for name in gone.keys { entries[name] = nil }
        return gone.values.map(\.player)
    }

    /// Cues an order on an output; one that no configuration names gets a player for this order alone.
    package func cue(_ order: PlayerOrder, on output: String) {
        let player = entries.withLock { entries in
            let entry = entries[output] ?? Entry(player: make(output))
            entries[output] = entry
            // An order that is resumed after a restart has a position for this very start.
            entries[output]?.leads[order.id] = order.positionSeconds > 0 ? 0 : order.leadSeconds
            return entry.player
        }
        player.cue(order)
    }

    /// Starts the parts of an order so that all are heard together: those with a shorter lead wait for the longest.
    package func start(id: String) {
        let parts = parts(of: id)
        let longest = parts.map(\.lead).max() ?? 0
        for part in parts { part.player.start(id: id, delaySeconds: longest - part.lead) }
    }

    /// See `Player.setClock`; parts that already sound keep their own clock.
    package func setClock(id: String, beganAtUnixSeconds: Double) {
        for part in parts(of: id) {
            part.player.setClock(id: id, beganAtUnixSeconds: beganAtUnixSeconds)
        }
    }

    /// Fades out the parts of an order, each over its own fade-out, or within these seconds where that is longer.
    package func stop(id: String, withinSeconds: Double = .infinity) {
        for part in parts(of: id) { part.player.stop(id: id, withinSeconds: withinSeconds) }
    }

    /// Fades out the part of one output; a part that has not begun is dropped.
    package func stop(id: String, on output: String, withinSeconds: Double = .infinity) {
        let player = entries.withLock { entries in
            entries[output].flatMap { $0.leads[id] == nil ? nil : $0.player }
        }
        player?.stop(id: id, withinSeconds: withinSeconds)
    }

    private func parts(of id: String) -> [(player: Player, lead: Double)] {
        entries.withLock { entries in
            entries.values.compactMap { entry in entry.leads[id].map { (entry.player, $0) } }
        }
    }

    /// See `Player.keepAwake`.
    package func keepAwake(_ output: String, devices: [String]) {
        entries.withLock { $0[output]?.player }?.keepAwake(devices: devices)
    }

    /// Notes an order's end. To be called for every order whose end was reported, or for which nothing waits any more.
    package func noteEnd(of id: String, on output: String) {
        let dropped = entries.withLock { entries in
            entries[output]?.leads[id] = nil
            return Self.drop(from: &entries)
        }
        _ = dropped
    }

    /// Whether this output has nothing to do now.
    package func isIdle(_ output: String) -> Bool {
        entries.withLock { $0[output]?.player }?.isIdle ?? true
    }

    /// The heartbeats of all outputs, including outputs that are no longer named and have not ended.
    package var signs: [Sign] {
        let players = entries.withLock { $0.mapValues(\.player) }
        return players.sorted { $0.key < $1.key }.map {
            Sign(output: $0.key, heartbeat: $0.value.heartbeat, isIdle: $0.value.isIdle)
        }
    }

    /// The most seconds that `shutdown` takes.
    package static let shutdownSeconds = Player.shutdownSeconds

    /// Shuts down all players like `Player.shutdown`, and waits no longer for all than it does for one.
    package func shutdown(seconds: Double = shutdownSeconds) {
        let players = entries.withLock { Array($0.values.map(\.player)) }
        let deadline = Uptime.now() + max(0, seconds)
        for player in players { player.quit() }
        for player in players { player.join(untilUptime: deadline) }
    }
}
