package import Texts

/// `sound add`: what was added, and what was measured of it.
package struct AddedSoundDocument: Codable, Sendable, Equatable {
    package let name: String
    /// Where it is now.
    package let file: String
    /// Frames a second, at the beginning.
    package let rate: Int
    package let channels: Int
    /// After gapless trimming.
    package let frames: Int
    package let durationSeconds: Double
    /// Integrated, by EBU R 128; `null` for less than 400 ms of sound.
    @Nullable package var loudnessLufs: Double?
    /// dBTP.
    package let truePeakDb: Double
    /// The gain that adhand adds to its volume.
    package let gainDb: Double
    /// Sentences.
    package let warnings: [String]

    package init(
        name: String, file: String, measured: SoundMeasurement, gainDb: Double, warnings: [String]
    ) {
        self.name = name
        self.file = file
        rate = measured.rate
        channels = measured.channels
        frames = measured.frames
        durationSeconds = SoundMeasurement.rounded(measured.duration, 10)
        loudnessLufs = measured.loudnessLufs.map { SoundMeasurement.rounded($0, 10) }
        truePeakDb = SoundMeasurement.rounded(measured.truePeakDb, 10)
        self.gainDb = gainDb
        self.warnings = warnings
    }
}

/// `sound list`: every sound that a configuration can name.
package struct SoundsDocument: Codable, Sendable, Equatable {
    package struct Sound: Codable, Sendable, Equatable {
        package enum Origin: String, Codable, Sendable, CaseIterable {
            case added, shipped
        }

        package let name: String
        package let origin: Origin
        package let files: [File]
        /// The configuration's keys that play one of the files, such as `adhan.fajr.sound`.
        package let usedBy: [String]

        package init(name: String, origin: Origin, files: [File], usedBy: [String]) {
            self.name = name
            self.origin = origin
            self.files = files
            self.usedBy = usedBy
        }
    }

    package struct File: Codable, Sendable, Equatable {
        package let file: String
        /// The prayer it was made for; `null` for every prayer that has no file of its own.
        @Nullable package var prayer: Prayer?
        @Nullable package var rate: Int?
        @Nullable package var channels: Int?
        @Nullable package var durationSeconds: Double?
        @Nullable package var loudnessLufs: Double?
        @Nullable package var truePeakDb: Double?
        @Nullable package var gainDb: Double?
        /// Why it cannot be played; then nothing was measured.
        @Nullable package var problem: String?

        /// Which nobody has measured.
        package init(_ file: String, for prayer: Prayer?) {
            (self.file, self.prayer) = (file, prayer)
        }

        package init(_ file: String, for prayer: Prayer?, problem: String) {
            self.file = file
            self.prayer = prayer
            self.problem = problem
        }

        package init(_ file: String, for prayer: Prayer?, measured: SoundMeasurement, gainDb: Double) {
            self.file = file
            self.prayer = prayer
            rate = measured.rate
            channels = measured.channels
            durationSeconds = SoundMeasurement.rounded(measured.duration, 10)
            loudnessLufs = measured.loudnessLufs.map { SoundMeasurement.rounded($0, 10) }
            truePeakDb = SoundMeasurement.rounded(measured.truePeakDb, 10)
            self.gainDb = gainDb
        }
    }

    /// Added ones first, each kind by name.
    package let sounds: [Sound]

    package init(sounds: [Sound]) {
        self.sounds = sounds
    }
}

/// The answer of `GetSounds`.
package struct SoundsReply: ReplyDocument, Equatable {
    package static var described: String { "sounds: []Sound" }
    package let sounds: [SoundsDocument.Sound]

    package init(sounds: [SoundsDocument.Sound]) {
        self.sounds = sounds
    }
}

/// `sound remove`: what is gone.
package struct RemovedSoundDocument: Codable, Sendable, Equatable {
    package let name: String
    package let files: [String]

    package init(name: String, files: [String]) {
        self.name = name
        self.files = files
    }
}
