internal import Glibc

/// Changes the rate of stereo frames by a rational factor: a polyphase filter with a Kaiser-windowed sinc.
///
/// Existing resamplers do not suffice: ALSA's plug layer interpolates linearly unless extra plugins are installed (images of a
/// voice above 10 kHz become audible), and libmpg123's in-decoder converter drops and repeats samples. This one is only used
/// where the device does not run at the file's own rate; otherwise samples pass unchanged. Rejection is about 90 dB, the passband
/// reaches 0.41 of the lower rate. Output frame n lies at input time n·in/out exactly; the filter's delay is compensated, so N
/// frames become ceil(N·out/in).
struct Resampler {
    private let upsampling: Int
    private let downsampling: Int
    private let taps: Int
    /// `upsampling` rows of `taps` coefficients, each row summing to 1.
    private let filter: [Float]
    /// Input that is still needed, one array per channel; element 0 is input frame `origin`.
    private var left: [Float]
    private var right: [Float]
    private var origin: Int
    private var received = 0
    /// Frames that have been pulled, or jumped over.
    private(set) var produced = 0
    private var closed = false

    /// The purpose of the filter.
    struct Purpose {
        /// Half the filter's width in frames of the slower side.
        var halfWidth: Int
        /// Kaiser β.
        var beta: Double
        /// Middle of the transition band in cycles per frame of the slower side.
        var cutoff: Double

        /// β for 90 dB is 0.1102·(A − 8.7); the transition band, (A − 8)/(2.285·2π·taps) wide, ends at the
        /// Nyquist frequency.
        static let listening = Purpose(halfWidth: 32, beta: 8.96, cutoff: 0.4555)
        /// Finding peaks between samples, as BS.1770-4 Annex 2 does with 12 coefficients a phase: images do
        /// no harm there.
        static let peaks = Purpose(halfWidth: 8, beta: 6, cutoff: 0.5)
    }

    /// - Parameters: rates in frames a second, both positive.
    init(from input: Int, to output: Int, purpose: Purpose = .listening) {
        let divisor = Self.gcd(input, output)
        upsampling = output / divisor
        downsampling = input / divisor
        let stretch = max(1.0, Double(input) / Double(output))
        let half = Int((Double(purpose.halfWidth) * stretch).rounded(.up))
        taps = (2 * half + 7) / 8 * 8  // whole SIMD registers
        filter = Self.design(purpose, phases: upsampling, taps: taps, half: half, stretch: stretch)
        // Silence precedes the first frame.
        (origin, left, right) = (0, [], [])
        jump(toInput: 0)
    }

    /// The input frame at or before output frame `frame`.
    func input(before frame: Int) -> Int { frame * downsampling / upsampling }

    /// Continues as if the input before `frame` had been silence and had been pulled; its last part, as wide as the filter, is
    /// missing from the next output.
    mutating func jump(toInput frame: Int) {
        received = frame
        produced = (frame * upsampling + downsampling - 1) / downsampling
        origin = frame + 1 - taps / 2
        left = [Float](repeating: 0, count: frame - origin)
        right = left
    }

    /// Adds `frames` interleaved frames, multiplied by `gain`.
    mutating func push(_ samples: UnsafePointer<Float>, frames: Int, gain: Float) {
        let start = left.count
        left.append(contentsOf: repeatElement(0, count: frames))
        right.append(contentsOf: repeatElement(0, count: frames))
        unsafe left.withUnsafeMutableBufferPointer { left in
            unsafe right.withUnsafeMutableBufferPointer { right in
                for index in 0..<frames {
                    unsafe left[start + index] = samples[2 * index] * gain
                    unsafe right[start + index] = samples[2 * index + 1] * gain
                }
            }
        }
        received += frames
    }

    /// Ends the input; the rest of the filter can then be pulled.
    mutating func close() {
        guard !closed else { return }
        closed = true
        left.append(contentsOf: repeatElement(0, count: taps))
        right.append(contentsOf: repeatElement(0, count: taps))
    }

    /// - Returns: how many interleaved frames were written to `out`, at most `frames`; fewer when more input is needed first.
    mutating func pull(into out: UnsafeMutablePointer<Float>, frames: Int) -> Int {
        let total = closed ? (received * upsampling + downsampling - 1) / downsampling : Int.max
        let wanted = min(frames, total - produced)
        var (time, phase) = (produced * downsampling).quotientAndRemainder(dividingBy: upsampling)
        time += 1 - taps / 2 - origin
        let (step, fraction) = downsampling.quotientAndRemainder(dividingBy: upsampling)
        var made = 0
        unsafe left.withUnsafeBytes { left in
            unsafe right.withUnsafeBytes { right in
                unsafe filter.withUnsafeBytes { filter in
                    while made < wanted, time + taps <= left.count / 4 {
                        let row = unsafe filter.baseAddress! + 4 * phase * taps
                        let (l, r) = unsafe convolve(
                            left.baseAddress! + 4 * time, right.baseAddress! + 4 * time, row)
                        unsafe (out[2 * made], out[2 * made + 1]) = (l, r)
                        made += 1
                        phase += fraction
                        time += step
                        if phase >= upsampling { (phase, time) = (phase - upsampling, time + 1) }
                    }
                }
            }
        }
        produced += made
        discardUsed()
        return made
    }

    /// Computes both channels at once, so that every coefficient is fetched once.
    private func convolve(
        _ left: UnsafeRawPointer, _ right: UnsafeRawPointer, _ weights: UnsafeRawPointer
    ) -> (Float, Float) {
        var (sumLeft, sumRight) = (SIMD8<Float>.zero, SIMD8<Float>.zero)
        var offset = 0
        while offset < 4 * taps {
            let weight = unsafe weights.loadUnaligned(fromByteOffset: offset, as: SIMD8<Float>.self)
            sumLeft += unsafe left.loadUnaligned(fromByteOffset: offset, as: SIMD8<Float>.self) * weight
            sumRight += unsafe right.loadUnaligned(fromByteOffset: offset, as: SIMD8<Float>.self) * weight
            offset += 32
        }
        return (sumLeft.sum(), sumRight.sum())
    }

    private mutating func discardUsed() {
        let next = produced * downsampling / upsampling + 1 - taps / 2
        let used = min(next - origin, left.count)
        guard used >= 4096 else { return }
        left.removeFirst(used)
        right.removeFirst(used)
        origin += used
    }

    private static func design(_ purpose: Purpose, phases: Int, taps: Int, half: Int, stretch: Double)
        -> [Float]
    {
        var rows = [Float](repeating: 0, count: phases * taps)
        let scale = purpose.cutoff / stretch
        let span = Double(half)
        for phase in 0..<phases {
            let fraction = Double(phase) / Double(phases)
            var row = [Double](repeating: 0, count: taps)
            for tap in 0..<taps {
                let t = Double(tap + 1 - taps / 2) - fraction
                let x = 2 * Double.pi * scale * t
                let edge = 1 - (t / span) * (t / span)
                guard edge > 0 else { continue }
                row[tap] = (x == 0 ? 1 : sin(x) / x) * bessel(purpose.beta * edge.squareRoot())
            }
            let sum = row.reduce(0, +)
            for tap in 0..<taps { rows[phase * taps + tap] = Float(row[tap] / sum) }
        }
        return rows
    }

    /// The modified Bessel function I0, by its power series.
    private static func bessel(_ x: Double) -> Double {
        var (sum, term, k) = (1.0, 1.0, 1.0)
        while term > sum * 1e-12 {
            term *= (x / (2 * k)) * (x / (2 * k))
            sum += term
            k += 1
        }
        return sum
    }

    private static func gcd(_ a: Int, _ b: Int) -> Int { b == 0 ? a : gcd(b, a % b) }
}
