internal import Glibc

/// How loud a recording is, by EBU R 128.
package struct Loudness: Sendable, Equatable {
    /// Integrated loudness in LUFS of the file's own channels, as other meters show it: a mono file is one
    /// channel. Nil for silence, and for less than 400 ms of sound.
    package var integrated: Double?
    /// Largest true peak in dBTP (4× oversampled); -infinity for silence.
    package var truePeak: Double

    package init(integrated: Double?, truePeak: Double) {
        self.integrated = integrated
        self.truePeak = truePeak
    }

    /// Where every recording is brought: LUFS, and the largest true peak in dBTP that may come of it.
    package static let target = (loudness: -18.0, peak: -1.5)

    /// Decibels that bring the recording to the target, to a tenth; less where its peaks would go too high.
    package var gainDb: Double {
        // Of the loudness as it is shown, so that the two add up for whoever looks.
        let wanted = integrated.map { Self.target.loudness - ($0 * 10).rounded() / 10 } ?? 0
        // Downwards to the tenth, but for what 0.1 lacks as a binary fraction.
        let room = ((Self.target.peak - truePeak) * 10 + 1e-6).rounded(.down) / 10
        return (min(wanted, room) * 10).rounded() / 10
    }
}

/// Measures stereo frames of one rate by ITU-R BS.1770-4: K-weighting, 400 ms blocks every 100 ms, two gates.
struct LoudnessMeter {
    /// Mean squares of the gating blocks so far, both channels added.
    private(set) var blocks: [Double] = []
    private(set) var peak: Float = 0
    private var left: Weighting
    private var right: Weighting
    private let hop: Int
    private var filled = 0
    private var energy = 0.0
    /// Energies of the latest hops; four make a block.
    private var hops: [Double] = []
    private var oversampler: Resampler
    private var scratch = [Float](repeating: 0, count: 2 * 4096)

    /// - Parameter rate: frames a second.
    init(rate: Int) {
        left = Weighting(rate: Double(rate))
        right = left
        hop = max(1, rate / 10)
        oversampler = Resampler(from: rate, to: 4 * rate, purpose: .peaks)
    }

    mutating func add(_ samples: UnsafePointer<Float>, frames: Int) {
        for frame in 0..<frames {
            let (l, r) = unsafe (
                left.apply(Double(samples[2 * frame])), right.apply(Double(samples[2 * frame + 1]))
            )
            energy += l * l + r * r
            filled += 1
            if filled == hop { endHop() }
        }
        unsafe oversampler.push(samples, frames: frames, gain: 1)
        drain()
    }

    private mutating func endHop() {
        hops.append(energy / Double(hop))
        if hops.count > 4 { hops.removeFirst() }
        if hops.count == 4 { blocks.append(hops.reduce(0, +) / 4) }
        (filled, energy) = (0, 0)
    }

    /// Takes what the oversampler still holds into the peak. Nothing may be added afterwards.
    mutating func close() {
        oversampler.close()
        drain()
    }

    private mutating func drain() {
        while true {
            let made = unsafe scratch.withUnsafeMutableBufferPointer {
                unsafe oversampler.pull(into: $0.baseAddress!, frames: $0.count / 2)
            }
            if made == 0 { return }
            for index in 0..<2 * made { peak = max(peak, abs(scratch[index])) }
        }
    }

    /// Integrated loudness of gating blocks in LUFS; nil where all of them are silence.
    static func integrate(_ blocks: [Double]) -> Double? {
        // BS.1770-4, Annex 1: the absolute gate at -70 LUFS, then the relative one 10 LU below what passed
        // it.
        func mean(above threshold: Double) -> Double? {
            let passed = blocks.filter { loudness($0) > threshold }
            return passed.isEmpty ? nil : passed.reduce(0, +) / Double(passed.count)
        }
        guard let first = mean(above: -70) else { return nil }
        return mean(above: max(-70, loudness(first) - 10)).map(loudness)
    }

    private static func loudness(_ meanSquare: Double) -> Double { -0.691 + 10 * log10(meanSquare) }
}

/// The K-weighting of BS.1770-4 for any rate: a high shelf for the head's acoustics and a high-pass, one
/// after the other. The standard tabulates coefficients for 48 kHz; these are the analogue filters behind
/// that table.
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
