import Foundation
import LabSupport
import PrayerEngine
import Protocol
import Settings
import Testing
import Times

extension LostConfigurationTests {
    @Test("On a machine in UTC without a place it runs, calls nothing, and plays what it is asked to")
    func noPlace() async throws {
        let box = try LabBox()
        try "[debug]\ntriggers = true\n".write(to: box.configuration, atomically: true, encoding: .utf8)
        let program = try await box.start(environment: ["TZ": "UTC"])
        let status = try box.status
        #expect(status.placeProblem?.code == "no-place" && status.next == nil && status.timers.isEmpty)
        #expect(program.text.contains("run \"sudo adhanctl setup\""))
        let entry = try await box.entry(try #require(try box.trigger("asr", in: "2s").id), within: 30)
        #expect(entry.outcome == .played)
        // Where a place must be named, the zone's does not do.
        program.send(SIGTERM)
        _ = try await program.exitStatus()
        let flashed = try await box.start(environment: ["TZ": "Asia/Karachi", "ADHAND_PLACE": "named"])
        let place = try box.status
        #expect(place.placeProblem?.code == "approximate" && place.next == nil)
        flashed.send(SIGTERM)
        _ = try await flashed.exitStatus()
        try await box.start(environment: ["TZ": "Asia/Karachi"])
        let approximate = try box.status
        #expect(approximate.placeProblem == nil && approximate.next != nil)
    }

    @Test(
        "A timetable of which every file is gone is reported, at every start, until somebody says that there is none",
        arguments: ["reload", "remove"])
    func timetableGone(_ remedy: String) async throws {
        let box = try LabBox()
        let table = box.state.appending(path: "timetable.csv")
        var program = try await box.start()
        let kept = box.state.appending(path: KeptConfiguration.fileName)
        func isNoted() throws -> Bool? {
            try KeptConfiguration(fileBytes: [UInt8](Data(contentsOf: kept))).hasTimetable
        }
        #expect(try isNoted() == false)
        try "date,fajr\n2026-11-24,05:00\n".write(to: table, atomically: true, encoding: .utf8)
        // As adhanctl has it taken over, without a reading of the configuration.
        try box.change(.reloadTimetable)
        #expect(try await eventually { try isNoted() == true })
        try FileManager.default.removeItem(at: table)
        for _ in 1...2 {
            program = try await restart(box, program)
            #expect(try box.status.timetable?.problem?.contains("is gone") == true)
            #expect(try isNoted() == true)
        }
        #expect(throws: (any Error).self) { try box.change(.reloadTimetable) }
        // A program that has its own file read has not asked about the timetable.
        try box.change(.reload, ReloadParameters(written: "/elsewhere"))
        #expect(try box.status.timetable?.problem?.contains("is gone") == true)
        #expect(try isNoted() == true)
        if remedy == "remove" {
            let command = try Program(
                ["--socket", box.socket, "timetable", "remove", "--state-dir", box.state.path],
                in: box.directory, environment: [:], launcher: (Program.adhanctl, []))
            #expect(try await command.exitStatus() == 0, "\(command.text)")
        } else {
            // A signal, or a reload by the service manager, has no reader for its result.
            program.send(SIGHUP)
            #expect(try await box.logs("configuration reloaded"))
            try box.change(.reload, ReloadParameters(unattended: true))
            #expect(try box.status.timetable?.problem?.contains("is gone") == true)
            #expect(try isNoted() == true)
            let reply = try box.change(.reload, ReloadParameters())
            #expect(reply.problems?.contains { $0.hasPrefix("confirmed: the timetable") } == true)
        }
        #expect(try await eventually { try isNoted() == false })
        #expect(try box.status.timetable == nil)
        _ = try await restart(box, program)
        #expect(try box.status.timetable == nil)
    }
}
