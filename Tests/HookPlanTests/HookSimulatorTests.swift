import LabSupport
import PrayerEngine
import SeededRandom
import Testing

@testable import HookPlan
@testable import Protocol

/// A house in which adhand, the clock, the file and the commands of relays fail at random. It keeps by itself what is true, and holds
/// the relay and the runs against that.
private struct House {
    var random: SplitMix64
    var world = HookWorld()
    var isFollowed = true
    /// adhand's own: what sounds, and what comes.
    var sounding: String?
    var serial = 0
    var lastReason: Double?
    var fails = 0.0
    var slow: [(at: Double, number: Int, drive: RelayDrive, isOn: Bool)] = []
    var broken: String?
    var switches = 0
    let relay: RelaySettings
    /// A line of a chip, which may be pulled out.
    let isLine: Bool
    var isChipThere = true
    /// Since when nothing has kept the relay from being on.
    var freeSince: Double?
    var heardAt: Double?
    var isInFile = true

    init(seed: UInt64) {
        random = SplitMix64(seed: seed)
        var relay = seed % 2 == 0 ? HookWorld.relay() : HookWorld.line()
        relay.leadSeconds = Double(Int.random(in: 0...60, using: &random))
        relay.lingerSeconds = Double(Int.random(in: 0...90, using: &random))
        self.relay = relay
        isLine = seed % 2 == 1
        world.handle(.configured(config))
        world.handle(.followed)
        fails = seed % 3 == 0 ? 0.4 : 0
        lastReason = world.uptime
    }

    private var config: HookConfig {
        HookWorld.config([HookWorld.hook("h", [.preroll, .started, .finished, .stopped])], [relay])
    }

    private mutating func chance(_ share: Double) -> Bool { Double.random(in: 0..<1, using: &random) < share }

    /// The longest that a relay may be on without adhand saying anything.
    private var limit: Double {
        SoundReasons.silenceSeconds + relay.leadSeconds + SoundReasons.lateSeconds + relay.lingerSeconds
            + RelayDrive.limitSeconds + 5
    }

    private mutating func publish(_ kind: Notice.Kind, _ id: String, _ cause: EndCause? = nil) {
        guard isFollowed else { return }
        lastReason = world.uptime
        let entry = world.entry(kind, id, due: world.now.clock - HookWorld.start, cause: cause)
        // Some tell it twice, with a new connection between.
        for _ in 0...(chance(0.2) ? 1 : 0) {
            handle(.event(entry))
            if chance(0.1) {
                handle(.lost)
                handle(.followed)
            }
        }
    }

    /// Whether adhand has said within its time that something sounds.
    private var isHeard: Bool { sounding != nil && heardAt.map { world.uptime - $0 < 140 } ?? false }

    private mutating func handle(_ input: HookInput) {
        world.handle(input, isAnswered: false)
        for command in world.pending {
            slow.append(
                (
                    world.uptime + Double.random(in: 0...8, using: &random), command.number, command.drive,
                    command.isOn
                ))
        }
        world.pending = []
    }

    private mutating func endCommands() {
        let due = slow.filter { $0.at <= world.uptime }
        slow.removeAll { $0.at <= world.uptime }
        for command in due {
            let isFailing = chance(fails) || !isChipThere
            if !isFailing { world.isOn[command.drive] = command.isOn }
            switches += 1
            handle(.switched(relay: command.number, isOn: command.isOn, failure: isFailing ? "no" : nil))
        }
    }

    private mutating func act() {
        switch Int.random(in: 0..<10, using: &random) {
        case 0 where sounding == nil:
            serial += 1
            sounding = "trigger-\(serial)_asr_\(1_795_516_800 + serial)"
            publish(.prayerCued, sounding ?? "")
            publish(.prayerStarted, sounding ?? "")
            heardAt = isFollowed ? world.uptime : nil
        case 1, 2:
            if let id = sounding {
                sounding = nil
                publish(chance(0.5) ? .prayerFinished : .prayerInterrupted, id, .stop)
            }
        case 3:
            isFollowed.toggle()
            heardAt = nil
            handle(isFollowed ? .followed : .lost)
        case 4: world.stepped += Double.random(in: -4000...4000, using: &random)
        case 5:
            isInFile = !chance(0.3)
            handle(.configured(isInFile ? config : HookWorld.config()))
        case 8 where isLine:
            isChipThere.toggle()
            // Whatever the chip drove is off without it, and when it comes back.
            world.isOn[relay.drive] = false
        case 6 where isFollowed:
            let playback = StatusDocument.Playback(state: sounding == nil ? .idle : .playing, id: sounding)
            let at = world.now.clock - HookWorld.start + Double.random(in: -100...300, using: &random)
            lastReason = world.uptime
            handle(
                .answered(
                    HookWorld.status(playback, at: world.now.clock),
                    [HookWorld.occasion("asr_20261124", in: at)]))
        case 7: handle(.unanswered)
        default:
            for run in world.runs.suffix(10) where chance(0.7) { handle(.ended(run: run.number)) }
        }
    }

    /// Time passes as the program lets it, in steps of which commands end.
    private mutating func pass(_ seconds: Double) {
        let end = world.uptime + seconds
        while world.uptime < end, broken == nil {
            let wait = min(
                world.state.waitSeconds(at: world.now),
                slow.map { max(0.01, $0.at - world.uptime) }.min() ?? 60)
            world.uptime = min(end, world.uptime + max(0.01, wait))
            endCommands()
            handle(.woken)
            check()
        }
    }

    private mutating func check() {
        let isOn = world.isOn[relay.drive] ?? false
        // An agenda that adhand gave holds for the instants in it: the longest is 300 s ahead.
        if isOn, fails == 0, let lastReason, world.uptime - lastReason > limit + 4400 {
            broken = "on for ever"
        }
        if isOn, fails == 0, quietSince.map({ world.uptime - $0 > limit }) ?? false {
            broken = "on without a reason"
        }
        let isFree = isChipThere && isInFile && isFollowed && fails == 0 && isHeard
        freeSince = isFree ? freeSince ?? world.uptime : nil
        // One renewal and one attempt, each with a command that takes its time.
        let patience = RelayDrive.renewSeconds + RelayDrive.retrySeconds + 20
        if let freeSince, world.uptime - freeSince > patience, !isOn { broken = "off while it sounds" }
        for (word, count) in runCounts where count > 1 { broken = "run twice: \(word)" }
    }

    var quietSince: Double?

    private var runCounts: [String: Int] {
        Dictionary(grouping: world.runs, by: { "\($0.document.event_type) \($0.document.id ?? "")" })
            .mapValues(\.count)
    }

    mutating func live() {
        for _ in 0..<120 where broken == nil {
            act()
            pass(Double.random(in: 0.1...90, using: &random))
        }
        // adhand is silent at last, in one way or the other.
        if chance(0.5), isFollowed {
            isFollowed = false
            handle(.lost)
        } else if isFollowed {
            sounding = nil
            handle(.event(world.entry(.planComputed, nil)))
            pass(1)
            handle(.answered(HookWorld.status(.init(state: .idle), at: world.now.clock), []))
        }
        (sounding, quietSince) = (nil, world.uptime)
        pass(limit + 60)
        // The disk is mended, or whatever it was: what could not be switched off goes off.
        (fails, quietSince, isChipThere) = (0, nil, true)
        pass(RelayDrive.retrySeconds + 20)
        if world.isOn[relay.drive] ?? false { broken = broken ?? "on at the end" }
    }
}

@Suite("Hooks in a house where things fail")
struct HookSimulatorTests {
    @Test("No relay stays on without a reason, and no hook runs twice for one event", arguments: 0..<20)
    func houses(_ part: Int) {
        var (runs, switches) = (0, 0)
        for seed in 0..<RandomCases.count(100) {
            var house = House(seed: UInt64(part * 100 + seed))
            house.live()
            #expect(house.broken == nil, "seed \(part * 100 + seed)")
            if house.broken != nil { return }
            runs += house.world.runs.count
            switches += house.switches
        }
        // Houses in which nothing happens would prove nothing.
        #expect(
            runs > RandomCases.count(300) && switches > RandomCases.count(300),
            "\(runs) runs, \(switches) switches")
    }
}
