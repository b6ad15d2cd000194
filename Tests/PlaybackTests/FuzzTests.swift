import Foundation
import SeededRandom
import Testing

@testable import Playback
@testable import Recording

/// Damage of every kind, by a fixed seed: flipped, cut, spliced, repeated bytes. `ADHAND_FUZZ_CASES` asks for
/// more cases than the few hundred of an ordinary run; under the address sanitizer 20,000 take a few minutes.
@Suite("Decoding damaged files") struct FuzzTests {
    private static let sources = [
        "cbr128_44k_stereo.mp3", "cbr16_8k_mono_mpeg25.mp3", "cbr64_22k_mono_tagged.mp3",
        "abr80_44k_stereo.mp3",
        "cbr64_crc_protected.mp3", "layer2_renamed.mp3", "mp3_inside_riff.mp3", "two_id3v2_tags.mp3",
        "concat_44k_then_22k.mp3", "id3_replaygain.mp3",
    ]

    private static func damage(_ bytes: [UInt8], with other: [UInt8], _ dice: inout SplitMix64) -> [UInt8] {
        var bytes = bytes
        switch Int.random(in: 0..<6, using: &dice) {
        case 0:
            for _ in 0..<Int.random(in: 1...200, using: &dice) {
                bytes[Int.random(in: 0..<bytes.count, using: &dice)] = UInt8.random(in: 0...255, using: &dice)
            }
        case 1: bytes.removeLast(Int.random(in: 0..<bytes.count, using: &dice))
        case 2: bytes.removeFirst(Int.random(in: 0..<bytes.count, using: &dice))
        case 3:
            let at = Int.random(in: 0..<bytes.count, using: &dice)
            bytes.replaceSubrange(at..., with: other[Int.random(in: 0..<other.count, using: &dice)...])
        case 4:
            // The beginning decides most: tags, the Info frame, the first headers.
            for _ in 0..<Int.random(in: 1...30, using: &dice) {
                bytes[Int.random(in: 0..<min(200, bytes.count), using: &dice)] ^= UInt8(
                    1 << Int.random(in: 0..<8, using: &dice))
            }
        default:
            let start = Int.random(in: 0..<bytes.count, using: &dice)
            let piece = bytes[start..<min(bytes.count, start + 2000)]
            for _ in 0..<5 {
                bytes.insert(contentsOf: piece, at: Int.random(in: 0..<bytes.count, using: &dice))
            }
        }
        return bytes
    }

    @Test("No damage crashes, hangs, or makes more sound than the bytes can hold")
    func damaged() throws {
        let wanted = ProcessInfo.processInfo.environment["ADHAND_FUZZ_CASES"].flatMap { Int($0) } ?? 40
        let sources = try Self.sources.map { try Fixture.bytes($0) }
        var dice = SplitMix64(seed: 1)
        var playable = 0
        for number in 0..<wanted {
            let bytes = Self.damage(
                sources[number % sources.count],
                with: sources[Int.random(in: 0..<sources.count, using: &dice)], &dice)
            let file = try Fixture.Scratch(bytes)
            let began = ContinuousClock.now
            do {
                let info = try SoundProbe.inspect(path: file.path)
                playable += 1
                // 8 kbit/s at 24 kHz, the thinnest stream there is: 24 frames a byte.
                #expect(info.frames <= 48 * bytes.count + 4 * 1152, "case \(number)")
                try play(
                    file.path, rate: number % 4 == 0 ? 48000 : nil,
                    frames: 48 * (48 * bytes.count + 4 * 1152) / 8)
            } catch let error as RecordingError {
                #expect(!error.description.isEmpty)
            }
            #expect(began.duration(to: .now) < .seconds(20), "case \(number)")
        }
        #expect(playable > wanted / 3)
    }

    /// Makes the file's sound until it ends.
    private func play(_ path: String, rate: Int?, frames limit: Int) throws {
        let order = PlayerOrder(id: "fuzz", sounds: [SoundFile(path: path)])
        let stream = try SampleStream.opened(order, rate: rate)
        let chunk = UnsafeMutablePointer<Float>.allocate(capacity: 2 * 4096)
        defer { unsafe chunk.deallocate() }
        while stream.end == nil, stream.position < limit {
            while stream.ready == 0 { usleep(200) }
            unsafe stream.produce(into: chunk, frames: 4096)
            let finite = unsafe UnsafeBufferPointer(start: chunk, count: 2 * 4096).allSatisfy { $0.isFinite }
            #expect(finite)
            if !finite { return }
        }
        #expect(stream.end != nil)
    }
}
