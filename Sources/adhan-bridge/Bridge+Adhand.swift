internal import BridgePlan
internal import CommandKit
internal import ControlClient
internal import Host
internal import Protocol

/// Follows adhand: its events, its status and its history.
extension Bridge {
    /// Follows adhand until the connection is lost. A monitor cannot be restarted, so each connection gets a new one.
    func followUntilLost() -> ControlClientError {
        var monitor = ControlMonitor(link.client, snapshot: true, wakeSignal: inbox.wakeSignal)
        while true {
            let wait = turn()
            do throws(ControlClientError) {
                switch try monitor.next(withinSeconds: wait) {
                case .connected:
                    (isFollowing, lostAt) = (true, nil)
                    historyClock.forget(at: MonotonicClock.now())
                    (refreshAt, wholeRefreshAt) = (0, 0)
                    journal.forget(.adhand)
                case .event(let entry): handle(entry)
                case .nothing: break
                case .lost(let failure):
                    isFollowing = false
                    noteLoss(failure)
                }
            } catch {
                isFollowing = false
                return error
            }
        }
    }

    func noteLoss(_ failure: ControlClientError) {
        let now = MonotonicClock.now()
        lostAt = lostAt ?? now
        if now - (lostAt ?? now) >= Self.awaySeconds || isRefusal(failure) {
            journal.log(failure.message, .adhand, every: 900, at: now)
        }
    }

    private func isRefusal(_ failure: ControlClientError) -> Bool {
        switch failure {
        case .refused, .notPermitted, .path: true
        default: false
        }
    }

    private func handle(_ entry: LogEntry) {
        if let event = mapper.event(entry),
            let text = Publication.document(
                topics.event, event, isRetained: false, expirySeconds: EventPayload.expirySeconds)
        {
            publish([text])
        }
        let now = MonotonicClock.now()
        refreshAt = min(refreshAt, now + Self.settleSeconds)
        wholeRefreshAt = min(wholeRefreshAt, now + Self.settleSeconds)
        historyClock.note(entry, at: now)
    }

    func refresh(_ now: Double) {
        if let lostAt, now - lostAt >= Self.awaySeconds, isUp {
            isUp = false
            figuresAt = 0
        }
        guard isFollowing, historyClock.advance(to: now) || now >= refreshAt else { return }
        refreshAt = now + Self.refreshSeconds
        upgrade = (try? FileBytes.read(UpgradeReport.file, limit: UpgradeReport.mostBytes))
            .flatMap { UpgradeReport($0) }
        do throws(ControlClientError) {
            let status = try link.status()
            let isNewDay = snapshot.map { $0.today != status.now.prefix(10) } ?? true
            let isWhole = isNewDay || now >= wholeRefreshAt || !isUp
            let agenda =
                isWhole
                ? try link.agenda(from: String(status.now.prefix(10)), days: 2) : snapshot?.agenda ?? []
            if historyClock.isOld || isWhole { try refreshHistory() }
            snapshot = BoxSnapshot(status: status, agenda: agenda, history: Array(history.suffix(40)))
            try refreshFleet(status, isWhole: isWhole)
            if isWhole { wholeRefreshAt = now + Self.wholeRefreshSeconds }
            if !isUp { figuresAt = 0 }
            (isUp, lostAt) = (true, nil)
            book.name = file.config.name ?? status.location.name
        } catch {
            // adhand is running but does not answer. No event will report its recovery, so it is polled.
            noteLoss(error)
            refreshAt = MonotonicClock.now() + Self.hangSeconds
            wholeRefreshAt = 0
            historyClock.forget(at: MonotonicClock.now())
        }
    }

    /// Applies a status that was requested separately, if the agenda of its day is known.
    func apply(_ status: StatusDocument, _ now: Double) {
        guard let known = snapshot, isUp, !historyClock.isOld, known.today == status.now.prefix(10),
            now < wholeRefreshAt
        else { return }
        snapshot = BoxSnapshot(status: status, agenda: known.agenda, history: known.history)
        refreshAt = now + Self.refreshSeconds
    }

    /// Days of history that are requested at first, and after an event.
    private static let (allDays, newDays) = (365, 2)
    private static let mostEntries = 6000

    private func refreshHistory() throws(ControlClientError) {
        let entries = try link.history(days: history.isEmpty ? Self.allDays : Self.newDays)
        let news = Set(entries.map(\.id))
        history = (history.filter { !news.contains($0.id) } + entries).suffix(Self.mostEntries)
        outcomes = history.compactMap { AdhanOutcome($0) }.suffix(AlertBook.mostLookedAt)
        historyClock.noteRequest()
    }
}
