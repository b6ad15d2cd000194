import Testing

@testable import Host

@Suite("Child processes as a group")
struct ChildGroupTests {
    private func run(_ script: String, limit: Double = 5, grace: Double = 0.2) throws -> ChildProcess.Outcome
    {
        try ChildProcess.runGroup(
            "/bin/sh", ["-c", script], environment: ["PATH=/usr/bin:/bin"], input: Array("asked".utf8),
            limit: limit,
            grace: grace)
    }

    @Test("Its status, its signal, its input, and both of its outputs")
    func outcome() throws {
        #expect(try run("cat; echo more >&2; exit 3") == .init(ending: .exited(3), errorText: "askedmore\n"))
        #expect(try run("kill -9 $$").ending == .killed(signal: 9))
        #expect(try run("env").errorText.contains("PATH=/usr/bin:/bin\n"))
    }

    @Test("One that ends while what it started holds its outputs is over at once, and so is that")
    func leftBehind() throws {
        let begun = MonotonicClock.now()
        let outcome = try run("sleep 60 & echo $!")
        #expect(outcome.ending == .exited(0) && MonotonicClock.now() - begun < 3)
        let number = outcome.errorText.trimmingPrefix(while: \.isWhitespace).prefix(while: \.isNumber)
        // Dead within a moment, though perhaps not buried by whoever inherits it.
        let look = "grep -qs '^State:[[:space:]]*[RSDTtI]' /proc/\(number)/status"
        let isLiving = "for turn in 1 2 3 4 5 6 7 8 9 10; do \(look) || exit 1; sleep 0.2; done"
        #expect(try !number.isEmpty && run(isLiving).ending != .exited(0))
    }

    @Test("One that hangs is asked to end, and killed when it does not listen")
    func hanging() throws {
        let asked = try run("trap 'echo asked; exit 0' TERM; sleep 60 & wait", limit: 0.3, grace: 3)
        #expect(asked.ending == .timedOut && asked.errorText.hasSuffix("asked\n"))
        let begun = MonotonicClock.now()
        #expect(try run("trap '' TERM; while :; do :; done", limit: 0.3).ending == .timedOut)
        #expect(MonotonicClock.now() - begun < 3)
    }

    @Test("One that writes without end keeps its limit, and its last 4 KiB are kept")
    func flood() throws {
        let begun = MonotonicClock.now()
        let outcome = try run("while :; do echo flood; done", limit: 0.5)
        #expect(outcome.ending == .timedOut && MonotonicClock.now() - begun < 3)
        #expect(outcome.errorText.utf8.count <= 4096 && outcome.errorText.contains("flood"))
    }

    @Test("A program that is not there is an error, and nothing is started")
    func missing() {
        #expect(throws: FileError.self) {
            try ChildProcess.runGroup("/nowhere/x", [], environment: [], limit: 1, grace: 1)
        }
    }
}
