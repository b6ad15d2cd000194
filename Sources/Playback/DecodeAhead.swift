internal import Recording
internal import Synchronization

/// Opens an order's recordings and decodes them ahead of the device, on a separate thread: a file system that hangs, or a file
/// that is slow to read, blocks that thread and never the playback thread.
final class DecodeAhead: Sendable {
    /// Facts that are known once the recordings are open and their first half second is decoded.
    struct Opened: Sendable {
        var rate: Int
        var durationSeconds: Double?
        var skipped: [SampleSource.SkippedSound]
        var gainDb: Double
        var samples: SampleQueue
        /// Faults found in the recordings so far.
        var complaints: Complaints
    }

    final class Complaints: Sendable {
        let sentences = Mutex<[String]>([])
    }

    private let outcome = Mutex<Result<Opened, RecordingError>?>(nil)
    private let isAbandoned = Atomic(false)
    private let sound = Atomic(0)

    /// Frames that are decoded at a time.
    private static let chunkFrames = 4096

    /// - Parameters:
    ///   - rate: frames a second to produce; nil uses the first sound's own.
    ///   - frame: where on the order's timeline, which begins with its preroll, to begin.
    ///   - opened: called on the decoding thread, once.
    /// - Returns: nil where the system grants no further thread.
    static func start(
        _ order: PlayerOrder, rate: Int?, at frame: Int, opened: @escaping @Sendable () -> Void
    ) -> DecodeAhead? {
        let decoding = DecodeAhead()
        let thread = PlaybackThread(name: "playback-decode") { decoding.run(order, rate, frame, opened) }
        return thread == nil ? nil : decoding
    }

    /// The outcome of the opening; nil while it is in progress.
    var result: Result<Opened, RecordingError>? { outcome.withLock { $0 } }

    /// The number of the sound that is being opened.
    var openingSound: Int { sound.load(ordering: .relaxed) }

    /// Stops decoding, because the reader is gone.
    func abandon() {
        isAbandoned.store(true, ordering: .sequentiallyConsistent)
        if case .success(let opened) = result { opened.samples.close() }
    }

    private func run(_ order: PlayerOrder, _ rate: Int?, _ frame: Int, _ opened: () -> Void) {
        let source: SampleSource
        do throws(RecordingError) {
            source = try SampleSource(order, rate: rate) { sound.store($0, ordering: .relaxed) }
        } catch {
            outcome.withLock { $0 = .failure(error) }
            return opened()
        }
        let prerollFrames = SampleStream.frames(of: order.prerollSeconds, at: source.rate)
        source.skip(
            SampleStream.frames(of: order.positionSeconds, at: source.rate) + max(0, frame - prerollFrames))
        let samples = SampleQueue(rate: source.rate)
        let complaints = Complaints()
        let found = Opened(
            rate: source.rate, durationSeconds: source.durationSeconds, skipped: source.skipped,
            gainDb: source.gainDb,
            samples: samples, complaints: complaints)
        var (made, isReported) = (0, false)
        while !isAbandoned.load(ordering: .relaxed) {
            let count = unsafe samples.put { unsafe source.read(into: $0, frames: min($1, Self.chunkFrames)) }
            guard let count else { return }
            made += count
            if count == 0 {
                complaints.sentences.withLock { $0 = source.complaints }
                samples.finish()
            }
            if !isReported, count == 0 || made >= source.rate / 2 {
                isReported = true
                outcome.withLock { $0 = .success(found) }
                opened()
            }
            if count == 0 { return }
        }
        samples.close()
    }
}
