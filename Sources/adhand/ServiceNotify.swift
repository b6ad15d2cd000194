internal import AdhanCore
internal import CSystemd
internal import Dispatch
internal import Host
internal import Playback

/// Tells the service manager how we are. Without one (`NOTIFY_SOCKET` unset) every call does nothing.
enum ServiceNotify {
    static func tell(_ state: ServiceState) {
        switch state {
        case .ready: send("READY=1")
        case .reloading:
            // The manager pairs a reload with the signal that asked for it by this time stamp.
            send("RELOADING=1\nMONOTONIC_USEC=\(UInt64(WallClock.monotonic() * 1e6))")
        case .stopping: send("STOPPING=1")
        case .status(let line): send("STATUS=\(line.filter { !$0.isNewline })")
        }
    }

    fileprivate static func send(_ text: String) {
        _ = unsafe sd_notify(0, text)
    }
}

/// Feeds the service manager's watchdog for as long as the daemon's queue runs, on which it lives, and
/// playback either rests or gets on.
final class Watchdog {
    private let timer: any DispatchSourceTimer

    /// `nil` when no watchdog was asked for.
    init?(on queue: DispatchQueue, player: Player) {
        var microseconds: UInt64 = 0
        guard unsafe sd_watchdog_enabled(0, &microseconds) > 0, microseconds > 0 else { return nil }
        let interval = DispatchTimeInterval.microseconds(Int(min(microseconds / 2, 3_600_000_000)))
        timer = DispatchSource.makeTimerSource(queue: queue)
        var lastBeat = player.heartbeat
        timer.setEventHandler {
            let beat = player.heartbeat
            if player.isIdle || beat != lastBeat { ServiceNotify.send("WATCHDOG=1") }
            lastBeat = beat
        }
        timer.schedule(deadline: .now(), repeating: interval, leeway: .milliseconds(100))
        timer.resume()
    }
}
