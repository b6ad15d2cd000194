import Testing

@testable import Announcements
@testable import Daemon

@Suite("The watch over several outputs") struct OutputWatchTests {
    private func sign(_ output: String, _ beat: UInt64, idle: Bool = false, required: Bool = true)
        -> OutputWatch.Sign
    {
        OutputWatch.Sign(output: output, heartbeat: beat, isIdle: idle, isRequired: required)
    }

    @Test("One output: adhand lives while its player rests or gets on, as it always did")
    func one() {
        var watch = OutputWatch()
        func isAlive(_ sign: OutputWatch.Sign, queue: Bool = true) -> Bool {
            let found = watch.update(with: [sign], isQueueWell: queue, isQuiet: true)
            #expect(found.stuck.isEmpty && !found.isRestartDue)
            return found.isAlive
        }
        #expect(isAlive(sign("main", 1)))
        #expect(isAlive(sign("main", 2)))
        #expect(!isAlive(sign("main", 3), queue: false))
        #expect(!isAlive(sign("main", 3)))
        #expect(isAlive(sign("main", 3, idle: true)))
        // An order that was just given has made no progress yet.
        #expect(!isAlive(sign("main", 3)))
        #expect(isAlive(sign("main", 4)))
    }

    @Test("A stuck output is reported and does not stop the pings while another one that is required gets on")
    func several() {
        var watch = OutputWatch()
        func update(_ hall: UInt64, _ horn: UInt64, _ women: UInt64, quiet: Bool = false, queue: Bool = true)
            -> OutputWatch.Finding
        {
            watch.update(
                with: [sign("hall", hall), sign("horn", horn), sign("women", women, required: false)],
                isQueueWell: queue, isQuiet: quiet)
        }
        #expect(update(1, 1, 1) == .init(isAlive: true, stuck: [], isRestartDue: false))
        #expect(update(2, 1, 2) == .init(isAlive: true, stuck: ["horn"], isRestartDue: false))
        #expect(update(3, 1, 3, queue: false).isAlive == false)
        // An output that is not required keeps nothing alive.
        #expect(update(3, 1, 4) == .init(isAlive: false, stuck: ["hall", "horn"], isRestartDue: false))
        #expect(update(4, 1, 4) == .init(isAlive: true, stuck: ["horn", "women"], isRestartDue: false))
        #expect(update(5, 1, 5, quiet: true) == .init(isAlive: true, stuck: ["horn"], isRestartDue: true))
        #expect(update(6, 2, 6, quiet: true) == .init(isAlive: true, stuck: [], isRestartDue: false))
    }

    @Test("At the end only players that do not answer are not waited for, and those that fade are")
    func shutdown() {
        var watch = ShutdownWatch()
        func isStuck(_ signs: [OutputWatch.Sign], at seconds: Double) -> Bool {
            watch.isStuck(signs, at: seconds)
        }
        func isStuck(_ hall: UInt64, _ horn: UInt64, idle: Bool = false, at seconds: Double) -> Bool {
            isStuck([sign("hall", hall, idle: idle), sign("horn", horn)], at: seconds)
        }
        #expect(!isStuck(1, 1, at: 0))
        #expect(!isStuck(2, 1, at: 0.5))
        // The horn is stuck, and the hall fades out.
        #expect(!isStuck(3, 1, at: 1.1))
        #expect(!isStuck(4, 1, at: 30))
        #expect(isStuck(4, 1, idle: true, at: 30.1))
        #expect(!isStuck(4, 2, idle: true, at: 30.2))
        #expect(!isStuck([sign("hall", 4, idle: true), sign("horn", 2, idle: true)], at: 60))
        #expect(!isStuck([], at: 60))
    }

    @Test("Where none is required, any that gets on will do")
    func noneRequired() {
        var watch = OutputWatch()
        func update(_ hall: UInt64, _ horn: UInt64) -> Bool {
            watch.update(
                with: [sign("hall", hall, required: false), sign("horn", horn, required: false)],
                isQueueWell: true, isQuiet: false
            ).isAlive
        }
        #expect(update(1, 1))
        #expect(update(1, 2))
        #expect(!update(1, 2))
    }

    @Test("An output that was resting at the last look is not stuck yet, nor is a new one")
    func freshlyAsked() {
        var watch = OutputWatch()
        func update(_ horn: OutputWatch.Sign, hall: UInt64) -> OutputWatch.Finding {
            watch.update(with: [sign("hall", hall), horn], isQueueWell: true, isQuiet: true)
        }
        #expect(update(sign("horn", 7, idle: true), hall: 1).stuck.isEmpty)
        #expect(update(sign("horn", 7), hall: 2) == .init(isAlive: true, stuck: [], isRestartDue: false))
        #expect(update(sign("horn", 7), hall: 3) == .init(isAlive: true, stuck: ["horn"], isRestartDue: true))
        #expect(update(sign("porch", 1), hall: 4).stuck.isEmpty)
    }
}
