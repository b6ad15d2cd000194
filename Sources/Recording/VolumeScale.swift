internal import Glibc

/// Volume in percent of perceived loudness as a gain for samples.
///
/// Amplitude grows with the cube of the percentage, as with PulseAudio's sliders: 50 percent is -18 dB, and each step of ten
/// sounds like a step. 100 percent plays the recording unchanged.
package enum VolumeScale {
    /// Decibels for 0 percent: below half of the last bit of 32-bit samples (-193 dB), so that the output is zero.
    package static let silenceDb = -200.0

    /// Decibels, ``silenceDb``...0, for a percentage; a value outside 0...100 counts as the nearer end.
    package static func gainDb(percent: Int) -> Double {
        guard percent > 0 else { return silenceDb }
        return 60 * log10(Double(min(percent, 100)) / 100)
    }
}
