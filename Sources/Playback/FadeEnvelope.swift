internal import Glibc

/// Loudness over time: 1, except in raised-cosine ramps, which begin and end with slope 0 and therefore without a click.
struct FadeEnvelope {
    private struct Ramp {
        var start: Int
        var length: Int
        var rising: Bool
    }

    private var ramps: [Ramp] = []
    /// Frame from which everything is silent; `Int.max` while no fade-out is set.
    private(set) var end = Int.max

    /// Rises from silence at frame `start` over `length` frames.
    mutating func fadeIn(at start: Int, length: Int) {
        guard length > 0 else { return }
        ramps.append(Ramp(start: start, length: length, rising: true))
    }

    /// Falls to silence from frame `start` over `length` frames; an earlier end that is already set stays. If another fall has
    /// begun, the result is the product of both, which has no step.
    mutating func fadeOut(at start: Int, length: Int) {
        guard start + length < end else { return }
        ramps.append(Ramp(start: start, length: length, rising: false))
        end = start + length
    }

    /// Applies the envelope to interleaved stereo frames, the first of which is frame `first` of the timeline.
    func apply(to samples: UnsafeMutablePointer<Float>, frames: Int, first: Int) {
        for ramp in ramps {
            let lower = max(first, ramp.start)
            let upper = min(first + frames, ramp.start + ramp.length)
            guard lower < upper else { continue }
            for frame in lower..<upper {
                let gain = Self.gain(Double(frame - ramp.start) / Double(ramp.length), rising: ramp.rising)
                unsafe samples[2 * (frame - first)] *= gain
                unsafe samples[2 * (frame - first) + 1] *= gain
            }
        }
        guard end < first + frames else { return }
        for frame in max(first, end)..<(first + frames) {
            unsafe samples[2 * (frame - first)] = 0
            unsafe samples[2 * (frame - first) + 1] = 0
        }
    }

    /// - Parameter t: the position in the ramp, 0...1.
    static func gain(_ t: Double, rising: Bool) -> Float {
        let rise = 0.5 - 0.5 * cos(Double.pi * t)
        return Float(rising ? rise : 1 - rise)
    }
}
