/// One MP3 file, and its measurements.
package struct SoundFile: Sendable, Equatable {
    /// Where the file is.
    package var path: String
    /// Decibels that bring this recording to the common loudness; 0 leaves it as it is.
    package var gainDb: Double
    /// How long it is, where that was measured; else the file is asked.
    package var seconds: Double?
    /// Share of its windows of 400 ms that are audible, where that was measured.
    package var audibleShare: Double?
    /// Why it ought not to be called.
    package var objection: RecordingObjection?
    /// The code of the objection in spite of which somebody added it.
    package var accepted: String?

    package init(path: String, gainDb: Double = 0, seconds: Double? = nil) {
        self.path = path
        self.gainDb = gainDb
        self.seconds = seconds
    }

    /// The objection to playing it, now that it has been looked at: nothing that its owner knew and wanted.
    package func unaccepted(_ objection: RecordingObjection?) -> RecordingObjection? {
        objection.flatMap { $0.code == accepted ? nil : $0 }
    }
}
