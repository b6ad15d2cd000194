import Envelope
import PrayerEngine
import Texts

/// Findings about one box at one moment.
extension WatchedBox {
    /// Whether it is online: it reports so, and its heartbeats arrive.
    package var isOnline: Bool { onlineSince != nil }

    private func isAlive(at uptime: Double) -> Bool {
        guard let status, status.isOnline, let lastSign else { return false }
        return uptime - lastSign <= FleetWatch.beatsOfLife * status.beatSeconds
    }

    /// The time from which a box without a heartbeat since the broker's connection counts as away.
    private func awaitedUntil(_ connectedAt: Double, _ settings: WatchSettings) -> Double {
        let patience = settings.settleSeconds + FleetWatch.returnSeconds
        // A box with rare beats, which the broker still reports as online, may be between two of them.
        let beats = status.map { $0.isOnline ? FleetWatch.beatsOfLife * $0.beatSeconds : 0 } ?? 0
        return connectedAt + max(patience, beats)
    }

    /// Whether the box may still reconnect with the broker.
    private func isAwaited(_ connectedAt: Double, _ settings: WatchSettings, _ now: Timestamp) -> Bool {
        lastSign == nil && now.uptime < awaitedUntil(connectedAt, settings)
    }

    /// Handles the broker's return: the box has not reported yet.
    /// - Parameter lostAt: the end of the previous connection.
    mutating func awaitReturn(lostAt: Double) {
        if let goneAt {
            wasThere = lostAt - goneAt <= FleetWatch.massWindowSeconds
        } else {
            wasThere = wasThere || lastSign != nil
        }
        // A box that left long before must not count as leaving again together with others.
        if wasThere { goneAt = nil }
        (lastSign, onlineSince) = (nil, nil)
    }

    mutating func notePresence(_ connectedAt: Double, _ settings: WatchSettings, _ now: Timestamp) {
        if isAlive(at: now.uptime) {
            if onlineSince == nil { returned(now) }
            return
        }
        if onlineSince != nil {
            (onlineSince, goneAt) = (nil, now.uptime)
        } else if lastSign == nil, goneAt == nil, status?.isOnline == true || wasThere,
            !isAwaited(connectedAt, settings, now)
        {
            // The box was online before the broker was lost, and has not come back. A broker that is stopped reports all boxes as
            // offline.
            goneAt = now.uptime
        }
    }

    private mutating func returned(_ now: Timestamp) {
        (onlineSince, goneAt, foundDeadAt, wasThere) = (now.uptime, nil, nil, false)
        guard let from = covered?.from, covered?.to == nil else { return }
        covered?.to = now.wall
        for index in entries.indices
        where entries[index].fate == .waiting && entries[index].due >= from && entries[index].due <= now.wall
        {
            entries[index].fate = .covered
        }
    }

    mutating func coverAbsence(_ now: Timestamp) {
        guard onlineSince == nil, covered == nil || covered?.to != nil else { return }
        excused = latest.values.filter { isExcused($0) }.map(\.id)
        covered = (from: lastSeen ?? now.wall, to: nil)
    }

    /// Excludes adhans that were due until then and have no outcome.
    mutating func cover(until: Instant) {
        for index in entries.indices where entries[index].fate == .waiting && entries[index].due <= until {
            entries[index].fate = .covered
        }
    }

    /// Whether an adhan was not heard, and none was heard since.
    package var hasSilence: Bool { entries.contains { isOpenSilence($0) } }

    /// The adhans that were not heard since the last one that was.
    var openSilences: [String] { entries.filter(isOpenSilence).map(\.id) }

    private func isOpenSilence(_ entry: Entry) -> Bool {
        entry.fate == .silent && lastHeard.map { entry.due > $0 } ?? true
    }

    /// Finds adhans that were due and about which the box, which is reachable, reports nothing.
    mutating func findSilence(_ settings: WatchSettings, from start: Instant, _ now: Timestamp) {
        for index in entries.indices where entries[index].fate == .waiting {
            let due = entries[index].due
            guard due + settings.patienceSeconds <= now.wall else { break }
            // Only the newest report of each prayer is retained, so after a restart an earlier adhan cannot be assessed.
            if due < start, let newest = latest[entries[index].prayer], newest.due > due {
                entries[index].fate = .covered
                continue
            }
            guard let onlineSince, now.uptime - onlineSince >= FleetWatch.reportSeconds, let lastSeen,
                lastSeen - due >= FleetWatch.proofSeconds
            else { continue }
            (entries[index].fate, silentAt) = (.silent, now.uptime)
            if !entries[index].isCounted, due >= start { expected += 1 }
            entries[index].isCounted = true
        }
    }

    /// Notes a box's death. A box whose loss was not observed may have gone together with others.
    mutating func noteDeath(_ settings: WatchSettings, _ connectedAt: Double, _ now: Timestamp) {
        guard goneAt == nil, foundDeadAt == nil, isDead(settings, connectedAt, wasDead: false, now) else {
            return
        }
        foundDeadAt = now.uptime
    }

    // MARK: Alarms

    typealias Report = (AlertIdentity, [String: String], String) -> Void

    func alerts(
        _ settings: WatchSettings, _ connectedAt: Double, isInMass: Bool, wasDead: Bool, _ now: Timestamp,
        _ report: Report
    ) {
        if !isInMass {
            reportSilence(report)
            if isDead(settings, connectedAt, wasDead: wasDead, now), !hasSilence {
                report(
                    AlertIdentity(.boxDead, box: name), ["box": name],
                    "\(name) has given no sign of life since an adhan was due\(seenText).")
            }
        }
        reportFailures(now, report)
        reportState(now, report)
    }

    private var seenText: String {
        lastSeen.map { "; the last one was at \(InstantText.second($0, in: .utc)) UTC" } ?? ""
    }

    private func reportSilence(_ report: Report) {
        for entry in entries where isOpenSilence(entry) {
            report(
                AlertIdentity(.adhanSilent, box: name, subject: entry.id),
                ["box": name, "prayer": entry.prayer.rawValue, "id": entry.id],
                "\(name) did not report \(entry.prayer.title), which was due at \(InstantText.second(entry.due, in: .utc)) UTC."
            )
        }
    }

    private func isDead(
        _ settings: WatchSettings, _ connectedAt: Double, wasDead: Bool, _ now: Timestamp
    ) -> Bool {
        guard onlineSince == nil else { return false }
        // While the box is awaited nothing new is known, so an open alarm stays open.
        if isAwaited(connectedAt, settings, now) { return wasDead }
        guard let lastSeen, now.wall - lastSeen >= settings.offlineAfterSeconds else { return false }
        return isOverdue(settings, now)
    }

    private func isOverdue(_ settings: WatchSettings, _ now: Timestamp) -> Bool {
        guard let lastSeen else { return false }
        return entries.contains {
            !$0.isAnswered && $0.due >= lastSeen && $0.due + settings.patienceSeconds <= now.wall
        }
    }

    /// Whether the box is away and will soon either get an alarm of its own or be back.
    func isUndecided(_ settings: WatchSettings, _ connectedAt: Double, _ now: Timestamp) -> Bool {
        guard onlineSince == nil, !hasSilence else { return false }
        return isAwaited(connectedAt, settings, now)
            || isOverdue(settings, now) && !isDead(settings, connectedAt, wasDead: false, now)
    }

    private func isExcused(_ adhan: ReceivedReport.Adhan) -> Bool {
        guard adhan.state == .missed else { return false }
        if excused.contains(adhan.id) { return true }
        guard let covered else { return false }
        return adhan.due >= covered.from && adhan.due <= covered.to ?? adhan.due
    }

    /// Whether an adhan failed, none was heard since, and the failure is recent.
    private func isOpenFailure(_ adhan: ReceivedReport.Adhan, _ now: Timestamp) -> Bool {
        guard adhan.isFailure, lastHeard.map({ adhan.due > $0 }) ?? true else { return false }
        return now.wall - adhan.due < Self.oldestOutcomeSeconds
    }

    /// Whether it missed an adhan before an instant, and has called none since.
    /// - Parameter isNews: whether to count only adhans that are not known yet.
    func hasMissed(before start: Instant, isNews: Bool, _ now: Timestamp) -> Bool {
        latest.values.contains {
            $0.state == .missed && $0.due < start && isOpenFailure($0, now) && !(isNews && isExcused($0))
        }
    }

    /// Excuses all adhans that it missed before an instant, because people know about them.
    mutating func excuseMissed(before start: Instant) {
        excused += latest.values.filter { $0.state == .missed && $0.due < start }.map(\.id)
    }

    private func reportFailures(_ now: Timestamp, _ report: Report) {
        for (prayer, adhan) in latest where isOpenFailure(adhan, now) {
            // A machine without power calls nothing, and its absence was already reported.
            if isExcused(adhan) { continue }
            report(
                AlertIdentity(.adhanFailed, box: name, subject: adhan.id),
                [
                    "box": name, "prayer": prayer.rawValue, "id": adhan.id, "reason": adhan.state.rawValue,
                ],
                "\(name): \(prayer.title) was not heard (\(adhan.state.rawValue))\(adhan.reason.map { ": \($0)" } ?? "")."
            )
        }
    }

    private func reportState(_ now: Timestamp, _ report: Report) {
        for open in problems
        where open.problem.isProblem && !FleetWatch.ownRules.contains(open.problem.alert)
            && now.uptime - open.since >= FleetWatch.problemSeconds
        {
            report(
                AlertIdentity(.boxProblem, box: name, subject: open.problem.alert),
                ["box": name, "alert": open.problem.alert], "\(name): \(open.problem.text)")
        }
        if isOnline, doesPlanEnd(now) {
            report(
                AlertIdentity(.boxPlanEnds, box: name), ["box": name],
                "\(name) has no adhan planned beyond 48 hours.")
        }
        let isCloned = clonedUntil.map { now.uptime < $0 } ?? false
        if isCloned || problems.contains(where: { $0.problem.alert == "clone" }) {
            report(
                AlertIdentity(.boxCloned, box: name), ["box": name],
                "Two machines use the name \(name): was its card copied?")
        }
    }

    /// Whether the plan is about to end. A plan of single days, such as Fridays, has gaps, and one without any adhan is
    /// intended. For these the box reports how far the plan extends.
    private func doesPlanEnd(_ now: Timestamp) -> Bool {
        guard let until else { return false }
        let horizon = now.wall + FleetWatch.planHorizonSeconds
        if let last = entries.last, last.due > horizon { return false }
        let gaps = zip(entries, entries.dropFirst()).map { $1.due - $0.due }
        let isSparse = entries.count < 3 || gaps.contains { $0 > 36 * 3600 }
        return !isSparse || until <= horizon
    }
}

extension WatchedBox.Entry {
    var isAnswered: Bool { fate == .answered || fate == .playing }
}
