import Announcements
import Foundation
import LabSupport
import Testing

@testable import AdhanSimulator

@Suite("The simulator")
struct SimulatorTests {
    static let days = 2

    /// A few, in a build that checks itself; `make promises` runs thousands in an optimised one.
    @Test("Boxes live through two days of faults, and no promise is broken", arguments: 0..<4)
    func boxes(batch: Int) {
        for seed in UInt64(batch * 10 + 1)...UInt64(batch * 10 + RandomCases.count(10)) {
            let report = Report.run(seed: seed, days: Self.days)
            #expect(report.events > 0)
            guard let failure = report.failures.first else { continue }
            let (violation, trace) = failure.shrunk(lines: 40)
            let rerun = "make simulate SEEDS=1 FIRST=\(seed) DAYS=\(Self.days)"
            Issue.record(
                "seed \(seed): \(violation)\n\(trace.joined(separator: "\n"))\nrerun it with: \(rerun)")
            return
        }
    }

    @Test("A simulated start reads as much of the history as the program does")
    func history() {
        #expect(Limits.linesLearntFrom == HandledIds.learntFrom)
    }

    @Test("The same seed lives the same life")
    func deterministic() {
        let (once, again) = (Report.run(seed: 7, days: 2), Report.run(seed: 7, days: 2))
        #expect(once.events == again.events && once.called == again.called)
        #expect(once.faults == again.faults && once.outcomes == again.outcomes)
    }
}
