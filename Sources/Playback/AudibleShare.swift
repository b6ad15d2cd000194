internal import Glibc

/// How much of what goes to a device could be heard at all: damage, a wrong gain or a silent file can take a whole
/// adhan through every device without a fault and without a sound.
struct AudibleShare {
    private var frames = 0
    private var audible = 0

    /// Mean square of a stereo frame: -70 dBFS, ten steps of 16-bit samples.
    private static let threshold = 2 * pow(10, -70.0 / 10)

    /// Nil before there was any sound.
    var value: Double? { frames > 0 ? Double(audible) / Double(frames) : nil }

    /// Takes note of `count` interleaved stereo frames, as they go to the device.
    mutating func add(_ samples: UnsafePointer<Float>, frames count: Int) {
        guard count > 0 else { return }
        var sum: Float = 0
        for index in 0..<2 * count { sum += unsafe samples[index] * samples[index] }
        frames += count
        if Double(sum) >= Self.threshold * Double(count) { audible += count }
    }
}
