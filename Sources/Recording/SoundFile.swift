/// One MP3 file and the loudness correction it needs.
package struct SoundFile: Sendable, Equatable {
    /// Where the file is.
    package var path: String
    /// Decibels that bring this recording to the common loudness; 0 leaves it as it is.
    package var gainDb: Double

    package init(path: String, gainDb: Double = 0) {
        self.path = path
        self.gainDb = gainDb
    }
}
