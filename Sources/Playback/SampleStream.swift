internal import Synchronization

/// An order as one stream of stereo frames at the device's rate: preroll, the sounds one after another, fades, then silence for
/// ever.
///
/// The timeline counts frames from the start of the preroll, so the frame that should leave the device now follows from the clock
/// alone; after a fault the stream continues at that frame.
final class SampleStream {
    let rate: Int
    /// Frames of silence before the sound.
    let prerollFrames: Int
    /// Seconds of sound that this order lasts without interruption, limit and position included; nil where unknown.
    let durationSeconds: Double?
    /// Decibels on the first sound that really plays.
    let gainDb: Double
    /// The next timeline frame that `produce` makes.
    private(set) var position: Int
    /// Frames of silence in place of sound that was not decoded in time.
    private(set) var starvedFrames = 0
    private let source: DecodeAhead.Opened
    private var samples: SampleQueue { source.samples }
    /// The timeline frame of the queue's next sample.
    private var sampleFrame: Int
    private var envelope = FadeEnvelope()
    private var soundEnd = Int.max
    private var cutAt = Int.max

    /// Seconds of a ramp that makes a beginning in the middle of a sound inaudible.
    private static let attackSeconds = 0.005
    /// Length of the fade at an order's limit, and its largest share of the limit.
    private static let limitFade = (seconds: 0.3, share: 0.25)

    static func frames(of seconds: Double, at rate: Int) -> Int {
        Int((max(0, seconds) * Double(rate)).rounded())
    }

    /// - Parameter frame: where on the timeline `source`, and therefore this stream, begins.
    init(_ order: PlayerOrder, _ source: DecodeAhead.Opened, at frame: Int = 0) {
        self.source = source
        rate = source.rate
        prerollFrames = Self.frames(of: order.prerollSeconds, at: rate)
        gainDb = source.gainDb
        position = frame
        sampleFrame = max(frame, prerollFrames)
        durationSeconds = source.durationSeconds.map {
            min(max(0, $0 - max(0, order.positionSeconds)), order.limitSeconds ?? .infinity)
        }
        envelope.fadeIn(at: prerollFrames, length: Int(max(0, order.fadeInSeconds) * Double(rate)))
        if order.positionSeconds > 0 || frame > prerollFrames { fadeIn(at: max(prerollFrames, frame)) }
        guard let limit = order.limitSeconds, limit.isFinite else { return }
        let end = prerollFrames + Int(max(0, limit) * Double(rate))
        let length = Int(min(Self.limitFade.seconds, limit * Self.limitFade.share) * Double(rate))
        envelope.fadeOut(at: end - length, length: length)
    }

    deinit { samples.close() }

    private func fadeIn(at frame: Int) {
        envelope.fadeIn(at: frame, length: Int(Self.attackSeconds * Double(rate)))
    }

    /// The faults of the recordings so far.
    var complaints: [String] { source.complaints.sentences.withLock { $0 } }

    /// The timeline frame after the last audible one; nil while it is not yet known.
    var end: Int? {
        let end = min(soundEnd, envelope.end)
        return end == Int.max ? nil : end
    }

    /// Whether the fade that ends the stream began before the sounds were over.
    var endsFaded: Bool { envelope.end < soundEnd }

    /// How many of the timeline frames `range` are sound: not preroll, not beyond the end.
    func sound(in range: Range<Int>) -> Int {
        max(0, min(range.upperBound, end ?? .max) - max(range.lowerBound, prerollFrames))
    }

    /// Whether ``fadeOut(seconds:)`` was called while there was still sound to come.
    var wasCut: Bool { cutAt < soundEnd }

    /// Fades out from the next frame on.
    func fadeOut(seconds: Double) {
        cutAt = min(cutAt, position)
        envelope.fadeOut(at: position, length: max(1, Int(max(Self.attackSeconds, seconds) * Double(rate))))
    }

    /// Moves to another frame of the timeline.
    /// - Returns: false where that lies too far back; nothing has changed then.
    func move(to frame: Int) -> Bool {
        let wanted = max(frame, prerollFrames)
        if wanted < sampleFrame {
            guard samples.rewind(sampleFrame - wanted) else { return false }
            sampleFrame = wanted
        }
        position = frame
        if frame > prerollFrames { fadeIn(at: frame) }
        return true
    }

    /// Frames that can be produced at once without a gap; `Int.max` where only silence is left.
    var ready: Int {
        catchUp()
        if end.map({ position >= $0 }) ?? false { return .max }
        let sound =
            samples.isComplete ? Int.max / 2 : max(0, samples.available - max(0, wanted - sampleFrame))
        return max(0, prerollFrames - position) + sound
    }

    /// The frame of the timeline whose sample is needed next.
    private var wanted: Int { max(position, prerollFrames) }

    /// Skips frames that came too late, or that the source skipped.
    private func catchUp() {
        while sampleFrame < wanted {
            // Read first: frames may be added between the count and the end mark.
            let isComplete = samples.isComplete
            let dropped = samples.drop(wanted - sampleFrame)
            sampleFrame += dropped
            if dropped > 0 { continue }
            if isComplete { soundEnd = min(soundEnd, max(prerollFrames, sampleFrame)) }
            return
        }
    }

    /// Produces exactly `frames` interleaved stereo frames; silence after the end, and where the sound is not decoded yet.
    func produce(into out: UnsafeMutablePointer<Float>, frames: Int) {
        catchUp()
        let silent = max(0, min(frames, prerollFrames - position))
        unsafe out.update(repeating: 0, count: 2 * silent)
        var made = silent
        if sampleFrame == wanted, soundEnd == .max {
            while made < frames {
                let isComplete = samples.isComplete
                let taken = unsafe samples.read(into: out + 2 * made, count: frames - made)
                made += taken
                sampleFrame += taken
                if taken > 0 { continue }
                if isComplete { soundEnd = max(prerollFrames, position + made) }
                break
            }
        }
        if soundEnd == .max { starvedFrames += frames - made }
        unsafe (out + 2 * made).update(repeating: 0, count: 2 * (frames - made))
        unsafe envelope.apply(to: out, frames: frames, first: position)
        position += frames
    }
}
