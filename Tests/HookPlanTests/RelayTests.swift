import Testing

@testable import HookPlan
@testable import Protocol

@Suite("Relays")
struct RelayTests {
    private let id = "asr_20261124"

    private func world(_ relay: RelaySettings = HookWorld.relay()) -> HookWorld {
        var world = HookWorld()
        world.handle(.configured(HookWorld.config([], [relay])))
        world.handle(.followed)
        return world
    }

    private func isOn(_ world: HookWorld, _ name: String = "a") -> Bool? {
        world.isOn[HookWorld.relay(name).drive]
    }

    @Test("At the start every relay is switched off, as commands stay when a program ends")
    func start() {
        #expect(isOn(world()) == false)
    }

    @Test("On the lead before an adhan, and off the linger after it")
    func call() {
        var world = world(HookWorld.relay(lead: 25, linger: 60))
        world.answer([HookWorld.occasion(id, in: 600)])
        world.pass(574.9)
        #expect(isOn(world) == false)
        world.pass(0.2)
        #expect(isOn(world) == true)
        world.pass(14.9)
        world.handle(.event(world.entry(.prayerCued, due: 600)))
        world.pass(10)
        world.handle(.event(world.entry(.prayerStarted, due: 600)))
        for _ in 0..<4 {
            world.pass(50)
            world.answer([], .init(state: .playing, id: id))
        }
        #expect(isOn(world) == true)
        world.handle(.event(world.entry(.prayerFinished, due: 600, cause: .end)))
        world.pass(59.9)
        #expect(isOn(world) == true)
        world.pass(0.2)
        #expect(isOn(world) == false)
    }

    @Test("A cue switches on where a preroll makes the first sample earlier than the lead")
    func preroll() {
        var world = world(HookWorld.relay(lead: 5))
        world.answer([HookWorld.occasion(id, in: 600)])
        world.pass(560)
        world.handle(.event(world.entry(.prayerCued, due: 600)))
        #expect(isOn(world) == true)
    }

    @Test("What is muted, switched off, silent or of another kind is no reason")
    func none() {
        var world = world(HookWorld.relay(kinds: [.adhan]))
        world.answer([
            HookWorld.occasion("asr_20261124", in: 100, state: "muted"),
            HookWorld.occasion("isha_20261124", in: 100, enabled: false),
            HookWorld.occasion("maghrib_20261124", in: 100, sounds: ["silent"]),
            HookWorld.occasion("fajr_20261124", in: 100, sounds: []),
            HookWorld.occasion("iqama_asr_20261124", .iqama, in: 100),
        ])
        world.handle(.event(world.entry(.reminderStarted, "reminder-10m_asr_20261124")))
        world.handle(.event(world.entry(.testStarted, "test-1_asr")))
        world.pass(200)
        #expect(!world.effects.contains { if case .switchRelay(_, _, _, true) = $0 { true } else { false } })
    }

    @Test("One whose sound is silent is reached, and nothing sounds: off, for it has no end")
    func silent() {
        var world = world(HookWorld.relay(lead: 5, linger: 2))
        world.answer([HookWorld.occasion("isha_20261124", in: 3600)])
        world.handle(.event(world.entry(.prayerStarted, due: 0, reason: "silent")))
        world.pass(1)
        #expect(isOn(world) == false)
        world.handle(.event(world.entry(.prayerStarted, due: 0)))
        world.pass(1)
        #expect(isOn(world) == true)
    }

    @Test("An adhan that is muted after its cue lets go, whatever the agenda said before")
    func released() {
        var world = world()
        world.answer([HookWorld.occasion(id, in: 600)])
        world.pass(592)
        world.handle(.event(world.entry(.prayerCued, due: 600)))
        world.handle(.event(world.entry(.prayerReleased, due: 600, cause: .mute)))
        world.pass(61)
        #expect(isOn(world) == false)
    }

    @Test("adhand is away while it plays: off within its limit; back within 20 s: it stays on")
    func lost() {
        var world = world(HookWorld.relay(linger: 20))
        world.handle(.event(world.entry(.prayerStarted, due: 0)))
        world.handle(.lost)
        world.pass(15)
        world.handle(.followed)
        world.answer([], .init(state: .playing, id: id))
        world.pass(30)
        #expect(isOn(world) == true)
        world.handle(.lost)
        world.pass(49)
        #expect(isOn(world) == true)
        world.pass(2)
        #expect(isOn(world) == false)
    }

    @Test("adhand is there and says nothing more: off within its limit")
    func hanging() {
        var world = world()
        world.handle(.event(world.entry(.prayerStarted, due: 0)))
        for _ in 0..<50 {
            world.pass(5)
            world.handle(.unanswered)
        }
        #expect(isOn(world) == false)
    }

    @Test("A word that the end was lost: idle ends it, and an answer from before the beginning does not")
    func idle() {
        var world = world(HookWorld.relay(linger: 0))
        world.pass(1)
        world.handle(.event(world.entry(.prayerStarted, due: 0)))
        // Asked before the sound began.
        world.answer([])
        #expect(isOn(world) == true)
        world.pass(1)
        world.answer([])
        #expect(isOn(world) == false)
    }

    @Test("The clock is set back again and again just before an adhan: it is not on for ever")
    func stepped() {
        var world = world()
        world.answer([HookWorld.occasion(id, in: 600)])
        world.pass(591)
        var longest = 0.0
        var since: Double?
        for _ in 0..<100 {
            world.stepped -= 5
            world.pass(5)
            since = isOn(world) == true ? since ?? world.uptime : nil
            longest = max(longest, since.map { world.uptime - $0 } ?? 0)
        }
        #expect(longest < 10 + SoundReasons.lateSeconds + 60 + 5)
    }

    @Test("A command that fails is tried again, off as well, and a new call does not wait for it")
    func failing() {
        var world = world(HookWorld.relay(linger: 0))
        world.handle(.event(world.entry(.prayerStarted, due: 0)), isAnswered: false)
        world.endCommands(failing: true)
        #expect(
            world.effects.contains(
                .report(.relayFailed(name: "a", HookWorld.relay().drive, isOn: true, reason: "no"))))
        world.pass(31)
        #expect(isOn(world) == true)
        world.handle(.event(world.entry(.prayerFinished, due: 0)), isAnswered: false)
        world.endCommands(failing: true)
        #expect(isOn(world) == true)
        world.handle(.event(world.entry(.testStarted, "test-1_asr")), isAnswered: false)
        #expect(world.pending.map(\.isOn) == [true])
        world.endCommands()
        world.handle(.event(world.entry(.testFinished, "test-1_asr")))
        #expect(isOn(world) == false)
    }

    @Test(
        "A relay that the file no longer has goes off after the command that runs, and one that stays goes on"
    )
    func reloaded() {
        var world = HookWorld()
        world.handle(.configured(HookWorld.config([], [HookWorld.relay("a"), HookWorld.relay("b")])))
        world.handle(.followed)
        world.handle(.event(world.entry(.prayerStarted, due: 0)), isAnswered: false)
        world.handle(.configured(HookWorld.config([], [HookWorld.relay("b", linger: 5)])), isAnswered: false)
        #expect(world.pending.map(\.isOn) == [true, true])
        world.endCommands()
        #expect(isOn(world, "a") == false && isOn(world, "b") == true)
        world.handle(.event(world.entry(.prayerFinished, due: 0)))
        world.pass(6)
        #expect(isOn(world, "b") == false && world.state.relays.count == 1)
    }

    @Test("The end switches everything off, and nothing comes after it")
    func stopping() {
        var world = world()
        world.handle(.event(world.entry(.prayerStarted, due: 0)))
        world.handle(.stopping)
        #expect(isOn(world) == false)
        world.handle(.event(world.entry(.prayerStarted, due: 0)))
        #expect(isOn(world) == false)
    }
}
