import Testing
import Texts

@testable import BridgePlan
@testable import Settings

@Suite("bridge.toml")
struct BridgeConfigTests {
    private func read(_ text: String) throws(ConfigError) -> BridgeConfig {
        try BridgeConfig.schema.read([ConfigSource(file: "bridge.toml", text: Array(text.utf8))]).settings
    }

    private func mistake(_ text: String) -> String {
        do throws(ConfigError) {
            _ = try read(text)
            return ""
        } catch {
            return error.message
        }
    }

    @Test("An empty file: nothing is connected, nothing is sent, nothing may be asked")
    func empty() throws {
        let config = try read("")
        #expect(config == BridgeConfig() && !config.mqtt.isOn && config.commands.allowed.isEmpty)
        #expect(config.alerts.afterSeconds(.daemon) == 60 && config.alerts.afterSeconds(.missed) == 0)
        #expect(config.alerts.repeatSeconds == 86_400 && config.commands.maxMuteSeconds == 43_200)
    }

    @Test("A whole file")
    func whole() throws {
        let config = try read(
            """
            name = "Living room"
            [mqtt]
            broker = ["mqtts://ha.lan", "mqtt://192.168.1.2:1884"]
            username = "adhand"
            password-file = "/etc/adhand/mqtt-password"
            prefix = "home/adhand"
            keepalive = "30s"
            [mqtt.commands]
            allow = ["mute", "stop"]
            max-mute = "2h"
            [homeassistant]
            upcoming = "15m"
            [alerts]
            repeat = "0s"
            timetable-days = 7
            after = { daemon = "2m", mqtt = "1h" }
            [[alert]]
            name = "phone"
            kind = "webhook"
            url = "https://ntfy.sh/our-mosque"
            format = "ntfy"
            on = ["missed", "failed"]
            [[alert]]
            name = "mail"
            kind = "mail"
            to = ["imam@example.org", "b@example.org"]
            from = "adhand@example.org"
            [[alert]]
            name = "bus"
            kind = "mqtt"
            [[heartbeat]]
            name = "hc"
            url = "https://hc-ping.com/UUID"
            every = "2m"
            [prometheus]
            textfile = ""
            listen = "127.0.0.1:9464"
            """)
        #expect(
            config.mqtt.addresses.map(\.port) == [8883, 1884]
                && config.mqtt.addresses.map(\.isSecure) == [true, false])
        #expect(config.commands.allowed == [.mute, .stop] && config.commands.maxMuteSeconds == 7200)
        #expect(config.alerts.afterSeconds(.daemon) == 120 && config.alerts.afterSeconds(.mqtt) == 3600)
        #expect(config.destinations.map(\.name) == ["phone", "mail", "bus"])
        #expect(config.destinations[0].accepts(.missed) && !config.destinations[0].accepts(.daemon))
        #expect(config.destinations[2].accepts(.daemon) && !config.destinations[2].accepts(.mqtt))
        #expect(config.destinations[1].to.count == 2 && config.heartbeats[0].everySeconds == 120)
        // Printed, it is the same file.
        #expect(try read(BridgeConfig.schema.printed(config)) == config)
    }

    @Test("The file to start from is valid, and means what an empty one means")
    func start() throws {
        #expect(try read(BridgeConfig.schema.defaultText) == BridgeConfig())
    }

    @Test(
        "A mistake is one sentence with its place",
        arguments: [
            ("[mqtt]\nbroker = \"ha.lan:8883\"", "did you mean \"mqtts://ha.lan:8883\"?"),
            ("[mqtt]\nusername = \"x\"", "none is named; write mqtt.broker"),
            ("[mqtt]\nbroker = \"mqtt://a\"\nkey-file = \"/k\"", "mqtt.key-file needs mqtt.certificate-file"),
            ("[mqtt.commands]\nallow = [\"mutes\"]", "did you mean \"mute\"?"),
            ("[mqtt.commands]\nmax-mute = \"25h\"", "max-mute must be a duration from 1m to"),
            ("[alerts]\nafter = { demon = \"1m\" }", "did you mean \"daemon\"?"),
            ("[[alert]]\nname = \"a\"\nkind = \"webhook\"", "write url or url-file"),
            ("[[alert]]\nname = \"a\"\nkind = \"mail\"\nto = \"a@b\"", "from is missing"),
            ("[[alert]]\nname = \"a\"\nkind = \"mqtt\"", "there is no broker"),
            ("[[alert]]\nname = \"a\"\nkind = \"mail\"\nto = \"-x@b\"\nfrom = \"a@b\"", "alert.to"),
            ("[[alert]]\nname = \"A\"\nkind = \"mqtt\"", "a name of a to z"),
            (
                "[[alert]]\nname = \"a\"\nkind = \"webhook\"\nurl = \"http://example.org/x\"",
                "for this network alone"
            ),
            (
                "[[alert]]\nname = \"a\"\nkind = \"webhook\"\nurl = \"https://u:p@e.org\"",
                "name that by url-file"
            ),
            (
                "[[heartbeat]]\nname = \"a\"\nurl = \"https://a\"\n[[heartbeat]]\nname = \"a\"\nurl = \"https://b\"",
                "two [[heartbeat]]"
            ),
            ("[prometheus]\nlisten = \"0.0.0.0:9464\"", "for this machine alone"),
            ("[mqtt]\nbroker = \"mqtt://a\"\nprefix = \"a/#\"", "mqtt.prefix must be"),
        ])
    func mistakes(text: String, expected: String) {
        let message = mistake(text)
        #expect(message.contains(expected) && message.hasPrefix("bridge.toml:"), "\(message)")
    }

    @Test(
        "http is for this network alone",
        arguments: [
            ("http://192.168.1.2/x", true), ("http://10.0.0.1", true), ("http://172.16.0.1", true),
            ("http://172.32.0.1", false), ("http://localhost:80/", true), ("http://ntfy.local/a", true),
            ("http://[::1]:80/", true), ("http://[fd00::1]/", true), ("http://[2001:db8::1]/", false),
            ("http://192.168.1.2.example.org/", false), ("https://example.org", true), ("ftp://a", false),
            ("https://", false), ("https://a b", false),
        ])
    func near(text: String, isAllowed: Bool) {
        let result = DeliveryAddress.read(text)
        let isTaken = (try? result.get()) != nil
        #expect(isTaken == isAllowed)
    }

    @Test("fail-url is the address with /fail behind its path")
    func fail() throws {
        #expect(
            try DeliveryAddress.read("https://hc/uuid/").get().appending("/fail") == "https://hc/uuid/fail")
        #expect(
            try DeliveryAddress.read("https://hc/u?a=1").get().appending("/fail") == "https://hc/u/fail?a=1")
    }
}
