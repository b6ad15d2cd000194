internal import CLinux
internal import Clocks
internal import Daemon
internal import Dispatch
internal import Glibc
internal import Host
internal import PrayerEngine

/// Reports steps of the clock, sleeps of the machine, and whether a time service keeps the clock right: timers report none of
/// them.
final class ClockWatch {
    private let descriptor: Int32
    private let source: any DispatchSourceRead
    private let poll: any DispatchSourceTimer
    private let report: (Event) -> Void
    private var shifts = ClockShifts(.now())
    /// The health that was reported last.
    private var reported: ClockHealth?
    private let unknownFile: String?

    /// `report` is called on the queue.
    /// - Parameter unknownFile: exists while the machine does not know the time.
    init(
        on queue: DispatchQueue, unknownFile: String?, report: @escaping (Event) -> Void
    ) throws(ShellError) {
        (self.report, self.unknownFile) = (report, unknownFile)
        descriptor = timerfd_create(CLOCK_REALTIME, Int32(TFD_NONBLOCK | TFD_CLOEXEC))
        guard descriptor >= 0 else { throw .system(operation: "watch the clock", code: errno) }
        source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        poll = DispatchSource.makeTimerSource(queue: queue)
        source.setEventHandler { [unowned self] in clockWasSet() }
        poll.setEventHandler { [unowned self] in checkHealth() }
        arm()
        source.resume()
        poll.schedule(deadline: .now(), repeating: .never)
        poll.resume()
    }

    /// Arms a timer that never fires: its only purpose is to be cancelled by a step of the clock, or by waking up from sleep.
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
        if let shift = shifts.reported(.now()) { report(shift) }
        checkHealth()
    }

    /// Returns a step of the clock or a sleep that has not been reported yet: code that is about to act on a timer calls this
    /// first.
    func unreportedShift() -> Event? { shifts.unreported(.now()) }

    /// Checks whether a time service keeps the clock right: polled every minute and a half until one does, and rarely afterwards,
    /// because a right clock stays right for hours. The kernel sends no event for it, and each poll wakes two threads. A step of
    /// the clock is noticed without it.
    private func checkHealth() {
        let health = ClockHealth.ofMachine(unknownWhile: unknownFile)
        if health != reported {
            reported = health
            report(.clockHealth(health))
        }
        poll.schedule(
            deadline: .now() + (health.synchronized ? 900 : 90), repeating: .never, leeway: .seconds(10))
    }
}

extension ClockReading {
    fileprivate static func now() -> ClockReading {
        ClockReading(
            wallSeconds: WallClock.now().unixSeconds, bootSeconds: Uptime.now(),
            awakeSeconds: MonotonicClock.now())
    }
}

extension ClockHealth {
    /// - Parameter file: exists while the machine does not know the time.
    static func ofMachine(unknownWhile file: String?) -> ClockHealth {
        ClockHealth(
            synchronized: WallClock.isSynchronized,
            isUnknown: file.map(Environment.process.exists) ?? false)
    }
}
