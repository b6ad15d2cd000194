import Envelope
import FleetPlan
import PrayerEngine
import SeededRandom
import Texts

/// One box with its adhans and its line, by a clock in seconds.
struct SimulatedBox {
    /// The real end of an adhan.
    enum Truth: Equatable {
        case heard, wanted
        /// The box is reachable but reports nothing about it.
        case silent
        case failed(ReceivedReport.Adhan.State, byDevice: Bool)
        /// The box had no power.
        case missed
    }

    struct Outage {
        let from: Double
        var to: Double
        let isPower: Bool
        let isMass: Bool
        /// The instants of adhans that were due during the outage.
        var dues: [Double] = []
    }

    static let prayers: [Prayer] = [.fajr, .dhuhr, .asr, .maghrib, .isha]
    private static let hours = [5.5, 12.2, 15.5, 18, 19.7]
    /// The broker notices a dead connection after one and a half keepalives, and delays the will by 30 s.
    static let willSeconds = 120.0

    let name: String
    let beatSeconds: Double
    /// Seconds by which the times in its town are later.
    let townSeconds: Double
    let boot: String

    var outage: Outage?
    var isConnected = false
    var connectAt: Double?
    var willAt: Double?
    var beatAt: Double
    var proofAt: Double?
    /// The next adhan: the day, and its index in the day.
    var next = (day: 0, index: 0)
    /// The outcome that has yet to be reported.
    var ending: (at: Double, adhan: ReceivedReport.Adhan)?
    var playing: (at: Double, adhan: ReceivedReport.Adhan)?
    var backlog: [ReceivedReport.Adhan] = []
    var latest: [Prayer: ReceivedReport.Adhan] = [:]
    var truth: [String: (truth: Truth, due: Double)] = [:]
    var outages: [Outage] = []
    var connectedSince: Double?

    init(name: String, beatSeconds: Double, townSeconds: Double, phase: Double) {
        (self.name, self.beatSeconds, self.townSeconds, beatAt) = (name, beatSeconds, townSeconds, phase)
        boot = "boot-\(name)"
    }

    func due(_ next: (day: Int, index: Int)) -> Double {
        Double(next.day) * 86_400 + Self.hours[next.index] * 3600 + townSeconds + Double(next.day) * 31
    }

    func id(_ next: (day: Int, index: Int)) -> String {
        "\(Self.prayers[next.index].rawValue)_\(20_270_000 + next.day)"
    }

    static func after(_ next: (day: Int, index: Int)) -> (day: Int, index: Int) {
        next.index == prayers.count - 1 ? (next.day + 1, 0) : (next.day, next.index + 1)
    }

    /// The next moment at which this box has something to do.
    var wakeAt: Double {
        var at = due(next)
        if let connectAt { at = min(at, connectAt) }
        if let willAt { at = min(at, willAt) }
        if isConnected { at = min(at, beatAt) }
        if let proofAt { at = min(at, proofAt) }
        if let playing { at = min(at, playing.at) }
        if let ending { at = min(at, ending.at) }
        if let outage { at = min(at, outage.to) }
        return at
    }

    func plan(at now: Double) -> ReceivedReport {
        var entries: [ReceivedReport.Entry] = []
        var entry = next
        while due(entry) < now + 7 * 86_400 {
            if due(entry) >= now {
                entries.append(
                    .init(id: id(entry), prayer: Self.prayers[entry.index], due: FleetWorld.wall(due(entry))))
            }
            entry = Self.after(entry)
        }
        return .plan(
            .init(made: FleetWorld.wall(now), until: FleetWorld.wall(now + 7 * 86_400), entries: entries))
    }

    func status(isOnline: Bool, at now: Double) -> ReceivedReport {
        .status(
            .init(
                isOnline: isOnline, at: FleetWorld.wall(now), boot: boot, version: "1", image: nil,
                hardware: "hw-\(name)", isAdhandUp: true, beatSeconds: beatSeconds, groups: []))
    }

    func adhan(
        _ next: (day: Int, index: Int), _ state: ReceivedReport.Adhan.State, byDevice: Bool = false,
        at: Double
    ) -> ReceivedReport.Adhan {
        .init(
            id: id(next), prayer: Self.prayers[next.index], due: FleetWorld.wall(due(next)), state: state,
            at: FleetWorld.wall(at), reason: nil, isDeviceAtFault: byDevice)
    }
}
