import Testing

@testable import HookPlan
@testable import Protocol
@testable import Settings

@Suite("hooks.toml")
struct HookConfigTests {
    private func read(_ text: String) throws(ConfigError) -> HookConfig {
        try HookConfig.schema.read([ConfigSource(file: "hooks.toml", text: Array(text.utf8))]).settings
    }

    @Test("An empty file runs nothing and switches nothing")
    func empty() throws {
        #expect(try read("") == HookConfig())
        #expect(try read(HookConfig.schema.defaultText) == HookConfig())
    }

    @Test("A whole file, and the same printed")
    func whole() throws {
        let config = try read(
            """
            [[hook]]
            name = "lights"
            on = ["preroll", "upcoming", "mute-changed"]
            command = ["/usr/local/lib/adhand/lights", "--dim", "--dim", ""]
            prayers = ["maghrib", "isha"]
            lead = "5m"
            timeout = "1m"
            [[hook]]
            name = "log"
            on = "failed"
            command = "/usr/local/bin/log"
            [[relay]]
            name = "amplifier"
            on = ["/usr/bin/usbrelay", "A_1=1"]
            off = ["/usr/bin/usbrelay", "A_1=0"]
            lead = "25s"
            linger = "0s"
            for = ["adhan", "iqama"]
            """)
        #expect(config.hooks.map(\.name) == ["lights", "log"] && config.hooks[0].command.count == 4)
        #expect(config.hooks[0].leadSeconds == 300 && config.hooks[0].timeoutSeconds == 60)
        #expect(config.hooks[1].timeoutSeconds == 10 && config.hooks[1].command == ["/usr/local/bin/log"])
        #expect(
            config.hooks[0].accepts(.preroll, prayer: "isha")
                && !config.hooks[0].accepts(.preroll, prayer: "asr")
        )
        #expect(
            config.hooks[0].accepts(.muteChanged, prayer: nil)
                && !config.hooks[0].accepts(.failed, prayer: "isha"))
        #expect(config.relays[0].leadSeconds == 25 && config.relays[0].lingerSeconds == 0)
        #expect(
            config.relays[0].accepts(.iqama) && !config.relays[0].accepts(.reminder)
                && !config.relays[0].accepts(nil))
        #expect(try read(HookConfig.schema.printed(config)) == config)
    }

    @Test("Lines, a television and buttons, and the same printed")
    func devices() throws {
        let config = try read(
            """
            [[relay]]
            name = "amplifier"
            chip = "/dev/gpiochip0"
            line = 17
            active-low = true
            [cec]
            device = "/dev/cec0"
            linger = "5m"
            standby = false
            [[button]]
            device = "/dev/input/by-id/usb-Remote-event-kbd"
            key = "KEY_PLAYPAUSE"
            [[button]]
            chip = "/dev/gpiochip0"
            line = 4
            short = "mute:2h"
            long = "nothing"
            long-press = "3s"
            """)
        #expect(
            config.relays[0].drive == .line(.init(chip: "/dev/gpiochip0", line: 17, isActiveLow: true)))
        #expect(
            config.held.map(\.name) == ["amplifier", "television"] && config.held[1].lingerSeconds == 300)
        #expect(config.held[1].drive == .television(.init(device: "/dev/cec0", isStandby: false)))
        #expect(
            config.buttons[0].source
                == .key(
                    device: "/dev/input/by-id/usb-Remote-event-kbd", name: "KEY_PLAYPAUSE", code: 164))
        #expect(config.buttons[0].short == .stop && config.buttons[0].long == .muteNext)
        // A button is between its line and ground, unless the file says otherwise.
        #expect(
            config.buttons[1].source == .line(.init(chip: "/dev/gpiochip0", line: 4, isActiveLow: true)))
        #expect(config.buttons[1].short == .mute(seconds: 7200) && config.buttons[1].longPressSeconds == 3)
        #expect(try read(HookConfig.schema.printed(config)) == config)
        #expect(try read("[cec]\nlead = \"9s\"").held.isEmpty)
    }

    private static let hook = "[[hook]]\nname = \"a\"\n"
    private static let relay = "[[relay]]\nname = \"a\"\n"

    @Test(
        "A mistake is one sentence with its place",
        arguments: [
            (hook + "on = \"finished\"", "command"),
            (hook + "command = \"/bin/true\"", "on"),
            (hook + "on = \"finish\"\ncommand = \"/bin/true\"", "did you mean \"finished\"?"),
            (hook + "on = \"finished\"\ncommand = \"lights\"", "such as \"/usr/bin/lights\""),
            (hook + "on = \"finished\"\ncommand = \"/bin/echo on\"", "write [\"/bin/echo\", \"on\"]"),
            (hook + "on = \"finished\"\ncommand = \"echo on\"", "write each word by itself"),
            (hook + "on = \"finished\"\ncommand = [\"\"]", "names no program"),
            (hook + "on = \"finished\"\ncommand = [\"/bin/a\\nb\"]", "hook.command"),
            (hook + "on = \"finished\"\ncommand = \"/bin/a\"\ntimeout = \"6m\"", "a duration from 1s to 5m"),
            (
                hook + "on = \"finished\"\ncommand = \"/bin/a\"\nprayers = [\"magrib\"]",
                "did you mean \"maghrib\"?"
            ),
            (
                hook + "on = \"finished\"\ncommand = \"/bin/a\"\n" + hook
                    + "on = \"failed\"\ncommand = \"/bin/a\"",
                "two [[hook]] have the name \"a\""
            ),
            (relay + "on = \"/bin/a\"", "off"),
            (relay + "on = \"/bin/a\"\noff = \"/bin/a\"", "would never be off"),
            (relay + "on = \"/bin/a\"\noff = \"/bin/b\"\nlead = \"6m\"", "relay.lead"),
            (relay + "on = \"/bin/a\"\noff = \"/bin/b\"\nfor = [\"adhans\"]", "did you mean \"adhan\"?"),
            (
                relay
                    + "on = \"/bin/a\"\noff = \"/bin/b\"\n[[relay]]\nname = \"c\"\non = \"/bin/a\"\noff = \"/bin/b\"",
                "switched by the same commands"
            ),
            (relay + "chip = \"/dev/gpiochip0\"", "line is missing"),
            (relay + "line = 3", "line is of no chip"),
            (relay + "chip = \"gpiochip0\"\nline = 3", "an absolute path"),
            (relay + "chip = \"/dev/gpiochip0\"\nline = -1", "from 0 to 1023"),
            (relay + "chip = \"/dev/gpiochip0\"\nline = 3\non = \"/bin/a\"", "keep one"),
            (
                relay + "chip = \"/dev/c\"\nline = 3\n[[relay]]\nname = \"b\"\nchip = \"/dev/c\"\nline = 3",
                "switched by the same line"
            ),
            (
                relay + "chip = \"/dev/c\"\nline = 3\n[[button]]\nchip = \"/dev/c\"\nline = 3",
                "a [[button]] and the relay \"a\" are line 3"
            ),
            ("[cec]\ndevice = \"cec0\"", "an absolute path"),
            ("[[button]]\nkey = \"KEY_STOP\"", "write device and key, or chip and line"),
            ("[[button]]\ndevice = \"/dev/a\"", "key is missing"),
            ("[[button]]\ndevice = \"/dev/a\"\nkey = \"KEY_PLAYPAUS\"", "did you mean \"KEY_PLAYPAUSE\"?"),
            ("[[button]]\ndevice = \"/dev/a\"\nkey = \"KEY_STOP\"\nchip = \"/dev/c\"", "keep one"),
            ("[[button]]\nchip = \"/dev/c\"", "line is missing"),
            ("[[button]]\nchip = \"/dev/c\"\nline = 1\nkey = \"KEY_STOP\"", "take it away"),
            (
                "[[button]]\ndevice = \"/dev/a\"\nkey = \"KEY_STOP\"\nlong = \"mute-nxt\"",
                "did you mean \"mute-next\"?"
            ),
            (
                "[[button]]\ndevice = \"/dev/a\"\nkey = \"KEY_STOP\"\nlong = \"mute:13h\"",
                "a mute is 1m to 12h"
            ),
            (
                "[[button]]\ndevice = \"/dev/a\"\nkey = \"KEY_STOP\"\n[[button]]\ndevice = \"/dev/a\"\nkey = \"KEY_STOP\"",
                "two [[button]] are the key KEY_STOP"
            ),
            (
                "[[button]]\ndevice = \"/dev/a\"\nkey = \"KEY_STOP\"\nlong-press = \"0.4s\"",
                "such as \"1.5s\""
            ),
            ("[[hooks]]\nname = \"a\"", "did you mean"),
        ])
    func mistakes(text: String, expected: String) {
        do throws(ConfigError) {
            _ = try read(text)
            Issue.record("taken: \(text)")
        } catch {
            #expect(
                error.message.contains(expected) && error.message.hasPrefix("hooks.toml:"), "\(error.message)"
            )
            #expect(error.all.count == 1, "\(error.all.map(\.message))")
        }
    }
}
