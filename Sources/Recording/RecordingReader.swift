internal import Glibc

/// One sound file on its way to the device: decoded, with its gain and the device's rate applied.
@safe package final class RecordingReader {
    package let file: SoundFile
    /// Seconds: measured, or noted by the encoder, or added up from the headers; nil where unknown.
    package let durationSeconds: Double?
    /// Frames a second that `read` delivers.
    package let rateHz: Int
    private let gain: Float
    /// Frames of the file at its own rate; nil where unknown, and once the rate has changed.
    private var lengthFrames: Int?
    /// Frames that should be delivered; nil where unknown.
    private var expectedFrames: Int?
    private var decoder: MpegDecoder
    private var resampler: Resampler?
    private var pending: (samples: UnsafePointer<Float>, frames: Int)?
    private var ended = false

    /// Opens the file and decodes its first MPEG frame: a file that cannot be played is noticed here, not at the prayer.
    /// - Parameters:
    ///   - rate: frames a second to deliver; nil for the file's own.
    ///   - gainDb: decibels on top of the file's own gain.
    package init(file: SoundFile, rate wanted: Int?, gainDb: Double) throws(RecordingError) {
        self.file = file
        gain = Float(pow(10, (file.gainDb + gainDb) / 20))
        decoder = try MpegDecoder(path: file.path)
        guard case .rateChanged = unsafe decoder.next() else { throw .noAudio(path: file.path) }
        rateHz = wanted ?? decoder.rate
        let promised = decoder.promisedLength()
        let sourceRate = Double(decoder.rate)
        if let seconds = file.seconds {
            lengthFrames = Int(seconds * sourceRate)
        } else {
            lengthFrames = promised ?? MpegDecoder.scannedLength(path: file.path, within: Self.scanSeconds)
        }
        // A header may promise frames that an earlier one lacks; the encoder's own note is exact.
        expectedFrames =
            (file.seconds == nil ? promised : nil) ?? lengthFrames.map { $0 - Self.headerToleranceFrames }
        durationSeconds = file.seconds ?? lengthFrames.map { Double($0) / sourceRate }
        adaptToRate()
        unsafe pending = Self.firstAudio(&decoder)
        guard unsafe pending != nil else { throw .noAudio(path: file.path) }
    }

    private static func firstAudio(
        _ decoder: inout MpegDecoder
    ) -> (samples: UnsafePointer<Float>, frames: Int)? {
        guard case .audio(let samples, let frames) = unsafe decoder.next() else { return nil }
        return unsafe (samples, frames)
    }

    /// - Returns: how many interleaved stereo frames were written to `out`; fewer than `frames` only where the file ends.
    package func read(into out: UnsafeMutablePointer<Float>, frames: Int) -> Int {
        var made = 0
        while made < frames {
            if let got = unsafe resampler?.pull(into: out + 2 * made, frames: frames - made) {
                made += got
                if got > 0 { continue }
            } else if let (samples, available) = unsafe pending {
                let count = min(available, frames - made)
                unsafe scale(samples, into: out + 2 * made, count: 2 * count)
                unsafe pending = count == available ? nil : (samples + 2 * count, available - count)
                made += count
                continue
            }
            guard advance() else { break }
        }
        return made
    }

    /// Moves forward by `frames` frames of the delivered rate without delivering them.
    /// - Returns: how many were skipped; fewer only where the file ends.
    package func skip(_ frames: Int) -> Int {
        var left = frames > 10 * rateHz ? frames - jump(frames - rateHz) : frames
        let scratch = UnsafeMutablePointer<Float>.allocate(capacity: 2 * Self.skipChunk)
        defer { unsafe scratch.deallocate() }
        while left > 0 {
            let got = unsafe read(into: scratch, frames: min(left, Self.skipChunk))
            if got == 0 { return frames - left }
            left -= got
        }
        return frames
    }

    /// Moves forward by the frame index, up to `frames` frames of the delivered rate. Decoding continues there unsettled: the bit
    /// reservoir and the filter are empty.
    /// - Returns: how many were skipped. Negative where the index is wrong, because the file is cut short or its rate changes
    ///     before that place: then it is read from its beginning again.
    private func jump(_ frames: Int) -> Int {
        guard let lengthFrames else { return 0 }
        let delivered = resampler?.produced ?? decoder.position - pendingFrames
        let wanted = resampler?.input(before: delivered + frames) ?? delivered + frames
        // A file that is to be skipped as a whole is decoded at its end only.
        let target = min(wanted, lengthFrames - decoder.rate)
        guard target > decoder.position else { return 0 }
        unsafe pending = decoder.seek(to: target) ? Self.firstAudio(&decoder) : nil
        guard unsafe pending != nil else {
            startOver()
            return -delivered
        }
        resampler?.jump(toInput: target)
        return (resampler?.produced ?? target) - delivered
    }

    private func startOver() {
        guard var fresh = try? MpegDecoder(path: file.path), case .rateChanged = unsafe fresh.next() else {
            ended = true
            return
        }
        decoder = fresh
        adaptToRate()
    }

    /// The fault of the file once it has been read to its end; nil before, and where there is none.
    package var complaint: String? { ended ? decoder.complaint(promised: expectedFrames) : nil }

    private static let skipChunk = 4096
    /// Frames by which the headers may differ.
    private static let headerToleranceFrames = 2 * 1152
    /// Seconds for a pass over all headers of a file whose encoder noted no length. A file of ten minutes takes some
    /// milliseconds.
    private static let scanSeconds = 0.5
    private var pendingFrames: Int { unsafe pending?.frames ?? 0 }

    /// Decodes one step further.
    /// - Returns: false where nothing more will come.
    private func advance() -> Bool {
        if unsafe pending == nil {
            if ended { return false }
            switch unsafe decoder.next() {
            case .audio(let samples, let frames): unsafe pending = (samples, frames)
            case .rateChanged:
                // The decoder counts again.
                (expectedFrames, lengthFrames) = (nil, nil)
                // The old rate's filter drops its remaining input (less than a millisecond).
                adaptToRate()
                return true
            case .end:
                ended = true
                resampler?.close()
                return resampler != nil
            }
        }
        if resampler != nil, let (samples, frames) = unsafe pending {
            unsafe resampler?.push(samples, frames: frames, gain: gain)
            unsafe pending = nil
        }
        return true
    }

    private func adaptToRate() {
        resampler = decoder.rate == rateHz ? nil : Resampler(from: decoder.rate, to: rateHz)
    }

    private func scale(_ source: UnsafePointer<Float>, into out: UnsafeMutablePointer<Float>, count: Int) {
        guard gain != 1 else {
            unsafe out.update(from: source, count: count)
            return
        }
        var index = 0
        while index < count {
            unsafe out[index] = source[index] * gain
            index += 1
        }
    }
}
