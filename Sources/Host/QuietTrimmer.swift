internal import Glibc
internal import Synchronization

/// Returns memory when a waiting program has had nothing to do for a while. Start and work touch pages of the program's file that
/// the next hours do not need. No thread remains: one waits for the end of each burst of work.
package final class QuietTrimmer: Sendable {
    private struct Work {
        var count = 0
        var isAwaited = false
    }

    private let patienceSeconds: UInt32
    private let work = Mutex(Work())

    package init(patienceSeconds: UInt32 = 5) {
        self.patienceSeconds = patienceSeconds
    }

    /// Notes that work was done; callable from any thread.
    package func noteWork() {
        let isAwaited = work.withLock { work in
            work.count &+= 1
            defer { work.isAwaited = true }
            return work.isAwaited
        }
        guard !isAwaited, !BackgroundThread.start({ [self] in trimWhenQuiet() }) else { return }
        work.withLock { $0.isAwaited = false }
    }

    private func trimWhenQuiet() {
        while true {
            let count = work.withLock { $0.count }
            sleep(patienceSeconds)
            let isQuiet = work.withLock { work in
                if work.count == count { work.isAwaited = false }
                return work.count == count
            }
            if isQuiet { return Memory.trim() }
        }
    }
}
