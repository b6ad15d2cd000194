import Foundation
import LabSupport
import PrayerEngine
import Protocol
import Settings
import Testing

/// File systems that do not answer. Each test waits for most of its time, so all of them wait at once.
@Suite("Files that hang") struct HangingFilesTests {
    @Test(
        "A file that hangs for 40 s at a reload, 14 s before an adhan, delays neither the adhan nor an answer",
        arguments: ["adhand.toml", "drop-in", "timetable.csv"])
    func hangsAtReload(_ what: String) async throws {
        let box = try LabBox(LostConfigurationTests.volume)
        let dropIn = try LostConfigurationTests().dropIn(box)
        let library = try box.hangingFiles()
        let slow = box.directory.appending(path: "slow").path
        _ = try await box.start(
            environment: ["LD_PRELOAD": library, "SLOW_READ": slow, "SLOW_SECONDS": "40"])
        let file: String
        switch what {
        case "adhand.toml": file = box.configuration.path
        case "drop-in": file = dropIn
        default:
            file = box.state.appending(path: "timetable.csv").path
            try "date,fajr\n".write(toFile: file, atomically: true, encoding: .utf8)
        }
        let id = try #require(try box.trigger("asr", in: "14s").id)
        try FileManager.default.linkItem(atPath: file, toPath: slow)
        box.program?.send(SIGHUP)
        let begun = Date()
        var slowest = 0.0
        while Date().timeIntervalSince(begun) < 16 {
            let asked = Date()
            _ = try box.status
            slowest = max(slowest, Date().timeIntervalSince(asked))
            try await Task.sleep(for: .milliseconds(250))
        }
        #expect(slowest < 1, "\(slowest) s for an answer")
        let entry = try await box.entry(id, within: 40)
        let lateness = try #require(entry.latenessMs)
        #expect(entry.outcome == .played && (0..<50).contains(lateness), "\(entry)")
        let status = try box.status
        if what == "timetable.csv" {
            #expect(status.timetable?.problem?.contains("does not answer") == true)
        } else {
            #expect(status.configurationProblem?.cause == .unanswered)
        }
        #expect(status.prayers.map(\.volume) == [33, 33, 33, 33, 11])
    }

    @Test("A file that hangs at a start gives way to what was in force, and is taken over when it answers")
    func hangsAtStart() async throws {
        let box = try LabBox(LostConfigurationTests.volume)
        let library = try box.hangingFiles()
        let first = try await box.start()
        first.send(SIGTERM)
        _ = try await first.exitStatus()
        let slow = box.directory.appending(path: "slow").path
        try FileManager.default.linkItem(atPath: box.configuration.path, toPath: slow)
        let begun = Date()
        let program = try box.launch(
            environment: ["LD_PRELOAD": library, "SLOW_READ": slow, "SLOW_SECONDS": "40"])
        #expect(try await eventually(within: 25) { (try? box.status) != nil })
        #expect(Date().timeIntervalSince(begun) < 20)
        let status = try box.status
        #expect(status.configurationProblem?.cause == .unanswered && status.prayers.first?.volume == 33)
        try FileManager.default.removeItem(atPath: slow)
        try box.configure("[adhan]\nvolume = 44\n")
        #expect(try await eventually(within: 130) { try box.status.prayers.first?.volume == 44 })
        #expect(try box.status.configurationProblem == nil)
        #expect(program.text.contains("can be used again"))
    }
}

extension LabBox {
    /// A library that makes files hang for a program that it is loaded into.
    func hangingFiles() throws -> String {
        let library = directory.appending(path: "slow_read.so").path
        let compiler = Process()
        compiler.executableURL = URL(filePath: "/usr/bin/env")
        compiler.arguments = [
            "gcc", "-shared", "-fPIC", "-O2", Program.checkout.appending(path: "Tests/Lab/slow_read.c").path,
            "-o", library,
        ]
        try compiler.run()
        compiler.waitUntilExit()
        try #require(compiler.terminationStatus == 0)
        return library
    }
}
