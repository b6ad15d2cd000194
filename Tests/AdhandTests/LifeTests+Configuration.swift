import Foundation
import LabSupport
import PrayerEngine
import Protocol
import Testing
import Texts

extension LifeTests {
    @Test("It does not start on a broken configuration, and says where it is broken")
    func brokenAtStart() async throws {
        let box = try LabBox("[adhan]\nvolume = 800\n")
        let program = try box.launch()
        #expect(try await program.exitStatus() == 65)
        #expect(program.text.contains("\(box.configuration.path):10:10: "))
        for option in ["--check", "--print-config"] {
            let check = try Program(
                [option, "--config", box.configuration.path], in: box.directory, environment: [:])
            #expect(try await check.exitStatus() == 65)
            #expect(check.text.hasPrefix("adhand: \(box.configuration.path):10:10: "))
        }
    }

    @Test(
        "A configuration that broke since the last start gives way to the last good one, loudly, until it is right"
    )
    func brokenSince() async throws {
        let box = try LabBox("[adhan]\nvolume = 33\n")
        let dropIns = box.configuration.path + ".d"
        try FileManager.default.createDirectory(atPath: dropIns, withIntermediateDirectories: true)
        let dropIn = dropIns + "/10-isha.toml"
        try "[adhan.isha]\nvolume = 11\n".write(toFile: dropIn, atomically: true, encoding: .utf8)
        let first = try await box.start()
        #expect(try box.status.configurationProblem == nil)
        first.send(SIGTERM)
        _ = try await first.exitStatus()

        try "[adhan.isha]\nvolume = 800\n".write(toFile: dropIn, atomically: true, encoding: .utf8)
        let second = try await box.start()
        let status = try box.status
        #expect(status.prayers.map(\.volume) == [33, 33, 33, 33, 11])
        let problem = try #require(status.configurationProblem)
        #expect(problem.file == dropIn)
        #expect(problem.line == 2 && problem.column == 10)
        #expect(problem.message.contains("the last one that could be used, kept on "))
        #expect(second.text.contains("the configuration cannot be used: \(dropIn):2:10: "))

        try "[adhan.isha]\nvolume = 22\n".write(toFile: dropIn, atomically: true, encoding: .utf8)
        try box.change(.reload, ReloadParameters())
        #expect(try box.status.configurationProblem == nil)
        #expect(try box.status.prayers.last?.volume == 22)
        // A part that is broken at a reload is reported as well, and is no reason to keep it.
        try "volumes = 1\n".write(toFile: dropIn, atomically: true, encoding: .utf8)
        #expect(throws: ControlError.self) { try box.change(.reload, ReloadParameters()) }
        #expect(try box.status.configurationProblem?.line == 1)
        second.send(SIGKILL)
        _ = try await second.exitStatus()
        let third = try await box.start()
        #expect(try box.status.prayers.last?.volume == 22)
        third.send(SIGTERM)
        _ = try await third.exitStatus()

        // The remains of a file that was being written when the power was lost.
        let text = try Data(contentsOf: box.configuration)
        try FileManager.default.removeItem(atPath: dropIn)
        try Data().write(to: box.configuration)
        let emptied = try await box.start()
        #expect(try box.status.prayers.first?.volume == 33)
        #expect(try box.status.configurationProblem?.message.contains("the file is empty") == true)
        try text.write(to: box.configuration)
        try box.change(.reload, ReloadParameters())
        #expect(try box.status.configurationProblem == nil)
        emptied.send(SIGTERM)
        _ = try await emptied.exitStatus()
        // A link whose end is not there, as of a disk that is not mounted, is no missing file.
        try FileManager.default.removeItem(at: box.configuration)
        try FileManager.default.createSymbolicLink(
            atPath: box.configuration.path, withDestinationPath: "/nowhere/adhand.toml")
        let unlinked = try await box.start()
        #expect(try box.status.prayers.first?.volume == 33)
        #expect(try box.status.configurationProblem?.message.contains("it is a link to") == true)
        unlinked.send(SIGTERM)
        _ = try await unlinked.exitStatus()
        try FileManager.default.removeItem(at: box.configuration)
        try text.write(to: box.configuration)
        try "volumes = 1\n".write(toFile: dropIn, atomically: true, encoding: .utf8)

        // Nothing is taken for a file of another path.
        let elsewhere = try Program(
            [
                "--config", dropIn, "--state-dir", box.state.path, "--socket", box.socket, "--audio-dir",
                LabBox.audio.path,
            ], in: box.directory, environment: box.card.environment)
        #expect(try await elsewhere.exitStatus() == 65)
    }

    @Test("A broken configuration is refused at reload, by request and by signal, and the old one stays")
    func brokenAtReload() async throws {
        let box = try LabBox("[adhan]\nvolume = 33\n")
        let program = try await box.start()
        try box.configure("[adhan]\nvolume = 44\nvolumes = 5\n")
        #expect {
            try box.change(.reload, ReloadParameters())
        } throws: { error in
            guard case .configurationInvalid(let file, let line, _, let reason)? = error as? ControlError
            else { return false }
            return file == box.configuration.path && line == 11 && reason.contains("volumes")
        }
        #expect(try box.status.prayers.first?.volume == 33)
        program.send(SIGHUP)
        #expect(
            try await eventually {
                program.text.components(separatedBy: "configuration not reloaded").count == 3
            })
        #expect(try box.status.prayers.first?.volume == 33)
        try box.configure("[adhan]\nvolume = 44\n")
        program.send(SIGHUP)
        #expect(try await box.logs("configuration reloaded"))
        #expect(try box.status.prayers.first?.volume == 44)
    }

    @Test("Without a configuration file it runs by the embedded default, and warns of it")
    func embedded() async throws {
        let box = try LabBox()
        try FileManager.default.removeItem(at: box.configuration)
        try await box.start()
        #expect(try await box.logs("warning adhand"))
        #expect(try box.status.configurationFile == nil)
    }

    @Test("Drop-ins beside the file win, and a reload tells when the file has vanished behind them")
    func dropIns() async throws {
        let box = try LabBox("[adhan]\nvolume = 33\nlate-grace = \"3m\"\n")
        let directory = box.configuration.path + ".d"
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: false)
        let dropIn = URL(fileURLWithPath: directory + "/10-quiet.toml")
        try Data("[adhan]\nvolume = 11\n".utf8).write(to: dropIn)
        _ = try await box.start()
        #expect(try box.status.prayers.first?.volume == 11)
        try Data("[adhan]\nvolume = 300\n".utf8).write(to: dropIn)
        #expect {
            try box.change(.reload, ReloadParameters())
        } throws: { error in
            guard case .configurationInvalid(dropIn.path, 2, 10, _)? = error as? ControlError else {
                return false
            }
            return true
        }
        try Data("[adhan]\nvolume = 22\n".utf8).write(to: dropIn)
        try FileManager.default.removeItem(at: box.configuration)
        // A person who reloads means it, and reads what that costs.
        let reply = try box.change(.reload, ReloadParameters())
        #expect(
            reply.problems?.first?.hasPrefix("\(box.configuration.path): the file was in force and is gone")
                == true)
        try box.configure("[adhan]\nvolume = 44\n")
        try box.change(.reload, ReloadParameters())
        #expect(try box.status.prayers.first?.volume == 22)
    }

    @Test("ADHAND_LOG says what is worth telling")
    func logLevels() async throws {
        let box = try LabBox()
        let quiet = try await box.start(environment: ["ADHAND_LOG": "warning"])
        #expect(quiet.text.isEmpty)
        quiet.send(SIGTERM)
        #expect(try await quiet.exitStatus() == 0)
        let loud = try await box.start(environment: ["ADHAND_LOG": "debug"])
        #expect(try await box.logs(" debug   timer armed: "))
        loud.send(SIGTERM)
        #expect(try await loud.exitStatus() == 0)
        let wrong = try await box.start(environment: ["ADHAND_LOG": "loud"])
        #expect(wrong.text.contains("ADHAND_LOG=loud is not a level"))
    }
}
