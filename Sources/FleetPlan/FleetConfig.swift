package import Settings
package import Texts

/// `fleet.toml` of the server: the broker, the public keys, rules for alarms, and the rings of a roll-out.
package struct FleetConfig: Sendable, Equatable {
    package var org: String?
    package var brokers: [String] = []
    package var username = "fleet"
    package var passwordFile: String?
    package var caFile = "/etc/ssl/certs/ca-certificates.crt"
    package var signingKey: String?
    package var recoveryKey: String?
    package var watch = WatchSettings()
    package var rollout = RolloutSettings()

    package init() {}

    package static let usualFolder = "/etc/adhan-fleet"
    package static let fileName = "fleet.toml"

    package var addresses: [BrokerAddress] { brokers.compactMap { BrokerAddress($0) } }

    /// Settings that are valid but probably unintended, each as a sentence for a person.
    package var warnings: [String] {
        guard watch.alertmanagers.isEmpty else { return [] }
        return [
            "[watch] of \(Self.fileName) names no alertmanager, so no alarm reaches anybody; write alertmanager = [\"http://127.0.0.1:9093\"] there, with the address of yours"
        ]
    }
}

/// `[watch]`: the rules for alarms.
package struct WatchSettings: Sendable, Equatable {
    static let standardListen = "127.0.0.1:8791"

    package var listen = standardListen
    package var alertmanagers: [String] = []
    /// The address that is requested each minute while broker and watcher work; empty for none.
    package var heartbeat = ""
    /// Seconds after an adhan's instant until a box without a report counts as silent.
    package var patienceSeconds = 40.0
    /// Seconds without assessments after the watcher or the broker has connected.
    package var settleSeconds = 60.0
    package var offlineAfterSeconds = 600.0
    package var massPercent = 5

    package init() {}
}

/// `[rollout]`: the rules for roll-outs.
package struct RolloutSettings: Sendable, Equatable {
    package enum Success: String, Sendable, CaseIterable, Codable { case played, applied }

    /// Percentages of the boxes.
    package var rings = [1, 10, 50, 100]
    package var success = Success.played
    package var soakSeconds = 6 * 3600.0
    package var patienceSeconds = 26 * 3600.0
    package var stopPercent = 2

    package init() {}
}

extension FleetConfig {
    package static let schema = Schema<FleetConfig>(
        initial: FleetConfig(),
        parts: [
            .section(.init(path: [], keys: top)),
            .section(
                .init(path: ["watch"], meaning: "what is watched, and who learns of it", keys: watchKeys)),
            .section(
                .init(path: ["rollout"], meaning: "how a change spreads over the boxes", keys: rolloutKeys)),
        ],
        relations: relations)

    private typealias Key = ConfigKey<FleetConfig>

    private static let top: [Key] = [
        .optionalText(
            "org", .text(FleetKinds.org), \.org, example: "noor", "the fleet's name, as in its topics"),
        .optionalTexts(
            "broker", .texts(FleetKinds.broker, orOne: true), \.brokers, example: ["mqtt://127.0.0.1:1883"],
            "a list is tried in turn"),
        .text("username", .text(.label), \.username, "of the user that may read and write all of the fleet"),
        .optionalText(
            "password-file", .text(FleetKinds.path), \.passwordFile,
            example: "/etc/adhan-fleet/broker-password", "one line; no secret stands in this file"),
        .text("ca-file", .text(FleetKinds.path), \.caFile, "for mqtts"),
        .optionalText(
            "signing-key", .text(FleetKinds.key), \.signingKey,
            example: "ed25519:qBTmYq9uXayAo87x2zka7P6V+BGHAhQXN8yX920ebHU=",
            "the public one: what boxes would refuse is not published"),
        .optionalText(
            "recovery-key", .text(FleetKinds.key), \.recoveryKey,
            example: "ed25519:fPzlyUVVRWAN/5sugFeHG4Yo7rZfQUNyppvUATYVfd4=", "the public one"),
    ]

    private static let watchKeys: [Key] = [
        .text(
            "listen", .text(FleetKinds.listen), \.watch.listen,
            "the overview, /metrics, /status.json and /healthz; encryption and log-in are a proxy's"),
        .optionalTexts(
            "alertmanager", .texts(FleetKinds.url, orOne: true), \.watch.alertmanagers,
            example: ["http://127.0.0.1:9093"], "each receives every alarm"),
        .text(
            "heartbeat", .text(FleetKinds.urlOrNone), \.watch.heartbeat,
            "asked for each minute while broker and watcher are right; \"\": none"),
        .duration(
            "patience", 10...600, \.watch.patienceSeconds, "from an adhan's instant until its box is silent"),
        .duration(
            "settle", 10...600, \.watch.settleSeconds,
            "no assessment for this long after the watcher or the broker came"),
        .duration(
            "offline-after", 120...86_400, \.watch.offlineAfterSeconds,
            "without a sign of life for this long, and an adhan due in it: dead"),
        .integer(
            "mass-percent", 1...100, "percent", \.watch.massPercent,
            "this many boxes (and at least \(FleetWatch.leastMass)) gone within 5 minutes are one alarm"),
    ]

    private static let rolloutKeys: [Key] = [
        .integers("rings", 1...100, "percent", \.rollout.rings, "of the boxes; the last one is 100"),
        .choice("success", \.rollout.success, "\"played\": an adhan was heard with it; or \"applied\""),
        .duration("soak", 0...2_592_000, \.rollout.soakSeconds, "a ring lasts at least this long"),
        .duration(
            "patience", 600...2_592_000, \.rollout.patienceSeconds,
            "a box without success by then is a failure if it is online, and not counted otherwise"),
        .integer(
            "stop-percent", 1...100, "percent", \.rollout.stopPercent,
            "of the boxes reached; one failure in a ring of less than \(FleetRollout.smallRing)"),
    ]

    private static func relations(_ facts: SchemaFacts) -> [SchemaComplaint] {
        var complaints: [SchemaComplaint] = []
        if case .integers(let rings) = facts.value(["rollout", "rings"]), rings.last != 100 {
            complaints.append(
                SchemaComplaint(
                    ["rollout", "rings"],
                    "the last of rollout.rings is not 100, so some boxes would never get a change"))
        }
        if let recovery = facts.value(["recovery-key"]), recovery == facts.value(["signing-key"]) {
            complaints.append(
                SchemaComplaint(
                    ["recovery-key"],
                    "recovery-key is the same as signing-key; a thief of one would have both"))
        }
        return complaints
    }
}

/// Kinds of text in fleet.toml.
private enum FleetKinds {
    static let org = TextKind.other(
        .init(allowed: FleetName.organisation) { FleetName.isOrganisation($0) ? nil : .init() })
    static let broker = TextKind.other(
        .init(
            allowed: "a broker such as \"mqtts://broker.example.org:8883\" or \"mqtt://127.0.0.1\"",
            plural: "brokers"
        ) { BrokerAddress($0) == nil ? .init() : nil })
    static let path = TextKind.other(
        .init(allowed: "an absolute path such as \"/etc/adhan-fleet/broker-password\"", plural: "paths") {
            $0.hasPrefix("/") && !$0.hasSuffix("/") && $0.utf8.count <= 4095 ? nil : .init()
        })
    static let key = TextKind.other(
        .init(allowed: "a public key such as \"ed25519:…\", which `adhan-fleet keys` shows") {
            FleetKey($0) == nil ? .init() : nil
        })
    static let listen = TextKind.other(
        .init(allowed: "an address of this machine with a port, such as \"\(WatchSettings.standardListen)\"")
        {
            LoopbackAddress($0) == nil
                ? .init(
                    because:
                        "whoever can read the page sees every mosque; a proxy with a log-in goes before it")
                : nil
        })
    static let url = TextKind.other(
        .init(allowed: "an address such as \"http://127.0.0.1:9093\"", plural: "addresses", fault: urlFault))
    static let urlOrNone = TextKind.other(
        .init(
            allowed: "an address such as \"https://hc-ping.com/UUID\", or \"\" for none", plural: "addresses"
        ) {
            $0.isEmpty ? nil : urlFault($0)
        })

    private static func urlFault(_ text: String) -> TextKind.Fault? {
        if case .failure(let problem) = DeliveryAddress.read(text) { return .init(because: problem.reason) }
        return nil
    }
}
