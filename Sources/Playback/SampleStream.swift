internal import Recording

/// An order as one stream of stereo frames at the device's rate: preroll, the sounds one after another,
/// fades, then silence for ever.
///
/// The timeline counts frames from the start of the preroll, so the frame that ought to leave the device now
/// follows from the clock alone; after a fault the stream is opened again at that frame.
final class SampleStream {
    /// A file of the order that cannot be played, and why.
    struct SkippedSound {
        var path: String
        var reason: String
        var substituted: Bool
    }

    let rate: Int
    /// Frames of silence before the sound.
    let preroll: Int
    /// Seconds of sound this order will last if nothing interrupts it, limit and position included; nil where
    /// unknown.
    let duration: Double?
    let skipped: [SkippedSound]
    /// Decibels on the first sound that is really played.
    let gainDb: Double
    /// Timeline frame that `produce` makes next.
    private(set) var position: Int
    /// What turned out to be wrong with files that have been played to their end.
    private(set) var complaints: [String] = []
    private var readers: [RecordingReader]
    private var envelope = Envelope()
    private var soundEnd = Int.max
    private var cutAt = Int.max

    /// A ramp that makes a beginning in the middle of a sound inaudible.
    private static let attack = 0.005
    /// Length of the fade at an order's limit, and its largest share of the limit.
    private static let limitFade = (seconds: 0.3, share: 0.25)

    /// - Parameters:
    ///   - rate: frames a second to make; nil takes the first sound's own.
    ///   - frame: where on the timeline to begin; what lies before is skipped.
    ///   - measured: whether `duration` is wanted at any rate.
    /// - Throws: the first skipped's error when nothing of the order can be played, not even the fallback.
    init(_ order: PlayerOrder, rate wanted: Int?, at frame: Int = 0, measured: Bool = true)
        throws(RecordingError)
    {
        let far = frame > 0 || order.position > 0
        (readers, skipped) = try Self.open(order, rate: wanted, measured: measured || far)
        let rate = wanted ?? readers[0].rate
        self.rate = rate
        preroll = Int((max(0, order.preroll) * Double(rate)).rounded())
        gainDb = order.gainDb + (readers.first?.file.gainDb ?? 0)
        position = frame
        let offset = max(0, order.position)
        var length = 0.0
        for reader in readers { length += reader.duration ?? .nan }
        duration = length.isNaN ? nil : min(max(0, length - offset), order.limit ?? .infinity)
        let start = Int((offset * Double(rate)).rounded())
        skip(start + max(0, frame - preroll))
        shape(order, begunAt: start + max(0, frame - preroll), at: frame)
    }

    private func shape(_ order: PlayerOrder, begunAt sound: Int, at frame: Int) {
        let fade = Int(max(0, order.fadeIn) * Double(rate))
        envelope.fadeIn(at: preroll, length: fade)
        if sound > 0 { envelope.fadeIn(at: max(preroll, frame), length: Int(Self.attack * Double(rate))) }
        guard let limit = order.limit, limit.isFinite else { return }
        let end = preroll + Int(max(0, limit) * Double(rate))
        let length = Int(min(Self.limitFade.seconds, limit * Self.limitFade.share) * Double(rate))
        envelope.fadeOut(at: end - length, length: length)
    }

    private static func open(
        _ order: PlayerOrder, rate wanted: Int?, measured: Bool
    ) throws(RecordingError) -> ([RecordingReader], [SkippedSound]) {
        var readers: [RecordingReader] = []
        var skipped: [SkippedSound] = []
        var failure: RecordingError?
        var fallback = order.fallback
        var rate = wanted
        for file in order.sounds {
            do throws(RecordingError) {
                readers.append(
                    try RecordingReader(file: file, rate: rate, gainDb: order.gainDb, measured: measured))
            } catch {
                failure = failure ?? error
                var substitute: RecordingReader?
                if let file = fallback {
                    fallback = nil
                    do throws(RecordingError) {
                        substitute = try RecordingReader(
                            file: file, rate: rate, gainDb: order.gainDb, measured: measured)
                    } catch {
                        skipped.append(SkippedSound(path: file.path, reason: "\(error)", substituted: false))
                    }
                }
                if let substitute { readers.append(substitute) }
                skipped.append(
                    SkippedSound(path: file.path, reason: "\(error)", substituted: substitute != nil))
            }
            rate = rate ?? readers.first?.rate
        }
        if readers.isEmpty { throw failure ?? .unreadable(path: order.id, cause: "the order names no sound") }
        return (readers, skipped)
    }

    /// Timeline frame after the last one that may be heard; nil while it is not yet known.
    var end: Int? {
        let end = min(soundEnd, envelope.end)
        return end == Int.max ? nil : end
    }

    /// Whether the fade that ends the stream began before the sounds were over.
    var endsFaded: Bool { envelope.end < soundEnd }

    /// How many of the timeline frames `range` are sound: not preroll, not beyond the end.
    func sound(in range: Range<Int>) -> Int {
        max(0, min(range.upperBound, end ?? .max) - max(range.lowerBound, preroll))
    }

    /// Whether `fadeOut` was called while there was still sound to come.
    var wasCut: Bool { cutAt < soundEnd }

    /// Fades out from the next frame on.
    func fadeOut(seconds: Double) {
        cutAt = min(cutAt, position)
        envelope.fadeOut(at: position, length: max(1, Int(max(Self.attack, seconds) * Double(rate))))
    }

    /// Makes exactly `frames` interleaved stereo frames; silence after the end.
    func produce(into out: UnsafeMutablePointer<Float>, frames: Int) {
        let silent = max(0, min(frames, preroll - position))
        unsafe out.update(repeating: 0, count: 2 * silent)
        var made = silent
        while made < frames, let reader = readers.first {
            made += unsafe reader.read(into: out + 2 * made, frames: frames - made)
            if made < frames { finishReader(at: position + made) }
        }
        unsafe (out + 2 * made).update(repeating: 0, count: 2 * (frames - made))
        unsafe envelope.apply(to: out, frames: frames, first: position)
        position += frames
    }

    private func skip(_ frames: Int) {
        var left = frames
        while left > 0, let reader = readers.first {
            left -= reader.skip(left)
            if left > 0 { finishReader(at: position) }
        }
    }

    private func finishReader(at frame: Int) {
        if let complaint = readers.removeFirst().complaint { complaints.append(complaint) }
        if readers.isEmpty { soundEnd = max(preroll, frame) }
    }
}
