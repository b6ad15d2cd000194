package import Texts

/// The measurement of a sound file when it was added, kept beside it as `FILE.json`.
package struct SoundMeasurement: Codable, Sendable, Equatable {
    /// Which file it was: another one in its place has another stamp.
    package struct Stamp: Codable, Sendable, Equatable {
        /// Bytes.
        package let size: Int
        /// Unix seconds of the last change. Whole ones: not every backup keeps the rest.
        package let modified: Int

        package init(size: Int, modified: Int) {
            self.size = size
            self.modified = modified
        }
    }

    /// The version of the form; a file of another version counts as not measured.
    private let version: Int
    package let stamp: Stamp
    /// Frames a second.
    package let rate: Int
    /// 1 or 2.
    package let channels: Int
    /// After gapless trimming.
    package let frames: Int
    /// Integrated, by EBU R 128; null for less than 400 ms of sound.
    @Nullable package var loudnessLufs: Double?
    /// The largest true peak, in dBTP.
    package let truePeakDb: Double
    /// Share of its windows of 400 ms that are audible; null where it has not one.
    @Nullable package var audibleShare: Double?
    /// Why it ought not to be called, where somebody added it all the same: the objection's code.
    @Nullable package var accepted: String?

    package static let version = 3
    /// In bytes; no measurement comes near it.
    package static let longestFile = 4096

    package init(
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
    package static func path(of file: String) -> String { file + ".json" }

    /// - Returns: nil where the bytes are no measurement, or one of another file than the one with this stamp.
    package init?(fileBytes: [UInt8], of stamp: Stamp) {
        guard let read = try? JSON.decode(SoundMeasurement.self, from: fileBytes),
            read.version == Self.version,
            read.stamp == stamp, read.rate > 0, read.truePeakDb.isFinite
        else { return nil }
        self = read
    }

    package func fileBytes() throws -> [UInt8] {
        try JSON.encode(self) + [UInt8(ascii: "\n")]
    }

    /// Seconds.
    package var durationSeconds: Double { Double(frames) / Double(rate) }

    package static func rounded(_ value: Double, _ parts: Double) -> Double {
        (value * parts).rounded() / parts
    }
}
