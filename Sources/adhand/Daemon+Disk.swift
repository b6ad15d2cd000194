internal import AdhanCore
internal import Dispatch
internal import PrayerEngine

/// What is kept on disk, and what happens while the disk does not take it: the daemon lives on, says so, and
/// tries again.
extension Daemon {
    /// Seconds until what could not be kept is tried again.
    private static let retryAfter = 60

    /// Returns why the state could not be kept, if it could not.
    func save(_ saved: SavedState) -> String? {
        let failedBefore = unsaved != nil
        do throws(ShellError) {
            try store.save(saved)
            unsaved = nil
            if failedBefore {
                journal.say(
                    .notice, "mute, switches and what was called can be kept again in \"\(store.directory)\"")
                pending.append(.saved)
            }
            return nil
        } catch {
            unsaved = saved
            if !failedBefore {
                journal.say(
                    .error,
                    "\(error.message); mute, switches and what was called will be forgotten at the next "
                        + "restart; make room, or let adhand write there")
                retryLater()
            }
            pending.append(.saveFailed(reason: error.message))
            return error.message
        }
    }

    private func retryLater() {
        queue.asyncAfter(deadline: .now() + .seconds(Self.retryAfter)) { [self] in
            assumeIsolated { $0.retry() }
        }
    }

    private func retry() {
        guard let saved = unsaved else { return }
        if save(saved) != nil { retryLater() }
        take(.timerDue)
    }

    func record(_ entry: HistoryEntry) {
        do throws(ShellError) {
            try history.append(entry)
            historyFails = false
        } catch {
            guard !historyFails else { return }
            historyFails = true
            journal.say(
                .error, "\(error.message); the history has a gap; make room, or let adhand write there")
        }
    }
}
