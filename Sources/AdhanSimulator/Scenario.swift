import AdhanCore
import PrayerEngine

/// A stretch of one box's life, and everything that goes wrong in it. It follows from its seed; taking faults away from
/// it leaves the others as they are, which is how a failing one is made small.
package struct Scenario: Sendable {
    package let seed: UInt64
    package let days: Int
    let site: Int
    let configuration: Int
    package var faults: [Fault]

    package struct Fault: Sendable {
        /// Seconds of true time after the beginning.
        let at: Double
        let kind: Kind
    }

    enum Kind: Sendable {
        /// The wall clock is set.
        case step(Double)
        /// The wall clock runs wrong from now on, by this many seconds a second.
        case drift(Double)
        case suspend(Double)
        /// The program dies after this many effects of the next event that has any, and is back after a time.
        case crash(afterEffects: Int, away: Double)
        /// The disk refuses writes for a time.
        case diskFails(Double)
        /// The write that is under way at the next crash is torn: the disk keeps what it had.
        case device(DeviceFault)
        case reload(configuration: Int)
        case zone(site: Int)
        case ask(ControlRequest)
        case synchronized(Bool)

        /// For the figures: how many of each were injected.
        var name: String {
            switch self {
            case .step: "clock step"
            case .drift: "clock drift"
            case .suspend: "suspend"
            case .crash: "crash"
            case .diskFails: "disk failure"
            case .device: "device fault"
            case .reload: "reload"
            case .zone: "zone change"
            case .ask(.mute): "mute"
            case .ask(.unmute): "unmute"
            case .ask(.enablePrayers), .ask(.disablePrayers): "toggle"
            case .ask(.trigger): "trigger"
            case .ask(.testPlay): "test"
            case .ask(.stop): "stop"
            case .ask: "request"
            case .synchronized: "synchronisation"
            }
        }
    }

    /// What the next sound meets.
    enum DeviceFault: Sendable {
        case fails, substitutes, dropsOut, neverStarts
    }

    package init(seed: UInt64, days: Int) {
        var dice = Dice(seed: seed)
        self.seed = seed
        self.days = days
        site = Int.random(in: 0..<Setting.sites.count, using: &dice)
        configuration = Int.random(in: 0..<Setting.configurations.count, using: &dice)
        var faults: [Fault] = []
        // From a calm box to one that something happens to every half hour.
        let interval = dice.logUniform(1800, 14 * 86_400)
        var at = dice.logUniform(60, interval)
        while at < Double(days) * 86_400 {
            faults.append(Fault(at: at, kind: Self.kind(&dice)))
            // Faults like company: some follow at once.
            at += dice.chance(0.3) ? dice.logUniform(0.001, 60) : dice.logUniform(60, 2 * interval)
        }
        self.faults = faults
    }

    private static func kind(_ dice: inout Dice) -> Kind {
        let sign = dice.chance(0.5) ? 1.0 : -1
        switch Int.random(in: 0..<18, using: &dice) {
        case 0: return .step(sign * dice.logUniform(0.5, 7200))
        case 1: return .step(sign * dice.logUniform(3600, 10 * 365.25 * 86_400))
        case 2: return .drift(dice.chance(0.3) ? 0 : sign * dice.logUniform(1e-6, 1e-3))
        case 3, 4: return .suspend(dice.logUniform(0.1, 3 * 86_400))
        case 5, 6, 7:
            return .crash(
                afterEffects: Int.random(in: 0..<12, using: &dice),
                away: dice.chance(0.5) ? dice.logUniform(0.1, 15) : dice.logUniform(1, 2 * 86_400))
        case 8: return .diskFails(dice.logUniform(1, 2 * 86_400))
        case 9, 10: return .device(dice.pick([.fails, .substitutes, .dropsOut, .neverStarts]))
        case 11: return .reload(configuration: Int.random(in: 0..<Setting.configurations.count, using: &dice))
        case 12:
            return dice.chance(0.3)
                ? .zone(site: Int.random(in: 0..<Setting.sites.count, using: &dice))
                : .synchronized(dice.chance(0.7))
        default: return .ask(request(&dice))
        }
    }

    private static func request(_ dice: inout Dice) -> ControlRequest {
        let prayer = dice.pick(Prayer.allCases).rawValue
        switch Int.random(in: 0..<12, using: &dice) {
        case 0: return .mute(MuteParameters(duration: dice.pick(["5s", "10m", "2h", "20h"])))
        case 1: return .mute(MuteParameters(until: dice.pick(["14:00", "02:30", prayer])))
        case 2: return .mute(MuteParameters(next: true))
        case 3: return .mute(MuteParameters())
        case 4, 5: return .unmute
        case 6: return .disablePrayers([prayer])
        case 7, 8: return .enablePrayers([prayer])
        case 9: return .trigger(prayer: prayer, delay: dice.pick(["0s", "1s", "5s", "20s", "2h"]))
        case 10: return .testPlay(prayer: prayer, seconds: dice.chance(0.5) ? 2 : nil)
        default: return .stop
        }
    }
}
