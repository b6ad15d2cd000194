import Foundation
import LabSupport
import Protocol
import Testing

/// Recordings that would keep an adhan from being heard in time, or at all.
@Suite("Hostile recordings", .serialized) struct HostileSoundTests {
    private static let fixtures = Program.checkout.appending(path: "Tests/PlaybackTests/Fixtures")

    /// A box whose Asr is the file that `make` writes.
    private func box(_ make: (String) throws -> Void) throws -> (box: LabBox, file: String) {
        let box = try LabBox()
        let file = box.directory.appending(path: "own.mp3").path
        try make(file)
        try box.configure("[adhan.asr]\nsound = \"\(file)\"\n")
        return (box, file)
    }

    private func copy(_ fixture: String, to file: String) throws {
        try FileManager.default.copyItem(
            at: Self.fixtures.appending(path: fixture), to: URL(filePath: file))
    }

    @Test(
        "20 GB of nothing behind a recording delay nothing",
        arguments: ["cbr64_44k_mono.mp3", "cbr64_no_info_tag.mp3"])
    func sparse(fixture: String) async throws {
        let (box, file) = try box {
            try copy(fixture, to: $0)
            _ = unsafe truncate($0, 20 << 30)
        }
        try await box.start()
        let entry = try await box.entry(try #require(try box.trigger("asr", in: "12s").id), within: 60)
        #expect((0..<50).contains(try #require(entry.latenessMs)))
        #expect(entry.outcome == .played)
        #expect(entry.framesPlayed > 60_000)
        #expect(entry.reason?.contains("\"\(file)\" is no MP3 audio") == true)
        #expect(try box.status.audio.healthy)
    }

    @Test("A file system that hangs gives way to the signal, in time, and the reason says so")
    func hanging() async throws {
        let (box, file) = try box { try copy("cbr64_44k_mono.mp3", to: $0) }
        let library = try box.hangingFiles()
        try await box.start(environment: ["LD_PRELOAD": library, "SLOW_READ": file])
        let entry = try await box.entry(try #require(try box.trigger("asr", in: "12s").id), within: 60)
        #expect((0..<50).contains(try #require(entry.latenessMs)))
        #expect(entry.outcome == .played)
        #expect(entry.reason?.contains("cannot read \"\(file)\": it was not open within") == true)
        let signal = try Recording.expected(LabBox.audio.appending(path: "signal.mp3"), volume: 80)
        #expect(try #require(distance(box.card.heardS16.prefix(signal.count), signal)) <= 1)
    }

    @Test(
        "A file system that does not even tell whether a file is there keeps nothing waiting, the start included"
    )
    func unanswered() async throws {
        let (box, file) = try box { try copy("cbr64_44k_mono.mp3", to: $0) }
        let library = try box.hangingFiles()
        try await box.start(environment: ["LD_PRELOAD": library, "SLOW_LOOK": file])
        let entry = try await box.entry(try #require(try box.trigger("asr", in: "12s").id), within: 60)
        #expect((0..<50).contains(try #require(entry.latenessMs)))
        #expect(entry.outcome == .played)
    }

    @Test(
        "A recording of silence is no adhan that was played: the signal takes its place, and the reason says so"
    )
    func silence() async throws {
        let (box, _) = try box {
            // MPEG-1 Layer III, 64 kbit/s, 44.1 kHz, mono: with nothing in it, each frame is silent.
            let frame = [0xFF, 0xFB, 0x50, 0xC4] + [UInt8](repeating: 0, count: 204)
            try Data([UInt8](repeatElement(frame, count: 60).joined())).write(to: URL(filePath: $0))
        }
        try await box.start()
        #expect(try await box.logs("is not fit to be called: it is silent from beginning to end"))
        let entry = try await box.entry(try #require(try box.trigger("asr").id))
        #expect(entry.outcome == .played)
        #expect(entry.reason?.contains("it is silent from beginning to end") == true)
        let signal = try Recording.expected(LabBox.audio.appending(path: "signal.mp3"), volume: 80)
        #expect(try #require(distance(box.card.heardS16.prefix(signal.count), signal)) <= 1)
    }

    @Test(
        "What a memory card changed after the import is noticed before it is called, whatever was measured then"
    )
    func flipped() async throws {
        let box = try LabBox("[adhan.asr]\nsound = \"own\"\n")
        let folder = box.state.appending(path: "sounds/own")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let file = folder.appending(path: "adhan.mp3")
        // Nothing to hear is left, and beside it lies the measurement of what was added: size and time still fit.
        let frame = [0xFF, 0xFB, 0x50, 0xC4] + [UInt8](repeating: 0, count: 204)
        try Data([UInt8](repeatElement(frame, count: 60).joined())).write(to: file)
        var status = stat()
        try #require(unsafe stat(file.path, &status) == 0)
        let kept = SoundMeasurement(
            stamp: .init(size: Int(status.st_size), modified: Int(status.st_mtim.tv_sec)), rate: 44100,
            channels: 1, frames: 60 * 1152, loudnessLufs: -18, truePeakDb: -3, audibleShare: 0.9)
        try Data(try kept.fileBytes()).write(to: URL(filePath: SoundMeasurement.path(of: file.path)))
        try await box.start()
        let entry = try await box.entry(try #require(try box.trigger("asr", in: "13s").id), within: 60)
        #expect(entry.outcome == .played)
        #expect(entry.reason?.contains("the signal was played instead") == true)
        #expect(try await box.logs("\"\(file.path)\" is not fit to be called: it is silent"))
    }
}
