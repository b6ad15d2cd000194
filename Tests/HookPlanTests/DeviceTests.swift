import Testing

@testable import HookPlan
@testable import Protocol

@Suite("Lines and the television")
struct DeviceTests {
    private func world(_ relays: [RelaySettings]) -> HookWorld {
        var world = HookWorld()
        world.handle(.configured(HookWorld.config([], relays)))
        world.handle(.followed)
        return world
    }

    @Test(
        "A line that is on is asked for again, so that a chip that went and came back switches; one that is off is not"
    )
    func renewed() {
        let line = HookWorld.line(linger: 5)
        var world = world([line])
        world.handle(.event(world.entry(.prayerStarted, due: 0)))
        world.isOn[line.drive] = false
        world.pass(31)
        #expect(world.isOn[line.drive] == true)
        world.handle(.event(world.entry(.prayerFinished, due: 0)))
        world.pass(6)
        let count = world.effects.count
        world.pass(300)
        #expect(world.isOn[line.drive] == false)
        #expect(!world.effects[count...].contains { if case .switchRelay = $0 { true } else { false } })
    }

    @Test(
        "A chip that is gone is reported each time and tried again within the hold, and its return switches it on"
    )
    func goneAndBack() {
        let line = HookWorld.line()
        var world = world([line])
        world.handle(.event(world.entry(.prayerStarted, due: 0)), isAnswered: false)
        world.endCommands(failing: true)
        for _ in 0..<3 {
            world.uptime += 30
            world.handle(.woken, isAnswered: false)
            world.endCommands(failing: true)
        }
        let failures = world.effects.filter { if case .report(.relayFailed) = $0 { true } else { false } }
        #expect(failures.count == 4 && world.isOn[line.drive] == false)
        world.pass(31)
        #expect(world.isOn[line.drive] == true)
    }

    @Test("A line that a reload turns round is given back by the old relay before the new one takes it")
    func turned() {
        let (old, new) = (HookWorld.line("a"), HookWorld.line("b", isActiveLow: true))
        var world = world([old])
        world.handle(.event(world.entry(.prayerStarted, due: 0)))
        world.handle(.configured(HookWorld.config([], [new])), isAnswered: false)
        // The old one goes off first, and only then is the new one switched.
        #expect(world.pending.map(\.drive) == [old.drive])
        world.endCommands()
        #expect(world.released == [old.drive])
        #expect(world.isOn[old.drive] == false && world.isOn[new.drive] == true)
    }

    @Test("A line of a file that no longer has it is off and given back, also where it never was on")
    func released() {
        let line = HookWorld.line()
        var world = world([line])
        world.handle(.configured(HookConfig()))
        #expect(world.released == [line.drive] && world.state.relays.isEmpty)
    }

    @Test("A television is held as a relay is, by a lead and a linger of its own")
    func television() throws {
        var config = HookConfig()
        config.cec.device = "/dev/cec0"
        let drive = try #require(config.cec.relay).drive
        var world = HookWorld()
        world.handle(.configured(config))
        world.handle(.followed)
        world.answer([HookWorld.occasion("asr_20261124", in: 100)])
        world.pass(74)
        #expect(world.isOn[drive] == false)
        world.pass(2)
        #expect(world.isOn[drive] == true)
        world.handle(.event(world.entry(.prayerStarted, due: 100)))
        world.handle(.event(world.entry(.prayerFinished, due: 100)))
        world.pass(590)
        #expect(world.isOn[drive] == true)
        world.pass(11)
        #expect(world.isOn[drive] == false)
    }

    @Test("Only one that was in standby goes back to it, and only where that is wanted")
    func standby() {
        let wanted = TelevisionSettings(device: "/dev/cec0", isStandby: true)
        let not = TelevisionSettings(device: "/dev/cec0", isStandby: false)
        for power in TelevisionPlan.Power.allCases {
            #expect(TelevisionPlan.on(power).suffix(2) == [.wake, .show])
            #expect(TelevisionPlan.on(power).contains(.note) == (power == .standby))
        }
        // A process that is killed after the first action leaves no television on.
        #expect(TelevisionPlan.on(.standby).first == .note)
        #expect(TelevisionPlan.off(wanted, isNoted: false).isEmpty)
        #expect(TelevisionPlan.off(wanted, isNoted: true) == [.sleep, .forget])
        #expect(TelevisionPlan.off(not, isNoted: true) == [.forget])
    }
}
