internal import Clocks
internal import Synchronization

/// Plays sound on a separate thread. Every method returns at once, whatever the device does; events arrive through `report`.
package final class Player: Sendable {
    private let queue = CommandQueue()
    private let thread: PlaybackThread?
    private let now: @Sendable () -> Double
    private let report: @Sendable (PlayerEvent) -> Void

    /// - Parameters:
    ///   - now: the wall clock in Unix seconds, read on the playback thread.
    ///   - report: called on the playback thread; it must return quickly.
    package init(
        now: @escaping @Sendable () -> Double, report: @escaping @Sendable (PlayerEvent) -> Void
    ) {
        self.now = now
        self.report = report
        let queue = queue
        thread = PlaybackThread(name: "playback") {
            PlaybackLoop(queue: queue, now: now, report: report).run()
        }
    }

    deinit { queue.post(.quit) }

    /// Prepares an order: files opened and checked, device open and filled. While another order sounds, only the files are
    /// prepared and the device changes hands at `start`. An order with an identity that is already cued or sounding is ignored.
    package func cue(_ order: PlayerOrder) {
        if thread != nil { return queue.post(.cue(order)) }
        let reason = "the system grants no thread for playing; free memory or raise the limit on tasks"
        report(.ended(PlayerResult(unheard: order, .failed(reason), at: now())))
    }

    /// Plays the tone that keeps a loudspeaker awake, unless an order is being prepared or sounds; the next order ends it.
    package func keepAwake(devices: [String]) { queue.post(.keepAwake(devices)) }

    /// Starts a cued order now, or as soon as possible. Any other sound is faded out first and ends `.stopped`.
    /// - Parameter delaySeconds: seconds to wait before that, for other players that are heard later. An order whose own instant
    ///     is now, or whose clock is set, does not wait.
    package func start(id: String, delaySeconds: Double = 0) {
        let uptime = Uptime.now()
        queue.post(.start(id, askedUptime: uptime, dueUptime: uptime + max(0, delaySeconds)))
    }

    /// Sets the clock of an order whose sounds are heard elsewhere: position 0 was, or will be, heard at this instant of the wall
    /// clock (Unix seconds). If this order has not begun, it joins at that clock's position, and gives up at the sound's end.
    package func setClock(id: String, beganAtUnixSeconds: Double) {
        queue.post(.setClock(id, beganAt: beganAtUnixSeconds))
    }

    /// Fades out the sound with this identity over the order's own fade-out, or within these seconds where that is longer; a
    /// sound that already fades also ends within them. An order that has not begun is dropped. Both end `.stopped`.
    package func stop(id: String, withinSeconds: Double = .infinity) {
        queue.post(.stop(id, withinSeconds: withinSeconds))
    }

    /// A counter that rises while the playback thread makes progress; constant while it is idle or stuck.
    package var heartbeat: UInt64 { queue.beat.load(ordering: .relaxed) }

    /// Whether the thread has nothing to do now: nothing sounds and no command waits. An order may be cued.
    package var isIdle: Bool { queue.idle.load(ordering: .relaxed) }

    /// Fades out the sound, drops the cued orders, closes the device and ends the thread. Waits 3 seconds at most: a driver that
    /// does not return must not keep the program from ending. Nothing is reported afterwards unless that time ran out.
    package func shutdown() {
        quit()
        join(untilUptime: Uptime.now() + Self.shutdownSeconds)
    }

    /// The most seconds that `shutdown` waits.
    static let shutdownSeconds = 3.0

    /// The first half of `shutdown`: does not wait.
    func quit() { queue.post(.quit) }

    /// The second half of `shutdown`: waits for the thread.
    func join(untilUptime deadline: Double) { thread?.join(timeoutSeconds: max(0, deadline - Uptime.now())) }
}
