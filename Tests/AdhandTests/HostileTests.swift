import Foundation
import LabSupport
import PrayerEngine
import Protocol
import Testing

@Suite("Hostile callers", .serialized) struct HostileTests {
    @Test("A mob on the socket takes no memory, keeps no descriptor, and delays no announcement")
    func mob() async throws {
        let place = Spot(noonIn: 9)
        let box = try LabBox(place: place)
        let program = try await box.start()
        let before = try Descriptors.count(of: program)
        let mob = try Program(
            [Program.checkout.appending(path: "Tests/Lab/hostile.py").path, box.socket, "14"],
            in: box.directory, environment: [:], launcher: ("/usr/bin/env", ["python3"]))
        var most = 0
        var answers: [Bool] = []
        while mob.process.isRunning {
            most = max(most, try Self.residentKilobytes(of: program))
            // One user cannot lock the others out; where all are the same user, that is not promised.
            if geteuid() == 0 { answers.append((try? box.status) != nil) }
            try await Task.sleep(for: .milliseconds(200))
        }
        #expect(try await mob.exitStatus() == 0)
        #expect(mob.text.contains("many_at_once"), "\(mob.text)")
        // A sanitizer's own memory is no measure.
        if Program.sanitizer.isEmpty { #expect(most < 48 << 10, "\(most) kB with \(mob.text)") }
        #expect(answers.allSatisfy { $0 }, "\(answers.count { !$0 }) of \(answers.count) were not answered")

        let entry = try await box.entry(place.id, within: 30)
        #expect(entry.outcome == .played)
        #expect(entry.dropouts == 0)
        #expect(try #require(entry.latenessMs) < 50)
        #expect(abs(try #require(box.card.starts.first) - place.noon.unixSeconds) < 0.05)
        #expect(try await eventually(within: 15) { try Descriptors.count(of: program) <= before })
        #expect(try box.status.playback.state == .idle)
    }

    private enum Descriptors {
        static func count(of program: Program) throws -> Int {
            try FileManager.default.contentsOfDirectory(
                atPath: "/proc/\(program.process.processIdentifier)/fd"
            ).count
        }
    }

    static func residentKilobytes(of program: Program) throws -> Int {
        let text = try String(
            contentsOfFile: "/proc/\(program.process.processIdentifier)/status", encoding: .utf8)
        let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("VmRSS:") })
        return try #require(Int(line.filter(\.isNumber)))
    }
}
