/// What a sound file turned out to be when decoded to its end.
package struct SoundInfo: Sendable, Equatable {
    /// Frames a second at the beginning of the file.
    package var rate: Int
    /// 1 or 2, at the beginning of the file.
    package var channels: Int
    /// Frames after gapless trimming, in `rate`; a part of another rate is counted by its duration.
    package var frames: Int
    /// Seconds.
    package var duration: Double
    /// Sentences about what is odd but did not prevent decoding.
    package var warnings: [String]
}

/// Examines a sound file without playing it. Runs on the caller's thread and reads the whole file.
package enum SoundProbe {
    /// - Throws: `unreadable`, `notMP3`, `decoder`, or `noAudio` where not one frame comes out.
    package static func inspect(path: String) throws(PlaybackError) -> SoundInfo {
        var decoder = try MpegDecoder(path: path)
        var (frames, seconds, rate, channels) = (0, 0.0, 0, 0)
        var promised: Int?
        var warnings: [String] = []
        decoding: while true {
            switch unsafe decoder.next() {
            case .audio(_, let count):
                seconds += Double(count) / Double(decoder.rate)
                frames += decoder.rate == rate ? count : 0
            case .rateChanged where rate == 0:
                (rate, channels) = (decoder.rate, decoder.channels)
                promised = decoder.promisedLength()
            case .rateChanged:
                warnings.append("the rate changes to \(decoder.rate) Hz after \(tenths(seconds)) s")
            case .end: break decoding
            }
        }
        guard seconds > 0 else { throw .noAudio(path: path) }
        if !warnings.isEmpty { frames = Int((seconds * Double(rate)).rounded()) }
        if decoder.damaged { warnings.append("the end of the file cannot be decoded") }
        if let promised, frames < promised {
            let encoded = tenths(Double(promised) / Double(rate))
            warnings.append("it is damaged: \(encoded) s were encoded, \(tenths(seconds)) s decode")
        }
        return SoundInfo(
            rate: rate, channels: channels, frames: frames, duration: seconds, warnings: warnings)
    }

    private static func tenths(_ seconds: Double) -> String {
        let tenths = Int((seconds * 10).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }
}
