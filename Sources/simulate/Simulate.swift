import AdhanSimulator
import ArgumentParser
import Dispatch
import Glibc
import Synchronization

/// `make simulate`: tries to break the daemon's decisions.
@main
struct Simulate: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "simulate",
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

    @Flag(help: "Stop at the first broken promise, and tell its story as it was, not the shortest one.")
    var brief = false

    func run() throws {
        let start = ContinuousClock.now
        let report = runAll()
        let seconds = Double((ContinuousClock.now - start) / .milliseconds(1)) / 1000
        print("\(report.seeds) seeds of \(days) days, \(report.events) events, in \(seconds) s")
        print("called: \(report.called), and resumed after a restart: \(report.resumed)")
        table("recorded as", report.outcomes)
        table("faults", report.faults)
        guard !report.failures.isEmpty else { return print("no promise was broken") }
        print("\n\(report.failures.count) seeds broke a promise:")
        for failure in report.failures.prefix(20) {
            print("  seed \(failure.scenario.seed): \(failure.violation)")
        }
        printFailures(report.failures)
        throw ExitCode.failure
    }

    /// As many seeds at once as there are processors. Queues of its own: how many threads the shared ones get depends on how
    /// busy the machine is.
    private func runAll() -> Report {
        let total = Mutex(Report())
        let next = Atomic(0)
        let group = DispatchGroup()
        let (seeds, days, first, brief) = (seeds, days, first, brief)
        for worker in 0..<max(1, min(seeds, sysconf(Int32(_SC_NPROCESSORS_ONLN)))) {
            DispatchQueue(label: "simulate.\(worker)").async(group: group) {
                while true {
                    let index = next.add(1, ordering: .relaxed).oldValue
                    let isAnswered = brief && total.withLock { !$0.failures.isEmpty }
                    guard index < seeds, !isAnswered else { return }
                    let report = Report.run(seed: first + UInt64(index), days: days)
                    total.withLock { $0.add(report) }
                }
            }
        }
        group.wait()
        return total.withLock { $0 }
    }

    private func table(_ title: String, _ counts: [String: Int]) {
        print("\(title): \(counts.values.reduce(0, +))")
        for (name, count) in counts.sorted(by: { $0.key < $1.key }) { print("  \(count)\t\(name)") }
    }

    private func printFailures(_ failures: [Report.Failure]) {
        guard let failure = failures.min(by: { $0.scenario.faults.count < $1.scenario.faults.count }) else {
            return
        }
        let (violation, trace) = brief ? failure.whole(lines: lines) : failure.shrunk(lines: lines)
        print(
            "\nseed \(failure.scenario.seed)\(brief ? "" : ", with the faults that are needed"): \(violation)"
        )
        for line in trace { print("  \(line)") }
        print("rerun it with: make simulate SEEDS=1 FIRST=\(failure.scenario.seed) DAYS=\(days)")
    }
}
