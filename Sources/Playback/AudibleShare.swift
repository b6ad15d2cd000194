internal import Glibc
internal import Recording

/// How much of what goes to a device could be heard at all: damage, a wrong gain or a silent file can take a whole
/// adhan through every device without a fault and without a sound.
///
/// Counted as the measurement of a file counts: in windows of 400 ms, one every 100 ms.
struct AudibleShare {
    /// Mean square of a stereo frame above which a window is audible.
    private let threshold: Double
    /// Frames of 100 ms.
    private var hop = 0
    private var filled = 0
    private var energy = 0.0
    /// The mean squares of the last hops, at most three.
    private var before: [Double] = []
    private var windows = 0
    private var audible = 0
    /// All there was, for a sound that is shorter than one window.
    private var all = (energy: 0.0, frames: 0)

    /// dBFS: ten steps of 16-bit samples.
    private static let leastLevel = -70.0

    /// - Parameter volumeDb: what the volume takes away from every recording: somebody chose that.
    init(volumeDb: Double) {
        let level = max(Self.leastLevel, RecordingLimits.audibleLoudness + min(0, volumeDb))
        threshold = 2 * pow(10, level / 10)
    }

    /// Nil before there was any sound.
    var value: Double? {
        if windows > 0 { return Double(audible) / Double(windows) }
        return all.frames > 0 ? (all.energy >= threshold * Double(all.frames) ? 1 : 0) : nil
    }

    /// Takes note of `count` interleaved stereo frames, as they go to the device.
    mutating func add(_ samples: UnsafePointer<Float>, frames count: Int, rate: Int) {
        // Another device may run at another rate; what was counted stays.
        if hop != rate / 10 { (hop, filled, energy, before) = (max(1, rate / 10), 0, 0, []) }
        var frame = 0
        while frame < count {
            let end = min(count, frame + hop - filled)
            var sum: Float = 0
            for index in 2 * frame..<2 * end { sum += unsafe samples[index] * samples[index] }
            energy += Double(sum)
            all.energy += Double(sum)
            filled += end - frame
            frame = end
            if filled == hop { close() }
        }
        all.frames += count
    }

    private mutating func close() {
        let mean = energy / Double(hop)
        (filled, energy) = (0, 0)
        if before.count == 3 {
            windows += 1
            if (before.reduce(0, +) + mean) / 4 >= threshold { audible += 1 }
            before.removeFirst()
        }
        before.append(mean)
    }
}
