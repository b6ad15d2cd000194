internal import CLinux
internal import Daemon
internal import Dispatch
internal import Glibc
internal import Host
internal import PrayerEngine

/// One wall-clock timer for each armed instant. The kernel moves them along when the clock is set. Used on the daemon's queue
/// only.
final class WallTimers {
    private let queue: DispatchQueue
    private let due: () -> Void
    private var sources: [ArmedTimer: any DispatchSourceTimer] = [:]

    /// `due` is called on the queue when a timer's instant has come.
    init(on queue: DispatchQueue, due: @escaping () -> Void) {
        self.queue = queue
        self.due = due
    }

    /// Arms new timers and cancels unwanted ones; the others are not touched.
    func arm(_ timers: [ArmedTimer]) {
        let wanted = Set(timers)
        for (timer, source) in sources where !wanted.contains(timer) {
            source.cancel()
            sources[timer] = nil
        }
        for timer in wanted where sources[timer] == nil {
            sources[timer] = start(timer)
        }
    }

    private func start(_ timer: ArmedTimer) -> any DispatchSourceTimer {
        let source = DispatchSource.makeTimerSource(flags: .strict, queue: queue)
        source.setEventHandler { [unowned self] in fired(timer) }
        Self.schedule(source, timer.at)
        source.resume()
        return source
    }

    private func fired(_ timer: ArmedTimer) {
        // A clock that was set forward and back again may have made it fire before its instant: it is not over then.
        if WallClock.now() < timer.at, let source = sources[timer] {
            Self.schedule(source, timer.at)
        } else {
            due()
        }
    }

    private static func schedule(_ source: any DispatchSourceTimer, _ at: Instant) {
        // Rounded up to the next nanosecond: a timer must not fire before its instant.
        let whole = at.unixSeconds.rounded(.down)
        let nanoseconds = min(((at.unixSeconds - whole) * 1e9).rounded(.up), 999_999_999)
        let time = timespec(tv_sec: Int(whole), tv_nsec: Int(nanoseconds))
        source.schedule(
            wallDeadline: DispatchWallTime(timespec: time), repeating: .never, leeway: .nanoseconds(0))
    }
}
