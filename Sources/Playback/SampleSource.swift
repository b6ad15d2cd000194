internal import Recording

/// An order's recordings as one sequence of frames at the device's rate. Belongs to the decoding thread.
final class SampleSource {
    /// A file of the order that cannot be played, and why.
    struct SkippedSound: Sendable {
        var path: String
        var reason: String
        var substituted: Bool
    }

    let rate: Int
    /// Seconds of sound from the beginning of the first; nil where unknown.
    let durationSeconds: Double?
    let skipped: [SkippedSound]
    /// Decibels on the first sound that really plays.
    let gainDb: Double
    /// The faults of files that have been decoded to their end.
    private(set) var complaints: [String] = []
    private var readers: [RecordingReader]

    /// - Parameters:
    ///   - rate: frames a second to produce; nil uses the first sound's own.
    ///   - opening: called with the number of the sound that is about to be opened.
    /// - Throws: the first sound's error when nothing of the order can be played, not even the fallback.
    init(_ order: PlayerOrder, rate wanted: Int?, opening: (Int) -> Void) throws(RecordingError) {
        (readers, skipped) = try Self.open(order, rate: wanted, opening)
        rate = wanted ?? readers[0].rateHz
        gainDb = order.gainDb + (readers.first?.file.gainDb ?? 0)
        var length = 0.0
        for reader in readers { length += reader.durationSeconds ?? .nan }
        durationSeconds = length.isNaN ? nil : length
    }

    private static func open(
        _ order: PlayerOrder, rate wanted: Int?, _ opening: (Int) -> Void
    ) throws(RecordingError) -> ([RecordingReader], [SkippedSound]) {
        var readers: [RecordingReader] = []
        var skipped: [SkippedSound] = []
        var failure: RecordingError?
        var fallback = order.fallback
        var rate = wanted
        for (index, file) in order.sounds.enumerated() {
            opening(index)
            do throws(RecordingError) {
                if let objection = file.unaccepted(file.objection), objection.isReplaced {
                    throw .unfit(path: file.path, objection)
                }
                readers.append(try RecordingReader(file: file, rate: rate, gainDb: order.gainDb))
            } catch {
                failure = failure ?? error
                var substitute: RecordingReader?
                if let file = fallback {
                    fallback = nil
                    do throws(RecordingError) {
                        substitute = try RecordingReader(file: file, rate: rate, gainDb: order.gainDb)
                    } catch {
                        skipped.append(SkippedSound(path: file.path, reason: "\(error)", substituted: false))
                    }
                }
                if let substitute { readers.append(substitute) }
                skipped.append(
                    SkippedSound(path: file.path, reason: "\(error)", substituted: substitute != nil))
            }
            rate = rate ?? readers.first?.rateHz
        }
        if readers.isEmpty {
            throw failure ?? .unreadable(path: order.id, cause: "the order names no sound")
        }
        return (readers, skipped)
    }

    /// - Returns: how many interleaved frames were written; fewer than `frames` only at the end.
    func read(into out: UnsafeMutablePointer<Float>, frames: Int) -> Int {
        var made = 0
        while made < frames, let reader = readers.first {
            made += unsafe reader.read(into: out + 2 * made, frames: frames - made)
            if made < frames { finishReader() }
        }
        return made
    }

    /// Skips the next frames.
    func skip(_ frames: Int) {
        var left = frames
        while left > 0, let reader = readers.first {
            left -= reader.skip(left)
            if left > 0 { finishReader() }
        }
    }

    private func finishReader() {
        if let complaint = readers.removeFirst().complaint { complaints.append(complaint) }
    }
}
