internal import CLinux
internal import Daemon
internal import Dispatch
internal import Glibc
internal import Host
internal import PrayerEngine

/// Notices what timers do not tell: that somebody set the clock, that the machine slept, and whether the
/// clock is kept right.
final class ClockWatch {
    private let descriptor: Int32
    private let source: any DispatchSourceRead
    private let poll: any DispatchSourceTimer
    private let tell: (Event) -> Void
    /// The wall clock less the clock that counts through sleep: changes only when somebody sets the clock.
    private var offset = WallClock.now().unixSeconds - WallClock.boottime()
    /// How long the machine has slept since it was started.
    private var slept = WallClock.boottime() - WallClock.monotonic()
    private var wasSynchronized: Bool?

    /// `tell` is called on the queue.
    init(on queue: DispatchQueue, tell: @escaping (Event) -> Void) throws(ShellError) {
        self.tell = tell
        descriptor = timerfd_create(CLOCK_REALTIME, Int32(TFD_NONBLOCK | TFD_CLOEXEC))
        guard descriptor >= 0 else { throw .system(operation: "watch the clock", code: errno) }
        source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        poll = DispatchSource.makeTimerSource(queue: queue)
        source.setEventHandler { [unowned self] in clockWasSet() }
        poll.setEventHandler { [unowned self] in lookAtHealth() }
        arm()
        source.resume()
        poll.schedule(deadline: .now(), repeating: .never)
        poll.resume()
    }

    /// A timer that never comes due: being cancelled by a step of the clock, or by waking up from sleep, is
    /// all it is for.
    private func arm() {
        var never = itimerspec()
        never.it_value.tv_sec = Int(WallClock.now().unixSeconds) + 20 * 366 * 86_400
        let flags = Int32(TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET)
        _ = unsafe timerfd_settime(descriptor, flags, &never, nil)
    }

    private func clockWasSet() {
        var expirations: UInt64 = 0
        _ = unsafe read(descriptor, &expirations, 8)
        arm()
        let nowSlept = WallClock.boottime() - WallClock.monotonic()
        let sleep = nowSlept - slept
        slept = nowSlept
        let step = step(atLeast: 0) ?? 0
        let hasSlept = sleep > DaemonState.smallestStepSeconds
        // Somebody who sets the clock to what it shows vouches for it; waking up does not.
        if abs(step) >= DaemonState.smallestStepSeconds || !hasSlept { tell(.clockStepped(by: step)) }
        if hasSlept { tell(.resumed) }
        lookAtHealth()
    }

    /// A step of the clock that has not been reported yet. The kernel lets timers fire because of a step
    /// and tells of the step itself in no particular order; whoever is about to act on a timer asks here
    /// first. What a time service corrects little by little stays below a second between two looks.
    func unnoticedStep() -> Double? {
        step(atLeast: 1)
    }

    private func step(atLeast least: Double) -> Double? {
        let nowOffset = WallClock.now().unixSeconds - WallClock.boottime()
        let step = nowOffset - offset
        offset = nowOffset
        return abs(step) >= least ? step : nil
    }

    /// Whether a time service keeps the clock right is asked every minute and a half until one does, and
    /// seldom afterwards: the kernel tells nobody, and a clock that was right stays so for hours. Each look
    /// wakes two threads, and a step of the clock is noticed without it.
    private func lookAtHealth() {
        let synchronized = WallClock.isSynchronized
        if synchronized != wasSynchronized {
            wasSynchronized = synchronized
            tell(.clockHealth(ClockHealth(synchronized: synchronized)))
        }
        poll.schedule(deadline: .now() + (synchronized ? 900 : 90), repeating: .never, leeway: .seconds(10))
    }
}
