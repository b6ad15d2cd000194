public import Texts

/// `sound add`: the added sound and its measurement.
public struct AddedSoundDocument: Codable, Sendable, Equatable {
    public let name: String
    /// Where it is now.
    public let file: String
    /// Frames a second, at the beginning.
    public let rate: Int
    public let channels: Int
    /// After gapless trimming.
    public let frames: Int
    public let durationSeconds: Double
    /// Integrated, by EBU R 128; `null` for less than 400 ms of sound.
    @Nullable public var loudnessLufs: Double?
    /// dBTP.
    public let truePeakDb: Double
    /// The gain that adhand adds to its volume.
    public let gainDb: Double
    /// Sentences.
    public let warnings: [String]

    public init(
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
    public struct Sound: Codable, Sendable, Equatable {
        public enum Origin: String, Codable, Sendable, CaseIterable {
            case added, shipped
        }

        public let name: String
        public let origin: Origin
        public let files: [File]
        /// The configuration's keys that play one of the files, such as `adhan.fajr.sound`.
        public let usedBy: [String]

        public init(name: String, origin: Origin, files: [File], usedBy: [String]) {
            self.name = name
            self.origin = origin
            self.files = files
            self.usedBy = usedBy
        }
    }

    public struct File: Codable, Sendable, Equatable {
        public let file: String
        /// The prayer it was made for; `null` for every prayer that has no file of its own.
        @Nullable public var prayer: Prayer?
        @Nullable public var rate: Int?
        @Nullable public var channels: Int?
        @Nullable public var durationSeconds: Double?
        @Nullable public var loudnessLufs: Double?
        @Nullable public var truePeakDb: Double?
        @Nullable public var gainDb: Double?
        /// Why it cannot be played; then nothing was measured.
        @Nullable public var problem: String?

        /// Not measured yet.
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

    /// Added ones first, each kind by name.
    public let sounds: [Sound]

    public init(sounds: [Sound]) {
        self.sounds = sounds
    }
}

/// The answer of `GetSounds`.
public struct SoundsReply: ReplyDocument, Equatable {
    public static var described: String { "sounds: []Sound" }
    public let sounds: [SoundsDocument.Sound]

    public init(sounds: [SoundsDocument.Sound]) {
        self.sounds = sounds
    }
}

/// `sound remove`: the removed sound.
public struct RemovedSoundDocument: Codable, Sendable, Equatable {
    public let name: String
    public let files: [String]

    public init(name: String, files: [String]) {
        self.name = name
        self.files = files
    }
}
