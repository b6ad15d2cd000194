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
            config.hooks[0].takes(.preroll, prayer: "isha") && !config.hooks[0].takes(.preroll, prayer: "asr")
        )
        #expect(
            config.hooks[0].takes(.muteChanged, prayer: nil)
                && !config.hooks[0].takes(.failed, prayer: "isha"))
        #expect(config.relays[0].leadSeconds == 25 && config.relays[0].lingerSeconds == 0)
        #expect(
            config.relays[0].takes(.iqama) && !config.relays[0].takes(.reminder)
                && !config.relays[0].takes(nil))
        #expect(try read(HookConfig.schema.printed(config)) == config)
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
