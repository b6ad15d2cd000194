import Foundation
import Testing

@testable import Recording

/// One row of the fixtures' manifest: what is in the file, and what mpg123 itself makes of it.
struct Expectation: Decodable, Sendable, CustomTestStringConvertible {
    struct Decoded: Decodable {
        var rate: Int?
        var channels: Int?
        var frames: Int
    }

    var file: String
    var expect: String
    var gapless: Decoded
    var unlimited: Decoded

    private enum CodingKeys: String, CodingKey {
        case file, expect
        case gapless = "mpg123_gapless"
        case unlimited = "mpg123_resync_unlimited"
    }

    var testDescription: String { file }

    static let all: [Expectation] = {
        struct Manifest: Decodable { var fixtures: [Expectation] }
        let data = try? Data(contentsOf: URL(filePath: Fixture.path("manifest.json")))
        return (data.flatMap { try? JSONDecoder().decode(Manifest.self, from: $0) })?.fixtures ?? []
    }()

    static func kind(_ kinds: String...) -> [Expectation] { all.filter { kinds.contains($0.expect) } }
}

@Suite("Decoding") struct DecodingTests {
    @Test("The manifest is there and names every kind")
    func manifest() {
        #expect(Expectation.all.count == 27)
    }

    @Test(
        "A sound file decodes to exactly the frames mpg123 finds",
        arguments: Expectation.kind("ok", "ok_or_unsupported"))
    func wholeFile(_ expected: Expectation) throws {
        let info = try SoundProbe.inspect(path: Fixture.path(expected.file))
        #expect(info.frames == expected.gapless.frames)
        #expect(info.rateHz == expected.gapless.rate)
        #expect(info.channels == expected.gapless.channels)
        #expect(info.warnings.isEmpty)
        #expect(try Fixture.decoded(expected.file).count == 2 * info.frames)
    }

    @Test(
        "Damage in the middle costs the damaged frames only, and is reported",
        arguments: Expectation.kind("ok_degraded"))
    func damaged(_ expected: Expectation) throws {
        let info = try SoundProbe.inspect(path: Fixture.path(expected.file))
        #expect(abs(info.frames - expected.unlimited.frames) <= 2 * 1152)
        #expect(info.warnings.count == 1)
        #expect(info.warnings.first?.contains("damaged") == true)
    }

    @Test("A file without audio is refused with a reason", arguments: Expectation.kind("error"))
    func nothingInIt(_ expected: Expectation) {
        let error = #expect(throws: RecordingError.self) {
            try SoundProbe.inspect(path: Fixture.path(expected.file))
        }
        #expect(error?.description.contains(expected.file) == true)
        #expect(throws: RecordingError.self) { try Fixture.decoded(expected.file) }
    }

    @Test(
        "Another format is refused by its name, whatever the file is called",
        arguments: [
            ("wav_renamed.mp3", "a WAV file"), ("ogg_renamed.mp3", "an Ogg Vorbis file"),
            ("aac_adts_renamed.mp3", "an AAC (ADTS) file"), ("flac_renamed.mp3", "a FLAC file"),
        ])
    func otherFormat(file: String, kind: String) {
        #expect(throws: RecordingError.notMP3(path: Fixture.path(file), kind: kind)) {
            try SoundProbe.inspect(path: Fixture.path(file))
        }
    }

    @Test("A rate that changes in the middle keeps its pitch and its duration")
    func rateChange() throws {
        let path = Fixture.path("concat_44k_then_22k.mp3")
        let info = try SoundProbe.inspect(path: path)
        // The first part is trimmed to its 66150 frames or left with its padding; the second is 34560 frames
        // at half the rate.
        #expect(info.rateHz == 44100)
        #expect(abs(info.durationSeconds - 3.07) < 0.06)
        #expect(info.warnings.count == 1)
        let reader = try RecordingReader(file: SoundFile(path: path), rate: nil, gainDb: 0)
        _ = Fixture.drain(reader)
        #expect(reader.complaint == nil)
        let samples = try Fixture.decoded("concat_44k_then_22k.mp3")
        #expect(abs(samples.count / 2 - info.frames) <= 64)
    }

    @Test("What is not a regular file is refused without being waited for")
    func notAFile() throws {
        let fifo = FileManager.default.temporaryDirectory.appending(path: "fifo-\(UUID().uuidString)").path
        unsafe mkfifo(fifo, 0o600)
        defer { try? FileManager.default.removeItem(atPath: fifo) }
        let refusals = [
            (fifo, "it is not a regular file"), ("/dev/zero", "it is not a regular file"),
            ("/tmp", "it is a directory"),
            ("/nowhere/at all.mp3", "No such file or directory"), (Fixture.path("empty.mp3"), "it is empty"),
        ]
        for (path, cause) in refusals {
            #expect(throws: RecordingError.unreadable(path: path, cause: cause)) {
                try SoundProbe.inspect(path: path)
            }
        }
    }

    @Test("An ID3 tag that claims more than the file holds does not hide the audio")
    func lyingTag() throws {
        let audio = try Fixture.bytes("cbr64_44k_mono.mp3")
        let tag: [UInt8] = [0x49, 0x44, 0x33, 4, 0, 0, 0x7F, 0x7F, 0x7F, 0x7F]
        let file = try Fixture.Scratch(tag + audio)
        #expect(try SoundProbe.inspect(path: file.path).frames == 66150)
    }

    @Test(
        "Skipping lands on the exact frame, near and far, at the file's own rate and at others",
        arguments: [nil, 48_000, 32_000])
    func skipping(rate: Int?) throws {
        let file = try Fixture.repeated(20)
        let sound = SoundFile(path: file.path)
        let reader = try RecordingReader(file: sound, rate: rate, gainDb: 0)
        #expect(reader.durationSeconds == 20 * 67968 / 44100.0)
        let whole = Fixture.drain(reader)
        for frames in [0, 1, 1151, 5000, 500_000, 900_000] { try skip(frames, of: sound, rate, whole) }
    }

    /// Expects of the reader of a sound what `whole` has after `frames` frames.
    private func skip(_ frames: Int, of sound: SoundFile, _ rate: Int?, _ whole: [Float]) throws {
        let reader = try RecordingReader(file: sound, rate: rate, gainDb: 0)
        #expect(reader.skip(frames) == frames)
        let next = Fixture.drain(reader, most: 50_000)
        // Compared apart: an expectation that fails describes all that it names, and these are millions.
        let (count, expectedCount) = (next.count / 2 + reader.skip(10_000_000), whole.count / 2 - frames)
        try #require(count == expectedCount)
        let largest = zip(next, whole[(2 * frames)...]).lazy.map { abs($0 - $1) }.max() ?? 1
        #expect(largest < 1e-4)
    }

    @Test("What is too short, or decodes to a small part only, is objected to")
    func objections() throws {
        let short = try Fixture.Scratch(Array(try Fixture.bytes("cbr64_no_info_tag.mp3").prefix(1000)))
        let info = try SoundProbe.inspect(path: short.path)
        #expect(
            info.objection?.description
                == "it is only \(Int((info.durationSeconds * 1000).rounded())) ms long")

        let whole = try Fixture.bytes("cbr128_44k_stereo.mp3")
        let cut = try Fixture.Scratch(Array(whole.prefix(whole.count / 2)))
        #expect(
            try SoundProbe.inspect(path: cut.path).objection?.description.hasSuffix("s of its 1.5 s decode")
                == true)

        let mostlyNoise = try Fixture.Scratch(
            try Fixture.bytes("cbr64_no_info_tag.mp3") + [UInt8](repeating: 0x55, count: 40_000))
        #expect(
            try SoundProbe.inspect(path: mostlyNoise.path).objection?.description.hasSuffix(
                "% of the file is MP3 audio")
                == true)
        for expected in Expectation.kind("ok", "ok_degraded", "ok_or_unsupported") {
            #expect(try SoundProbe.inspect(path: Fixture.path(expected.file)).objection == nil)
        }
    }

    @Test("A file of 20 GB of nothing costs no more than its beginning", .timeLimit(.minutes(1)))
    func sparse() throws {
        for name in ["cbr64_no_info_tag.mp3", "cbr64_44k_mono.mp3"] {
            let file = try Fixture.Scratch(try Fixture.bytes(name))
            unsafe truncate(file.path, 20 << 30)
            let began = ContinuousClock.now
            let reader = try RecordingReader(file: SoundFile(path: file.path), rate: nil, gainDb: 0)
            let opened = began.duration(to: .now)
            #expect(opened < .seconds(1.5), "opened after \(opened)")
            let frames = Fixture.drain(reader).count / 2
            #expect(frames >= 66150 && frames < 66150 + 3 * 1152)
            #expect(began.duration(to: .now) < .seconds(5))
            #expect(reader.complaint?.hasSuffix("is no MP3 audio") == true)
        }
    }

    @Test("A file that shrinks while it is read ends there, and says so; what is added meanwhile is left")
    func changing() throws {
        let once = try Fixture.bytes("cbr64_44k_mono.mp3")
        let shrinking = try Fixture.repeated(20)
        let reader = try RecordingReader(file: SoundFile(path: shrinking.path), rate: nil, gainDb: 0)
        unsafe truncate(shrinking.path, 100_000)
        let left = Fixture.drain(reader).count / 2
        #expect(left > 5 * 67968 && left < 12 * 67968)
        #expect(reader.complaint?.contains("is damaged: 30.8 s were encoded, ") == true)
        let growing = try Fixture.Scratch(try Fixture.bytes("cbr64_no_info_tag.mp3"))
        let other = try RecordingReader(file: SoundFile(path: growing.path), rate: nil, gainDb: 0)
        let handle = try FileHandle(forWritingTo: URL(filePath: growing.path))
        try handle.seekToEnd()
        try handle.write(contentsOf: once)
        #expect(Fixture.drain(other).count == 2 * 67968)
    }

    @Test(
        "Skipping past a change of the rate lands on the exact frame, too, and past one that changes back",
        arguments: [nil, 48_000], [50, 75])
    func skippingRates(rate: Int?, seconds: Int) throws {
        let names = ["cbr64_no_info_tag.mp3", "cbr96_48k_stereo.mp3", "cbr64_no_info_tag.mp3"]
        let parts = try names.map(Fixture.bytes)
        let file = try Fixture.Scratch(parts.flatMap { [UInt8](repeatElement($0, count: 20).joined()) })
        let sound = SoundFile(path: file.path, seconds: 90)
        let reader = try RecordingReader(file: sound, rate: rate, gainDb: 0)
        try skip(seconds * reader.rateHz, of: sound, rate, Fixture.drain(reader))
    }

    @Test("Skipping counts no frames that a file promises and lacks", arguments: [nil, 88_200], [45, 200])
    func skippingLacking(rate: Int?, seconds: Int) throws {
        let file = try Fixture.repeated(20)
        let reader = try RecordingReader(
            file: SoundFile(path: file.path, seconds: 60), rate: rate, gainDb: 0)
        #expect(reader.skip(seconds * reader.rateHz) == 20 * 67968 * (rate == nil ? 1 : 2))
    }

    @Test("Skipping more than there is says how much there was", arguments: [1, 40], [nil, 88_200])
    func skippingTooFar(count: Int, rate: Int?) throws {
        let file = try Fixture.repeated(count)
        let reader = try RecordingReader(file: SoundFile(path: file.path), rate: rate, gainDb: 0)
        #expect(reader.skip(10_000_000) == count * 67968 * (rate == nil ? 1 : 2))
        #expect(reader.skip(1) == 0 && reader.complaint == nil)
    }

    @Test("The gain is applied in decibels")
    func gain() throws {
        let plain = try Fixture.decoded("cbr64_44k_mono.mp3")
        let quiet = try Fixture.decoded("cbr64_44k_mono.mp3", gainDb: -20)
        #expect(zip(plain, quiet).allSatisfy { abs($0 * 0.1 - $1) < 1e-6 })
    }
}
