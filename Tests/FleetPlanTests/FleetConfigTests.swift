import Settings
import Testing

@testable import FleetPlan

struct FleetConfigTests {
    private func read(_ text: String) throws(ConfigError) -> FleetConfig {
        try FleetConfig.schema.read([ConfigSource(file: "fleet.toml", text: Array(text.utf8))]).settings
    }

    @Test
    func `The file of the design is understood`() throws {
        let config = try read(
            """
            org = "noor"
            broker = ["mqtt://127.0.0.1:1883"]
            username = "fleet"
            password-file = "/etc/adhan-fleet/broker-password"
            [watch]
            listen = "127.0.0.1:8791"
            alertmanager = ["http://127.0.0.1:9093"]
            heartbeat = ""
            patience = "40s"
            settle = "60s"
            offline-after = "10m"
            mass-percent = 5
            [rollout]
            rings = [1, 10, 50, 100]
            success = "played"
            soak = "6h"
            patience = "26h"
            stop-percent = 2
            """)
        var expected = FleetConfig()
        expected.org = "noor"
        expected.brokers = ["mqtt://127.0.0.1:1883"]
        expected.passwordFile = "/etc/adhan-fleet/broker-password"
        expected.watch.alertmanagers = ["http://127.0.0.1:9093"]
        #expect(config == expected)
    }

    @Test(arguments: [
        "rings = [1, 10, 50]", "rings = []", "rings = [10, 1, 100]", "rings = [0, 100]", "rings = \"all\"",
        "success = \"hoped\"", "stop-percent = 0",
    ])
    func `A roll-out that cannot be meant is refused`(_ line: String) {
        #expect(throws: ConfigError.self) { try read("[rollout]\n\(line)\n") }
    }

    @Test(arguments: [
        "listen = \"0.0.0.0:8791\"", "alertmanager = [\"ftp://a\"]",
        "alertmanager = [\"http://example.org:9093\"]",
        "patience = \"1s\"", "mass-percent = 0",
    ])
    func `A watcher that cannot be meant is refused`(_ line: String) {
        #expect(throws: ConfigError.self) { try read("[watch]\n\(line)\n") }
    }

    @Test(arguments: ["", "[watch]\n", "[watch]\nheartbeat = \"https://a.example\"\n"])
    func `A watch whose alarms reach nobody is named, with what to write`(_ text: String) throws {
        let warnings = try read(text).warnings
        #expect(warnings.count == 1)
        #expect(warnings.first?.contains("alertmanager = [\"http://127.0.0.1:9093\"]") == true)
        #expect(try read("[watch]\nalertmanager = \"http://127.0.0.1:9093\"\n").warnings.isEmpty)
    }

    @Test
    func `One key for both purposes is refused`() {
        let key = "ed25519:qBTmYq9uXayAo87x2zka7P6V+BGHAhQXN8yX920ebHU="
        #expect(throws: ConfigError.self) {
            try read("signing-key = \"\(key)\"\nrecovery-key = \"\(key)\"\n")
        }
    }
}
