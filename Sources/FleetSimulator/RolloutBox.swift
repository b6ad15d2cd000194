import Envelope
import FleetPlan
import PrayerEngine

/// One box of a ``RolloutWorld``: the changes that it has accepted, and its reports about them.
struct RolloutBox {
    let name: String
    /// Whether an unsigned envelope precedes the change, left by a person who stole a server.
    let isForged: Bool
    var nextAdhan: Double
    var awayUntil: Double?
    /// The newest change that the box has accepted.
    var own: ReceivedReport.Applied?
    /// The change on its topics that the box refuses.
    var refused: ReceivedReport.Applied?
    /// The highest accepted number: the box accepts no lower one.
    var takenSeq = 0
    /// The number of adhans since it accepted that change.
    var adhans = 0
    var lastHeard: Instant?

    init(name: String, isForged: Bool, nextAdhan: Double) {
        (self.name, self.isForged, self.nextAdhan) = (name, isForged, nextAdhan)
    }

    var isAway: Bool { awayUntil != nil }

    private static let forgery = ReceivedReport.Applied(
        kind: RolloutWorld.kind, seq: 9_007_199_254_740_991, digest: "forged", state: .refused,
        reason: "signature")

    /// The change that its bridge reports.
    var report: ReceivedReport.Applied? {
        if let refused, refused.seq > takenSeq { return refused }
        return own ?? (isForged ? Self.forgery : nil)
    }
}

extension RolloutWorld {
    mutating func live(_ number: Int) {
        if let until = boxes[number].awayUntil, now >= until || isCalm { boxes[number].awayUntil = nil }
        while boxes[number].nextAdhan <= now {
            call(number, boxes[number].nextAdhan)
            boxes[number].nextAdhan += some(10_800..<21_600)
        }
        guard isBrokerUp, !boxes[number].isAway else { return }
        let name = boxes[number].name
        let found = [topics[ChangePlace.everyBox], topics[name]].compactMap(\.self)
        if let refused = boxes[number].refused, !found.contains(refused.digest) {
            boxes[number].refused = nil
        }
        let news = found.compactMap { changes[$0]?.label }.sorted { $0.seq < $1.seq }
        for label in news where label.seq > boxes[number].takenSeq && !label.isOver(at: Self.wall(now)) {
            apply(number, label)
        }
        retained[name] = Kept(applied: boxes[number].report, lastHeard: boxes[number].lastHeard)
    }

    private mutating func apply(_ number: Int, _ label: EnvelopeLabel) {
        let name = boxes[number].name
        if changes[label.digest]?.refusing.contains(name) == true {
            boxes[number].refused = .init(
                kind: Self.kind, seq: label.seq, digest: label.digest, state: .refused,
                reason: "invalid: no such key")
            return
        }
        boxes[number].own = .init(kind: Self.kind, seq: label.seq, digest: label.digest, state: .trial)
        (boxes[number].takenSeq, boxes[number].adhans) = (label.seq, 0)
        changes[label.digest]?.took.insert(name)
    }

    /// Calls an adhan that is due, with or without a line.
    private mutating func call(_ number: Int, _ at: Double) {
        let name = boxes[number].name
        if let own = boxes[number].own, own.state == .trial || own.state == .confirmed,
            let change = changes[own.digest]
        {
            boxes[number].adhans += 1
            let isLeft =
                change.bad.contains(name) || change.late.contains(name) && boxes[number].adhans >= 2
            boxes[number].own?.state = isLeft ? .reverted : .confirmed
            if isLeft {
                boxes[number].own?.reason = "the adhan was not heard"
                changes[own.digest]?.failed.insert(name)
                return
            }
        }
        boxes[number].lastHeard = Self.wall(at)
    }
}
