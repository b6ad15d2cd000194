/// The machine's clocks, read at one moment, in seconds.
package struct ClockReading: Equatable {
    /// The wall clock, which can be set.
    package let wallSeconds: Double
    /// Seconds since the machine was started, sleep included.
    package let bootSeconds: Double
    /// Seconds since the machine was started, sleep excluded.
    package let awakeSeconds: Double

    package init(wallSeconds: Double, bootSeconds: Double, awakeSeconds: Double) {
        (self.wallSeconds, self.bootSeconds, self.awakeSeconds) = (wallSeconds, bootSeconds, awakeSeconds)
    }
}

/// Detects from readings of the clocks whether the clock was set and whether the machine slept. The kernel fires timers on
/// either, and reports the two in no fixed order.
package struct ClockShifts {
    /// The wall clock minus the clock that counts through sleep. A time service that slows both down does not change it.
    private var offsetSeconds: Double
    private var sleptSeconds: Double
    /// Whether a sleep was noticed that the kernel has not reported yet.
    private var isSleepNoticed = false

    package init(_ reading: ClockReading) {
        offsetSeconds = reading.wallSeconds - reading.bootSeconds
        sleptSeconds = reading.bootSeconds - reading.awakeSeconds
    }

    /// Returns a step or a sleep that the kernel has not reported yet, so that it is handled before any other event. A step of
    /// less than a second is left to the kernel's report: the clocks may have been read a moment apart.
    package mutating func unreported(_ reading: ClockReading) -> Event? {
        let hasSlept = takeSleep(reading, atLeast: 1)
        if hasSlept { isSleepNoticed = true }
        if let step = takeStep(reading, atLeast: 1) {
            return .clockStepped(bySeconds: step, hasSlept: hasSlept)
        }
        return hasSlept ? .resumed : nil
    }

    /// Handles the kernel's report that the clock was set or that the machine woke up; the report does not distinguish them.
    package mutating func reported(_ reading: ClockReading) -> Event? {
        let hasSlept = takeSleep(reading, atLeast: DaemonState.smallestStepSeconds)
        let wasNoticed = isSleepNoticed
        isSleepNoticed = false
        let step = takeStep(reading, atLeast: 0) ?? 0
        // Setting the clock vouches for it; waking up does not.
        if abs(step) >= DaemonState.smallestStepSeconds || !(hasSlept || wasNoticed) {
            return .clockStepped(bySeconds: step, hasSlept: hasSlept)
        }
        return hasSlept ? .resumed : nil
    }

    private mutating func takeSleep(_ reading: ClockReading, atLeast least: Double) -> Bool {
        let now = reading.bootSeconds - reading.awakeSeconds
        guard now - sleptSeconds > least else { return false }
        sleptSeconds = now
        return true
    }

    private mutating func takeStep(_ reading: ClockReading, atLeast least: Double) -> Double? {
        let now = reading.wallSeconds - reading.bootSeconds
        let step = now - offsetSeconds
        guard abs(step) >= least else { return nil }
        offsetSeconds = now
        return step
    }
}
