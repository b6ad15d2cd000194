import Foundation
import Testing

@testable import Recording

@Suite("Loudness") struct LoudnessTests {
    /// Feeds a tone of this many dBFS to a meter.
    private func measured(_ frequency: Double, dBFS: Double, rate: Int, seconds: Double) -> LoudnessMeter {
        var meter = LoudnessMeter(rate: rate)
        let amplitude = pow(10, dBFS / 20)
        let samples = (0..<Int(seconds * Double(rate))).flatMap { frame -> [Float] in
            let value = Float(amplitude * sin(2 * .pi * frequency * Double(frame) / Double(rate)))
            return [value, value]
        }
        unsafe samples.withUnsafeBufferPointer {
            unsafe meter.add($0.baseAddress!, frames: samples.count / 2)
        }
        meter.close()
        return meter
    }

    @Test(
        "A 1 kHz stereo tone reads its own level in LUFS (EBU Tech 3341, cases 1 and 2)",
        arguments: [(-23.0, 48000), (-33, 48000), (-23, 44100), (-23, 22050)])
    func tone(level: Double, rate: Int) throws {
        let meter = measured(1000, dBFS: level, rate: rate, seconds: 3)
        let loudness = try #require(LoudnessMeter.integrate(meter.hops))
        #expect(abs(loudness - level) < 0.1)
    }

    @Test("Quiet stretches do not count: the gates of BS.1770 (EBU Tech 3341, case 3)")
    func gates() throws {
        func hops(_ dBFS: Double, tenths: Int) -> [LoudnessMeter.Hop] {
            let second = measured(1000, dBFS: dBFS, rate: 48000, seconds: 1).hops
            return (0..<tenths).map { second[1 + $0 % 9] }
        }
        let (loud, quiet) = (hops(-23, tenths: 600), hops(-36, tenths: 100))
        let loudness = try #require(LoudnessMeter.integrate(quiet + loud + quiet))
        #expect(abs(loudness + 23) < 0.1)
        #expect(LoudnessMeter.integrate([]) == nil)
        #expect(LoudnessMeter.integrate([.init(energy: 0, peak: 0), .init(energy: 0, peak: 0)]) == nil)
    }

    @Test("What is more than 10 LU below the rest does not count, and what is 9 LU below does")
    func relativeGate() throws {
        let loud = measured(1000, dBFS: -23, rate: 48000, seconds: 1).hops
        let block = [LoudnessMeter.Hop](repeating: loud[5], count: 300)
        func mixed(with level: Double) throws -> Double {
            let other = measured(1000, dBFS: level, rate: 48000, seconds: 1).hops[5]
            return try #require(
                LoudnessMeter.integrate(block + [LoudnessMeter.Hop](repeating: other, count: 300)))
        }
        // 3.01 dB less for half of the energy; the gate then lies at -36.
        #expect(abs(try mixed(with: -35) + 25.75) < 0.15)
        #expect(abs(try mixed(with: -37.5) + 23) < 0.15)
    }

    @Test(
        "One flipped bit in one frame does not decide how loud a recording is played",
        arguments: ["cbr128_44k_stereo.mp3", "cbr64_44k_mono.mp3"])
    func flippedBit(name: String) throws {
        let bytes = try Fixture.bytes(name)
        let whole = try SoundProbe.measure(path: Fixture.path(name)).loudness
        let starts = MpegFrames.starts(in: bytes)
        #expect(starts.count > 50)
        var raised = 0
        // The first frame is the encoder's note.
        for (index, start) in starts.enumerated().dropFirst(3).dropLast() where index % 2 == 0 {
            let file = try Fixture.Scratch(MpegFrames.flippingGain(of: bytes, frame: start))
            let (info, loudness) = try SoundProbe.measure(path: file.path)
            // Of a second and a half, one frame that is only just impossible is a large part.
            #expect(abs(loudness.gainDb - whole.gainDb) <= 4, "frame at \(start)")
            #expect(info.objection == nil)
            if info.warnings.contains(where: { $0.contains("louder than all the rest") }) { raised += 1 }
        }
        // Most frames have room above them; without the mend they made gains down to -80 dB.
        #expect(raised > 10)
    }

    @Test(
        "A recording most of which is too loud to be one is objected to, and yet played at no less than -24 dB"
    )
    func implausible() throws {
        var bytes = try Fixture.bytes("cbr128_44k_stereo.mp3")
        for start in MpegFrames.starts(in: bytes).dropFirst(3) {
            bytes = MpegFrames.flippingGain(of: bytes, frame: start)
        }
        let file = try Fixture.Scratch(bytes)
        let (info, loudness) = try SoundProbe.measure(path: file.path)
        #expect(info.objection?.description == "it is damaged: much of it is louder than any recording")
        #expect(loudness.gainDb == -24)
        #expect(Loudness(integratedLufs: 70, truePeakDb: 79.7).gainDb == -24)
    }

    @Test("A chime in silence, and one that dies away, are measured as they are")
    func chime() throws {
        let silence = [LoudnessMeter.Hop](repeating: .init(energy: 0, peak: 0), count: 200)
        let beep = measured(1000, dBFS: -10, rate: 48000, seconds: 0.2).hops
        #expect(SoundHops(silence + beep + silence).strays == 0)
        let dying = (0..<12).map { LoudnessMeter.Hop(energy: 1, peak: pow(10, -0.4 * Float($0))) }
        #expect(SoundHops(dying).strays == 0)
    }

    @Test("A peak between two samples is found (EBU Tech 3341, case 16)")
    func truePeak() {
        var meter = LoudnessMeter(rate: 48000)
        // A quarter of the rate, sampled 45 degrees off its peaks: every sample is 3 dB below them.
        let samples = (0..<4800).flatMap { frame -> [Float] in
            let value = Float(0.5 * sin(.pi / 2 * Double(frame) + .pi / 4))
            return [value, value]
        }
        unsafe samples.withUnsafeBufferPointer { unsafe meter.add($0.baseAddress!, frames: 4800) }
        meter.close()
        let decibels = 20 * log10(Double(meter.hops.map(\.peak).max() ?? 0))
        #expect(decibels > -6.4 && decibels < -5.8)
    }

    /// Read off `ffmpeg -i FILE -af ebur128=peak=true -f null -` (ffmpeg 5.1.9).
    @Test(
        "Files read what ffmpeg's meter reads",
        arguments: [
            ("cbr128_44k_stereo.mp3", -10.0, -9.4), ("cbr96_48k_stereo.mp3", -10.1, -9.4),
            ("cbr64_44k_mono.mp3", -13.1, -9.4), ("cbr24_16k_mono.mp3", -13.1, -9.2),
        ])
    func file(name: String, integrated: Double, peak: Double) throws {
        let loudness = try SoundProbe.measure(path: Fixture.path(name)).loudness
        #expect(abs((loudness.integratedLufs ?? 0) - integrated) < 0.15)
        #expect(abs(loudness.truePeakDb - peak) < 0.3)
    }

    @Test(
        "The shipped sounds are where every recording is brought",
        arguments: ["signal.mp3", "standard/fajr.mp3"])
    func shipped(name: String) throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "../../Resources/audio")
        let loudness = try SoundProbe.measure(path: root.appending(path: name).path).loudness
        #expect(abs(loudness.gainDb) < 0.3)
        #expect(loudness.truePeakDb <= Loudness.target.peakDb)
    }

    @Test("The gain brings a recording to -18 LUFS, unless its peaks forbid that")
    func gain() {
        #expect(Loudness(integratedLufs: -12, truePeakDb: -1).gainDb == -6)
        #expect(Loudness(integratedLufs: -30, truePeakDb: -20).gainDb == 12)
        #expect(Loudness(integratedLufs: -30, truePeakDb: -6).gainDb == 4.5)
        #expect(Loudness(integratedLufs: nil, truePeakDb: -.infinity).gainDb == 0)
        #expect(Loudness(integratedLufs: nil, truePeakDb: 0).gainDb == -1.5)
    }

    @Test("No gain brings a true peak above -1.5 dBTP, and all are whole tenths of a decibel")
    func room() {
        for step in 0..<20_000 {
            let loudness = Loudness(
                integratedLufs: -60 + 0.01 * Double(step % 6100), truePeakDb: -40 + 0.0023 * Double(step))
            let gain = loudness.gainDb
            #expect(loudness.truePeakDb + gain <= Loudness.target.peakDb + 1e-6)
            #expect(abs(gain * 10 - (gain * 10).rounded()) < 1e-9)
            // The shown values of both, to a tenth, stay below as well.
            #expect((loudness.truePeakDb * 10).rounded() / 10 + gain < Loudness.target.peakDb + 0.01)
        }
    }
}
