internal import Glibc

/// The loudness of a recording by EBU R 128.
package struct Loudness: Sendable, Equatable {
    /// Integrated loudness in LUFS of the file's own channels, as other meters show it: a mono file is one channel. Nil for
    /// silence, and for less than 400 ms of sound.
    package var integratedLufs: Double?
    /// Largest true peak in dBTP (4× oversampled); -infinity for silence.
    package var truePeakDb: Double

    package init(integratedLufs: Double?, truePeakDb: Double) {
        self.integratedLufs = integratedLufs
        self.truePeakDb = truePeakDb
    }

    /// The target of every recording: LUFS, and the highest resulting true peak in dBTP.
    package static let target = (lufs: -18.0, peakDb: -1.5)

    /// The lower limit of corrections in decibels. No recording is so loud that it needs more, so a measurement that asks for
    /// more is wrong, and must not make an adhan inaudible.
    package static let leastGainDb = -24.0

    /// Decibels that bring the recording to the target, to a tenth; less where its peaks would be too high.
    package var gainDb: Double {
        // Computed from the displayed loudness, so that the displayed figures add up.
        let wanted = integratedLufs.map { Self.target.lufs - ($0 * 10).rounded() / 10 } ?? 0
        // Rounded down to the tenth, with a margin for 0.1 as a binary fraction.
        let room = ((Self.target.peakDb - truePeakDb) * 10 + 1e-6).rounded(.down) / 10
        return max(Self.leastGainDb, (min(wanted, room) * 10).rounded() / 10)
    }
}

/// Measures stereo frames of one rate by ITU-R BS.1770-4: K-weighting, 400 ms blocks every 100 ms, two gates.
struct LoudnessMeter {
    /// 100 ms of sound.
    struct Hop {
        /// Mean square after K-weighting, both channels added; nil for an incomplete last hop.
        var energy: Double?
        /// Mean square of each slice of the hop.
        var slices = SIMD16<Float>()
        /// The largest true peak, as an amplitude.
        var peak: Float
    }

    private var energies: [Double] = []
    private var slices: [SIMD16<Float>] = []
    private var peaks: [Float] = []
    private var left: Weighting
    private var right: Weighting
    /// The frames of a hop.
    private let hopFrames: Int
    private var filled = 0
    private var energy = 0.0
    private var sliced = SIMD16<Float>()
    private var oversampler: Resampler
    /// Frames that the oversampler has delivered.
    private var oversampledFrames = 0
    private var scratch = [Float](repeating: 0, count: 2 * 4096)

    private static let oversampling = 4

    /// - Parameter rate: frames a second.
    init(rate: Int) {
        left = Weighting(rate: Double(rate))
        right = left
        hopFrames = max(1, rate / 10)
        oversampler = Resampler(from: rate, to: Self.oversampling * rate, purpose: .peaks)
    }

    /// The hops so far.
    var hops: [Hop] {
        peaks.enumerated().map { index, peak in
            guard index < energies.count else { return Hop(energy: nil, peak: peak) }
            return Hop(energy: energies[index], slices: slices[index], peak: peak)
        }
    }

    mutating func add(_ samples: UnsafePointer<Float>, frames: Int) {
        for frame in 0..<frames {
            let (l, r) = unsafe (
                left.apply(Double(samples[2 * frame])), right.apply(Double(samples[2 * frame + 1]))
            )
            let square = l * l + r * r
            energy += square
            sliced[filled * SoundRun.slices / hopFrames] += Float(square)
            filled += 1
            if filled == hopFrames {
                energies.append(energy / Double(hopFrames))
                slices.append(sliced * Float(SoundRun.slices) / Float(hopFrames))
                (filled, energy, sliced) = (0, 0, SIMD16())
            }
        }
        unsafe oversampler.push(samples, frames: frames, gain: 1)
        drain()
    }

    /// Drains the oversampler. Nothing may be added afterwards.
    mutating func close() {
        oversampler.close()
        drain()
    }

    private mutating func drain() {
        while true {
            let made = unsafe scratch.withUnsafeMutableBufferPointer { buffer in
                guard let start = buffer.baseAddress else { return 0 }
                return unsafe oversampler.pull(into: start, frames: buffer.count / 2)
            }
            if made == 0 { return }
            var frame = 0
            while frame < made {
                let index = oversampledFrames / (Self.oversampling * hopFrames)
                let end = min(made, frame + (index + 1) * Self.oversampling * hopFrames - oversampledFrames)
                var peak: Float = 0
                for sample in 2 * frame..<2 * end { peak = max(peak, abs(scratch[sample])) }
                if index == peaks.count { peaks.append(peak) } else { peaks[index] = max(peaks[index], peak) }
                oversampledFrames += end - frame
                frame = end
            }
        }
    }

    /// Integrated loudness in LUFS; nil for silence, or for less than one block.
    static func integrate(_ hops: [Hop]) -> Double? {
        let blocks = blocks(hops)
        guard !blocks.isEmpty else { return nil }
        // BS.1770-4, Annex 1: the absolute gate at -70 LUFS, then the relative one 10 LU below the mean of what passed it.
        func mean(above threshold: Double) -> Double? {
            let passed = blocks.filter { loudness($0) > threshold }
            return passed.isEmpty ? nil : passed.reduce(0, +) / Double(passed.count)
        }
        guard let first = mean(above: -70) else { return nil }
        return mean(above: max(-70, loudness(first) - 10)).map(loudness)
    }

    /// The mean squares of all blocks of 400 ms, one every 100 ms.
    static func blocks(_ hops: [Hop]) -> [Double] {
        let energies = hops.compactMap(\.energy)
        guard energies.count >= 4 else { return [] }
        return (3..<energies.count).map { energies[$0 - 3...$0].reduce(0, +) / 4 }
    }

    static func loudness(_ meanSquare: Double) -> Double { -0.691 + 10 * log10(meanSquare) }
}

/// A recording's hops without those that damage made loud: one flipped bit in a frame of MP3 can raise it by 100 dB, and would
/// decide how loud everything else is played.
struct SoundHops {
    private let all: [LoudnessMeter.Hop]
    /// The hops that count.
    let sound: [LoudnessMeter.Hop]
    /// The number of hops that were left out.
    let strays: Int
    /// Whether too many hops are too loud for a recording.
    let isImplausible: Bool

    /// The loudest credible peak, 6 dB above full scale. Encoding adds a decibel or three to a recording that was driven to the
    /// limit.
    private static let loudest: Float = 2
    /// The largest ratio to the fourth loudest hop, 20 dB: one frame reaches into three.
    private static let outlier: Float = 10
    private static let reach = 3
    /// The least number of hops, ten seconds. In less, the loud part may be a chime.
    private static let leastHops = 100

    init(_ hops: [LoudnessMeter.Hop]) {
        var limit = Self.loudest
        if hops.count >= Self.leastHops {
            let reference = hops.map(\.peak).sorted(by: >)[Self.reach]
            // The loud part among silence is the sound.
            if reference > 0.001 { limit = min(limit, Self.outlier * reference) }
        }
        let kept = hops.filter { $0.peak <= limit }
        isImplausible = hops.count - kept.count > max(Self.reach, hops.count / 50)
        // A few credible parts are no measure of the rest. Where most are credible, they decide: a recording that a person
        // accepted is heard, and not played at the least gain because of a few frames.
        sound = isImplausible && 2 * kept.count < hops.count ? hops : kept
        all = hops
        strays = hops.count - sound.count
    }

    /// Share of the blocks of 400 ms that are audible once `gainDb` is added, with uninterrupted sound; nil for less than one
    /// block.
    func audibleShare(isMono: Bool, gainDb: Double) -> Double? {
        let whole = Self.own(all, isMono: isMono).filter { $0.energy != nil }
        let blocks = LoudnessMeter.blocks(whole)
        guard !blocks.isEmpty else { return nil }
        func isAudible(_ meanSquare: Double, slack: Double = 0) -> Bool {
            LoudnessMeter.loudness(meanSquare) + gainDb > RecordingLimits.audibleLoudnessLufs - slack
        }
        var run = SoundRun()
        var audible = 0
        for (index, hopFrames) in whole.enumerated() {
            for slice in 0..<SoundRun.slices {
                run.add(isAudible(Double(hopFrames.slices[slice]), slack: SoundRun.slackDb))
            }
            if index >= 3, run.isWhole, isAudible(blocks[index - 3]) { audible += 1 }
        }
        return Double(audible) / Double(blocks.count)
    }

    /// Halves the energy of a mono file, whose only channel the decoder delivers twice.
    private static func own(_ hops: [LoudnessMeter.Hop], isMono: Bool) -> [LoudnessMeter.Hop] {
        isMono
            ? hops.map {
                LoudnessMeter.Hop(energy: $0.energy.map { $0 / 2 }, slices: $0.slices / 2, peak: $0.peak)
            }
            : hops
    }

    func loudness(isMono: Bool) -> Loudness {
        let own = Self.own(sound, isMono: isMono)
        // No meter is finer, so the kept, displayed and applied gains are the same numbers.
        func hundredths(_ value: Double) -> Double { (value * 100).rounded() / 100 }
        return Loudness(
            integratedLufs: LoudnessMeter.integrate(own).map(hundredths),
            truePeakDb: hundredths(20 * log10(Double(sound.map(\.peak).max() ?? 0))))
    }
}

/// The K-weighting of BS.1770-4 for any rate: a high shelf for the head's acoustics and a high-pass, one after the other. The
/// standard tabulates coefficients for 48 kHz; these are the analogue filters behind that table.
private struct Weighting {
    private struct Section {
        var (b0, b1, b2, a1, a2) = (0.0, 0.0, 0.0, 0.0, 0.0)
        var (z1, z2) = (0.0, 0.0)

        mutating func apply(_ x: Double) -> Double {
            let y = b0 * x + z1
            z1 = b1 * x - a1 * y + z2
            z2 = b2 * x - a2 * y
            return y
        }
    }

    private var shelf: Section
    private var highPass: Section

    init(rate: Double) {
        var (k, q) = (tan(Double.pi * 1681.974450955533 / rate), 0.7071752369554196)
        let high = pow(10, 3.999843853973347 / 20)
        let band = pow(high, 0.4996667741545416)
        var a0 = 1 + k / q + k * k
        shelf = Section()
        (shelf.b0, shelf.b1) = ((high + band * k / q + k * k) / a0, 2 * (k * k - high) / a0)
        shelf.b2 = (high - band * k / q + k * k) / a0
        (shelf.a1, shelf.a2) = (2 * (k * k - 1) / a0, (1 - k / q + k * k) / a0)
        (k, q) = (tan(Double.pi * 38.13547087602444 / rate), 0.5003270373238773)
        a0 = 1 + k / q + k * k
        highPass = Section()
        (highPass.b0, highPass.b1, highPass.b2) = (1, -2, 1)
        (highPass.a1, highPass.a2) = (2 * (k * k - 1) / a0, (1 - k / q + k * k) / a0)
    }

    mutating func apply(_ x: Double) -> Double { highPass.apply(shelf.apply(x)) }
}
