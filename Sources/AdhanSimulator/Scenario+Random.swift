import PrayerEngine
import Protocol
import Texts

/// What a seed comes to.
extension Scenario {
    package init(seed: UInt64, days: Int) {
        var dice = Dice(seed: seed)
        self.seed = seed
        self.days = days
        site = Int.random(in: 0..<Setting.sites.count, using: &dice)
        configuration = Int.random(in: 0..<Setting.configurations.count, using: &dice)
        epoch = Self.epoch(&dice)
        clockless = dice.chance(0.15) ? Self.clockless(&dice) : nil
        synchronized = clockless == nil && dice.chance(0.7)
        // From a calm box to one that something happens to several times a day.
        let count = Int(dice.logUniform(5 + Double(days) / 10, 50 + 3 * Double(days)))
        var faults: [Fault] = []
        while faults.count < count {
            faults += Self.burst(from: Double.random(in: 0..<Double(days) * 86_400, using: &dice), &dice)
        }
        self.faults = faults.sorted { $0.at < $1.at }
    }

    /// Faults like company: from a single one to a bad night.
    private static func burst(from start: Double, _ dice: inout Dice) -> [Fault] {
        var faults: [Fault] = []
        var at = start
        for _ in 0..<Int(dice.logUniform(1, 16)) {
            let aim = dice.chance(0.6) ? aim(&dice) : nil
            let kind = kind(&dice)
            faults.append(Fault(at: at, aim: aim, kind: kind))
            if case .step(let size) = kind, abs(size) > 3600, dice.chance(0.8) {
                faults.append(Fault(at: at + dice.logUniform(1, 2 * 86_400), aim: nil, kind: .corrected))
            }
            at += dice.chance(0.5) ? dice.logUniform(0.001, 60) : dice.logUniform(60, 4 * 3600)
        }
        return faults
    }

    /// Any day of three years, and more often one on which something is odd.
    private static func epoch(_ dice: inout Dice) -> Double {
        let ordinary = 1_767_312_000 + Double.random(in: 0..<3 * 365 * 86_400, using: &dice)
        guard dice.chance(0.4) else { return ordinary }
        return dice.pick(Setting.oddDays) - Double.random(in: 0..<1.5 * 86_400, using: &dice)
    }

    private static func clockless(_ dice: inout Dice) -> Clockless {
        // 1970, and what image builders leave behind.
        let shows = dice.pick([0.0, 946_684_800, 1_577_836_800, 1_740_000_000])
        return Clockless(
            shows: shows + dice.logUniform(1, 100), correctedAfter: dice.logUniform(1, 2 * 86_400))
    }

    /// In the time between cue and the end of a short adhan, or during its preflight.
    private static func aim(_ dice: inout Dice) -> Double {
        switch Int.random(in: 0..<4, using: &dice) {
        case 0: Double.random(in: -11 ..< -3, using: &dice)
        case 1: Double.random(in: -3..<0, using: &dice)
        case 2: dice.pick([-300, -299.9, -10, -3, -0.3, -0.001, 0, 0.001])
        default: dice.logUniform(0.001, 60)
        }
    }

    /// How long the program is away: as long as a restart takes, or longer.
    private static func away(_ dice: inout Dice) -> Double {
        dice.chance(0.5) ? dice.logUniform(0.1, 15) : dice.logUniform(1, 2 * 86_400)
    }

    private static func kind(_ dice: inout Dice) -> Kind {
        let sign = dice.chance(0.5) ? 1.0 : -1
        switch Int.random(in: 0..<27, using: &dice) {
        case 0: return .step(sign * dice.logUniform(0.5, 3599))
        case 1: return .step(sign * dice.logUniform(3600, 10 * 365.25 * 86_400))
        case 2: return .drift(dice.chance(0.3) ? 0 : sign * dice.logUniform(1e-6, 1e-3))
        case 3: return .suspend(dice.logUniform(0.1, 40 * 86_400))
        case 4: return .suspend(dice.logUniform(1, 300))
        case 5, 6, 7: return .crash(afterEffects: effects(&dice), away: away(&dice))
        case 8, 9: return loss(&dice)
        case 10: return .terminate(away: away(&dice))
        case 11: return .diskFails(dice.logUniform(1, 2 * 86_400))
        case 12: return .corrected
        case 13, 14: return .device(dice.pick(DeviceFault.allCases))
        case 15: return .preflight(dice.pick(PreflightFinding.allCases))
        case 16:
            guard dice.chance(0.8) else { return .reloadRejected }
            return .reload(configuration: Int.random(in: 0..<Setting.configurations.count, using: &dice))
        case 17:
            return dice.chance(0.3)
                ? .zone(site: Int.random(in: 0..<Setting.sites.count, using: &dice))
                : .synchronized(dice.chance(0.7))
        case 18:
            return .clockAhead(
                by: dice.logUniform(60, 10 * 365.25 * 86_400), lasts: dice.logUniform(1, 2 * 86_400),
                away: away(&dice))
        default: return dice.chance(0.03) ? .hangUp : .ask(request(&dice))
        }
    }

    /// Mostly within the event at hand, now and then some events later: there is no point between two effects at which a
    /// program may not die.
    private static func effects(_ dice: inout Dice) -> Int {
        Int(dice.logUniform(1, 100)) - 1
    }

    private static func loss(_ dice: inout Dice) -> Kind {
        switch Int.random(in: 0..<10, using: &dice) {
        case 0: return .stateRuined(away: away(&dice))
        case 1: return .stateTorn(kept: Double.random(in: 0..<1, using: &dice), away: away(&dice))
        case 2: return .historyTorn(away: away(&dice))
        default:
            let clockless = dice.chance(0.4) ? clockless(&dice) : nil
            return .powerLoss(
                afterEffects: effects(&dice), away: dice.logUniform(3, 3 * 86_400), clockless: clockless)
        }
    }

    private static func request(_ dice: inout Dice) -> ControlRequest {
        let prayer = dice.pick(Prayer.allCases).rawValue
        switch Int.random(in: 0..<17, using: &dice) {
        case 15: return decision(prayer, &dice)
        case 16: return dice.chance(0.5) ? .getAgenda(from: "2026-11-20", days: 2) : decision(prayer, &dice)
        case 0: return .mute(MuteParameters(duration: dice.pick(["5s", "10m", "2h", "20h"])))
        case 1: return .mute(MuteParameters(until: dice.pick(["14:00", "02:30", prayer, prayer])))
        case 2: return .mute(MuteParameters(next: true))
        case 3: return .mute(MuteParameters())
        case 4, 5, 6: return .unmute
        case 7: return .disablePrayers([prayer])
        case 8, 9: return .enablePrayers([prayer])
        case 10: return .trigger(prayer: prayer, delay: dice.pick(["0s", "1s", "5s", "20s", "2h"]))
        case 11:
            return dice.chance(0.5)
                ? .testPlay(prayer: prayer, seconds: dice.chance(0.5) ? 2 : nil)
                : .playSound(name: "dua", prayer: nil)
        case 12: return dice.pick([.getStatus, .getTimers, .getTimes(date: nil, days: 2), .getLog(limit: 9)])
        case 13: return .reload()
        default: return .stop
        }
    }

    /// What a mosque decides by hand: possible mostly, and refused otherwise.
    private static func decision(_ prayer: String, _ dice: inout Dice) -> ControlRequest {
        let day = dice.pick(["+0", "+1", "+2"])
        let month = "144\(Int.random(in: 7...9, using: &dice))-\(dice.pick(["08", "09", "10", "12"]))"
        switch Int.random(in: 0..<10, using: &dice) {
        case 0, 1:
            return .setException(
                ExceptionParameters(
                    date: day, prayer: dice.chance(0.6) ? "dhuhr" : "jumua", adhan: "12:40",
                    iqama: dice.chance(0.5) ? "12:55" : nil))
        case 2:
            return .setException(ExceptionParameters(date: day, prayer: "dhuhr", adhan: nil, iqama: "13:20"))
        case 3: return .removeException(ExceptionNameParameters(date: day, prayer: prayer))
        case 4: return .hijriSighted(date: dice.chance(0.5) ? nil : day)
        case 5: return .hijriComplete(date: nil)
        case 6, 7:
            return .skipPrayers(SkipParameters(prayers: [prayer], date: dice.chance(0.5) ? nil : day))
        case 8:
            return .unskipPrayers(SkipParameters(prayers: [prayer], date: dice.chance(0.7) ? nil : day))
        default: return .removeHijriPin(month: month)
        }
    }
}
