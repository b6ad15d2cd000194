/// One MP3 file and the loudness correction it needs.
package struct SoundFile: Sendable, Equatable {
    /// Where the file is.
    package var path: String
    /// Decibels that bring this recording to the common loudness; 0 leaves it as it is.
    package var gainDb: Double
    /// How long it is, where that was measured; else the file is asked.
    package var seconds: Double?

    package init(path: String, gainDb: Double = 0, seconds: Double? = nil) {
        self.path = path
        self.gainDb = gainDb
        self.seconds = seconds
    }
}
