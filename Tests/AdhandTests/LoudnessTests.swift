import Foundation
import LabSupport
import Protocol
import Testing
import Texts

@Suite("One loudness for every recording", .serialized) struct LoudnessTests {
    private static let fixtures = Program.checkout.appending(path: "Tests/PlaybackTests/Fixtures")
    private static let tone = fixtures.appending(path: "cbr128_44k_stereo.mp3")

    /// adhanctl beside adhand, talking to the box.
    private func adhanctl(_ box: LabBox, _ arguments: String...) throws -> Data {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(filePath: Program.adhanctl)
        process.arguments = ["--socket", box.socket, "--json"] + arguments
        process.environment = Program.sanitizer.merging(["PATH": "/usr/bin:/bin", "HOME": box.directory.path])
        { $1 }
        process.standardOutput = pipe
        try process.run()
        let data = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0, "adhanctl \(arguments) failed")
        return data
    }

    @Test("An added sound is heard at exactly the gain that was measured, and the history says so")
    func added() async throws {
        let box = try LabBox("[adhan.asr]\nsound = \"tone\"\nvolume = 90\n")
        try await box.start()
        let sound = try JSON.decode(
            AddedSoundDocument.self, from: try adhanctl(box, "sound", "add", Self.tone.path, "--name", "tone")
        )
        // The daemon said where its sounds are.
        #expect(sound.file == box.state.appending(path: "sounds/tone/adhan.mp3").path)
        #expect(sound.gainDb < -7.5 && sound.gainDb > -8.5)

        let entry = try await box.entry(try #require(try box.trigger("asr").id))
        #expect(entry.outcome == .played && entry.reason == nil)
        // 90 percent are -2.745 dB: 60 times the logarithm of 0.9.
        #expect(entry.gainDb == ((sound.gainDb - 2.745) * 10).rounded() / 10)
        let expected = try Recording.expected(Self.tone, volume: 90, gainDb: sound.gainDb)
        #expect(try #require(distance(box.card.heardS16.prefix(expected.count), expected)) <= 1)
        let sounds = try JSON.decode(SoundsDocument.self, from: try adhanctl(box, "sound", "list")).sounds
        #expect(sounds.first { $0.name == "tone" }?.usedBy == ["adhan.asr.sound"])
    }

    @Test("A recording that was copied by hand, or is named by its path, is measured before it is played")
    func byHand() async throws {
        let box = try LabBox()
        let path = box.directory.appending(path: "own.mp3").path
        try FileManager.default.copyItem(at: Self.tone, to: URL(filePath: path))
        let folder = box.state.appending(path: "sounds/hand")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let copy = folder.appending(path: "adhan.mp3")
        try FileManager.default.copyItem(at: Self.tone, to: copy)
        try box.configure("[adhan.asr]\nsound = \"hand\"\n[adhan.isha]\nsound = \"\(path)\"\n")
        try await box.start()
        for file in [path, copy.path] {
            #expect(try await box.logs("measured \"\(file)\": -10.1 LUFS, so it is played at -7.9 dB"))
        }
        let asr = try await box.entry(try #require(try box.trigger("asr").id))
        // 80 percent are -5.8 dB.
        #expect(asr.gainDb == -13.7)
        let expected = try Recording.expected(Self.tone, volume: 80, gainDb: -7.9)
        #expect(try #require(distance(box.card.heardS16.prefix(expected.count), expected)) <= 1)
        #expect(try await box.entry(try #require(try box.trigger("isha").id)).gainDb == -13.7)

        // Another file in its place is another measurement.
        try FileManager.default.removeItem(at: copy)
        try FileManager.default.copyItem(
            at: Self.fixtures.appending(path: "cbr64_44k_mono.mp3"), to: copy)
        try box.change(.reload, ReloadParameters())
        #expect(try await box.logs("measured \"\(copy.path)\": -13.1 LUFS, so it is played at -4.9 dB"))
        #expect(try await box.entry(try #require(try box.trigger("asr").id)).gainDb == -10.7)
    }

    @Test(
        "A sound that was made for one prayer alone can be heard by its name, and is heard as that prayer's")
    func forOnePrayer() async throws {
        let box = try LabBox("[adhan.fajr]\nvolume = 50\n")
        let folder = box.state.appending(path: "sounds/f")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try FileManager.default.copyItem(at: Self.tone, to: folder.appending(path: "fajr.mp3"))
        try await box.start()
        let reply = try box.change(.playSound, SoundParameters(name: "f"))
        #expect(reply.message.hasPrefix("playing f, volume 80, 1.5 s"))
        #expect(try await box.logs("finished, 1.5 s heard"))
        #expect(try await eventually { try box.status.playback.state == .idle })
        let asFajr = try box.change(.playSound, SoundParameters(name: "f", prayer: "fajr"))
        #expect(asFajr.message.hasPrefix("playing f, volume 50, 1.5 s"))
        #expect(throws: ControlError.unknownPrayer(prayer: "noon")) {
            try box.change(.playSound, SoundParameters(name: "f", prayer: "noon"))
        }
    }

    @Test("A measurement that is damaged, or of another file, is not believed")
    func untrusted() async throws {
        let box = try LabBox("[adhan.asr]\nsound = \"a\"\n")
        let folder = box.state.appending(path: "sounds/a")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let file = folder.appending(path: "adhan.mp3")
        try FileManager.default.copyItem(at: Self.tone, to: file)
        let lie = SoundMeasurement(
            stamp: .init(size: 1, modified: 1), rate: 44100, channels: 2, frames: 66150, loudnessLufs: -60,
            truePeakDb: -60)
        try Data(try lie.fileBytes()).write(to: URL(filePath: SoundMeasurement.path(of: file.path)))
        try await box.start()
        #expect(try await box.logs("measured \"\(file.path)\": -10.1 LUFS"))
        #expect(try await box.entry(try #require(try box.trigger("asr").id)).gainDb == -13.7)
    }
}
