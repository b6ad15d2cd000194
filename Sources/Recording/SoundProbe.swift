internal import Glibc

/// Examines a sound file without playing it. Runs on the caller's thread and reads the whole file.
package enum SoundProbe {
    /// Examines only the beginning of a file.
    /// - Throws: `unreadable`, or `notMP3` where it is certainly not MP3.
    package static func sniff(path: String) throws(RecordingError) { _ = try MpegFile(path: path) }

    /// Decodes the whole file, measures its loudness, and decides whether it can be used.
    /// - Throws: `unreadable`, `notMP3`, `decoder`, or `noAudio` where not one frame decodes.
    package static func measure(path: String) throws(RecordingError) -> (info: SoundInfo, loudness: Loudness)
    {
        var meter: LoudnessMeter?
        var meterRate = 0
        var hops: [LoudnessMeter.Hop] = []
        func finish() {
            meter?.close()
            hops += meter?.hops ?? []
        }
        let decoded = try unsafe decode(path) { samples, frames, rate in
            if rate != meterRate {
                finish()
                (meter, meterRate) = (LoudnessMeter(rate: rate), rate)
            }
            unsafe meter?.add(samples, frames: frames)
        }
        finish()
        let measured = SoundHops(hops)
        let isMono = decoded.channels == 1
        let loudness = measured.loudness(isMono: isMono)
        var evidence = decoded.evidence
        evidence.isTooLoud = measured.isImplausible || loudness.gainDb <= Loudness.leastGainDb
        evidence.audibleShare = measured.audibleShare(isMono: isMono, gainDb: loudness.gainDb)
        var warnings = decoded.warnings
        if !evidence.isTooLoud, measured.strays > 0 {
            let seconds = MpegDecoder.tenths(measured.strays, 10)
            warnings.append(
                "\"\(path)\" is damaged: \(seconds) s of it are far louder than all the rest, and were not measured"
            )
        }
        let info = SoundInfo(
            rateHz: decoded.rate, channels: decoded.channels, frames: decoded.frames,
            durationSeconds: evidence.seconds, warnings: warnings, evidence: evidence)
        return (info, loudness)
    }

    /// The facts from decoding a whole file.
    private struct Decoded {
        var rate: Int
        var channels: Int
        var frames: Int
        var warnings: [String]
        var evidence: RecordingEvidence
    }

    /// - Parameter each: called with every run of decoded frames and their rate.
    private static func decode(
        _ path: String, each: (UnsafePointer<Float>, Int, Int) -> Void
    ) throws(RecordingError) -> Decoded {
        var decoder = try MpegDecoder(path: path)
        var (rate, channels) = (0, 0)
        // Frames and rate of every run of one rate; nearly every file has one.
        var stretches: [(frames: Int, rate: Int)] = []
        var promised: Int?
        var (decodedSeconds, audioBytes) = (0.0, 0)
        decoding: while decodedSeconds < RecordingLimits.longestSeconds {
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
            // A damaged file may claim a change at every other frame; three of them suffice.
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
        let evidence = RecordingEvidence(
            seconds: seconds, promisedSeconds: promised.map { Double($0) / Double(rate) },
            audioShare: Double(audioBytes) / Double(max(1, decoder.audioBytes)), endsWhole: decoder.endsWhole)
        return Decoded(
            rate: rate, channels: channels, frames: frames, warnings: warnings, evidence: evidence)
    }
}
