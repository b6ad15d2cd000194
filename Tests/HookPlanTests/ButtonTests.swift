import SeededRandom
import Testing

@testable import HookPlan
@testable import Protocol

@Suite("Buttons")
struct ButtonTests {
    private static let source = button().source

    private static func button(_ short: ButtonAction = .stop, _ long: ButtonAction = .muteNext)
        -> ButtonSettings
    {
        var button = ButtonSettings()
        (button.device, button.key) = ("/dev/input/event3", "KEY_PLAYPAUSE")
        (button.short, button.long) = (short, long)
        return button
    }

    private func world(_ button: ButtonSettings = button()) -> HookWorld {
        var world = HookWorld()
        var config = HookConfig()
        config.buttons = [button]
        world.handle(.configured(config))
        return world
    }

    private func set(_ world: inout HookWorld, _ isDown: Bool) {
        world.handle(.button(Self.source, isDown: isDown, at: world.uptime))
    }

    @Test("A short press acts when it ends, a long one while it lasts, and neither twice")
    func lengths() {
        var world = world()
        set(&world, true)
        world.pass(0.4)
        #expect(world.presses.isEmpty)
        set(&world, false)
        #expect(world.presses == [.stop])
        world.pass(5)
        set(&world, true)
        world.pass(1.4)
        #expect(world.presses == [.stop])
        world.pass(0.2)
        #expect(world.presses == [.stop, .muteNext])
        world.pass(60)
        set(&world, false)
        world.pass(5)
        #expect(world.presses == [.stop, .muteNext])
    }

    @Test("A contact that bounces is one press, also when it ends within the bounce")
    func bounce() {
        var world = world()
        for _ in 0..<8 {
            set(&world, true)
            world.uptime += 0.002
            set(&world, false)
            world.uptime += 0.001
        }
        world.pass(1)
        #expect(world.presses == [.stop])
        // A program that writes both in one go.
        set(&world, true)
        set(&world, false)
        world.pass(1)
        #expect(world.presses == [.stop, .stop])
        set(&world, true)
        world.pass(0.2)
        for _ in 0..<5 {
            set(&world, false)
            world.uptime += 0.003
            set(&world, true)
            world.uptime += 0.003
        }
        set(&world, false)
        world.pass(1)
        #expect(world.presses == [.stop, .stop, .stop])
    }

    @Test("A short press is short however late it is looked at, and a long one long")
    func late() {
        var world = world()
        let begun = world.uptime
        world.uptime += 10
        world.handle(.button(Self.source, isDown: true, at: begun))
        world.handle(.button(Self.source, isDown: false, at: begun + 0.2))
        world.pass(1)
        #expect(world.presses == [.stop])
        let second = world.uptime
        world.uptime += 10
        world.handle(.button(Self.source, isDown: true, at: second))
        world.handle(.button(Self.source, isDown: false, at: second + 2))
        world.pass(1)
        #expect(world.presses == [.stop, .muteNext])
    }

    @Test("A device that goes while it is pressed asks for nothing, and works when it is back")
    func gone() {
        var world = world()
        set(&world, true)
        world.pass(1)
        world.handle(.buttonGone(Self.source))
        world.pass(30)
        set(&world, false)
        world.pass(1)
        #expect(world.presses.isEmpty)
        set(&world, true)
        world.pass(0.1)
        set(&world, false)
        #expect(world.presses == [.stop])
    }

    @Test("A button of which nobody knows, and one for nothing, ask for nothing")
    func none() {
        var world = world(Self.button(.nothing))
        set(&world, true)
        world.pass(0.1)
        set(&world, false)
        world.handle(.configured(HookConfig()))
        set(&world, true)
        world.pass(5)
        #expect(world.presses.isEmpty)
    }

    @Test("A reload does not end a press of a button that stays")
    func reload() {
        var world = world()
        set(&world, true)
        world.pass(1)
        var config = HookConfig()
        config.buttons = [Self.button(.unmute, .mute(seconds: 7200))]
        world.handle(.configured(config))
        world.pass(1)
        #expect(world.presses == [.mute(seconds: 7200)])
    }

    @Test("Each action is one request, and every mute has an end")
    func requests() {
        for word in ButtonAction.words {
            let action = ButtonAction(word)
            #expect(action?.word == word)
            if case .mute(let parameters)? = action?.request(next: "asr") {
                #expect(parameters.next == true || parameters.until != nil || parameters.duration != nil)
            }
        }
        #expect(ButtonAction.muteUntilNext.request(next: "isha") == .mute(.init(until: "isha")))
        #expect(ButtonAction.muteUntilNext.request(next: nil) == nil)
        #expect(ButtonAction.mute(seconds: 7200).request(next: nil) == .mute(.init(duration: "2h")))
        #expect(ButtonAction.test.request(next: "isha") == .test(.init(prayer: "isha")))
        #expect(ButtonAction("hotspot")?.request(next: nil) == .hotspot)
        #expect(!ButtonAction.hotspot.needsNext)
        for word in [
            "hotspot:10m", "Hotspot", "mute:", "mute:13h", "mute:10s", "mute:soon", "mute", "Stop", "",
        ] {
            #expect(ButtonAction(word) == nil, "\(word)")
        }
    }

    @Test("A button that asks for the box's own network is known, by whichever press")
    func hotspot() {
        #expect(Self.button(.hotspot, .nothing).asksForHotspot)
        #expect(Self.button(.stop, .hotspot).asksForHotspot)
        #expect(!Self.button().asksForHotspot)
        var world = world(Self.button(.stop, .hotspot))
        set(&world, true)
        world.pass(2)
        set(&world, false)
        world.pass(5)
        #expect(world.presses == [.hotspot])
    }

    @Test("The length of a press, to a tenth of a second")
    func lengthTexts() {
        for (text, seconds) in [("0.5s", 0.5), ("1.5s", 1.5), ("3s", 3), ("10s", 10), ("2.0s", 2)] {
            #expect(PressText.parse(text) == seconds)
        }
        for text in [
            "0.4s", "10.1s", "1.55s", "1.s", ".5s", "1,5s", "1.5", "-1s", "s", "", "1 s",
            "99999999999999999999s",
        ] {
            #expect(PressText.parse(text) == nil, "\(text)")
        }
        #expect(PressText.format(1.5) == "1.5s" && PressText.format(3) == "3s")
    }

    @Test(
        "A hand and a bad contact at random: as many presses as there were, each of its length",
        arguments: 0..<200)
    func random(_ seed: Int) {
        var random = SplitMix64(seed: UInt64(seed))
        var world = world()
        var expected: [ButtonAction] = []
        for _ in 0..<60 {
            world.pass(Double.random(in: 0.2...3, using: &random))
            let isLong = Bool.random(using: &random)
            let seconds = Double.random(in: isLong ? 1.6...4 : 0.06...1.4, using: &random)
            bounce(&world, to: true, &random)
            world.pass(seconds)
            bounce(&world, to: false, &random)
            world.pass(0.05)
            expected.append(isLong ? .muteNext : .stop)
            if Int.random(in: 0..<10, using: &random) == 0 { world.handle(.buttonGone(Self.source)) }
        }
        #expect(world.presses == expected)
    }

    private func bounce(_ world: inout HookWorld, to isDown: Bool, _ random: inout SplitMix64) {
        for _ in 0..<Int.random(in: 0...6, using: &random) {
            set(&world, isDown)
            world.uptime += Double.random(in: 0.0001...0.002, using: &random)
            set(&world, !isDown)
            world.uptime += Double.random(in: 0.0001...0.002, using: &random)
        }
        set(&world, isDown)
    }
}
