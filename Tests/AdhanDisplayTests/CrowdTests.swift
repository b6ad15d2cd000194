import Foundation
import LabSupport
import Testing

extension DisplayTests {
    @Suite("Many viewers, slow ones and rude ones")
    struct CrowdTests {
        @Test("A thousand viewers, and afterwards as before")
        func crowd() async throws {
            let display = try Display()
            _ = try await display.becomes(200, within: 10)
            try await Task.sleep(for: .seconds(2))
            let before = display.residentKilobytes
            var lines: [Line] = (0..<1000).map { _ in Line.listening(to: display.port) }
            for line in lines { #expect(line.event()?.name == "state") }
            #expect(try display.get("/healthz").status == 200)
            let during = display.residentKilobytes
            lines = []
            try await Task.sleep(for: .seconds(8))
            let after = display.residentKilobytes
            print("resident: \(before) KB before, \(during) KB with 1000 viewers, \(after) KB after")
            #expect(try display.get("/healthz").status == 200)
            #expect(after < before + 4096)
            if BuiltProgram.isReleased { #expect(after <= 16 * 1024) }
        }

        @Test("Who reads slowly or never finishes keeps nobody waiting")
        func slow() async throws {
            let display = try Display()
            _ = try await display.becomes(200, within: 10)
            let slow = (0..<50).map { _ in
                let line = Line(port: display.port, receiveBuffer: 2048)
                line.send("GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n")
                return line
            }
            let unfinished = (0..<50).map { _ in
                let line = Line(port: display.port)
                line.send("GET / HTTP/1.1\r\nHo")
                return line
            }
            let began = ContinuousClock.now
            for _ in 0..<20 { #expect(try display.get("/state.json").status == 200) }
            #expect(ContinuousClock.now - began < .seconds(5))
            // Ten seconds for a head, and then the line is cut.
            let end = try #require(unfinished.first)
            #expect(end.readAll().isEmpty)
            #expect(ContinuousClock.now - began > .seconds(5) && ContinuousClock.now - began < .seconds(14))
            withExtendedLifetime(slow) {}
        }
    }
}
