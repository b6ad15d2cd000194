public import Texts

/// `sound add`: the added sound and its measurement.
public struct AddedSoundDocument: Codable, Sendable, Equatable {
    /// Its name in the configuration.
    public let name: String
    /// The path of the file.
    public let file: String
    /// Frames a second, at the beginning.
    public let rate: Int
    /// The number of channels, 1 or 2.
    public let channels: Int
    /// Frames after gapless trimming.
    public let frames: Int
    /// The duration in seconds, to a tenth.
    public let durationSeconds: Double
    /// Integrated loudness by EBU R 128; `null` for less than 400 ms of sound.
    @Nullable public var loudnessLufs: Double?
    /// The largest true peak in dBTP.
    public let truePeakDb: Double
    /// The decibels that adhand adds to its volume.
    public let gainDb: Double
    /// Warnings in sentences.
    public let warnings: [String]

    package init(
        name: String, file: String, measured: SoundMeasurement, gainDb: Double, warnings: [String]
    ) {
        self.name = name
        self.file = file
        rate = measured.rate
        channels = measured.channels
        frames = measured.frames
        durationSeconds = SoundMeasurement.rounded(measured.durationSeconds, 10)
        loudnessLufs = measured.loudnessLufs.map { SoundMeasurement.rounded($0, 10) }
        truePeakDb = SoundMeasurement.rounded(measured.truePeakDb, 10)
        self.gainDb = gainDb
        self.warnings = warnings
    }
}

/// `sound list`: every sound that a configuration can name.
public struct SoundsDocument: Codable, Sendable, Equatable {
    /// One sound with all its files.
    public struct Sound: Codable, Sendable, Equatable {
        /// The origin of a sound: added by a person, or shipped with adhand.
        public enum Origin: String, Codable, Sendable, CaseIterable {
            case added, shipped
        }

        /// Its name in the configuration.
        public let name: String
        /// The origin; an added sound takes precedence over a shipped one of the same name.
        public let origin: Origin
        /// Its files: one for every prayer, others for single ones.
        public let files: [File]
        /// The configuration's keys that play one of the files, such as `adhan.fajr.sound`.
        public let usedBy: [String]

        package init(name: String, origin: Origin, files: [File], usedBy: [String]) {
            self.name = name
            self.origin = origin
            self.files = files
            self.usedBy = usedBy
        }
    }

    /// One recording of a sound.
    public struct File: Codable, Sendable, Equatable {
        /// An absolute path.
        public let file: String
        /// The prayer for which it was made; `null` for every prayer without a file of its own.
        @Nullable public var prayer: Prayer?
        /// Frames a second; `null`, as all numbers that follow, where the file was not measured.
        @Nullable public var rate: Int?
        /// 1 or 2; `null` where the file was not measured.
        @Nullable public var channels: Int?
        /// Seconds, to a tenth; `null` where the file was not measured.
        @Nullable public var durationSeconds: Double?
        /// Integrated, by EBU R 128; `null` where the file was not measured, or has less than 400 ms of sound.
        @Nullable public var loudnessLufs: Double?
        /// The largest true peak in dBTP, to a tenth; `null` where the file was not measured.
        @Nullable public var truePeakDb: Double?
        /// The decibels that adhand adds to its volume; `null` where the file was not measured.
        @Nullable public var gainDb: Double?
        /// Why it cannot be played; then nothing was measured.
        @Nullable public var problem: String?

        /// Makes the entry of a file that is not measured yet.
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
            durationSeconds = SoundMeasurement.rounded(measured.durationSeconds, 10)
            loudnessLufs = measured.loudnessLufs.map { SoundMeasurement.rounded($0, 10) }
            truePeakDb = SoundMeasurement.rounded(measured.truePeakDb, 10)
            self.gainDb = gainDb
        }
    }

    /// The sounds: added ones first, each kind by name.
    public let sounds: [Sound]

    package init(sounds: [Sound]) {
        self.sounds = sounds
    }
}

/// The answer of `GetSounds`.
public struct SoundsReply: ReplyDocument, Equatable {
    public static var described: String { "sounds: []Sound" }
    /// The sounds: added ones first, each kind by name.
    public let sounds: [SoundsDocument.Sound]

    package init(sounds: [SoundsDocument.Sound]) {
        self.sounds = sounds
    }
}

/// `sound remove`: the removed sound.
public struct RemovedSoundDocument: Codable, Sendable, Equatable {
    /// The name that it had.
    public let name: String
    /// The absolute paths of the recordings that were removed.
    public let files: [String]

    package init(name: String, files: [String]) {
        self.name = name
        self.files = files
    }
}
