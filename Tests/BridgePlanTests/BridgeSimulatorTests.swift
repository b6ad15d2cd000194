import LabSupport
import PrayerEngine
import SeededRandom
import Testing
import Texts

@testable import BridgePlan
@testable import Protocol

/// A house in which things go wrong at random: adhand's problems, its absence, the bridge's own end, the disk's, the network's. What
/// comes out is held against what was true.
private struct House {
    var random: SplitMix64
    var now = Instant(unixSeconds: 1_795_516_800)
    var uptime = 1000.0
    var truth: Set<AlertKind> = []
    var isUp = true
    var book = AlertBook(box: "b", name: "n")
    var queue = DeliveryQueue()
    var beats = HeartbeatClock(everySeconds: 60, at: 1000)
    /// The disk's content: written before anything is tried.
    var disk = (open: AlertBook(box: "b", name: "n"), queue: DeliveryQueue())
    var received: [AlertMessage] = []
    var adhans = 0
    var outcomes: [AdhanOutcome] = []
    let destination: AlertDestination
    /// Begins and ends that were made, by key.
    var made: [String: [AlertMessage.Phase]] = [:]
    var broken: String?

    init(seed: UInt64) {
        random = SplitMix64(seed: seed)
        var destination = AlertDestination()
        destination.name = "phone"
        self.destination = destination
        book.settings.repeatSeconds = 0
        // Begin beside an adhand with a history.
        for number in 0..<(chance(0.05) ? 900 : 0) {
            outcomes.append(
                .init(
                    id: "asr_old_\(number)", prayer: "asr", at: now - 17_000 * Double(901 - number),
                    outcome: chance(0.9) ? .played : .failed))
        }
    }

    private mutating func chance(_ share: Double) -> Bool { Double.random(in: 0..<1, using: &random) < share }

    mutating func live() {
        update()
        for _ in 0..<250 where broken == nil {
            let seconds = Double.random(in: 0.5..<900, using: &random)
            uptime += seconds
            // Somebody sets the clock now and then; no alert may depend on it.
            now = now + seconds + (chance(0.02) ? Double.random(in: -90_000..<90_000, using: &random) : 0)
            if chance(0.3) { change() }
            if chance(0.15) { adhan() }
            if chance(0.03) { restart() }
            update()
            deliver(isReachable: !chance(0.4))
            beat()
        }
        // All is well at last: everything ends, and everything arrives.
        (truth, isUp) = ([], true)
        adhans += 1
        outcomes.append(.init(id: "asr_\(adhans)", prayer: "asr", at: now, outcome: .played))
        update()
        for _ in 0..<200 where queue.count > 0 {
            uptime += 1800
            deliver(isReachable: true)
        }
        check()
    }

    private mutating func change() {
        let kinds = AlertKind.allCases.filter { $0 != .missed && $0 != .failed && $0 != .daemon }
        guard let kind = kinds.randomElement(using: &random) else { return }
        if chance(0.2) { isUp.toggle() }
        if truth.remove(kind) == nil { truth.insert(kind) }
    }

    private mutating func adhan() {
        adhans += 1
        let outcome: Outcome = chance(0.7) ? .played : chance(0.5) ? .failed : .missed
        outcomes.append(.init(id: "asr_\(adhans)", prayer: "asr", at: now, outcome: outcome))
        switch outcome {
        case .failed: truth.insert(.failed)
        case .missed: truth.insert(.missed)
        default: truth.subtract([.failed, .missed])
        }
    }

    private mutating func update() {
        var conditions = truth.map { kind in
            AlertCondition(
                kind, since: outcomes.last { $0.outcome.rawValue == kind.rawValue }?.at,
                text: "\(kind.rawValue) is wrong")
        }
        if !isUp {
            conditions = conditions.filter { !$0.kind.isAdhands } + [.init(.daemon, text: "no answer")]
        }
        let facts = AlertFacts(
            conditions, isAdhandKnown: isUp, outcomes: isUp ? outcomes : [], zone: .utc)
        let messages = book.update(facts, at: now, uptime: uptime)
        for message in messages { note(message) }
        queue.add(messages, to: [destination])
        disk.queue = queue
        // Killed between its two files.
        if chance(0.02) { return restart() }
        disk.open = book
        // Everything that is open is wrong, and everything that is wrong is open as soon as it has lasted.
        for slot in book.open.keys where isUp && !slot.isTest && !truth.contains(slot.kind) {
            broken = "\(slot.kind) is open and not wrong"
        }
        for kind in truth where isUp && kind.isAdhands && book.settings.afterSeconds(kind) == 0 {
            if book.open[.init(kind: kind, isTest: false)] == nil { broken = "\(kind) is wrong and not open" }
        }
    }

    private mutating func note(_ message: AlertMessage) {
        made[message.key, default: []].append(message.phase)
        let phases = made[message.key] ?? []
        if phases != [.begin], phases != [.begin, .end] { broken = "\(message.key) was sent as \(phases)" }
    }

    /// Killed at any point: what was made is on disk, and what the disk has is taken up.
    private mutating func restart() {
        let name = book.name
        book = AlertBook(box: "b", name: name)
        book.settings.repeatSeconds = 0
        do {
            try book.restore(try disk.open.fileBytes(), at: now, uptime: uptime)
        } catch {
            broken = "what is open cannot be read: \(error)"
        }
        queue = DeliveryQueue(fileBytes: disk.queue.fileBytes())
        if book.restore(queued: queue.items.map(\.message), at: now, uptime: uptime) { disk.open = book }
        beats = HeartbeatClock(everySeconds: 60, at: uptime)
    }

    private mutating func deliver(isReachable: Bool) {
        while let item = queue.next(for: "phone", at: uptime) {
            guard isReachable else {
                _ = queue.tried(item, .failed, at: uptime)
                break
            }
            received.append(item.message)
            // The answer may be lost on its way; then it comes a second time, with the same key.
            if chance(0.02) { break }
            _ = queue.tried(item, .delivered, at: uptime)
        }
        disk.queue = queue
    }

    private mutating func beat() {
        guard beats.waitSeconds(at: uptime) == 0 else { return }
        let problems = truth.filter(\.isAdhands).map {
            Documents.problem(StatusProblem.Kind(rawValue: $0.rawValue) ?? .unknown)
        }
        guard let status = try? Documents.status(problems: problems) else { return }
        let verdict = HeartbeatRule.verdict(isUp ? status : nil, after: 0.1, isWrong: book.isWrong)
        let isWrong = !isUp || truth.contains { $0.isAdhands && $0.severity == .problem }
        if beats.act(on: verdict, at: uptime) == .beat, isWrong {
            broken = "a beat while adhand is wrong: \(truth)"
        }
    }

    private mutating func check() {
        guard broken == nil else { return }
        let lost = made.filter { $0.value != [.begin, .end] }.keys.sorted()
        if let key = lost.first { broken = "\(key) has no end" }
        var order: [String: [AlertMessage.Phase]] = [:]
        var known: Set<String> = []
        for message in received where known.insert(message.idempotencyKey).inserted {
            order[message.key, default: []].append(message.phase)
        }
        guard queue.dropped == 0 else { return }
        for key in made.keys where order[key] != [.begin, .end] {
            broken = "\(key) arrived as \(order[key] ?? [])"
        }
    }
}

@Suite("The bridge in a hostile house")
struct BridgeSimulatorTests {
    @Test(
        "One begin, one end, in order, in houses where everything fails; no beat while adhand is wrong; nothing open that is not wrong"
    )
    func houses() {
        for seed in 0..<RandomCases.count(2000) {
            var house = House(seed: UInt64(seed))
            house.live()
            guard let broken = house.broken else { continue }
            Issue.record("seed \(seed): \(broken)")
            return
        }
    }
}
