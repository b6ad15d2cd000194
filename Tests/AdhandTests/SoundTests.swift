import Foundation
import LabSupport
import Protocol
import Testing

@Suite("Sounds", .serialized) struct SoundTests {
    @Test("A sound that is not there is replaced by the signal, and said so")
    func missing() async throws {
        let box = try LabBox("[adhan.asr]\nsound = \"madinah\"\n")
        try await box.start()
        let id = try #require(try box.trigger("asr").id)
        let entry = try await box.entry(id)
        #expect(entry.outcome == .played)
        #expect(entry.reason == "there is no sound \"madinah\"; the signal was played instead")
        let signal = try Recording.expected(LabBox.audio.appending(path: "signal.mp3"), volume: 80)
        #expect(try #require(distance(box.card.heardS16.prefix(signal.count), signal)) <= 1)
        let log = try #require(box.program).text
        #expect(log.contains("Asr (simulated): cannot play \"madinah\": there is no such sound; looked for "))
        #expect(log.contains("\(box.state.path)/sounds/madinah/asr.mp3"))
    }

    @Test("A file that cannot be played is replaced by the signal, and said so")
    func broken() async throws {
        let box = try LabBox()
        let file = box.directory.appending(path: "adhan.mp3").path
        try "This is no recording.".write(toFile: file, atomically: true, encoding: .utf8)
        try box.configure("[adhan.asr]\nsound = \"\(file)\"\n")
        try await box.start()
        let entry = try await box.entry(try #require(try box.trigger("asr").id))
        #expect(entry.outcome == .played)
        #expect(entry.reason?.contains("\"\(file)\" could not be played") == true)
        #expect(entry.framesPlayed > 0)
    }

    @Test("An added sound stands before the shipped one of the same name; a general recording stands in")
    func added() async throws {
        let box = try LabBox()
        let folder = box.state.appending(path: "sounds/standard")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try FileManager.default.copyItem(
            at: LabBox.audio.appending(path: "signal.mp3"), to: folder.appending(path: "adhan.mp3"))
        try await box.start()
        let entry = try await box.entry(try #require(try box.trigger("asr").id))
        let signal = try Recording.expected(LabBox.audio.appending(path: "signal.mp3"), volume: 80)
        #expect(entry.framesPlayed == signal.count / 2)
        #expect(entry.reason == nil)
    }

    @Test("Whoever asks for a sound by name hears that one, or learns why not")
    func byName() async throws {
        let box = try LabBox()
        try await box.start()
        for name in ["nowhere", "../adhand", "", "a/../../b"] {
            #expect(throws: ControlError.soundNotFound(sound: name)) {
                try box.change(.playSound, SoundParameters(name: name))
            }
        }
        let file = box.directory.appending(path: "adhan.mp3").path
        try "This is no recording.".write(toFile: file, atomically: true, encoding: .utf8)
        #expect {
            try box.change(.playSound, SoundParameters(name: file))
        } throws: { error in
            guard case .soundUnusable(let sound, let reason)? = error as? ControlError else { return false }
            return sound == file && !reason.isEmpty
        }
        #expect(box.card.starts.isEmpty)
        let reply = try box.change(.playSound, SoundParameters(name: "signal"))
        #expect(reply.message.hasPrefix("playing signal, volume 80, "))
        #expect(throws: ControlError.self) { try box.change(.playSound, SoundParameters(name: "signal")) }
    }

    @Test("A test plays what the prayer would play, for as long as asked")
    func test() async throws {
        let box = try LabBox("[adhan.fajr]\nvolume = 50\n")
        try await box.start()
        let reply = try box.change(.testPlay, TestPlayParameters(prayer: "fajr", seconds: 1))
        #expect(reply.message.hasPrefix("playing what Fajr would play: standard, volume 50, "))
        #expect(try await box.logs("test of Fajr: finished, 1.0 s heard, no dropouts"))
        #expect(box.history.isEmpty)
        let entire = try Recording.expected(CallingTests.standard.appending(path: "fajr.mp3"), volume: 50)
        let start = box.card.heardS16.prefix(44_100)
        #expect(try #require(distance(start, entire.prefix(44_100))) <= 1)
        #expect(throws: ControlError.unknownPrayer(prayer: "noon")) {
            try box.change(.testPlay, TestPlayParameters(prayer: "noon"))
        }
    }

    @Test("A device that is busy is said so, and answered to whoever tests it")
    func busyDevice() async throws {
        let box = try LabBox()
        try box.card.set(.busy)
        try await box.start()
        #expect {
            try box.change(.testPlay, TestPlayParameters(prayer: "asr", seconds: 1))
        } throws: { error in
            guard case .audioUnavailable(_, let reason)? = error as? ControlError else { return false }
            return !reason.isEmpty
        }
        #expect(try #require(box.program).text.contains("Device or resource busy"))
        #expect(try box.status.audio.healthy == false)
    }
}
