internal import CAlsa
internal import Glibc
internal import Synchronization

/// Decoded stereo frames on their way from the decoding thread to the playback thread, without a lock: neither ever waits for the
/// other to be scheduled. Frames that were taken are kept for a while, so that after a fault the playback thread can go back to
/// the clock's position.
@safe final class SampleQueue: @unchecked Sendable {
    /// The capacity in frames; a power of two.
    private let capacityFrames: Int
    /// Frames that are kept after they were taken.
    private let keptFrames: Int
    private let frames: UnsafeMutablePointer<Float>
    /// The total of frames put in; written by the decoding thread alone.
    private let produced = Atomic(0)
    /// The total of frames that may be overwritten; written by the playback thread alone.
    private let released = Atomic(0)
    private let isFinished = Atomic(false)
    private let isClosed = Atomic(false)
    private let writerSleeps = Atomic(false)
    /// An eventfd: readable when there is room again, or the reader is gone.
    private let room = eventfd(0, Int32(EFD_CLOEXEC))
    /// The frame that is taken next.
    private var next = 0

    /// The least seconds of sound that are decoded ahead, and kept.
    private static let aheadSeconds = 2.0
    private static let behindSeconds = 0.5

    /// - Parameter rate: frames a second.
    init(rate: Int) {
        var frames = 1 << 14
        while Double(frames) < (Self.aheadSeconds + Self.behindSeconds) * Double(rate) { frames *= 2 }
        capacityFrames = frames
        keptFrames = Int(Self.behindSeconds * Double(rate))
        unsafe self.frames = UnsafeMutablePointer<Float>.allocate(capacity: 2 * frames)
    }

    deinit {
        unsafe frames.deallocate()
        Glibc.close(room)
    }

    // MARK: The decoding thread's side

    /// Lets `make` put frames in, as many as there is contiguous room for; sleeps while there is none.
    /// - Parameter make: gets the address and the most frames to write, and returns how many it wrote.
    /// - Returns: that number; nil once the reader has stopped.
    func put(_ make: (UnsafeMutablePointer<Float>, Int) -> Int) -> Int? {
        while !isClosed.load(ordering: .acquiring) {
            let start = produced.load(ordering: .relaxed)
            let free = capacityFrames - (start - released.load(ordering: .acquiring))
            if free > 0 {
                let offset = start & (capacityFrames - 1)
                let made = unsafe make(frames + 2 * offset, min(free, capacityFrames - offset))
                produced.store(start + made, ordering: .releasing)
                return made
            }
            sleep(until: start)
        }
        return nil
    }

    private func sleep(until start: Int) {
        writerSleeps.store(true, ordering: .sequentiallyConsistent)
        // A release in between did not signal the eventfd.
        let isFull = start - released.load(ordering: .sequentiallyConsistent) >= capacityFrames
        guard isFull, !isClosed.load(ordering: .sequentiallyConsistent) else {
            return writerSleeps.store(false, ordering: .sequentiallyConsistent)
        }
        var count: eventfd_t = 0
        while unsafe eventfd_read(room, &count) < 0, errno == EINTR {}
        writerSleeps.store(false, ordering: .sequentiallyConsistent)
    }

    /// Marks the end: no more frames will come.
    func finish() { isFinished.store(true, ordering: .releasing) }

    // MARK: The playback thread's side

    /// Whether all frames have been put in.
    var isComplete: Bool { isFinished.load(ordering: .acquiring) }

    /// Frames that can be taken at once.
    var available: Int { produced.load(ordering: .acquiring) - next }

    /// Copies the next frames, `count` at most.
    /// - Returns: how many there were.
    func read(into out: UnsafeMutablePointer<Float>, count: Int) -> Int {
        let taken = min(count, available)
        var done = 0
        while done < taken {
            let offset = (next + done) & (capacityFrames - 1)
            let piece = min(taken - done, capacityFrames - offset)
            unsafe (out + 2 * done).update(from: frames + 2 * offset, count: 2 * piece)
            done += piece
        }
        advance(to: next + taken)
        return taken
    }

    /// Skips the next frames, `count` at most.
    /// - Returns: how many were skipped.
    func drop(_ count: Int) -> Int {
        let dropped = min(count, available)
        advance(to: next + dropped)
        return dropped
    }

    /// Goes back by `count` frames.
    /// - Returns: false where they are no longer kept; nothing has changed then.
    func rewind(_ count: Int) -> Bool {
        guard next - count >= released.load(ordering: .relaxed) else { return false }
        next -= count
        return true
    }

    private func advance(to frame: Int) {
        next = frame
        let free = max(released.load(ordering: .relaxed), next - keptFrames)
        released.store(free, ordering: .sequentiallyConsistent)
        // Signalled only for half the room at a time: each signal wakes a thread.
        guard writerSleeps.load(ordering: .sequentiallyConsistent),
            available < (capacityFrames - keptFrames) / 2
        else {
            return
        }
        eventfd_write(room, 1)
    }

    /// Closes the queue, because the reader is gone.
    func close() {
        isClosed.store(true, ordering: .sequentiallyConsistent)
        eventfd_write(room, 1)
    }
}
