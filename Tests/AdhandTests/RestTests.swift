import Foundation
import LabSupport
import Testing

/// A box that waits costs nothing. One wake-up every second, of a timer in a library, would be fifteen here.
@Suite("At rest") struct RestTests {
    @Test(
        "adhand sleeps while nothing is due",
        .enabled(if: Program.sanitizer.isEmpty, "a sanitizer has a thread of its own that wakes up"))
    func sleeps() async throws {
        let box = try LabBox()
        let program = try await box.start()
        let process = program.process.processIdentifier
        // A look at the sounds and the zone by those threads that may wait, and memory that is given back, come first: on a busy
        // machine they take longer.
        for _ in 0..<30 {
            if try await WakeUps.count(process, over: 4) <= 1 { break }
        }
        let woken = try await WakeUps.count(process, over: 15)
        #expect(woken <= 4, "\(woken) wake-ups in 15 s")
    }
}
