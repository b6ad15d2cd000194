import Foundation
import Testing

@testable import Playback
@testable import Recording

@Suite("Signal processing") struct SignalTests {
    private func tone(_ frequency: Double, rate: Int, frames: Int) -> [Float] {
        (0..<frames).flatMap { frame -> [Float] in
            let value = Float(0.5 * sin(2 * .pi * frequency * Double(frame) / Double(rate)))
            return [value, -value]
        }
    }

    private func resample(_ input: [Float], from: Int, to: Int, chunk: Int = 1152) -> [Float] {
        var resampler = Resampler(from: from, to: to)
        var output: [Float] = []
        var buffer = [Float](repeating: 0, count: 2 * 999)
        func drain(_ resampler: inout Resampler) {
            while true {
                let made = unsafe buffer.withUnsafeMutableBufferPointer {
                    unsafe resampler.pull(into: $0.baseAddress!, frames: 999)
                }
                if made == 0 { return }
                output += buffer.prefix(2 * made)
            }
        }
        for start in stride(from: 0, to: input.count / 2, by: chunk) {
            let frames = min(chunk, input.count / 2 - start)
            unsafe input.withUnsafeBufferPointer {
                unsafe resampler.push($0.baseAddress! + 2 * start, frames: frames, gain: 1)
            }
            drain(&resampler)
        }
        resampler.close()
        drain(&resampler)
        return output
    }

    @Test(
        "A resampled tone is the same tone at the other rate, within -80 dB",
        arguments: [
            (44100, 48000), (48000, 44100), (22050, 48000), (8000, 44100), (16000, 48000), (44100, 96000),
        ])
    func resampledTone(from: Int, to: Int) {
        let input = tone(1000, rate: from, frames: from / 2)
        let output = resample(input, from: from, to: to)
        #expect(output.count / 2 == (from / 2 * to + from - 1) / from)
        let expected = tone(1000, rate: to, frames: output.count / 2)
        // Away from the ends, where the tone is cut off and rings.
        let middle = output.count / 8..<output.count * 7 / 8
        let worst = middle.map { abs(output[$0] - expected[$0]) }.max() ?? 1
        #expect(worst < 0.5e-4)
    }

    @Test("What the slower rate cannot carry is gone, not folded back")
    func aliasing() {
        let output = resample(tone(23_000, rate: 48000, frames: 24000), from: 48000, to: 44100)
        let worst = output[2000..<output.count - 2000].map { abs($0) }.max() ?? 1
        #expect(worst < 1e-4)
    }

    @Test("It does not matter in which portions samples arrive", arguments: [1, 7, 576, 24000])
    func portions(chunk: Int) {
        let input = tone(440, rate: 22050, frames: 24000)
        #expect(
            resample(input, from: 22050, to: 48000, chunk: chunk) == resample(input, from: 22050, to: 48000))
    }

    @Test("A fade begins at 1, ends at 0, has no step, and is cut at the exact sample")
    func fade() {
        var envelope = FadeEnvelope()
        envelope.fadeOut(at: 100, length: 441)
        var samples = [Float](repeating: 1, count: 2 * 800)
        unsafe samples.withUnsafeMutableBufferPointer {
            unsafe envelope.apply(to: $0.baseAddress!, frames: 800, first: 0)
        }
        let left = stride(from: 0, to: samples.count, by: 2).map { samples[$0] }
        #expect(left[...100].allSatisfy { $0 == 1 })
        #expect(left[541...].allSatisfy { $0 == 0 })
        #expect(abs(left[320] - 0.5) < 0.01)
        #expect(zip(left, left.dropFirst()).allSatisfy { $0 >= $1 && $0 - $1 < 0.004 })
    }

    @Test("A shorter fade begins where a longer one has come to, without a step")
    func fadeInFade() {
        var envelope = FadeEnvelope()
        envelope.fadeOut(at: 0, length: 4000)
        envelope.fadeOut(at: 2000, length: 1000)
        var samples = [Float](repeating: 1, count: 2 * 4000)
        unsafe samples.withUnsafeMutableBufferPointer {
            unsafe envelope.apply(to: $0.baseAddress!, frames: 4000, first: 0)
        }
        let left = stride(from: 0, to: samples.count, by: 2).map { samples[$0] }
        #expect(abs(left[2000] - 0.5) < 0.01 && left[3000...].allSatisfy { $0 == 0 })
        #expect(zip(left, left.dropFirst()).allSatisfy { $0 >= $1 && $0 - $1 < 0.002 })
    }

    @Test("A fade ordered later wins only where it ends earlier")
    func earlierEndWins() {
        var envelope = FadeEnvelope()
        envelope.fadeOut(at: 1000, length: 44100)
        envelope.fadeOut(at: 2000, length: 441)
        #expect(envelope.end == 2441)
        envelope.fadeOut(at: 2100, length: 44100)
        #expect(envelope.end == 2441)
    }

    @Test(
        "Too loud saturates instead of wrapping around",
        arguments: [
            (SampleFormat.s16, [0xFF, 0x7F], [0x00, 0x80]),
            (.s32, [0xFF, 0xFF, 0xFF, 0x7F], [0, 0, 0, 0x80]),
            (.s24, [0xFF, 0xFF, 0x7F, 0x00], [0, 0, 0x80, 0xFF]),
            (.s24packed, [0xFF, 0xFF, 0x7F], [0, 0, 0x80]),
            (.float, [0, 0, 0x80, 0x3F], [0, 0, 0x80, 0xBF]),
        ] as [(SampleFormat, [UInt8], [UInt8])])
    func saturation(format: SampleFormat, loudest: [UInt8], lowest: [UInt8]) {
        #expect(convert([1.5, -1.5], to: format, channels: 2) == loudest + lowest)
        #expect(convert([3, 3], to: format, channels: 1) == loudest)
        let silence = [UInt8](repeating: 0, count: format.bytes)
        #expect(convert([3, -3], to: format, channels: 3) == loudest + lowest + silence)
        #expect(convert([0, 0], to: format, channels: 2) == silence + silence)
    }

    private func convert(_ samples: [Float], to format: SampleFormat, channels: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0xAA, count: samples.count / 2 * channels * format.bytes)
        unsafe bytes.withUnsafeMutableBytes { out in
            unsafe samples.withUnsafeBufferPointer {
                unsafe format.convert(
                    $0.baseAddress!, frames: samples.count / 2, channels: channels, into: out.baseAddress!)
            }
        }
        return bytes
    }
}
