import AdhanSimulator
import ArgumentParser
import Dispatch
import Synchronization

/// `make simulate`: tries to break the daemon's decisions.
@main
struct Simulate: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract:
            "Runs the daemon's decisions through simulated years of faults, and checks what it promises.")

    @Option(help: "How many seeds to run.")
    var seeds = 1000

    @Option(help: "Days that each seed lives.")
    var days = 365

    @Option(help: "The first seed; with --seeds 1 it reruns one.")
    var first: UInt64 = 1

    @Option(help: "How many lines of the story to tell.")
    var lines = 60

    @Flag(help: "Name what is broken, and do not look for the shortest story.")
    var brief = false

    func run() throws {
        let total = Mutex(Report())
        let start = ContinuousClock.now
        let (seeds, days, first) = (seeds, days, first)
        DispatchQueue.concurrentPerform(iterations: seeds) { index in
            let report = Report.run(seed: first + UInt64(index), days: days)
            total.withLock { $0.add(report) }
        }
        let report = total.withLock { $0 }
        let seconds = Double((ContinuousClock.now - start) / .milliseconds(1)) / 1000
        print("seeds \(report.seeds), days each \(days), events \(report.events), in \(seconds) s")
        print("adhans and reminders called \(report.called), resumed \(report.resumed)")
        for (outcome, count) in report.outcomes.sorted(by: { $0.key < $1.key }) {
            print("  recorded as \(outcome): \(count)")
        }
        for (kind, count) in report.faults.sorted(by: { $0.key < $1.key }) { print("  \(kind): \(count)") }
        guard !report.failures.isEmpty else { return print("no promise was broken") }
        print("\n\(report.failures.count) seeds broke a promise:")
        for failure in report.failures.prefix(20) {
            print("  seed \(failure.scenario.seed): \(failure.violation)")
        }
        if !brief { tell(report.failures) }
        throw ExitCode.failure
    }

    private func tell(_ failures: [Report.Failure]) {
        guard let failure = failures.min(by: { $0.scenario.faults.count < $1.scenario.faults.count }) else {
            return
        }
        let (violation, trace) = failure.shrunk(lines: lines)
        print("\nseed \(failure.scenario.seed), with the faults that are needed: \(violation)")
        for line in trace { print("  \(line)") }
        print("rerun it with: make simulate SEEDS=1 FIRST=\(failure.scenario.seed) DAYS=\(days)")
    }
}
