import Envelope
import FleetPlan
import PrayerEngine
import SeededRandom

/// A fleet that experiences days of faults, with a watcher, an Alertmanager that pages people, and an oracle that knows the
/// truth.
package struct FleetWorld {
    package struct Report: Sendable {
        package var adhans = 0
        package var silent = 0
        package var pages: [String: Int] = [:]
        package var outages = 0
        package var masses = 0
        /// The first violation; `nil` if there was none.
        package var violation: String?
    }

    static let epoch = 1_798_761_600.0
    static func wall(_ at: Double) -> Instant { Instant(unixSeconds: epoch + at) }
    static func moment(_ at: Double) -> Timestamp { Timestamp(wall: wall(at), uptime: at + 1000) }
    static let stepSeconds = 10.0

    /// An outage of many boxes at the same time.
    struct MassOutage {
        let from: Double
        var to: Double
        let count: Int
    }

    var random: SplitMix64
    private let days: Int
    var now = 0.0
    var boxes: [SimulatedBox] = []
    var index: [String: Int] = [:]
    var watch: FleetWatch?
    var retained: [String: [ReportTopic: ReceivedReport]] = [:]
    var isBrokerUp = true
    var brokerUpAt: Double?
    var watchUpAt: Double?
    var watchConnectAt: Double?
    var watchBeganAt = 0.0
    /// The end of the time in which a page may be late, because broker or watcher were away shortly before.
    var disturbedUntil = 0.0
    var disturbances: [(from: Double, to: Double)] = []
    var massOutage: MassOutage?
    var massOutages: [MassOutage] = []
    /// The alarms of Alertmanager by identity, with the time of their last post.
    var active: [AlertIdentity: Double] = [:]
    var paged: [AlertIdentity: [Double]] = [:]
    var silences: [(number: Int, id: String, due: Double)] = []
    var report = Report()
    let isCalm: Bool

    /// - Parameter isCalm: whether mass outages, restarts and broker outages are left out, so that only silent boxes remain.
    package init(seed: UInt64, boxes count: Int, days: Int, isCalm: Bool = false) {
        random = SplitMix64(seed: seed)
        self.days = days
        self.isCalm = isCalm
        let towns = (0..<Int.random(in: 1...5, using: &random)).map { _ in
            Double.random(in: 0..<3600, using: &random).rounded()
        }
        for number in 0..<count {
            let beatSeconds = Double.random(in: 0..<1, using: &random) < 0.9 ? 60.0 : 600
            var box = SimulatedBox(
                name: "b\(number)", beatSeconds: beatSeconds,
                townSeconds: towns.randomElement(using: &random) ?? 0,
                phase: Double.random(in: 0..<beatSeconds, using: &random))
            box.connectAt = Double.random(in: 0..<30, using: &random)
            index[box.name] = number
            boxes.append(box)
        }
        watchUpAt = 5
    }

    mutating func chance(_ share: Double) -> Bool { Double.random(in: 0..<1, using: &random) < share }
    mutating func some(_ range: Range<Double>) -> Double { Double.random(in: range, using: &random) }

    package mutating func run() -> Report {
        let end = Double(days) * 86_400
        while now < end, report.violation == nil {
            if now.truncatingRemainder(dividingBy: 60) == 0 { breakSomething() }
            moveServers()
            for number in boxes.indices where boxes[number].wakeAt < now + Self.stepSeconds { step(number) }
            now += Self.stepSeconds
            update()
        }
        if report.violation == nil { checkOutages() }
        return report
    }

    mutating func fail(_ sentence: String) {
        if report.violation == nil { report.violation = "at \(Int(now)) s: \(sentence)" }
    }
}
