/// The machine's clocks, read at one moment, in seconds.
package struct ClockReading: Equatable {
    /// The wall clock, which anybody may set.
    package let wallSeconds: Double
    /// Since the machine was started, sleep included.
    package let bootSeconds: Double
    /// The same without sleep.
    package let awakeSeconds: Double

    package init(wallSeconds: Double, bootSeconds: Double, awakeSeconds: Double) {
        (self.wallSeconds, self.bootSeconds, self.awakeSeconds) = (wallSeconds, bootSeconds, awakeSeconds)
    }
}

/// Finds out from readings of the clocks whether somebody has set them and whether the machine slept. The kernel fires timers because of
/// either, and reports it in no fixed order with them.
package struct ClockShifts {
    /// The wall clock less the clock that counts through sleep: a time service that slows both down leaves it as it is.
    private var offsetSeconds: Double
    private var sleptSeconds: Double
    /// Whether a sleep was noticed that the kernel has not reported so far.
    private var isSleepNoticed = false

    package init(_ reading: ClockReading) {
        offsetSeconds = reading.wallSeconds - reading.bootSeconds
        sleptSeconds = reading.bootSeconds - reading.awakeSeconds
    }

    /// A step or a sleep that the kernel has not reported yet, to be known before any other event. One of less than a second is left to
    /// its report: the clocks may have been read a moment apart.
    package mutating func unreported(_ reading: ClockReading) -> Event? {
        let hasSlept = takeSleep(reading, atLeast: 1)
        if hasSlept { isSleepNoticed = true }
        if let step = takeStep(reading, atLeast: 1) {
            return .clockStepped(bySeconds: step, hasSlept: hasSlept)
        }
        return hasSlept ? .resumed : nil
    }

    /// The kernel reports that the clock was set, or that the machine woke up: it does not say which.
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
