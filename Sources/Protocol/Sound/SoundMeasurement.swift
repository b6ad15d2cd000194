public import Texts

/// The measurement of a sound file when it was added, kept beside it as `FILE.json`.
public struct SoundMeasurement: Codable, Sendable, Equatable {
    /// Which file it was: another one in its place has another stamp.
    public struct Stamp: Codable, Sendable, Equatable {
        /// Bytes.
        public let size: Int
        /// Unix seconds of the last change. Whole ones: not every backup keeps the rest.
        public let modified: Int

        public init(size: Int, modified: Int) {
            self.size = size
            self.modified = modified
        }
    }

    /// The version of the form; a file of another version counts as not measured.
    private let version: Int
    public let stamp: Stamp
    /// Frames a second.
    public let rate: Int
    /// 1 or 2.
    public let channels: Int
    /// After gapless trimming.
    public let frames: Int
    /// Integrated, by EBU R 128; null for less than 400 ms of sound.
    @Nullable public var loudnessLufs: Double?
    /// The largest true peak, in dBTP.
    public let truePeakDb: Double
    /// Share of its windows of 400 ms that are audible; null where it has not one.
    @Nullable public var audibleShare: Double?
    /// Why it ought not to be called, where somebody added it all the same: the objection's code.
    @Nullable public var accepted: String?

    public static let version = 3
    /// In bytes; no measurement comes near it.
    public static let longestFile = 4096

    public init(
        stamp: Stamp, rate: Int, channels: Int, frames: Int, loudnessLufs: Double?, truePeakDb: Double,
        audibleShare: Double? = nil, accepted: String? = nil
    ) {
        version = Self.version
        self.stamp = stamp
        self.rate = rate
        self.channels = channels
        self.frames = frames
        self.loudnessLufs = loudnessLufs.map { Self.rounded($0, 100) }
        self.truePeakDb = Self.rounded(truePeakDb, 100)
        self.audibleShare = audibleShare.map { Self.rounded($0, 1000) }
        self.accepted = accepted
    }

    /// Where the measurement of a sound file is kept.
    public static func path(of file: String) -> String { file + ".json" }

    /// - Returns: nil where the bytes are no measurement, or one of another file than the one with this stamp.
    public init?(fileBytes: [UInt8], of stamp: Stamp) {
        guard let read = try? JSON.decode(SoundMeasurement.self, from: fileBytes),
            read.version == Self.version,
            read.stamp == stamp, read.rate > 0, read.truePeakDb.isFinite
        else { return nil }
        self = read
    }

    public func fileBytes() throws -> [UInt8] {
        try JSON.encode(self) + [UInt8(ascii: "\n")]
    }

    /// Seconds.
    public var durationSeconds: Double { Double(frames) / Double(rate) }

    public static func rounded(_ value: Double, _ parts: Double) -> Double {
        (value * parts).rounded() / parts
    }
}
