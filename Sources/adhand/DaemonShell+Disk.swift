internal import Daemon
internal import Dispatch
internal import Host
internal import PrayerEngine
internal import Protocol
internal import Settings
internal import StateFile
internal import Times

/// Writes the files on disk, and handles a disk that refuses writes: the daemon continues, reports it, and retries.
extension DaemonShell {
    /// Seconds until a failed write is retried.
    private static let retryAfterSeconds = 60
    /// The most entries that wait for a disk that refuses writes: two months of prayers, or five weeks with reminders.
    private static let mostUnrecorded = 500

    /// Saves the state; returns why it could not be saved, if it could not.
    func save(_ saved: SavedState) -> String? {
        let failedBefore = unsaved != nil
        do throws(ShellError) {
            try disk.while { () throws(ShellError) in try store.save(saved) }
            if let reason = keepDecisions(of: saved) {
                unsaved = saved
                pending.append(.saveFailed(reason: reason))
                return nil
            }
            unsaved = nil
            if failedBefore {
                journal.log(
                    .notice, "mute, switches and what was called can be kept again in \"\(store.directory)\"")
                pending.append(.saved)
            }
            return nil
        } catch {
            unsaved = saved
            if !failedBefore {
                journal.log(
                    .error,
                    "\(error.message); mute, switches and what was called will be forgotten at the next "
                        + "restart; make room, or let adhand write there")
                retryLater()
            }
            pending.append(.saveFailed(reason: error.message))
            return error.message
        }
    }

    /// Saves the copy of people's decisions; returns why they are in one file only, if that failed. The state itself is saved.
    private func keepDecisions(of saved: SavedState) -> String? {
        do throws(ShellError) {
            try disk.while { () throws(ShellError) in try store.keepDecisions(of: saved) }
            return nil
        } catch {
            let reason = "\(error.message); what people decided has no second copy"
            if unsaved == nil { journal.log(.error, reason) }
            retryLater()
            return reason
        }
    }

    /// Keeps a configuration, unless it is already kept.
    func keep(_ configuration: KeptConfiguration) {
        let failedBefore = unkept != nil
        unkept = nil
        if let old = store.keptConfiguration(), old.isSame(as: configuration) { return }
        do throws(ShellError) {
            let complaint = try disk.while { () throws(ShellError) in
                try store.keep(configuration, now: WallClock.now())
            }
            if let complaint { journal.log(.warning, complaint) }
            if failedBefore {
                journal.log(.notice, "the configuration is kept for a day on which it cannot be read")
            }
        } catch {
            unkept = configuration
            retryLater()
            guard !failedBefore else { return }
            journal.log(
                .warning,
                "\(error.message); should the configuration break, adhand could not start by this one")
        }
    }

    /// Saves the settings. A setting that cannot be saved is not in force, so there is no retry.
    func saveSettings(_ layer: SettingsLayer) {
        do throws(ShellError) {
            try disk.while { () throws(ShellError) in try store.saveSettings(layer) }
            pending.append(.settingsSaved(problem: nil))
        } catch {
            pending.append(.settingsSaved(problem: error.message))
        }
    }

    private func retryLater() {
        guard !willRetry else { return }
        willRetry = true
        queue.asyncAfter(deadline: .now() + .seconds(Self.retryAfterSeconds)) { [self] in
            assumeIsolated { $0.retry() }
        }
    }

    private func retry() {
        willRetry = false
        keepHistory()
        if let unkept { keep(unkept) }
        if let saved = unsaved, save(saved) != nil { retryLater() }
        handle(.timerDue)
    }

    /// Appends to the history at once and before everything else: the state that is saved next counts these lines as written.
    /// Lines that the disk refuses are retried with the next ones, and every minute.
    func record(_ entries: [HistoryEntry]) {
        unrecorded += entries
        keepHistory()
    }

    /// Writes the missing lines in order and in one call: a clock that jumped over weeks leaves hundreds, and waiting for the
    /// disk at each would delay what is due next.
    private func keepHistory() {
        guard !unrecorded.isEmpty else { return }
        do throws(ShellError) {
            try disk.while { () throws(ShellError) in try history.append(unrecorded) }
            unrecorded.removeAll()
            if historyFails { journal.log(.notice, "the history is complete again") }
            historyFails = false
        } catch {
            unrecorded.removeFirst(max(0, unrecorded.count - Self.mostUnrecorded))
            retryLater()
            guard !historyFails else { return }
            historyFails = true
            journal.log(
                .error,
                "\(error.message); what is called is added to the history when it can be written again; "
                    + "make room, or let adhand write there")
        }
    }
}
