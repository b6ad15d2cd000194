import Foundation
import LabSupport
import Testing

extension DisplayTests {
    @Suite("While nobody looks")
    struct RestTests {
        @Test("Nothing wakes the server while nobody listens, and each second once while somebody does")
        func sleeps() async throws {
            let display = try Display()
            try await Task.sleep(for: .seconds(8))
            let pid = display.process.processIdentifier
            let alone = try await WakeUps.count(pid, over: 12)
            #expect(alone <= 4, "\(alone) wake-ups in 12 s with nobody there")
            let line = Line.listening(to: display.port)
            #expect(line.event()?.name == "state")
            let watched = try await WakeUps.count(pid, over: 12)
            #expect((10...25).contains(watched), "\(watched) wake-ups in 12 s with one listener")
        }
    }
}
