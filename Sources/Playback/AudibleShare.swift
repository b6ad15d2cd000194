internal import Glibc
internal import Recording

/// How much of the samples for a device could be heard at all: damage, a wrong gain or a silent file can take a whole
/// adhan through every device without a fault and without a sound.
///
/// Counted as the measurement of a file counts: in windows of 400 ms with sound in one piece, one every 100 ms.
struct AudibleShare {
    /// Mean square of a stereo frame above which a window is audible.
    private let threshold: Double
    /// Mean square from which a slice is.
    private let sliceThreshold: Double
    /// Frames of 10 ms.
    private var slice = 0
    private var filled = 0
    private var energy = 0.0
    private var run = SoundRun()
    /// The slices of this hop, and their energy.
    private var hop = (slices: 0, energy: 0.0)
    /// The mean squares of the last hops, at most three.
    private var before: [Double] = []
    private var windows = 0
    private var audible = 0
    /// All there was, for a sound that is shorter than one window.
    private var all = (energy: 0.0, frames: 0)

    /// dBFS: ten steps of 16-bit samples.
    private static let leastLevelDb = -70.0

    /// - Parameter volumeDb: the volume's gain, which is meant and lowers every recording.
    init(volumeDb: Double) {
        let level = max(Self.leastLevelDb, RecordingLimits.audibleLoudnessLufs + min(0, volumeDb))
        threshold = 2 * pow(10, level / 10)
        sliceThreshold = threshold * pow(10, -SoundRun.slackDb / 10)
    }

    /// Nil before there was any sound.
    var value: Double? {
        if windows > 0 { return Double(audible) / Double(windows) }
        return all.frames > 0 ? (all.energy >= threshold * Double(all.frames) ? 1 : 0) : nil
    }

    /// Takes note of `count` interleaved stereo frames, as they go to the device.
    mutating func add(_ samples: UnsafePointer<Float>, frames count: Int, rate: Int) {
        // Another device may run at another rate; the count so far stays.
        if slice != max(1, rate / 100) {
            (slice, filled, energy, before) = (max(1, rate / 100), 0, 0, [])
            (run, hop) = (SoundRun(), (0, 0))
        }
        var frame = 0
        while frame < count {
            let end = min(count, frame + slice - filled)
            var sum: Float = 0
            for index in 2 * frame..<2 * end { sum += unsafe samples[index] * samples[index] }
            energy += Double(sum)
            all.energy += Double(sum)
            filled += end - frame
            frame = end
            if filled == slice { closeSlice() }
        }
        all.frames += count
    }

    private mutating func closeSlice() {
        run.add(energy >= sliceThreshold * Double(slice))
        hop = (hop.slices + 1, hop.energy + energy)
        (filled, energy) = (0, 0)
        if hop.slices == SoundRun.slices { close() }
    }

    private mutating func close() {
        let mean = hop.energy / Double(SoundRun.slices * slice)
        hop = (0, 0)
        if before.count == 3 {
            windows += 1
            if run.isWhole, (before.reduce(0, +) + mean) / 4 >= threshold { audible += 1 }
            before.removeFirst()
        }
        before.append(mean)
    }
}
