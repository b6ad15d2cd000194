package import Envelope
import PrayerEngine
import Texts

/// The watcher's knowledge and assessment. Reports and instants go in, alarms come out. It reads no clock and writes no file,
/// because after a restart the broker's retained reports restore everything.
package struct FleetWatch: Sendable {
    /// The least number of boxes that share one alarm if they disappear or fall silent at about the same time.
    package static let leastMass = 5
    static let massBackPercent = 95
    /// Adhans are assessed in batches of this length, so that a power cut in a town raises one alarm.
    static let batchSeconds = 10.0
    /// A box is online for this many intervals of its beat after its last sign of life.
    static let beatsOfLife = 2.5
    /// If a box sends a sign of life this many seconds after an adhan's instant, it would have reported the adhan by then.
    package static let proofSeconds = 15.0
    /// Seconds within which a box that has just connected sends its reports.
    static let reportSeconds = 15.0
    /// Seconds beyond ``WatchSettings/settleSeconds`` for a box that does not reconnect with the broker.
    static let returnSeconds = 60.0
    static let brokerDownSeconds = 120.0
    static let problemSeconds = 600.0
    static let planHorizonSeconds = 48 * 3600.0
    static let cloneMemorySeconds = 86_400.0
    /// Seconds for which a box remembers that another machine uses its name, which reports under that name meanwhile.
    static let cloneWordSeconds = 3600.0
    /// The clock was set if it differs by more than these seconds from the monotonic clock.
    static let clockStepSeconds = 5.0
    /// The most boxes, which is more than one broker can serve.
    static let mostBoxes = 60_000
    /// Alerts of boxes for which the watch has rules of its own.
    static let ownRules: Set<String> = ["missed", "failed", "clone"]

    /// Damage in the fleet's folder that a person must repair.
    package enum Damage: Sendable, Equatable {
        /// A file of `published/`.
        case published
        /// The folder of these files, which cannot be read.
        case folder
        /// The list of boxes that joined, which was set aside.
        case enrolment
    }

    package let topics: FleetTopic
    package var settings: WatchSettings
    package private(set) var boxes: [String: WatchedBox] = [:]
    private let start: Timestamp
    private var connectedAt: Double?
    private var lostAt: Double
    private var settleUntil: Double
    private var batchAt: Double
    private var clockOffset: Double
    var mass: Mass?
    /// Boxes that missed an adhan before the watch began and have called none since, if they are too many for individual
    /// alarms.
    private var missed: Set<String> = []
    /// The boxes of the open alarm, including those that have called an adhan since.
    private var everMissed: Set<String> = []
    private(set) var ledger = AlertLedger()
    /// Roll-outs that stopped themselves, with their ring.
    package var stoppedRollouts: [String: Int] = [:]
    package var conflicts: [RolloutBook.Conflict] = []
    package var formerKeys: [FormerKey] = []
    /// Damaged files, by their names in the fleet's folder.
    package var damagedFiles: [String: Damage] = [:]
    /// The served index; `nil` where the fleet serves no archive.
    package var servedIndex: ServedIndex?
    /// The number of ignored reports by reason.
    package private(set) var refused: [String: Int] = [:]

    package init(org: String, _ settings: WatchSettings, at now: Timestamp) {
        topics = FleetTopic(org: org)
        self.settings = settings
        start = now
        lostAt = now.uptime
        settleUntil = now.uptime + settings.settleSeconds
        batchAt = now.uptime
        clockOffset = now.wall.unixSeconds - now.uptime
    }

    // MARK: The broker

    package var isConnected: Bool { connectedAt != nil }

    package mutating func brokerConnected(at now: Timestamp) {
        let lostAt = connectedAt == nil ? lostAt : now.uptime
        connectedAt = now.uptime
        settleUntil = max(settleUntil, now.uptime + settings.settleSeconds)
        changeBoxes { $0.awaitReturn(lostAt: lostAt) }
    }

    package mutating func brokerLost(at now: Timestamp) {
        guard connectedAt != nil else { return }
        (connectedAt, lostAt) = (nil, now.uptime)
    }

    /// Changes boxes in place, because copying all of them every ten seconds would dominate the program's load.
    private mutating func changeBoxes(_ change: (inout WatchedBox) -> Void) {
        var index = boxes.values.startIndex
        while index != boxes.values.endIndex {
            change(&boxes.values[index])
            boxes.values.formIndex(after: &index)
        }
    }

    // MARK: Reports

    /// Handles one message of the broker. It ignores a message that is not a valid report of a box.
    package mutating func receive(_ topic: String, _ payload: [UInt8], isRetained: Bool, at now: Timestamp) {
        guard let (name, topic) = topics.report(at: topic) else { return refuse("topic") }
        if boxes[name] != nil {
            // A retained report does not count against the limit, because every connection delivers all of them.
            guard isRetained || boxes[name]?.admits(at: now.uptime) == true else { return refuse("flood") }
        } else {
            guard boxes.count < Self.mostBoxes else { return refuse("room") }
        }
        do throws(ReportError) {
            receive(try ReceivedReport(topic, payload), from: name, isRetained: isRetained, at: now)
        } catch {
            refuse(error.rawValue)
        }
    }

    private mutating func refuse(_ why: String) { refused[why, default: 0] += 1 }

    package mutating func receive(
        _ report: ReceivedReport, from name: String, isRetained: Bool, at now: Timestamp
    ) {
        if boxes[name] == nil {
            if case .cleared = report { return }
            boxes[name] = WatchedBox(name)
        }
        boxes[name]?.receive(report, isRetained: isRetained, from: start.wall, at: now)
        if boxes[name]?.isGoneForGood == true { boxes[name] = nil }
    }

    /// Notes that another board asked for the name of a box.
    package mutating func noteClone(_ box: String, at now: Timestamp) {
        boxes[box]?.clonedUntil = now.uptime + Self.cloneMemorySeconds
    }

    // MARK: The assessment

    /// Seconds until the next assessment.
    package func waitSeconds(at now: Timestamp) -> Double { max(0, batchAt - now.uptime) }

    /// Seconds by which the current assessment is late.
    package func lateSeconds(at now: Timestamp) -> Double { max(0, now.uptime - batchAt) }

    /// Whether many boxes are gone or silent at once.
    package var isCrowd: Bool { mass != nil }

    /// The boxes of the alarm about many boxes.
    package var crowd: Set<String> { mass?.away ?? [] }

    package var alerts: [FleetAlert] { ledger.alerts }

    /// Whether its knowledge is complete: there is a broker, and the boxes have had time to report.
    package func isAssessing(at now: Timestamp) -> Bool { isConnected && now.uptime >= settleUntil }

    /// - Returns: the alarms to post now.
    package mutating func advance(to now: Timestamp) -> [FleetAlert] {
        noteClock(now)
        guard now.uptime >= batchAt else { return [] }
        batchAt = ((now.uptime / Self.batchSeconds).rounded(.down) + 1) * Self.batchSeconds
        assess(now)
        return ledger.due(at: now)
    }

    /// Notes whether the clock was set. Adhans that were due in between cannot be assessed.
    private mutating func noteClock(_ now: Timestamp) {
        let offset = now.wall.unixSeconds - now.uptime
        defer { clockOffset = offset }
        guard abs(offset - clockOffset) > Self.clockStepSeconds else { return }
        settleUntil = max(settleUntil, now.uptime + settings.settleSeconds)
        changeBoxes { $0.cover(until: now.wall) }
    }

    private mutating func assess(_ now: Timestamp) {
        let isBrokerDown = connectedAt == nil && now.uptime - lostAt >= Self.brokerDownSeconds
        let down = AlertIdentity(.brokerDown)
        guard let connectedAt, now.uptime >= settleUntil else {
            // Open alarms stay open, because nothing else is known now.
            var kept: [AlertIdentity: (labels: [String: String], summary: String)] = [:]
            for alert in ledger.alerts where alert.identity.name != .brokerDown {
                kept[alert.identity] = (alert.labels, alert.summary)
            }
            if isBrokerDown {
                kept[down] = ([:], "The watcher has no broker, so no box reports anything.")
            }
            return ledger.set(kept, at: now)
        }
        let (settings, begin) = (settings, start.wall)
        changeBoxes { box in
            box.notePresence(connectedAt, settings, now)
            box.findSilence(settings, from: begin, now)
            box.noteDeath(settings, connectedAt, now)
        }
        checkMass(connectedAt, now)
        checkMissed(now)
        var wanted: [AlertIdentity: (labels: [String: String], summary: String)] = [:]
        for box in boxes.values {
            let isInMass = mass?.away.contains(box.name) == true
            let wasDead = ledger.isOpen(.dead(box.name))
            box.alerts(settings, connectedAt, isInMass: isInMass, wasDead: wasDead, now) {
                wanted[$0] = ($1, $2)
            }
        }
        if let mass {
            let own = Set(wanted.keys.filter(\.isOfLostBox).map(\.box))
            wanted[mass.identity] = (mass.labels, mass.summary(of: boxes.count, beside: own.count))
        }
        if !missed.isEmpty {
            wanted[.missedBefore] = (
                ["count": String(everMissed.count), "reason": "missed"],
                "\(missed.count) of \(boxes.count) boxes missed an adhan before the watch began, and have called none since."
            )
        }
        for (rollout, ring) in stoppedRollouts {
            wanted[AlertIdentity(.rolloutStopped, subject: rollout)] = (
                ["rollout": rollout, "ring": String(ring)],
                "The roll-out stands still in ring \(ring): \"adhan-fleet rollout status\" says why."
            )
        }
        for conflict in conflicts {
            wanted[AlertIdentity(.changeConflict, subject: conflict.kind.rawValue)] = (
                ["kind": conflict.kind.rawValue], conflict.sentence(topics)
            )
        }
        for former in formerKeys {
            let kind = former.label.kind
            let highest = boxes.values.compactMap { $0.applied[kind]?.seq }.max() ?? 0
            wanted[AlertIdentity(.formerKey, subject: kind.rawValue)] = (
                ["kind": kind.rawValue], former.sentence(org: topics.org, highestReported: highest)
            )
        }
        for (file, damage) in damagedFiles {
            wanted[AlertIdentity(.fileDamaged, subject: file)] = (["file": file], damage.sentence(file))
        }
        if let alarm = servedIndex?.alarm(at: now.wall) { wanted[AlertIdentity(.archiveEnds)] = alarm }
        ledger.set(wanted, at: now)
        coverDead(now)
    }

    /// Marks lost boxes as known, so that adhans that they miss from now on are not news.
    private mutating func coverDead(_ now: Timestamp) {
        for alert in ledger.alerts where alert.identity.isOfLostBox {
            boxes[alert.identity.box]?.coverAbsence(now)
        }
        for name in mass?.away ?? [] { boxes[name]?.coverAbsence(now) }
    }

    // MARK: Many at once

    func isMany(_ count: Int) -> Bool {
        let share = (Double(boxes.count * settings.massPercent) / 100).rounded(.up)
        return count >= max(Self.leastMass, Int(share))
    }

    /// Checks for adhans that were missed before this watch began. After a power cut in a town, which the previous watch may
    /// have reported, boxes that are back but have called no adhan yet would each raise an alarm.
    private mutating func checkMissed(_ now: Timestamp) {
        let news = boxes.values.filter { $0.hasMissed(before: start.wall, isNews: true, now) }.map(\.name)
        // Some boxes of a town return later than others.
        if !news.isEmpty, !missed.isEmpty || isMany(news.count) {
            for name in news { boxes[name]?.excuseMissed(before: start.wall) }
            missed.formUnion(news)
            everMissed.formUnion(news)
        }
        guard !missed.isEmpty else { return }
        missed = missed.filter { boxes[$0]?.hasMissed(before: start.wall, isNews: false, now) == true }
        let heard = everMissed.count - missed.count
        if heard * 100 >= everMissed.count * Self.massBackPercent { (missed, everMissed) = ([], []) }
    }
}

extension FleetWatch.Damage {
    /// The prefix of a digest that `withdraw` accepts.
    private static func digest(of file: String) -> Substring {
        (file.split(separator: "/").last ?? "").prefix(16)
    }

    /// A sentence for a person: the fact, and the command to type.
    package func sentence(_ file: String) -> String {
        switch self {
        case .published:
            "\(file) is damaged, so no broker is given its envelope again: publish the same envelope once more, or type \"adhan-fleet withdraw \(Self.digest(of: file))\"."
        case .folder:
            "\(file) cannot be looked into, so no change is given to any box: \"journalctl -u adhan-fleet\" says why."
        case .enrolment:
            "The list of boxes that joined was damaged or gone: \"adhan-fleet enrol list\" shows what is known now. Remove \(file) when it is looked at."
        }
    }
}
