/// One MP3 file, and its measurements.
package struct SoundFile: Sendable, Equatable {
    /// Where the file is.
    package var path: String
    /// Decibels that bring this recording to the common loudness; 0 leaves it as it is.
    package var gainDb: Double
    /// Its measured length in seconds; otherwise the file is examined.
    package var seconds: Double?
    /// The measured share of its windows of 400 ms that are audible.
    package var audibleShare: Double?
    /// Why it should not be called.
    package var objection: RecordingObjection?
    /// The code of the objection in spite of which a person added it.
    package var accepted: String?

    package init(path: String, gainDb: Double = 0, seconds: Double? = nil) {
        self.path = path
        self.gainDb = gainDb
        self.seconds = seconds
    }

    /// The objection against playing it, now that it was examined; nil if a person knew and accepted it.
    package func unaccepted(_ objection: RecordingObjection?) -> RecordingObjection? {
        objection.flatMap { $0.code == accepted ? nil : $0 }
    }
}
