import Envelope
import FleetPlan
import PrayerEngine
import SeededRandom
import Texts

/// A fleet whose changes are rolled out, published and withdrawn while boxes fail, the broker loses data and the watch
/// restarts. An oracle knows which box has which change.
package struct RolloutWorld {
    package struct Report: Sendable {
        package var rollouts = 0
        package var stopped = 0
        package var done = 0
        package var published = 0
        package var withdrawn = 0
        package var restarts = 0
        package var lostBrokers = 0
        /// The first violation; `nil` if there was none.
        package var violation: String?

        package init() {}

        /// Adds the figures of another world.
        package mutating func add(_ other: Report) {
            rollouts += other.rollouts
            stopped += other.stopped
            done += other.done
            published += other.published
            withdrawn += other.withdrawn
            restarts += other.restarts
            lostBrokers += other.lostBrokers
        }
    }

    static let kind = FleetKind.configuration
    static let stepSeconds = 600.0
    /// Seconds at the end without faults and commands, so that everything in progress can finish.
    private static let calmSeconds = 43_200.0
    private static let epoch = 1_798_761_600.0
    static func wall(_ at: Double) -> Instant { Instant(unixSeconds: epoch + at) }

    /// An envelope with the truth about it.
    struct Change {
        let label: EnvelopeLabel
        let isRolledOut: Bool
        /// Boxes that abandon it at their first adhan.
        let bad: Set<String>
        /// Boxes that abandon it at their second adhan.
        let late: Set<String>
        let refusing: Set<String>
        var took: Set<String> = []
        var failed: Set<String> = []
        /// Boxes whose failure the watch had received while they had been given the change.
        var failedSeen: Set<String> = []
    }

    /// The reports of a box that the broker retains.
    struct Kept {
        let applied: ReceivedReport.Applied?
        let lastHeard: Instant?
    }

    /// The program that carries out roll-outs, with its memory.
    struct WatchProcess {
        var book = RolloutBook()
        var kept = KeptChanges()
        var facts: [String: FleetRollout.Fact] = [:]
        var isConnected = false
        /// The time from which it may assess.
        var settledAt = 0.0
    }

    var random: SplitMix64
    private let days: Int
    var now = 0.0
    var isCalm = false
    var settings = RolloutSettings()
    /// Whether the broker shows the retained messages on topics of changes.
    let isShown: Bool
    var boxes: [RolloutBox] = []
    var index: [String: Int] = [:]
    var changes: [String: Change] = [:]
    var lastSeq = 0

    // The broker.
    var isBrokerUp = true
    var brokerUpAt: Double?
    /// The digests by box, or by ``ChangePlace/everyBox``.
    var topics: [String: String] = [:]
    var retained: [String: Kept] = [:]

    // The fleet's folder.
    var saved: [String: FleetRollout] = [:]
    var savedFiles: [String: [UInt8]] = [:]
    var published: Set<String> = []
    var withdrawn: Set<String> = []

    var watch: WatchProcess?
    var watchUpAt: Double?
    var report = Report()

    package init(seed: UInt64, boxes count: Int, days: Int) {
        var dice = SplitMix64(seed: seed)
        isShown = Double.random(in: 0..<1, using: &dice) < 0.9
        (random, self.days) = (dice, days)
        settings.success = Bool.random(using: &random) ? .played : .applied
        settings.soakSeconds = Double.random(in: 1800...21_600, using: &random)
        settings.patienceSeconds = Double.random(in: 36_000...93_600, using: &random)
        for number in 0..<count {
            let box = RolloutBox(
                name: "b\(number)", isForged: Double.random(in: 0..<1, using: &random) < 0.1,
                nextAdhan: Double.random(in: 0..<18_000, using: &random))
            index[box.name] = number
            boxes.append(box)
        }
        watchUpAt = 0
    }

    mutating func chance(_ share: Double) -> Bool { Double.random(in: 0..<1, using: &random) < share }
    mutating func some(_ range: Range<Double>) -> Double { Double.random(in: range, using: &random) }
    /// Whether an event with this frequency per day happens in this step.
    mutating func happens(_ timesADay: Double) -> Bool { chance(timesADay * Self.stepSeconds / 86_400) }

    package mutating func run() -> Report {
        let end = Double(days) * 86_400
        while now < end, report.violation == nil {
            isCalm = now >= end - Self.calmSeconds
            if !isCalm {
                breakSomething()
                act()
            }
            moveServers()
            for number in boxes.indices { live(number) }
            update()
            now += Self.stepSeconds
        }
        if report.violation == nil { checkEnd() }
        for rollout in saved.values {
            if rollout.state == .stopped { report.stopped += 1 }
            if rollout.state == .done { report.done += 1 }
        }
        return report
    }

    mutating func fail(_ sentence: String) {
        if report.violation == nil { report.violation = "roll-outs at \(Int(now)) s: \(sentence)" }
    }

    // MARK: The watch

    private mutating func update() {
        guard var watch, isBrokerUp, watch.isConnected else { return }
        for (name, kept) in retained {
            watch.facts[name] = FleetRollout.Fact(
                applied: kept.applied, isOnline: index[name].map { !boxes[$0].isAway } ?? false,
                lastHeard: kept.lastHeard)
        }
        for name in watch.facts.keys where retained[name] == nil { watch.facts[name]?.isOnline = false }
        guard now >= watch.settledAt else {
            self.watch = watch
            return
        }
        let (before, facts) = (watch.book.entries, watch.facts)
        let deliveries = watch.book.update(
            settings, at: Self.wall(now), kept: isShown ? watch.kept.labels : nil, undone: watch.kept.undone,
            isRevoked: { _ in false }, facts: { _, _ in facts })
        self.watch = watch
        check(before, watch.book.entries, facts, deliveries)
        // The progress is saved before anything is sent.
        for (digest, entry) in watch.book.entries { save(entry.rollout, digest) }
        if !isCalm, chance(0.01) { return stopWatch() }
        for delivery in deliveries {
            if !isCalm, chance(0.02) {
                self.watch?.book.failed(delivery)
            } else {
                write(delivery.place.box, delivery.digest)
                self.watch?.book.delivered(delivery)
            }
        }
    }

    private mutating func save(_ rollout: FleetRollout, _ digest: String) {
        guard saved[digest] != rollout else { return }
        saved[digest] = rollout
        do { savedFiles[digest] = try JSON.encode(rollout) } catch { fail("\(digest) has no form as JSON") }
    }

    /// Changes a topic's content, as a person or the program does.
    mutating func write(_ box: String, _ digest: String?) {
        topics[box] = digest
        guard watch?.isConnected == true else { return }
        note(box, digest ?? "", isRetained: false)
    }

    private mutating func note(_ box: String, _ digest: String, isRetained: Bool) {
        let changes = self.changes
        watch?.kept.note(
            ChangePlace(box: box, kind: Self.kind), Array(digest.utf8), isRetained: isRetained
        ) { changes[String(decoding: $0, as: UTF8.self)]?.label }
    }

    mutating func stopWatch() {
        watch = nil
        watchUpAt = now + Self.stepSeconds * some(1..<5).rounded(.down)
        report.restarts += 1
    }

    private mutating func startWatch() {
        var new = WatchProcess()
        for (digest, bytes) in savedFiles {
            guard let change = changes[digest] else { continue }
            do {
                let rollout = try JSON.decode(FleetRollout.self, from: bytes)
                new.book.put(.init(rollout, for: change.label.selector, expires: change.label.expires))
            } catch {
                fail("\(digest) does not come back from the disk")
            }
        }
        for digest in published {
            if let label = changes[digest]?.label { new.book.publish(label) }
        }
        new.book.withdraw(withdrawn)
        new.kept.known = Set(changes.keys)
        watch = new
    }

    private mutating func connectWatch() {
        watch?.kept.connected()
        for (box, digest) in topics { note(box, digest, isRetained: true) }
        watch?.book.connected()
        watch?.isConnected = true
        watch?.settledAt = now + Self.stepSeconds
    }

    private mutating func moveServers() {
        if let at = brokerUpAt, now >= at || isCalm { (isBrokerUp, brokerUpAt) = (true, nil) }
        if let at = watchUpAt, now >= at || isCalm {
            watchUpAt = nil
            startWatch()
        }
        if isBrokerUp, watch?.isConnected == false { connectWatch() }
    }
}
