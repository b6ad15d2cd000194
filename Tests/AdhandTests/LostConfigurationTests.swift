import Foundation
import LabSupport
import PrayerEngine
import Protocol
import Settings
import Testing
import Times

/// Files after a power cut, a slip of the hand or a file system that hangs, and the effect of the second command.
@Suite("A configuration that is lost, and files that hang", .serialized) struct LostConfigurationTests {
    static let volume = "[adhan]\nvolume = 33\n"

    func restart(_ box: LabBox, _ program: Program) async throws -> Program {
        program.send(SIGTERM)
        _ = try await program.exitStatus()
        return try await box.start()
    }

    /// A drop-in beside the file, with a volume of its own.
    func dropIn(_ box: LabBox, _ text: String = "[adhan.isha]\nvolume = 11\n") throws -> String {
        let folder = box.configuration.path + ".d"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try text.write(toFile: folder + "/50-own.toml", atomically: true, encoding: .utf8)
        return folder + "/50-own.toml"
    }

    func isKept(_ box: LabBox, _ file: String, _ what: String) throws {
        let status = try box.status
        #expect(status.prayers.map(\.volume) == [33, 33, 33, 33, 11], "\(what)")
        #expect(status.configurationProblem?.cause == .lost, "\(what)")
        #expect(status.configurationProblem?.file == file, "\(what)")
        #expect(status.configurationProblem?.fix == "adhanctl reload")
    }

    @Test("Whatever is lost, a restart keeps what was in force and says so, and so does the second one")
    func restarts() async throws {
        let box = try LabBox(Self.volume)
        let dropIn = try dropIn(box)
        let folder = box.configuration.path + ".d"
        let (main, own) = (
            try Data(contentsOf: box.configuration), try Data(contentsOf: URL(filePath: dropIn))
        )
        var program = try await box.start()
        let files = FileManager.default
        let losses: [(String, String, () throws -> Void)] = [
            ("drop-in emptied", dropIn, { try Data().write(to: URL(filePath: dropIn)) }),
            ("drop-in gone", dropIn, { try files.removeItem(atPath: dropIn) }),
            ("folder gone", dropIn, { try files.removeItem(atPath: folder) }),
            ("one line end", box.configuration.path, { try Data("\n".utf8).write(to: box.configuration) }),
            (
                "cut behind its first line", box.configuration.path,
                {
                    try (main.prefix { $0 != UInt8(ascii: "\n") } + Data("\n".utf8)).write(
                        to: box.configuration)
                }
            ),
            ("gone", box.configuration.path, { try files.removeItem(at: box.configuration) }),
        ]
        for (what, file, lose) in losses {
            try lose()
            program = try await restart(box, program)
            try isKept(box, file, what)
            program = try await restart(box, program)
            try isKept(box, file, "\(what), second start")
            try main.write(to: box.configuration)
            try files.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try own.write(to: URL(filePath: dropIn))
            program = try await restart(box, program)
            #expect(try box.status.configurationProblem == nil, "\(what)")
        }
        // A file in the place of the folder cannot be read, whoever asks.
        try files.removeItem(atPath: folder)
        try Data().write(to: URL(filePath: folder))
        program = try await restart(box, program)
        #expect(try box.status.prayers.map(\.volume) == [33, 33, 33, 33, 11])
        #expect(try box.status.configurationProblem?.message.contains("it is not a folder") == true)
        #expect(throws: ControlError.self) { try box.change(.reload, ReloadParameters()) }
    }

    @Test("A reload takes what the files say, tells what is gone, and the next start agrees with it")
    func reloadThenRestart() async throws {
        let box = try LabBox(Self.volume)
        let dropIn = try dropIn(box)
        var program = try await box.start()
        try Data().write(to: URL(filePath: dropIn))
        program = try await restart(box, program)
        try isKept(box, dropIn, "restart")
        let reply = try box.change(.reload, ReloadParameters())
        #expect(
            reply.problems == [
                "\(dropIn): the file is empty and was not before, as after a loss of power; it is no longer in force"
            ])
        #expect(try box.status.configurationProblem == nil)
        #expect(try box.status.prayers.last?.volume == 33)
        program = try await restart(box, program)
        #expect(try box.status.configurationProblem == nil)
        #expect(try box.status.prayers.last?.volume == 33)
        // The signal is a reload as well; and what is gone altogether stays gone.
        try FileManager.default.removeItem(at: box.configuration)
        try FileManager.default.removeItem(atPath: dropIn)
        program.send(SIGHUP)
        #expect(try await box.logs("the file was in force and is gone"))
        #expect(try await eventually { try box.status.configurationFile == nil })
        program = try await restart(box, program)
        #expect(try box.status.configurationProblem == nil)
        #expect(try box.status.configurationFile == nil)
        program.send(SIGTERM)
    }

    @Test(
        "What adhanctl takes out of the file itself is no loss",
        arguments: [["set", "--undo"], ["unset", "adhan.volume"]])
    func removedByCommand(_ words: [String]) async throws {
        let box = try LabBox("[debug]\ntriggers = true\n")
        try await box.start()
        func run(_ words: [String]) async throws -> String {
            let (status, text) = try await adhanctl(box, words)
            #expect(status == 0, "\(text)")
            return text
        }
        let file = ["--config", box.configuration.path]
        _ = try await run(["set", "adhan.volume", "70", "--untested"] + file)
        #expect(try box.status.prayers.first?.volume == 70)
        let output = try await run(words + ["--untested"] + file)
        #expect(output.contains("adhand has loaded it") && !output.contains("Warning"), "\(output)")
        #expect(try box.status.prayers.first?.volume == 80)
        #expect(box.program?.text.contains("loss of power") == false)
        // Nor is it missed at the next start.
        box.program?.send(SIGTERM)
        _ = try await box.program?.exitStatus()
        try await box.start()
        #expect(try box.status.configurationProblem == nil)
    }

    func adhanctl(_ box: LabBox, _ words: [String]) async throws -> (status: Int32?, text: String) {
        let path = BuiltProgram.path("adhanctl", beside: Program.path)
        let arguments = ["-c", "exec \"$0\" --socket \"$@\" >&2", path, box.socket] + words
        let program = try Program(
            arguments, in: box.directory, environment: box.card.environment, launcher: ("/bin/sh", []))
        return (try await program.exitStatus(within: 60), program.text)
    }

    @Test(
        "What is taken out while adhand is stopped is meant; what is lost meanwhile is not, whatever is set behind it"
    )
    func lostWhileStopped() async throws {
        let box = try LabBox(Self.volume)
        let file = box.configuration.path
        func set(_ words: String...) async throws -> Int32? {
            try await adhanctl(box, words + ["--untested", "--config", file]).status
        }
        func stop(_ program: Program) async throws {
            program.send(SIGTERM)
            _ = try await program.exitStatus()
        }
        var program = try await box.start()
        let first = try box.status
        #expect(try await set("set", "adhan.asr.volume", "70") == 0)
        try await stop(program)
        // The last key of the file, so that what is left is the beginning of what it was.
        #expect(try await set("unset", "adhan.asr.volume") == 0)
        program = try await box.start()
        #expect(try box.status.configurationProblem == nil)
        #expect(try box.status.prayers.map(\.volume) == [33, 33, 33, 33, 33])
        try await stop(program)
        let whole = try Data(contentsOf: box.configuration)
        for lost in ["", "# A mosque\n"] {
            try Data(lost.utf8).write(to: box.configuration)
            _ = try await set("set", "adhan.asr.volume", "60")
            program = try await box.start()
            let status = try box.status
            #expect(status.location == first.location && status.calculation == first.calculation, "\(lost)")
            #expect(status.configurationProblem?.cause == .lost, "\(lost)")
            try whole.write(to: box.configuration)
            try box.change(.reload, ReloadParameters())
            try await stop(program)
        }
    }

    @Test("What was lost while adhand runs is passed off by no command that sets something else")
    func lostWhileRunning() async throws {
        let box = try LabBox(Self.volume)
        let dropIn = try dropIn(box)
        let program = try await box.start()
        let main = try Data(contentsOf: box.configuration)
        let set = ["set", "adhan.asr.volume", "70", "--untested", "--config", box.configuration.path]
        func refuses(_ file: String) async throws {
            for _ in 1...2 {
                let (status, text) = try await adhanctl(box, set)
                #expect(status == 1 && text.contains(file) && text.contains("adhanctl reload"), "\(text)")
            }
            #expect(try box.status.prayers.map(\.volume) == [33, 33, 33, 33, 11])
        }
        try Data().write(to: box.configuration)
        try await refuses(box.configuration.path)
        #expect(try Data(contentsOf: box.configuration).isEmpty)
        try main.write(to: box.configuration)
        try Data().write(to: URL(filePath: dropIn))
        try await refuses(dropIn)
        // A person who may not read what adhand keeps learns it from adhand, which knows what was taken out.
        let whole = try String(contentsOf: box.configuration, encoding: .utf8)
        try whole.replacing("volume = 33", with: "").write(
            to: box.configuration, atomically: true, encoding: .utf8)
        let written = ReloadParameters(written: box.configuration.path, removed: ["adhan.sound"])
        let problems = try box.change(.reload, written).problems ?? []
        #expect(
            problems.contains { $0.contains("adhan.volume was in force and is gone") }
                && problems.contains { $0.hasPrefix("\(dropIn): the file is empty") }, "\(problems)")
        #expect(try await box.logs("adhan.volume was in force and is gone"))
        // After that, and after a reload, nothing stands in the way.
        #expect(try await adhanctl(box, set).status == 0)
        try main.write(to: box.configuration)
        try "[adhan.isha]\nvolume = 11\n".write(toFile: dropIn, atomically: true, encoding: .utf8)
        try box.change(.reload, ReloadParameters())
        try FileManager.default.removeItem(atPath: dropIn)
        try await refuses(dropIn)
        try box.change(.reload, ReloadParameters())
        let (status, text) = try await adhanctl(box, set)
        #expect(
            status == 0 && text.contains("adhand has loaded it") && !text.contains("no longer in force"),
            "\(text)")
        for volume in [70, 33, 70] {
            #expect(try box.status.prayers.map(\.volume) == [33, 33, volume, 33, 33])
            #expect(try await adhanctl(box, ["set", "--undo"] + set.suffix(3)).status == 0)
        }
        program.send(SIGTERM)
    }

    @Test("A comment says that nothing is meant")
    func comment() async throws {
        let box = try LabBox(Self.volume)
        let dropIn = try dropIn(box)
        var program = try await box.start()
        try "# no drop-in any more\n".write(toFile: dropIn, atomically: true, encoding: .utf8)
        program = try await restart(box, program)
        #expect(try box.status.configurationProblem == nil)
        #expect(try box.status.prayers.last?.volume == 33)
        program.send(SIGTERM)
    }

    @Test(
        "A zone file that was broken since keeps the box calling, blames no configuration, and is over by itself"
    )
    func brokenZone() async throws {
        let box = try LabBox()
        let zones = box.directory.appending(path: "zones")
        try FileManager.default.createDirectory(
            at: zones.appending(path: "Etc"), withIntermediateDirectories: true)
        let name = Spot(noonIn: 6 * 3600).zoneName
        let file = zones.appending(path: name)
        let bytes = try Data(contentsOf: URL(filePath: "/usr/share/zoneinfo/\(name)"))
        try bytes.write(to: file)
        let environment = ["TZDIR": zones.path]
        var program = try await box.start(environment: environment)
        let next = try #require(try box.status.next?.at)
        for broken in [Data(), Data(bytes.prefix(50)), nil] {
            program.send(SIGTERM)
            _ = try await program.exitStatus()
            if let broken { try broken.write(to: file) } else { try FileManager.default.removeItem(at: file) }
            program = try await box.start(environment: environment)
            let status = try box.status
            #expect(status.next?.at == next && status.configurationProblem == nil)
            #expect(status.zoneProblem?.message.contains("rules that it has kept of \(name)") == true)
            // Nor is a reload refused for it.
            try box.change(.reload, ReloadParameters())
            #expect(try box.status.zoneProblem != nil)
        }
        try bytes.write(to: file)
        try box.change(.reload, ReloadParameters())
        #expect(try box.status.zoneProblem == nil)
        // Without kept rules the hour of the longitude stands in.
        program.send(SIGTERM)
        _ = try await program.exitStatus()
        try Data().write(to: file)
        try FileManager.default.removeItem(at: box.state.appending(path: "configuration.json"))
        program = try await box.start(environment: environment)
        #expect(try box.status.next?.prayer != nil)
        #expect(try box.status.zoneProblem?.message.contains("the hour of the place's longitude") == true)
        program.send(SIGTERM)
    }
}
