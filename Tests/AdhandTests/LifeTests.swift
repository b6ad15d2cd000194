import Foundation
import LabSupport
import PrayerEngine
import Protocol
import Testing
import Texts

@Suite("Starting, reloading and ending", .serialized) struct LifeTests {
    @Test("SIGTERM fades out what plays and ends well; started again soon, adhand goes on where it would be")
    func terminate() async throws {
        let place = Spot(noonIn: 4)
        let box = try Box("[audio]\nfade-out = \"1s\"\n", place: place)
        let program = try await box.start()
        #expect(try await box.isPlaying())
        try await Task.sleep(for: .seconds(2))
        program.send(SIGTERM)
        #expect(try await program.exitStatus() == 0)
        #expect(box.history.isEmpty)
        #expect(!FileManager.default.fileExists(atPath: box.socket))
        #expect(program.text.contains("adhand is stopping"))
        #expect(program.text.contains("it goes on where it would be if adhand is started again within 20 s"))
        let heard = box.card.heardS16
        let first = heard.count / 2
        #expect(heard.suffix(200).allSatisfy { abs(Int($0)) < 50 })

        let again = try await box.start()
        #expect(try await eventually { box.card.starts.count == 2 })
        let entry = try await box.entry(place.id)
        #expect(entry.outcome == .played)
        #expect(box.history.count == 1)
        #expect(again.text.contains("\(place.prayer.title): adhan resumed at "))
        // The audible part now is the one that would be heard at this moment had it never stopped.
        let whole = try Recording.expected(
            CallingTests.standard.appending(path: "\(place.prayer.rawValue).mp3"), volume: 80)
        let rest = Array(box.card.heardS16.dropFirst(2 * first).prefix(2 * entry.framesPlayed))
        #expect(!rest.isEmpty && rest.count < whole.count)
        #expect(try #require(distance(rest.suffix(44_100), whole.suffix(44_100))) <= 1)
        let missing = Double(whole.count - rest.count) / 2 / 44_100
        let clock = try #require(box.card.starts.last) - place.noon.unixSeconds
        #expect(abs(missing - clock) < 0.2, "\(missing) s are missing after \(clock) s")
    }

    @Test("what somebody stopped does not come back with a restart")
    func stoppedByHand() async throws {
        let box = try Box("[audio]\nfade-out = \"2s\"\n", place: Spot(noonIn: 4))
        let program = try await box.start()
        #expect(try await box.isPlaying())
        try box.say("Stop")
        program.send(SIGKILL)
        _ = try await program.exitStatus()
        try await box.start()
        #expect(try await eventually { box.history.count == 1 })
        #expect(box.history.first?.endedBy?.hasPrefix("adhanctl stop") == true)
        #expect(box.card.starts.count == 1)
    }

    @Test("killed while calling, it goes on where it would be now, and records one call")
    func resume() async throws {
        let place = Spot(noonIn: 4)
        let box = try Box(place: place)
        let program = try await box.start()
        #expect(try await box.isPlaying())
        try await Task.sleep(for: .seconds(2))
        program.send(SIGKILL)
        #expect(try await program.exitStatus() == nil)
        let again = try await box.start()
        let entry = try await box.entry(place.id)
        #expect(entry.outcome == .played)
        #expect(entry.latenessMs.map { $0 < 100 } == true)
        #expect(box.history.count == 1)
        #expect(box.card.starts.count == 2)
        #expect(again.text.contains("\(place.prayer.title): adhan resumed at "))
        // Together the two parts are about the whole, and the second did not begin at the beginning.
        let whole = try Recording.expected(
            CallingTests.standard.appending(path: "\(place.prayer.rawValue).mp3"), volume: 80)
        #expect(entry.framesPlayed < whole.count / 2 - 44_100)
    }

    @Test("mute and switches outlive a restart")
    func remembers() async throws {
        let box = try Box()
        let program = try await box.start()
        try box.say("Mute", MuteParameters(duration: "2h"))
        try box.say("DisablePrayers", PrayersParameters(prayers: ["isha"]))
        program.send(SIGKILL)
        _ = try await program.exitStatus()
        try await box.start()
        #expect(try box.status.mute.active)
        #expect(try box.status.prayers.first { $0.prayer == "isha" }?.enabled == false)
    }

    @Test("a second adhand says who is there, and ends")
    func secondInstance() async throws {
        let box = try Box()
        let first = try await box.start()
        let sameState = try Program(
            [
                "--config", box.configuration.path, "--state-dir", box.state.path, "--socket",
                box.socket + "2",
            ],
            in: box.directory, environment: box.card.environment)
        #expect(try await sameState.exitStatus() == 1)
        #expect(
            sameState.text.contains(
                "another adhand (process \(first.process.processIdentifier)) runs with the state directory"))
        let sameSocket = try Program(
            [
                "--config", box.configuration.path, "--state-dir", box.state.path + "2", "--socket",
                box.socket,
            ],
            in: box.directory, environment: box.card.environment)
        #expect(try await sameSocket.exitStatus() == 1)
        // Whose it is, too: it may be another user's.
        let user = NSUserName()
        #expect(
            sameSocket.text.contains(
                "another adhand answers on the socket \"\(box.socket)\", of the user \(user); stop it first"))
        #expect(try box.status.playback.state == .idle)
    }

    @Test("a socket that a crash left behind is replaced; a file that is no socket is left alone")
    func staleSocket() async throws {
        let box = try Box()
        let program = try await box.start()
        program.send(SIGKILL)
        _ = try await program.exitStatus()
        #expect(FileManager.default.fileExists(atPath: box.socket))
        let second = try await box.start()
        second.send(SIGTERM)
        #expect(try await second.exitStatus() == 0)

        try "precious".write(toFile: box.socket, atomically: true, encoding: .utf8)
        try box.launch()
        #expect(try await box.says("something that is not a socket is there; remove it"))
        #expect(try await box.says("the adhan is called all the same"))
        #expect(try String(contentsOfFile: box.socket, encoding: .utf8) == "precious")
        #expect(box.program?.process.isRunning == true)
    }

    @Test("without a state directory it calls all the same, and does not promise to remember")
    func unwritableState() async throws {
        let box = try Box()
        let file = box.directory.appending(path: "file").path
        try "not a directory".write(toFile: file, atomically: true, encoding: .utf8)
        try await box.start(stateDirectory: file + "/state")
        #expect(try await box.says("nothing that is set now outlives a restart"))
        #expect {
            try box.say("Mute")
        } throws: { error in
            guard case .stateNotSaved(let reason)? = error as? ControlError else { return false }
            return reason.contains(file)
        }
        #expect(try box.status.mute.active)
        #expect(try box.status.stateProblem != nil)
        #expect(throws: ControlError.self) { try box.say("Unmute") }
        #expect(throws: ControlError.self) { try box.trigger("asr") }
        #expect(try await box.isPlaying())
    }

    @Test("a damaged state is set aside, a torn history mended, and both are said")
    func damaged() async throws {
        let box = try Box()
        try FileManager.default.createDirectory(at: box.state, withIntermediateDirectories: true)
        try "{\"version\":1,".write(
            to: box.state.appending(path: "state.json"), atomically: true, encoding: .utf8)
        let line =
            "{\"id\":\"asr_20200101\",\"prayer\":\"asr\",\"scheduled\":\"2020-01-01T12:00:00Z\","
            + "\"outcome\":\"played\",\"sound\":[\"standard\"],\"framesDecoded\":1,\"framesPlayed\":1,\"dropouts\":0}"
        let recent = line.replacingOccurrences(of: "2020", with: "2026")
        try "\(line)\n\(recent)\n{\"id\":\"isha_2026".write(
            to: box.state.appending(path: "history.jsonl"), atomically: true, encoding: .utf8)
        let program = try await box.start()
        #expect(program.text.contains("is damaged; set aside as \"\(box.state.path)/state.json.broken-"))
        #expect(program.text.contains("was torn off in the middle of a line; "))
        let files = try FileManager.default.contentsOfDirectory(atPath: box.state.path)
        #expect(files.contains { $0.hasPrefix("state.json.broken-") })
        // A line that is older than five years is gone as well where a time server vouches for this machine's clock, and only there.
        let kept = box.history.drop { $0.id == "asr_20200101" }
        #expect(kept.first?.id == "asr_20260101")
        #expect(kept.dropFirst().allSatisfy { $0.outcome == .missed })
        try box.say("Mute")
        #expect(FileManager.default.fileExists(atPath: box.state.path + "/state.json"))
    }

    @Test(
        "what people decided outlives a state that is gone, damaged or full of zeros, and that is reported until it is confirmed",
        arguments: ["gone", "damaged", "zeros", "copy gone as well"])
    func decided(_ damage: String) async throws {
        let box = try Box()
        let files = FileManager.default
        let (state, copy) = (
            box.state.appending(path: "state.json"), box.state.appending(path: "state.decided.json")
        )
        var program = try await box.start()
        try box.say("DisablePrayers", PrayersParameters(prayers: ["isha"]))
        try box.say("Mute")
        program.send(SIGTERM)
        _ = try await program.exitStatus()
        #expect(files.fileExists(atPath: copy.path))
        switch damage {
        case "damaged": try Data("{\"version\":1,".utf8).write(to: state)
        case "zeros": try Data(count: 4096).write(to: state)
        default: try files.removeItem(at: state)
        }
        let isLost = damage.hasPrefix("copy")
        if isLost { try files.removeItem(at: copy) }
        // The second start and whatever is saved in between change nothing of it.
        for _ in 0..<2 {
            program = try await box.start()
            let status = try box.status
            #expect(status.mute.active == !isLost)
            #expect(status.switchedOff?.map(\.prayer) == (isLost ? [] : ["isha"]))
            #expect(status.stateLoss?.restored == !isLost)
            #expect(
                status.stateLoss?.cause
                    == (["gone", "copy gone as well"].contains(damage) ? .gone : .damaged))
            program.send(SIGTERM)
            _ = try await program.exitStatus()
        }
        program = try await box.start()
        #expect(try box.say("Reload").problems?.contains { $0.hasPrefix("confirmed: state.json") } == true)
        #expect(try box.status.stateLoss == nil)
        program.send(SIGTERM)
        _ = try await program.exitStatus()
        program = try await box.start()
        #expect(try box.status.stateLoss == nil)
        program.send(SIGTERM)
    }

    @Test(
        "a copy of what people decided that cannot be written is reported, and so is one that cannot be read when it is needed"
    )
    func copyUnwritable() async throws {
        let box = try Box()
        let files = FileManager.default
        let copy = box.state.appending(path: "state.decided.json")
        var program = try await box.start()
        program.send(SIGTERM)
        _ = try await program.exitStatus()
        try? files.removeItem(at: copy)
        try files.createDirectory(at: copy.appending(path: "x"), withIntermediateDirectories: true)
        program = try await box.start()
        try box.say("Mute")
        #expect(try box.status.stateProblem?.contains("what people decided has no second copy") == true)
        #expect(program.text.contains("state.decided.json") && program.text.contains("no second copy"))
        program.send(SIGTERM)
        _ = try await program.exitStatus()
        program = try await box.start()
        #expect(try box.status.mute.active && box.status.stateLoss == nil)
        program.send(SIGTERM)
        _ = try await program.exitStatus()
        // Set aside, and not written over.
        try files.removeItem(at: box.state.appending(path: "state.json"))
        try files.removeItem(at: copy)
        try Data("{\"damaged".utf8).write(to: copy)
        try Data("{\"damaged".utf8).write(to: box.state.appending(path: "configuration.json"))
        program = try await box.start()
        #expect(program.text.contains("state.decided.json\" cannot be read either; set aside as"))
        #expect(program.text.contains("configuration.json\": it is damaged; set aside as"))
        try box.say("Unmute")
        let names = try files.contentsOfDirectory(atPath: box.state.path)
        for name in ["state.decided.json", "configuration.json"] {
            #expect(names.contains(name) && names.contains { $0.hasPrefix("\(name).broken-") })
        }
        #expect(try box.status.stateProblem == nil)
        program.send(SIGTERM)
    }

    @Test(
        "blocks of the history that a power cut took cost the lines that they touch, and no other",
        arguments: [0, 1, 40_000, 1 << 20])
    func holes(tail: Int) async throws {
        let box = try Box()
        let count = 2000
        try CrowdTests.writeHistory(count, in: box)
        let file = box.state.appending(path: "history.jsonl")
        let whole = [UInt8](try Data(contentsOf: file))
        // The beginning, one alone in the middle, and two in a row.
        let blocks = [0, 25, 40, 41]
        let missing = blocks.map { $0 * 4096..<($0 + 1) * 4096 }
        #expect(whole.count > missing[3].upperBound + 8192)
        // Never written, so that the file system has no block there; and nothing but a size behind the last line.
        try FileManager.default.removeItem(at: file)
        _ = FileManager.default.createFile(atPath: file.path, contents: nil)
        let handle = try FileHandle(forWritingTo: file)
        var from = 0
        for hole in missing + [whole.count..<whole.count] {
            try handle.seek(toOffset: UInt64(from))
            try handle.write(contentsOf: whole[from..<hole.lowerBound])
            from = hole.upperBound
        }
        try handle.truncate(atOffset: UInt64(whole.count + tail))
        try handle.close()
        var status = stat()
        #expect(unsafe stat(file.path, &status) == 0)
        #expect(Int(status.st_blocks) * 512 < whole.count, "the file system knows no holes")

        var (start, kept) = (0, [String]())
        for line in whole.split(separator: UInt8(ascii: "\n")) {
            let range = start..<start + line.count
            start = range.upperBound + 1
            guard !missing.contains(where: { $0.overlaps(range) }) else { continue }
            kept.append(try #require(HistoryEntry(line: line)).id)
        }
        #expect((count - 150..<count - 40).contains(kept.count))

        let program = try await box.start()
        #expect(program.text.contains("was torn off in the middle of a line") == (tail > 0))
        #expect(try Caller(box.socket).history(days: 3660).map(\.id) == kept)
        #expect(try [UInt8](Data(contentsOf: file)).prefix(whole.count).suffix(4096) == whole.suffix(4096))
    }

    @Test("it does not start on a broken configuration, and says where it is broken")
    func brokenAtStart() async throws {
        let box = try Box("[adhan]\nvolume = 800\n")
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
        "a configuration that broke since the last start gives way to the last good one, loudly, until it is right"
    )
    func brokenSince() async throws {
        let box = try Box("[adhan]\nvolume = 33\n")
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
        try box.say("Reload")
        #expect(try box.status.configurationProblem == nil)
        #expect(try box.status.prayers.last?.volume == 22)
        // A part that is broken at a reload is reported as well, and is no reason to keep it.
        try "volumes = 1\n".write(toFile: dropIn, atomically: true, encoding: .utf8)
        #expect(throws: ControlError.self) { try box.say("Reload") }
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
        try box.say("Reload")
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
                Box.audio.path,
            ], in: box.directory, environment: box.card.environment)
        #expect(try await elsewhere.exitStatus() == 65)
    }

    @Test("a broken configuration is refused at reload, by request and by signal, and the old one stays")
    func brokenAtReload() async throws {
        let box = try Box("[adhan]\nvolume = 33\n")
        let program = try await box.start()
        try box.configure("[adhan]\nvolume = 44\nvolumes = 5\n")
        #expect {
            try box.say("Reload")
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
        #expect(try await box.says("configuration reloaded"))
        #expect(try box.status.prayers.first?.volume == 44)
    }

    @Test("without a configuration file it runs by the embedded default, and warns of it")
    func embedded() async throws {
        let box = try Box()
        try FileManager.default.removeItem(at: box.configuration)
        try await box.start()
        #expect(try await box.says("warning adhand"))
        #expect(try box.status.configurationFile == nil)
    }

    @Test("drop-ins beside the file win, and a reload tells when the file has vanished behind them")
    func dropIns() async throws {
        let box = try Box("[adhan]\nvolume = 33\nlate-grace = \"3m\"\n")
        let directory = box.configuration.path + ".d"
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: false)
        let dropIn = URL(fileURLWithPath: directory + "/10-quiet.toml")
        try Data("[adhan]\nvolume = 11\n".utf8).write(to: dropIn)
        _ = try await box.start()
        #expect(try box.status.prayers.first?.volume == 11)
        try Data("[adhan]\nvolume = 300\n".utf8).write(to: dropIn)
        #expect {
            try box.say("Reload")
        } throws: { error in
            guard case .configurationInvalid(dropIn.path, 2, 10, _)? = error as? ControlError else {
                return false
            }
            return true
        }
        try Data("[adhan]\nvolume = 22\n".utf8).write(to: dropIn)
        try FileManager.default.removeItem(at: box.configuration)
        // A person who reloads means it, and reads what that costs.
        let said = try box.say("Reload")
        #expect(
            said.problems?.first?.hasPrefix("\(box.configuration.path): the file was in force and is gone")
                == true)
        try box.configure("[adhan]\nvolume = 44\n")
        try box.say("Reload")
        #expect(try box.status.prayers.first?.volume == 22)
    }

    @Test("ADHAND_LOG says what is worth telling")
    func logLevels() async throws {
        let box = try Box()
        let quiet = try await box.start(environment: ["ADHAND_LOG": "warning"])
        #expect(quiet.text.isEmpty)
        quiet.send(SIGTERM)
        #expect(try await quiet.exitStatus() == 0)
        let loud = try await box.start(environment: ["ADHAND_LOG": "debug"])
        #expect(try await box.says(" debug   timer armed: "))
        loud.send(SIGTERM)
        #expect(try await loud.exitStatus() == 0)
        let wrong = try await box.start(environment: ["ADHAND_LOG": "loud"])
        #expect(wrong.text.contains("ADHAND_LOG=loud is not a level"))
    }
}
