import AdhanCore

/// What a run of many seeds amounts to.
package struct Report: Sendable {
    package var seeds = 0
    package var days = 0
    package var events = 0
    package var called = 0
    package var resumed = 0
    package var faults: [String: Int] = [:]
    /// The first failing scenarios, made small.
    package var failures: [Failure] = []

    package struct Failure: Sendable {
        package let scenario: Scenario
        package let violation: Violation
        package let trace: [String]
    }

    package init() {}

    package mutating func add(_ other: Report) {
        seeds += other.seeds
        days += other.days
        events += other.events
        called += other.called
        resumed += other.resumed
        faults.merge(other.faults) { $0 + $1 }
        failures += other.failures
    }

    /// Runs one seed; a failing one is run again with ever fewer faults, until each that is left is needed.
    package static func run(seed: UInt64, days: Int) -> Report {
        let scenario = Scenario(seed: seed, days: days)
        var simulation = Simulation(scenario, tracing: false)
        let violation = simulation.run(scenario)
        var report = Report()
        report.seeds = 1
        report.days = days
        report.events = simulation.watch.events
        report.called = simulation.watch.called
        report.resumed = simulation.watch.resumed
        report.faults = simulation.watch.injected
        if violation != nil { report.failures = [shrunk(scenario)].compactMap { $0 } }
        return report
    }

    private static func shrunk(_ failing: Scenario) -> Failure? {
        var smallest = failing
        var size = max(1, smallest.faults.count / 2)
        while size >= 1 {
            var start = 0
            while start < smallest.faults.count {
                var candidate = smallest
                candidate.faults.removeSubrange(start..<min(start + size, candidate.faults.count))
                var simulation = Simulation(candidate, tracing: false)
                if simulation.run(candidate) != nil { smallest = candidate } else { start += size }
            }
            size /= 2
        }
        var simulation = Simulation(smallest, tracing: true)
        guard let violation = simulation.run(smallest) else { return nil }
        return Failure(scenario: smallest, violation: violation, trace: simulation.trace.lines.suffix(60))
    }
}
