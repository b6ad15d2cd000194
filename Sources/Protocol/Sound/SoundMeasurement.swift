package import Texts

/// The measurement of a sound file when it was added, kept beside it as `FILE.json`.
package struct SoundMeasurement: Codable, Sendable, Equatable {
    /// Identifies the file: a replaced file has another stamp.
    package struct Stamp: Codable, Sendable, Equatable {
        /// The size in bytes.
        package let size: Int
        /// Unix seconds of the last change. Whole ones: not every backup keeps the rest.
        package let modified: Int

        package init(size: Int, modified: Int) {
            self.size = size
            self.modified = modified
        }
    }

    /// The version of the format; a file of another version counts as not measured.
    private let version: Int
    package let stamp: Stamp
    /// Frames a second.
    package let rate: Int
    /// The number of channels, 1 or 2.
    package let channels: Int
    /// Frames after gapless trimming.
    package let frames: Int
    /// Integrated loudness by EBU R 128; null for less than 400 ms of sound.
    @Nullable package var loudnessLufs: Double?
    /// The largest true peak, in dBTP.
    package let truePeakDb: Double
    /// Share of its windows of 400 ms that are audible; null where it has no window.
    @Nullable package var audibleShare: Double?
    /// The code of the objection in spite of which a person added it.
    @Nullable package var accepted: String?

    package static let version = 3
    /// The most bytes of the file; no measurement is nearly as long.
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

    /// The path of a sound file's measurement.
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

    /// The duration in seconds.
    package var durationSeconds: Double { Double(frames) / Double(rate) }

    package static func rounded(_ value: Double, _ parts: Double) -> Double {
        (value * parts).rounded() / parts
    }
}
