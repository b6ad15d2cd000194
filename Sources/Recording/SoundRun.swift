/// Detects uninterrupted sound in the last 400 ms. A recording with single muted frames is loud enough on the whole, and yet a
/// crackle: between two muted frames there are hundredths of a second of sound. A syllable, a bell and a pip of the radio last
/// longer.
package struct SoundRun: Sendable, Equatable {
    /// Slices of 10 ms in a hop of 100 ms.
    package static let slices = 10
    /// Decibels by which a slice may be softer than a window must be.
    package static let slackDb = 10.0

    private static let window: UInt64 = (1 << 40) - 1
    /// The last slices; 1 where one is audible.
    private var bits: UInt64 = 0

    package init() {}

    package mutating func add(_ isAudible: Bool) { bits = bits << 1 & Self.window | (isAudible ? 1 : 0) }

    /// Whether there are nine consecutive audible slices, 90 ms: more than two frames of MP3.
    package var isWhole: Bool {
        let pairs = bits & bits >> 1
        let fours = pairs & pairs >> 2
        return fours & fours >> 4 & bits >> 8 != 0
    }
}
