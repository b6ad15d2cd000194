internal import Glibc

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
        var (blocks, peak): ([Double], Float) = ([], 0)
        func finish() {
            meter?.close()
            blocks += meter?.blocks ?? []
            peak = max(peak, meter?.peak ?? 0)
        }
        let info = try unsafe decode(path) { samples, frames, rate in
            if rate != meterRate {
                finish()
                (meter, meterRate) = (LoudnessMeter(rate: rate), rate)
            }
            unsafe meter?.add(samples, frames: frames)
        }
        finish()
        // The decoder gives a mono file's only channel twice: half of the sum is its own.
        let integrated = LoudnessMeter.integrate(info.channels == 1 ? blocks.map { $0 / 2 } : blocks)
        let truePeak = 20 * log10(Double(peak))
        // No meter knows more; so what is kept, shown and played comes from the same numbers.
        func hundredths(_ value: Double) -> Double { (value * 100).rounded() / 100 }
        return (info, Loudness(integrated: integrated.map(hundredths), truePeak: hundredths(truePeak)))
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
        decoding: while true {
            switch unsafe decoder.next() {
            case .audio(let samples, let count):
                stretches[stretches.count - 1].frames += count
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
        if let complaint = decoder.complaint(promised: stretches.count == 1 ? promised : nil) {
            warnings.append(complaint)
        }
        return SoundInfo(
            rate: rate, channels: channels, frames: frames, duration: seconds, warnings: warnings)
    }
}
