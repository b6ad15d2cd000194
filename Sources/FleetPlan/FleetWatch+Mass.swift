/// Combines many boxes that disappear or fall silent at the same time into one alarm.
extension FleetWatch {
    struct Mass: Sendable {
        /// The alarm's number, from 1. If many more disappear while it is open, they get the next number.
        var number = 1
        var since: Double
        /// The number of boxes when the alarm began.
        var count: Int
        /// All boxes that disappeared since the first alarm was opened.
        var members: Set<String>
        /// The boxes that have not returned.
        var away: Set<String>
        /// The time since which nearly all of them are back.
        var backSince: Double?

        init(since: Double, _ boxes: [String]) {
            (self.since, count) = (since, boxes.count)
            (members, away) = (Set(boxes), Set(boxes))
        }

        var identity: AlertIdentity {
            number == 1 ? .offline : AlertIdentity(.fleetOffline, subject: String(number))
        }

        /// Alertmanager distinguishes alarms by their labels only.
        var labels: [String: String] {
            let labels = ["count": String(count)]
            return number == 1 ? labels : labels.merging(["wave": String(number)]) { old, _ in old }
        }

        /// Whether so few are still away that each can have an alarm of its own.
        var isNearlyBack: Bool {
            away.count * 100 <= members.count * (100 - FleetWatch.massBackPercent)
                || away.count < FleetWatch.leastMass && away.count * 2 <= members.count
        }

        private static let mostNamed = 10

        /// - Parameter others: the number of gone or silent boxes with an alarm of their own.
        func summary(of boxes: Int, beside others: Int) -> String {
            let text =
                "\(away.count) of \(boxes) boxes \(away.count == 1 ? "is" : "are") gone or silent at once"
            let list =
                (1...Self.mostNamed).contains(away.count)
                ? ": \(away.sorted().joined(separator: ", "))" : ""
            return text + list + (others > 0 ? "; \(others) more with alarms of their own" : "") + "."
        }
    }

    /// Boxes that disappear within this time are combined.
    static let massWindowSeconds = 300.0

    mutating func checkMass(_ connectedAt: Double, _ now: Timestamp) {
        let affected = boxes.values.filter { isAffected($0, now) }.map(\.name)
        guard var mass else {
            let news = affected.filter { !hasOwnAlarm($0) }
            if isMany(affected.count), !news.isEmpty { self.mass = Mass(since: now.uptime, news) }
            return
        }
        mass.members.formIntersection(boxes.keys)
        mass.away = mass.away.filter { name in
            boxes[name].map { $0.onlineSince == nil || $0.hasSilence } ?? false
        }
        join(affected.filter { !mass.away.contains($0) }, &mass, now)
        mass.backSince = mass.isNearlyBack ? mass.backSince ?? now.uptime : nil
        let isOver =
            mass.backSince.map { now.uptime - $0 >= settings.settleSeconds } ?? false
            // The alarm ends once each remaining box has its own alarm, or needs none.
            && !mass.away.contains { boxes[$0]?.isUndecided(settings, connectedAt, now) == true }
        self.mass = isOver ? nil : mass
    }

    /// Adds boxes. A single box that disappears later is not included, because no person would learn of it.
    private func join(_ affected: [String], _ mass: inout Mass, _ now: Timestamp) {
        // A box whose loss was not observed may have gone with the others. The first adhan that is due in its town reveals that
        // it is dead.
        let unseen = affected.filter { boxes[$0]?.foundDeadAt != nil && !hasOwnAlarm($0) }
        mass.members.formUnion(unseen)
        mass.away.formUnion(unseen)
        let affected = affected.filter { !mass.away.contains($0) }
        let isTogether = now.uptime - mass.since <= Self.massWindowSeconds
        let areMany = isMany(affected.count)
        guard isTogether || areMany else { return }
        // A single box that returned and then fell silent does not join, because it gets an alarm of its own.
        let news = affected.filter { name in
            !hasOwnAlarm(name) && (areMany || !(mass.members.contains(name) && boxes[name]?.isOnline == true))
        }
        guard !news.isEmpty else { return }
        mass.members.formUnion(news)
        mass.away.formUnion(news)
        guard !isTogether else { return }
        (mass.number, mass.since, mass.count) = (mass.number + 1, now.uptime, news.count)
    }

    /// Whether a box has an alarm of its own. Ending that would signal that the box is well again.
    private func hasOwnAlarm(_ name: String) -> Bool {
        ledger.isOpen(.dead(name))
            || boxes[name]?.openSilences.contains { ledger.isOpen(.silent(name, $0)) } == true
    }

    /// Whether a box counts towards the alarm, even if it has an alarm of its own.
    private func isAffected(_ box: WatchedBox, _ now: Timestamp) -> Bool {
        func isRecent(_ at: Double?) -> Bool {
            at.map { now.uptime - $0 <= Self.massWindowSeconds } ?? false
        }
        if box.hasSilence, isRecent(box.silentAt) { return true }
        guard box.onlineSince == nil else { return false }
        // A box that was already known to be away has not gone with the others.
        return isRecent(box.foundDeadAt) || isRecent(box.goneAt) && !ledger.isOpen(.dead(box.name))
    }
}
