/// Many boxes that are gone, or silent, at once: one alarm, and none for each of them.
extension FleetWatch {
    struct Mass: Sendable {
        /// Counts from 1: many more that go while an earlier alarm is open are an alarm of their own.
        var number = 1
        var since: Double
        /// How many there were when it was noticed.
        var count: Int
        /// Everyone that has gone since the first alarm was opened.
        var members: Set<String>
        /// Those of them that are not back.
        var away: Set<String>
        /// Since when nearly all of them are back.
        var backSince: Double?

        init(since: Double, _ boxes: [String]) {
            (self.since, count) = (since, boxes.count)
            (members, away) = (Set(boxes), Set(boxes))
        }

        var identity: AlertIdentity {
            number == 1 ? .offline : AlertIdentity(.fleetOffline, subject: String(number))
        }

        /// Alertmanager knows alarms apart by their labels alone.
        var labels: [String: String] {
            let labels = ["count": String(count)]
            return number == 1 ? labels : labels.merging(["wave": String(number)]) { old, _ in old }
        }

        /// The rest may be named box by box.
        var isNearlyBack: Bool {
            away.count * 100 <= members.count * (100 - FleetWatch.massBackPercent)
                || away.count < FleetWatch.leastMass && away.count * 2 <= members.count
        }
    }

    /// Boxes that go within it go together.
    private static let massWindowSeconds = 300.0

    mutating func lookAtMass(_ now: Moment) {
        let affected = boxes.values.filter { isAffected($0, now) }.map(\.name)
        guard var mass else {
            if isMany(affected.count) { self.mass = Mass(since: now.uptime, affected) }
            return
        }
        mass.members.formIntersection(boxes.keys)
        mass.away = mass.away.filter { name in
            boxes[name].map { $0.onlineSince == nil || $0.hasSilence } ?? false
        }
        join(affected.filter { !mass.away.contains($0) && !hasOwnAlarm($0) }, &mass, now)
        mass.backSince = mass.isNearlyBack ? mass.backSince ?? now.uptime : nil
        let isOver = mass.backSince.map { now.uptime - $0 >= settings.settleSeconds } ?? false
        self.mass = isOver ? nil : mass
    }

    /// One that goes alone, later than the others, is not one of them: nobody would hear of it.
    private func join(_ boxes: [String], _ mass: inout Mass, _ now: Moment) {
        let isTogether = now.uptime - mass.since <= Self.massWindowSeconds
        guard isTogether || isMany(boxes.count) else { return }
        mass.members.formUnion(boxes)
        mass.away.formUnion(boxes)
        guard !isTogether else { return }
        (mass.number, mass.since, mass.count) = (mass.number + 1, now.uptime, boxes.count)
    }

    /// Somebody knows of it already.
    private func hasOwnAlarm(_ name: String) -> Bool {
        boxes[name]?.openSilences.contains { ledger.isOpen(.silent(name, $0)) } == true
    }

    private func isAffected(_ box: WatchedBox, _ now: Moment) -> Bool {
        let isGone =
            box.onlineSince == nil
            && box.goneAt.map { now.uptime - $0 <= Self.massWindowSeconds } ?? false
        let isSilent =
            box.silentAt.map { now.uptime - $0 <= Self.massWindowSeconds } ?? false && box.hasSilence
        // One that was known to be away before has not gone with the others.
        return isSilent || isGone && !ledger.isOpen(.dead(box.name))
    }
}
