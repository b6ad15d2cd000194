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
        for (kind, count) in report.faults.sorted(by: { $0.key < $1.key }) { print("  \(kind): \(count)") }
        guard let failure = report.failures.min(by: { $0.scenario.faults.count < $1.scenario.faults.count })
        else {
            return print("no promise was broken")
        }
        print("\n\(report.failures.count) seeds broke a promise; the shortest story:")
        print("seed \(failure.scenario.seed): \(failure.violation)")
        for line in failure.trace { print("  \(line)") }
        print("rerun it with: simulate --seeds 1 --first \(failure.scenario.seed) --days \(days)")
        throw ExitCode.failure
    }
}
