import Announcements
import PrayerEngine
import Protocol
import Texts

/// Derives a scenario from a seed.
extension Scenario {
    package init(seed: UInt64, days: Int) {
        var random = Random(seed: seed)
        self.seed = seed
        self.days = days
        site = Int.random(in: 0..<ScenarioChoices.sites.count, using: &random)
        configuration = Int.random(in: 0..<ScenarioChoices.configurations.count, using: &random)
        epoch = Self.epoch(&random)
        clockless = random.chance(0.15) ? Self.clockless(&random) : nil
        synchronized = clockless == nil && random.chance(0.7)
        // From a calm box to a box with several faults a day.
        let count = Int(random.logUniform(5 + Double(days) / 10, 50 + 3 * Double(days)))
        var faults: [Fault] = []
        while faults.count < count {
            faults += Self.burst(from: Double.random(in: 0..<Double(days) * 86_400, using: &random), &random)
        }
        switch seed % 10 {
        case 3: faults += Self.upgrades(days: days, &random)
        case 7: faults += Self.setBackInFailures(days: days, &random)
        default: break
        }
        self.faults = faults.sorted { $0.at < $1.at }
    }

    /// One box of ten is stopped about once a day while a sound may be playing. It is away for about as long as a sound can still
    /// be resumed.
    private static func upgrades(days: Int, _ random: inout Random) -> [Fault] {
        (0..<days + 3).map { _ in
            Fault(
                at: Double.random(in: 0..<Double(days) * 86_400, using: &random),
                aim: Double.random(in: 1..<8, using: &random),
                kind: .terminate(awaySeconds: Double.random(in: 2..<22, using: &random)))
        }
    }

    /// About once a day, a clock turns out to be ahead during a call: it is set back before the device reports that it cannot
    /// play. In half of the cases the program is restarted while the sound is audible.
    private static func setBackInFailures(days: Int, _ random: inout Random) -> [Fault] {
        (0..<days).flatMap { day in
            let at = (Double(day) + Double.random(in: 0..<1, using: &random)) * 86_400
            let (isAgain, away) = (random.chance(0.5), random.logUniform(0.5, 5))
            let endAim = Double.random(in: 0.5..<10, using: &random)
            // The device fails before the program is back, or before the sound is prepared.
            let (failAim, from) = isAgain ? (endAim + 0.1, endAim + away) : (-12, 0)
            let again =
                isAgain
                ? [Fault(at: at, aim: endAim, kind: .crash(afterEffects: 0, awaySeconds: away))] : []
            return again + [
                Fault(at: at, aim: failAim, kind: .device(.fails)),
                Fault(
                    at: at, aim: from + Double.random(in: 0.1..<2.5, using: &random),
                    kind: .step(-random.logUniform(80, 40_000))),
                Fault(at: at + random.logUniform(1, 86_400), aim: nil, kind: .corrected),
            ]
        }
    }

    /// A cluster of faults, from a single one to a night full of them.
    private static func burst(from start: Double, _ random: inout Random) -> [Fault] {
        var faults: [Fault] = []
        var at = start
        for _ in 0..<Int(random.logUniform(1, 16)) {
            let aim = random.chance(0.6) ? aim(&random) : nil
            let kind = kind(&random)
            faults.append(Fault(at: at, aim: aim, kind: kind))
            if case .step(let size) = kind, abs(size) > 3600, random.chance(0.8) {
                faults.append(Fault(at: at + random.logUniform(1, 2 * 86_400), aim: nil, kind: .corrected))
            }
            at += random.chance(0.5) ? random.logUniform(0.001, 60) : random.logUniform(60, 4 * 3600)
        }
        return faults
    }

    /// Any day of three years, and more often a special one.
    private static func epoch(_ random: inout Random) -> Double {
        let ordinary = 1_767_312_000 + Double.random(in: 0..<3 * 365 * 86_400, using: &random)
        guard random.chance(0.4) else { return ordinary }
        return random.pick(ScenarioChoices.oddDays) - Double.random(in: 0..<1.5 * 86_400, using: &random)
    }

    private static func clockless(_ random: inout Random) -> Clockless {
        // 1970, and the dates that image builders leave behind.
        let shows = random.pick([0.0, 946_684_800, 1_577_836_800, 1_740_000_000])
        return Clockless(
            shows: shows + random.logUniform(1, 100), correctedAfterSeconds: random.logUniform(1, 2 * 86_400))
    }

    /// A moment between cue and the end of a short adhan, or during its preflight.
    private static func aim(_ random: inout Random) -> Double {
        switch Int.random(in: 0..<4, using: &random) {
        case 0: Double.random(in: -11 ..< -3, using: &random)
        case 1: Double.random(in: -3..<0, using: &random)
        case 2: random.pick([-300, -299.9, -10, -3, -0.3, -0.001, 0, 0.001])
        default: random.logUniform(0.001, 60)
        }
    }

    /// Seconds for which the program is away: as long as a restart takes, or longer.
    private static func awaySeconds(_ random: inout Random) -> Double {
        random.chance(0.5) ? random.logUniform(0.1, 15) : random.logUniform(1, 2 * 86_400)
    }

    private static func kind(_ random: inout Random) -> Kind {
        let sign = random.chance(0.5) ? 1.0 : -1
        switch Int.random(in: 0..<27, using: &random) {
        case 0: return .step(sign * random.logUniform(0.5, 3599))
        case 1: return .step(sign * random.logUniform(3600, 10 * 365.25 * 86_400))
        case 2: return .drift(random.chance(0.3) ? 0 : sign * random.logUniform(1e-6, 1e-3))
        case 3: return .suspend(random.logUniform(0.1, 40 * 86_400))
        case 4: return .suspend(random.logUniform(1, 300))
        case 5, 6, 7: return .crash(afterEffects: effects(&random), awaySeconds: awaySeconds(&random))
        case 8, 9: return loss(&random)
        case 10: return .terminate(awaySeconds: awaySeconds(&random))
        case 11: return .diskFails(random.logUniform(1, 2 * 86_400))
        case 12: return .corrected
        case 13, 14: return .device(random.pick(DeviceFault.allCases))
        case 15: return .preflight(random.pick(PreflightFinding.allCases))
        case 16:
            guard random.chance(0.8) else { return .reloadRejected }
            return .reload(
                configuration: Int.random(in: 0..<ScenarioChoices.configurations.count, using: &random))
        case 17:
            return random.chance(0.3)
                ? .zone(site: Int.random(in: 0..<ScenarioChoices.sites.count, using: &random))
                : .synchronized(random.chance(0.7))
        case 18:
            return .clockAhead(
                by: random.logUniform(60, 10 * 365.25 * 86_400), lasts: random.logUniform(1, 2 * 86_400),
                awaySeconds: awaySeconds(&random))
        default: return random.chance(0.03) ? .hangUp : .ask(request(&random))
        }
    }

    /// Mostly within the present event, sometimes some events later: the program may die between any two effects.
    private static func effects(_ random: inout Random) -> Int {
        Int(random.logUniform(1, 100)) - 1
    }

    private static func loss(_ random: inout Random) -> Kind {
        switch Int.random(in: 0..<10, using: &random) {
        case 0: return .stateRuined(awaySeconds: awaySeconds(&random))
        case 1:
            return .stateTorn(
                kept: Double.random(in: 0..<1, using: &random), awaySeconds: awaySeconds(&random))
        case 2: return .historyTorn(awaySeconds: awaySeconds(&random))
        default:
            let clockless = random.chance(0.4) ? clockless(&random) : nil
            return .powerLoss(
                afterEffects: effects(&random), awaySeconds: random.logUniform(3, 3 * 86_400),
                clockless: clockless)
        }
    }

    private static func request(_ random: inout Random) -> ControlRequest {
        let prayer = random.pick(Prayer.allCases).rawValue
        switch Int.random(in: 0..<22, using: &random) {
        case 20, 21: return .applyEnvelope(random.chance(0.3) ? again : "")
        case 17, 18, 19: return ScenarioChoices.request(&random)
        case 15: return decision(prayer, &random)
        case 16:
            return random.chance(0.5) ? .getAgenda(from: "2026-11-20", days: 2) : decision(prayer, &random)
        case 0: return .mute(MuteParameters(duration: random.pick(["5s", "10m", "2h", "20h"])))
        case 1: return .mute(MuteParameters(until: random.pick(["14:00", "02:30", prayer, prayer])))
        case 2: return .mute(MuteParameters(next: true))
        case 3: return .mute(MuteParameters())
        case 4, 5, 6: return .unmute
        case 7: return .disablePrayers([prayer])
        case 8, 9: return .enablePrayers([prayer])
        case 10: return .trigger(prayer: prayer, delay: random.pick(["0s", "1s", "5s", "20s", "2h"]))
        case 11:
            return random.chance(0.5)
                ? .testPlay(
                    prayer: prayer, seconds: random.chance(0.5) ? 2 : nil, despiteQuiet: random.chance(0.2))
                : random.pick([
                    .playSound(name: "dua", prayer: nil),
                    .testDevice(TestDeviceParameters(device: "hdmi", volume: 30)),
                ])
        case 12:
            return random.pick([.getStatus, .getTimers, .getTimes(date: nil, days: 2), .getLog(limit: 9)])
        case 13: return .reload()
        default: return .stop
        }
    }

    /// The mark for an envelope that was delivered before.
    static let again = "again"

    /// Decisions of a mosque that are set by hand: most are possible, and the others are refused.
    private static func decision(_ prayer: String, _ random: inout Random) -> ControlRequest {
        let day = random.pick(["+0", "+1", "+2"])
        let month = "144\(Int.random(in: 7...9, using: &random))-\(random.pick(["08", "09", "10", "12"]))"
        switch Int.random(in: 0..<10, using: &random) {
        case 0, 1:
            return .setException(
                ExceptionParameters(
                    date: day, prayer: random.chance(0.6) ? "dhuhr" : "jumua", adhan: "12:40",
                    iqama: random.chance(0.5) ? "12:55" : nil))
        case 2:
            return .setException(ExceptionParameters(date: day, prayer: "dhuhr", adhan: nil, iqama: "13:20"))
        case 3: return .removeException(ExceptionNameParameters(date: day, prayer: prayer))
        case 4: return .hijriSighted(date: random.chance(0.5) ? nil : day)
        case 5: return .hijriComplete(date: nil)
        case 6, 7:
            return .skipPrayers(SkipParameters(prayers: [prayer], date: random.chance(0.5) ? nil : day))
        case 8:
            return .unskipPrayers(SkipParameters(prayers: [prayer], date: random.chance(0.7) ? nil : day))
        default: return .removeHijriPin(month: month)
        }
    }
}
