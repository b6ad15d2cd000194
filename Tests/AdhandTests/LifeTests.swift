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
        let box = try LabBox("[audio]\nfade-out = \"1s\"\n", place: place)
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

    @Test("What somebody stopped does not come back with a restart")
    func stoppedByHand() async throws {
        let box = try LabBox("[audio]\nfade-out = \"2s\"\n", place: Spot(noonIn: 4))
        let program = try await box.start()
        #expect(try await box.isPlaying())
        try box.change(.stop)
        program.send(SIGKILL)
        _ = try await program.exitStatus()
        try await box.start()
        #expect(try await eventually { box.history.count == 1 })
        #expect(box.history.first?.endedBy?.hasPrefix("adhanctl stop") == true)
        #expect(box.card.starts.count == 1)
    }

    @Test("Killed while calling, it goes on where it would be now, and records one call")
    func resume() async throws {
        let place = Spot(noonIn: 4)
        let box = try LabBox(place: place)
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

    @Test("Mute and switches outlive a restart")
    func remembers() async throws {
        let box = try LabBox()
        let program = try await box.start()
        try box.change(.mute, MuteParameters(duration: "2h"))
        try box.change(.disablePrayers, PrayersParameters(prayers: ["isha"]))
        program.send(SIGKILL)
        _ = try await program.exitStatus()
        try await box.start()
        #expect(try box.status.mute.active)
        #expect(try box.status.prayers.first { $0.prayer == "isha" }?.enabled == false)
    }

    @Test("A second adhand says who is there, and ends")
    func secondInstance() async throws {
        let box = try LabBox()
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

    @Test("A socket that a crash left behind is replaced; a file that is no socket is left alone")
    func staleSocket() async throws {
        let box = try LabBox()
        let program = try await box.start()
        program.send(SIGKILL)
        _ = try await program.exitStatus()
        #expect(FileManager.default.fileExists(atPath: box.socket))
        let second = try await box.start()
        second.send(SIGTERM)
        #expect(try await second.exitStatus() == 0)

        try "precious".write(toFile: box.socket, atomically: true, encoding: .utf8)
        try box.launch()
        #expect(try await box.logs("something that is not a socket is there; remove it"))
        #expect(try await box.logs("the adhan is called all the same"))
        #expect(try String(contentsOfFile: box.socket, encoding: .utf8) == "precious")
        #expect(box.program?.process.isRunning == true)
    }

    @Test("Without a state directory it calls all the same, and does not promise to remember")
    func unwritableState() async throws {
        let box = try LabBox()
        let file = box.directory.appending(path: "file").path
        try "not a directory".write(toFile: file, atomically: true, encoding: .utf8)
        try await box.start(stateDirectory: file + "/state")
        #expect(try await box.logs("nothing that is set now outlives a restart"))
        #expect {
            try box.change(.mute, MuteParameters())
        } throws: { error in
            guard case .stateNotSaved(let reason)? = error as? ControlError else { return false }
            return reason.contains(file)
        }
        #expect(try box.status.mute.active)
        #expect(try box.status.stateProblem != nil)
        #expect(throws: ControlError.self) { try box.change(.unmute) }
        #expect(throws: ControlError.self) { try box.trigger("asr") }
        #expect(try await box.isPlaying())
    }

    @Test("A damaged state is set aside, a torn history mended, and both are said")
    func damaged() async throws {
        let box = try LabBox()
        try FileManager.default.createDirectory(at: box.state, withIntermediateDirectories: true)
        try "{\"version\":1,".write(
            to: box.state.appending(path: "state.json"), atomically: true, encoding: .utf8)
        let line =
            "{\"id\":\"asr_20200101\",\"prayer\":\"asr\",\"scheduled\":\"2020-01-01T12:00:00Z\","
            + "\"outcome\":\"played\",\"sound\":[\"standard\"],\"framesDecoded\":1,\"framesPlayed\":1,\"dropouts\":0}"
        let recent = line.replacingOccurrences(of: "2020", with: "2026")
        try "\(line)\n\(recent)\n{\"id\":\"isha_2026".write(
            to: box.state.appending(path: "history.jsonl"), atomically: true, encoding: .utf8)
        _ = try await box.start()
        #expect(try await box.logs("is damaged; set aside as \"\(box.state.path)/state.json.broken-"))
        #expect(try await box.logs("was torn off in the middle of a line; "))
        let files = try FileManager.default.contentsOfDirectory(atPath: box.state.path)
        #expect(files.contains { $0.hasPrefix("state.json.broken-") })
        // A line that is older than five years is gone as well where a time server vouches for this machine's clock, and only there.
        let kept = box.history.drop { $0.id == "asr_20200101" }
        #expect(kept.first?.id == "asr_20260101")
        #expect(kept.dropFirst().allSatisfy { $0.outcome == .missed })
        try box.change(.mute, MuteParameters())
        #expect(FileManager.default.fileExists(atPath: box.state.path + "/state.json"))
    }

    @Test(
        "What people decided outlives a state that is gone, damaged or full of zeros, and that is reported until it is confirmed",
        arguments: ["gone", "damaged", "zeros", "copy gone as well"])
    func decided(_ damage: String) async throws {
        let box = try LabBox()
        let files = FileManager.default
        let (state, copy) = (
            box.state.appending(path: "state.json"), box.state.appending(path: "state.decided.json")
        )
        var program = try await box.start()
        try box.change(.disablePrayers, PrayersParameters(prayers: ["isha"]))
        try box.change(.mute, MuteParameters())
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
        #expect(
            try box.change(.reload, ReloadParameters()).problems?.contains {
                $0.hasPrefix("confirmed: state.json")
            } == true)
        #expect(try box.status.stateLoss == nil)
        program.send(SIGTERM)
        _ = try await program.exitStatus()
        program = try await box.start()
        #expect(try box.status.stateLoss == nil)
        program.send(SIGTERM)
    }

    @Test(
        "A copy of what people decided that cannot be written is reported, and so is one that cannot be read when it is needed"
    )
    func copyUnwritable() async throws {
        let box = try LabBox()
        let files = FileManager.default
        let copy = box.state.appending(path: "state.decided.json")
        var program = try await box.start()
        program.send(SIGTERM)
        _ = try await program.exitStatus()
        try? files.removeItem(at: copy)
        try files.createDirectory(at: copy.appending(path: "x"), withIntermediateDirectories: true)
        program = try await box.start()
        try box.change(.mute, MuteParameters())
        #expect(try box.status.stateProblem?.contains("what people decided has no second copy") == true)
        #expect(try await box.logs("state.decided.json"))
        #expect(try await box.logs("no second copy"))
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
        #expect(try await box.logs("state.decided.json\" cannot be read either; set aside as"))
        #expect(try await box.logs("configuration.json\": it is damaged; set aside as"))
        try box.change(.unmute)
        let names = try files.contentsOfDirectory(atPath: box.state.path)
        for name in ["state.decided.json", "configuration.json"] {
            #expect(names.contains(name) && names.contains { $0.hasPrefix("\(name).broken-") })
        }
        #expect(try box.status.stateProblem == nil)
        program.send(SIGTERM)
    }
}
