internal import Glibc
internal import Recording

/// The share of the samples for a device that is audible: damage, a wrong gain or a silent file can send a whole adhan through
/// every device without an error and without a sound.
///
/// Counts like the measurement of a file: windows of 400 ms with uninterrupted sound, one every 100 ms.
struct AudibleShare {
    /// Mean square of a stereo frame above which a window is audible.
    private let threshold: Double
    /// Mean square of a stereo frame above which a slice is audible.
    private let sliceThreshold: Double
    /// The number of frames in 10 ms.
    private var slice = 0
    private var filled = 0
    private var energy = 0.0
    private var run = SoundRun()
    /// The slices of the current hop, and their energy.
    private var hop = (slices: 0, energy: 0.0)
    /// The mean squares of the last hops, at most three.
    private var before: [Double] = []
    private var windows = 0
    private var audible = 0
    /// The energy and length of everything so far, for a sound that is shorter than one window.
    private var all = (energy: 0.0, frames: 0)

    /// The least audible level in dBFS: ten steps of 16-bit samples.
    private static let leastLevelDb = -70.0

    /// - Parameter volumeDb: the volume's gain, which is intended and lowers every recording.
    init(volumeDb: Double) {
        let level = max(Self.leastLevelDb, RecordingLimits.audibleLoudnessLufs + min(0, volumeDb))
        threshold = 2 * pow(10, level / 10)
        sliceThreshold = threshold * pow(10, -SoundRun.slackDb / 10)
    }

    /// The audible share; nil before there was any sound.
    var value: Double? {
        if windows > 0 { return Double(audible) / Double(windows) }
        return all.frames > 0 ? (all.energy >= threshold * Double(all.frames) ? 1 : 0) : nil
    }

    /// Adds `count` interleaved stereo frames, as they go to the device.
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
