internal import Glibc

/// Examines a sound file without playing it. Runs on the caller's thread and reads the whole file.
package enum SoundProbe {
    /// - Throws: `unreadable`, `notMP3`, `decoder`, or `noAudio` where not one frame comes out.
    package static func inspect(path: String) throws(RecordingError) -> SoundInfo {
        try unsafe decode(path) { _, _, _ in }
    }

    /// Looks at the beginning of a file only.
    /// - Throws: `unreadable`, or `notMP3` where it is certainly something else.
    package static func sniff(path: String) throws(RecordingError) { _ = try MpegFile(path: path) }

    /// As `inspect`, and measures how loud it is: about three times the work.
    package static func measure(path: String) throws(RecordingError) -> (info: SoundInfo, loudness: Loudness)
    {
        var meter: LoudnessMeter?
        var meterRate = 0
        var hops: [LoudnessMeter.Hop] = []
        func finish() {
            meter?.close()
            hops += meter?.hops ?? []
        }
        var info = try unsafe decode(path) { samples, frames, rate in
            if rate != meterRate {
                finish()
                (meter, meterRate) = (LoudnessMeter(rate: rate), rate)
            }
            unsafe meter?.add(samples, frames: frames)
        }
        finish()
        let measured = SoundHops(hops)
        let loudness = measured.loudness(isMono: info.channels == 1)
        if measured.isImplausible || loudness.gainDb <= Loudness.leastGainDb {
            info.objection = info.objection ?? "it is damaged: much of it is louder than any recording"
        } else if measured.strays > 0 {
            let seconds = MpegDecoder.tenths(measured.strays, 10)
            info.warnings.append(
                "\"\(path)\" is damaged: \(seconds) s of it are far louder than all the rest, and were not measured"
            )
        }
        return (info, loudness)
    }

    /// - Parameter each: gets every stretch of decoded frames and their rate.
    private static func decode(
        _ path: String, each: (UnsafePointer<Float>, Int, Int) -> Void
    ) throws(RecordingError) -> SoundInfo {
        var decoder = try MpegDecoder(path: path)
        var (rate, channels) = (0, 0)
        // Frames and rate of every stretch of one rate; nearly every file has one.
        var stretches: [(frames: Int, rate: Int)] = []
        var promised: Int?
        var (decodedSeconds, audioBytes) = (0.0, 0)
        decoding: while decodedSeconds < RecordingLimits.longest {
            switch unsafe decoder.next() {
            case .audio(let samples, let count):
                stretches[stretches.count - 1].frames += count
                decodedSeconds += Double(count) / Double(decoder.rate)
                audioBytes += decoder.frameBytes
                unsafe each(samples, count, decoder.rate)
            case .rateChanged:
                if stretches.isEmpty {
                    (rate, channels) = (decoder.rate, decoder.channels)
                    promised = decoder.promisedLength()
                }
                stretches.append((0, decoder.rate))
            case .end: break decoding
            }
        }
        var seconds = 0.0
        var warnings: [String] = []
        for (index, stretch) in stretches.enumerated() {
            // A damaged file may claim a change at every other frame; three of them tell as much as all.
            if 1...3 ~= index {
                let before = MpegDecoder.tenths(Int(seconds * 10), 10)
                warnings.append("the rate changes to \(stretch.rate) Hz after \(before) s")
            }
            seconds += Double(stretch.frames) / Double(stretch.rate)
        }
        guard seconds > 0 else { throw .noAudio(path: path) }
        let frames = Int((seconds * Double(rate)).rounded())
        if stretches.count > 1 { promised = nil }
        if let complaint = decoder.complaint(promised: promised) { warnings.append(complaint) }
        var info = SoundInfo(
            rate: rate, channels: channels, frames: frames, duration: seconds, warnings: warnings)
        info.objection = objection(
            to: info, promised: promised, audioBytes: Double(audioBytes) / Double(max(1, decoder.audioBytes)))
        return info
    }

    /// - Parameters:
    ///   - promised: frames that the file says were encoded; nil where it does not say.
    ///   - audioBytes: share of the file's bytes that are MPEG audio.
    static func objection(to info: SoundInfo, promised: Int?, audioBytes: Double) -> String? {
        if info.duration < RecordingLimits.shortest {
            return "it is only \(Int((info.duration * 1000).rounded())) ms long"
        }
        if info.duration >= RecordingLimits.longest {
            return "it is longer than \(Int(RecordingLimits.longest / 3600)) h"
        }
        if let promised {
            guard Double(info.frames) < RecordingLimits.leastShare * Double(promised) else { return nil }
            let (decoded, encoded) = (
                MpegDecoder.tenths(info.frames, info.rate), MpegDecoder.tenths(promised, info.rate)
            )
            return "only \(decoded) s of its \(encoded) s decode"
        }
        guard audioBytes < RecordingLimits.leastAudioBytes else { return nil }
        return "only \(Int(audioBytes * 100)) % of the file is MP3 audio"
    }
}
