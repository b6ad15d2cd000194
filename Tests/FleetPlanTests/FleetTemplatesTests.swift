import Settings
import Testing
import Texts

@testable import FleetPlan

struct FleetTemplatesTests {
    private static let files = Dictionary(
        uniqueKeysWithValues: FleetTemplates.files(
            org: "noor", brokers: ["mqtt://127.0.0.1:1883"], folder: "/etc/adhan-fleet"
        ).map { ($0.path, $0.text) })

    private func lines(_ name: String) throws -> [String] {
        try #require(Self.files[name]).split(separator: "\n").map(String.init).filter { !$0.hasPrefix("#") }
    }

    @Test
    func `fleet.toml is valid, and nothing is published by it before there are keys`() throws {
        let text = try #require(Self.files[FleetConfig.fileName])
        let source = ConfigSource(file: FleetConfig.fileName, text: Array(text.utf8))
        let config = try FleetConfig.schema.read([source]).settings
        #expect(config.org == "noor" && config.brokers == ["mqtt://127.0.0.1:1883"])
        #expect(config.signingKey == nil && config.recoveryKey == nil)
        #expect(config.passwordFile == "/etc/adhan-fleet/broker-password")
    }

    @Test
    func `The broker has room for a fleet`() throws {
        let broker = try lines("mosquitto.conf")
        for line in [
            "max_queued_messages 1000000", "max_inflight_messages 1000", "autosave_interval 60",
            "allow_anonymous false", "password_file /etc/adhan-fleet/passwords",
            "acl_file /etc/adhan-fleet/acl",
        ] { #expect(broker.contains(line), "\(line)") }
        #expect(try lines("mosquitto.service.d/adhan-fleet.conf") == ["[Service]", "LimitNOFILE=65536"])
    }

    /// From an instant to Alertmanager's message are `patience`, a batch, and the longer of its two pauses; the mail has 20 s.
    @Test
    func `A box that did not call is known 70 s after the instant, also beside another one`() throws {
        func seconds(_ key: String) throws -> Double {
            let line = try lines("alertmanager.yml").map { $0.drop { $0 == " " } }.first {
                $0.hasPrefix("\(key): ")
            }
            let value = try #require(line).dropFirst(key.utf8.count + 2)
            return try #require(DurationText.parse(String(value)))
        }
        let pause = max(try seconds("group_wait"), try seconds("group_interval"))
        #expect(WatchSettings().patienceSeconds + FleetWatch.batchSeconds + pause <= 70)
        // An open alarm is posted again before Alertmanager takes it for over.
        #expect(AlertLedger.repeatSeconds * 2 < (try seconds("resolve_timeout")))
    }

    /// The watch leaves out the alarms of boxes that went with many; a box that goes alone has to be heard of beside them.
    @Test
    func `No alarm of the example keeps another one from people`() throws {
        #expect(try !lines("alertmanager.yml").contains { $0.hasPrefix("inhibit_rules") })
    }

    /// As debian/archive.sh makes it: nobody can hold boxes back by an old index. A server that was stolen can sign none.
    @Test
    func `The index of an archive is valid for 14 days, and is signed elsewhere`() throws {
        let fields = try lines("reprepro/conf/distributions")
        #expect(fields.contains("ValidFor: 14d"))
        #expect(!fields.contains { $0.hasPrefix("SignWith") })
        let text = try #require(Self.files["reprepro/conf/distributions"])
        #expect(text.contains("make archive-rings") && !text.contains("reprepro export"))
    }
}
