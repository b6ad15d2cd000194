import Testing

@testable import Daemon

/// A machine that has been up for an hour of which it slept ten minutes.
@Suite("Steps of the clock and sleeps") struct ClockShiftsTests {
    private struct Clocks {
        var wall = 1_795_000_000.0
        var boot = 3600.0
        var awake = 3000.0

        var reading: ClockReading { ClockReading(wallSeconds: wall, bootSeconds: boot, awakeSeconds: awake) }

        mutating func pass(_ seconds: Double, asleep: Bool = false) {
            wall += seconds
            boot += seconds
            if !asleep { awake += seconds }
        }
    }

    private var clocks = Clocks()
    private var shifts: ClockShifts

    init() { shifts = ClockShifts(clocks.reading) }

    private mutating func unreported() -> String { text(shifts.unreported(clocks.reading)) }
    private mutating func reported() -> String { text(shifts.reported(clocks.reading)) }

    private func text(_ event: Event?) -> String {
        switch event {
        case nil: "nothing"
        case .resumed: "slept"
        case .clockStepped(let seconds, let hasSlept):
            "set by \((seconds * 100).rounded() / 100)\(hasSlept ? ", slept" : "")"
        default: "?"
        }
    }

    @Test(
        "Time that passes is no news; a report of the kernel without a change is somebody who vouches for the clock"
    )
    mutating func nothing() {
        clocks.pass(900)
        #expect(unreported() == "nothing")
        #expect(reported() == "set by 0.0")
    }

    @Test("A step is noticed before its report, which then has nothing to add")
    mutating func step() {
        clocks.wall += 3600
        #expect(unreported() == "set by 3600.0")
        #expect(unreported() == "nothing")
        #expect(reported() == "set by 0.0")
    }

    @Test("A step of less than a second is left to its report, and is not lost by a look before that")
    mutating func smallStep() {
        clocks.wall -= 0.9
        #expect(unreported() == "nothing")
        #expect(reported() == "set by -0.9")
        #expect(reported() == "set by 0.0")
    }

    @Test("A sleep is noticed before its report, which does not vouch for the clock")
    mutating func sleep() {
        clocks.pass(3600, asleep: true)
        #expect(unreported() == "slept")
        #expect(unreported() == "nothing")
        #expect(reported() == "nothing")
        #expect(reported() == "set by 0.0")
    }

    @Test("A sleep that is reported first is reported once, and does not vouch for the clock either")
    mutating func reportedSleep() {
        clocks.pass(3600, asleep: true)
        #expect(reported() == "slept")
        #expect(unreported() == "nothing")
    }

    @Test("A clock that is set as the machine wakes up: both in one", arguments: [true, false])
    mutating func both(isReportedFirst: Bool) {
        clocks.pass(3600, asleep: true)
        clocks.wall += 5
        #expect((isReportedFirst ? reported() : unreported()) == "set by 5.0, slept")
        #expect(unreported() == "nothing")
    }

    @Test(
        "A clock that is set after a sleep was noticed, and before the kernel reports it, vouches for itself")
    mutating func setAfterSleep() {
        clocks.pass(3600, asleep: true)
        #expect(unreported() == "slept")
        clocks.wall += 0.5
        #expect(reported() == "set by 0.5")
    }
}
