import PrayerEngine
import Protocol
import Texts

@testable import ScreenPlan

/// The expected screen at one instant, computed again for that instant: no list of scenes, no code of the schedule. Its
/// figures are its own, so that a default that is changed is noticed.
struct ScheduleChecker {
    let occasions: [Occasion]

    private static let order = [
        "adhan", "iqama", "prayer", "khutba", "to-iqama", "dua", "approaching", "adhkar", "night", "home",
    ]

    struct Verdict: Equatable {
        let scene: String
        /// Several where congregations came to the same scene in the same second: either may be shown.
        let prayers: Set<Prayer?>
    }

    private struct Phase {
        let scene: String
        let prayer: Prayer?
        let from: Double
        let until: Double
    }

    func verdict(at instant: Instant) -> Verdict {
        let now = instant.unixSeconds
        let due = phases.filter { $0.from <= now && now < $0.until }
        let best = due.min { a, b in
            let (i, j) = (Self.order.firstIndex(of: a.scene), Self.order.firstIndex(of: b.scene))
            return i == j ? b.from < a.from : (i ?? 99) < (j ?? 99)
        }
        guard let best else { return Verdict(scene: "home", prayers: [nil]) }
        let equals = due.filter { $0.scene == best.scene && $0.from == best.from }
        return Verdict(scene: best.scene, prayers: Set(equals.map(\.prayer)))
    }

    /// Every instant at which something begins or ends.
    var edges: [Double] { Set(phases.flatMap { [$0.from, $0.until] }).sorted() }

    private let phases: [Phase]

    init(_ occasions: [Occasion]) {
        self.occasions = occasions
        var phases: [Phase] = []
        var ishas: [(at: Double, over: Double)] = []
        for prayer in Prayer.allCases {
            for date in Set(occasions.map(\.date)) {
                for slot in 1...3 {
                    let mine = occasions.filter {
                        $0.prayer == prayer && $0.date == date && $0.slot == slot
                    }
                    let adhan = mine.first { $0.kind == .adhan }?.at.unixSeconds
                    let khutba = mine.first { $0.kind == .khutba }?.at.unixSeconds
                    let iqama = mine.first { $0.kind == .iqama }?.at.unixSeconds
                    guard let first = adhan ?? khutba ?? iqama else { continue }
                    var free = first
                    func phase(_ scene: String, _ from: Double, _ until: Double) {
                        phases.append(Phase(scene: scene, prayer: prayer, from: from, until: until))
                    }
                    if adhan ?? khutba != nil { phase("approaching", first - 300, first) }
                    if let adhan {
                        phase("adhan", adhan, adhan + 180)
                        free = adhan + 180
                        let awaited = min(khutba ?? .infinity, iqama ?? .infinity)
                        if max(awaited, free) - free >= 150 {
                            phase("dua", free, free + 90)
                            free += 90
                        }
                    }
                    if let khutba {
                        let begins = max(khutba, adhan.map { $0 + 180 } ?? khutba)
                        let ends = iqama.map { max($0, begins) } ?? begins + 1800
                        phase("khutba", begins, ends)
                        free = max(free, ends)
                    } else if let iqama {
                        let late = max(iqama, adhan.map { $0 + 180 } ?? iqama)
                        phase("to-iqama", adhan == nil ? late - 300 : free, late)
                        free = late
                    }
                    let began = free
                    if iqama != nil {
                        phase("iqama", free, free + 30)
                        free += 30
                    }
                    phase("prayer", free, began + 600)
                    phase("adhkar", began + 600, began + 900)
                    if prayer == .isha { ishas.append((first, began + 900)) }
                }
            }
        }
        let fajrs = occasions.filter { $0.prayer == .fajr && $0.kind == .adhan }.map(\.at.unixSeconds)
        for isha in ishas {
            guard let fajr = fajrs.filter({ isha.at < $0 }).min() else { continue }
            let tonight = occasions.filter { isha.at < $0.at.unixSeconds && $0.at.unixSeconds < fajr }
            let tarawih = tonight.filter { $0.kind == .tarawih }.map(\.at.unixSeconds).max()
            let wake = tonight.filter { [.wake, .imsak, .qiyam].contains($0.kind) }.map(\.at.unixSeconds)
                .min()
            let from = max((tarawih ?? isha.at) + 5400, isha.over)
            phases.append(
                Phase(
                    scene: "night", prayer: nil, from: from, until: min(fajr - 2700, wake ?? .infinity)))
        }
        for eid in occasions.filter({ $0.kind == .eid }).map(\.at.unixSeconds) {
            phases.append(Phase(scene: "approaching", prayer: nil, from: eid - 300, until: eid))
            phases.append(Phase(scene: "prayer", prayer: nil, from: eid, until: eid + 900))
            phases.append(Phase(scene: "khutba", prayer: nil, from: eid + 900, until: eid + 2700))
        }
        self.phases = phases
    }
}
