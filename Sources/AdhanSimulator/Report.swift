import Announcements
import Protocol

/// The totals of a run of many seeds.
package struct Report: Sendable {
    package var seeds = 0
    package var days = 0
    package var events = 0
    package var called = 0
    package var resumed = 0
    package var outcomes: [String: Int] = [:]
    package var faults: [String: Int] = [:]
    package var failures: [Failure] = []

    package struct Failure: Sendable {
        package let scenario: Scenario
        package let violation: CheckerError
    }

    package init() {}

    package mutating func add(_ other: Report) {
        seeds += other.seeds
        days += other.days
        events += other.events
        called += other.called
        resumed += other.resumed
        outcomes.merge(other.outcomes) { $0 + $1 }
        faults.merge(other.faults) { $0 + $1 }
        failures = (failures + other.failures).sorted { $0.scenario.seed < $1.scenario.seed }
    }

    package static func run(seed: UInt64, days: Int) -> Report {
        let scenario = Scenario(seed: seed, days: days)
        var simulation = Simulation(scenario, tracing: false)
        let violation = simulation.run(scenario)
        var report = Report()
        report.seeds = 1
        report.days = days
        report.events = simulation.checker.events
        report.called = simulation.checker.called
        report.resumed = simulation.checker.resumed
        report.faults = simulation.checker.injected
        for (outcome, count) in simulation.checker.outcomes { report.outcomes[outcome.rawValue] = count }
        let onOutputs = report.addOutputs(seed: seed, days: days)
        if let violation = violation ?? onOutputs {
            report.failures = [Failure(scenario: scenario, violation: violation)]
        }
        return report
    }
}

extension Report.Failure {
    /// The largest number of needed faults that are listed.
    private static let shownFaults = 20

    /// Runs a failing scenario again and again with fewer faults, until each remaining one is needed.
    /// - Returns: the broken promise, the faults and the last steps before it, in words.
    package func shrunk(lines: Int) -> (violation: CheckerError, trace: [String]) {
        var smallest = scenario
        var first = Simulation(scenario, tracing: false)
        // A failure of the outputs has other faults, which cannot be reduced.
        guard first.run(scenario) != nil else { return (violation, []) }
        let end = first.elapsed
        smallest.faults.removeAll { $0.at > end }
        var size = max(1, smallest.faults.count / 2)
        while size >= 1 {
            var start = 0
            while start < smallest.faults.count {
                var candidate = smallest
                candidate.faults.removeSubrange(start..<min(start + size, candidate.faults.count))
                var simulation = Simulation(candidate, tracing: false)
                let found = simulation.run(candidate)
                if found?.gist == violation.gist { smallest = candidate } else { start += size }
            }
            size /= 2
        }
        return Self.story(smallest, violation, lines: lines)
    }

    /// The steps of the whole scenario, without a reduction, which takes time.
    package func whole(lines: Int) -> (violation: CheckerError, trace: [String]) {
        Self.story(scenario, violation, lines: lines)
    }

    private static func story(
        _ scenario: Scenario, _ violation: CheckerError, lines: Int
    ) -> (violation: CheckerError, trace: [String]) {
        var simulation = Simulation(scenario, tracing: true)
        let found = simulation.run(scenario)
        let end = simulation.elapsed
        let faults = scenario.faults.filter { $0.at <= end }.suffix(shownFaults).map {
            "at \($0.at) s: \($0.kind)"
        }
        return (found ?? violation, faults + simulation.trace.lines.suffix(lines))
    }
}
