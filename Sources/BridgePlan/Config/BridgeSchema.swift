package import Settings
import Texts

extension BridgeConfig {
    package static let schema = Schema<BridgeConfig>(
        initial: BridgeConfig(),
        parts: [
            .section(.init(path: [], keys: top)),
            .section(.init(path: ["mqtt"], meaning: "without a broker there is no MQTT", keys: mqttKeys)),
            .section(
                .init(
                    path: ["mqtt", "commands"],
                    meaning: "what may be asked over MQTT, and no more than adhand grants",
                    keys: commandKeys)),
            .section(.init(path: ["homeassistant"], keys: homeAssistantKeys)),
            .section(
                .init(
                    path: ["fleet"],
                    meaning:
                        "the broker of the fleet in adhand.toml's [fleet]; without one nothing is reported",
                    keys: fleetKeys)),
            .section(.init(path: ["alerts"], meaning: "when alerts begin and are repeated", keys: alertKeys)),
            .section(.init(path: [], keys: tables)),
            .section(
                .init(path: ["prometheus"], meaning: "figures for a monitoring system", keys: prometheusKeys)),
        ],
        relations: relations, check: { config, _ in config.complaints })

    package typealias Key = ConfigKey<BridgeConfig>

    private static let top: [Key] = [
        .optionalText(
            "name", .text(.label), \.name, example: "Living room",
            "how people call this box; default: the name of its location")
    ]

    private static let mqttKeys: [Key] = [
        .optionalTexts(
            "broker", .texts(.other(BridgeKinds.broker), orOne: true), \.mqtt.brokers,
            example: ["mqtts://ha.lan:8883"], "a list is tried in turn"),
        .optionalText(
            "username", .text(.label), \.mqtt.username, example: "adhand", "left out: anonymous"),
        file(
            "password-file", \.mqtt.passwordFile, "/etc/adhand/mqtt-password",
            "one line; no secret stands in this file"),
        .text("ca-file", .text(.other(BridgeKinds.path)), \.mqtt.caFile, "for mqtts"),
        file("certificate-file", \.mqtt.certificateFile, "/etc/adhand/mqtt.crt", "of this box, with its key"),
        file("key-file", \.mqtt.keyFile, "/etc/adhand/mqtt.key", ""),
        .text("prefix", .text(.other(BridgeKinds.topic)), \.mqtt.prefix, "topics are PREFIX/BOX/..."),
        .duration("keepalive", 10...3600, \.mqtt.keepaliveSeconds, "how often a sign of life is exchanged"),
    ]

    private static let commandKeys: [Key] = [
        Key(
            name: "allow", rule: .texts(.other(BridgeKinds.command), orOne: true),
            meaning: "of \"mute\", \"stop\", \"prayers\" and \"test\""
        ) {
            .texts($0.commands.allowed.map(\.rawValue))
        } set: { config, value in
            config.commands.allowed = value.list.compactMap { BridgeCommandKind(rawValue: $0) }
        },
        .duration("max-mute", 60...86_400, \.commands.maxMuteSeconds, "no mute over MQTT is longer"),
    ]

    private static let homeAssistantKeys: [Key] = [
        .flag("enabled", \.homeAssistant.isEnabled, "whether Home Assistant finds this box by itself"),
        .text(
            "discovery-prefix", .text(.other(BridgeKinds.topic)), \.homeAssistant.discoveryPrefix,
            "as Home Assistant has it"),
        .duration(
            "upcoming", 0...21_600, \.homeAssistant.upcomingSeconds, "when the event \"upcoming\" comes"),
    ]

    private static let fleetKeys: [Key] = [
        .optionalTexts(
            "broker", .texts(.other(BridgeKinds.broker), orOne: true), \.fleet.brokers,
            example: ["mqtts://fleet.example.org:8883"], "a list is tried in turn"),
        .optionalText(
            "username", .text(.label), \.fleet.username, example: "kitchen",
            "default: the name of this box"),
        file(
            "password-file", \.fleet.passwordFile, "/etc/adhand/fleet-password",
            "one line; no secret stands in this file"),
        file(
            "token-file", \.fleet.tokenFile, "/etc/adhand/fleet-token",
            "the word of a card: with it the box asks for its place, by a password that it makes itself"),
        .text("ca-file", .text(.other(BridgeKinds.path)), \.fleet.caFile, "for mqtts"),
        .duration(
            "beat", 10...3600, \.fleet.beatSeconds,
            "between two signs of life; \"10m\" where data is dear"),
    ]

    private static let alertKeys: [Key] = [
        .duration("repeat", 0...2_592_000, \.alerts.repeatSeconds, "a reminder while it lasts; \"0s\": none"),
        .integer(
            "timetable-days", 1...90, "days", \.alerts.timetableDays, "before the timetable ends"),
        .entries(
            "after", .duration(seconds: 0...86_400), names: .other(BridgeKinds.alert),
            example: (name: "daemon", value: .duration(seconds: 60)),
            "how long something lasts before its alert begins",
            get: { config in
                Dictionary(
                    uniqueKeysWithValues: config.alerts.after.map { ($0.rawValue, .duration(seconds: $1)) })
            },
            set: { config, entries in
                for (name, value) in entries {
                    if let kind = AlertKind(rawValue: name), case .duration(let seconds) = value {
                        config.alerts.after[kind] = seconds
                    }
                }
            }),
    ]

    private static let prometheusKeys: [Key] = [
        .text("textfile", .text(.other(BridgeKinds.pathOrNone)), \.prometheus.textfile, "\"\": none"),
        .text(
            "listen", .text(.other(BridgeKinds.loopback)), \.prometheus.listen,
            "such as \"127.0.0.1:9464\"; this machine alone"),
    ]

    private static let tables: [Key] = [
        .tables(
            "alert", \.destinations, of: destinationKeys, blank: AlertDestination(),
            required: ["name", "kind"],
            "where alerts go", fault: destinationFault),
        .tables(
            "heartbeat", \.heartbeats, of: heartbeatKeys, blank: HeartbeatTarget(), required: ["name"],
            "asked for while adhand is right, so that a dead box is noticed", fault: heartbeatFault),
    ]

    private static let destinationKeys: [ConfigKey<AlertDestination>] = [
        .text("name", .text(.other(.name)), \.name, ""),
        .choice("kind", \.kind, "\"webhook\", \"mail\" or \"mqtt\""),
        .optionalText(
            "url", .text(.other(BridgeKinds.url)), \.url, example: "https://ntfy.sh/our-mosque",
            "of a webhook"),
        file("url-file", \.urlFile, "/etc/adhand/alert-url", "where the address is a secret"),
        file("header-file", \.headerFile, "/etc/adhand/alert-headers", "lines \"Name: value\""),
        .choice("format", \.format, "\"json\", \"ntfy\", \"slack\" or \"text\""),
        ConfigKey(
            name: "on", rule: .texts(.other(BridgeKinds.alert), orOne: true), meaning: "default: every kind",
            example: .texts(["missed", "failed"])
        ) {
            $0.on.isEmpty ? nil : .texts($0.on.map(\.rawValue))
        } set: { destination, value in
            destination.on = value.list.compactMap { AlertKind(rawValue: $0) }
        },
        .optionalTexts(
            "to", .texts(.other(BridgeKinds.mailbox), orOne: true), \.to, example: ["imam@example.org"],
            "of mail"),
        .optionalText(
            "from", .text(.other(BridgeKinds.mailbox)), \.from, example: "adhand@example.org", "of mail"),
        .text("sendmail", .text(.other(BridgeKinds.path)), \.sendmail, ""),
    ]

    private static let heartbeatKeys: [ConfigKey<HeartbeatTarget>] = [
        .text("name", .text(.other(.name)), \.name, ""),
        .optionalText(
            "url", .text(.other(BridgeKinds.url)), \.url, example: "https://hc-ping.com/UUID", ""),
        file("url-file", \.urlFile, "/etc/adhand/heartbeat-url", "where the address is a secret"),
        .optionalText(
            "fail-url", .text(.other(BridgeKinds.url)), \.failURL, example: "https://hc-ping.com/UUID/fail",
            "asked for once when adhand stops being right"),
        .duration("every", 1...3600, \.everySeconds, ""),
    ]

    private static func file<Root>(
        _ name: String, _ place: ConfigKey<Root>.Place<String?>, _ example: String, _ meaning: String
    ) -> ConfigKey<Root> {
        .optionalText(name, .text(.other(BridgeKinds.path)), place, example: example, meaning)
    }

    // MARK: What keys say together

    private static func relations(_ facts: SchemaFacts) -> [SchemaComplaint] {
        var complaints: [SchemaComplaint] = []
        func needs(_ name: String, _ other: String) {
            guard facts.has(["mqtt", name]), !facts.has(["mqtt", other]) else { return }
            complaints.append(.init(["mqtt", name], "mqtt.\(name) needs mqtt.\(other) beside it"))
        }
        needs("certificate-file", "key-file")
        needs("key-file", "certificate-file")
        needs("password-file", "username")
        for name in ["username", "password-file"]
        where facts.has(["fleet", "token-file"]) && facts.has(["fleet", name]) {
            complaints.append(
                .init(
                    ["fleet", name],
                    "fleet.\(name) stands beside fleet.token-file, with which the box has a name and a password of its own; keep one of the two"
                ))
        }
        for name in ["username", "password-file", "token-file"]
        where !facts.has(["fleet", "broker"]) && facts.has(["fleet", name]) {
            complaints.append(
                .init(
                    ["fleet", name], "fleet.\(name) is for a broker, and none is named; write fleet.broker"))
            break
        }
        for name in ["username", "certificate-file"]
        where !facts.has(["mqtt", "broker"]) {
            guard facts.has(["mqtt", name]) else { continue }
            complaints.append(
                .init(["mqtt", name], "mqtt.\(name) is for a broker, and none is named; write mqtt.broker"))
            break
        }
        return complaints
    }

    private static func destinationFault(_ values: [String: ConfigValue]) -> (field: String, reason: String)?
    {
        let kind = values["kind"].flatMap(\.word).flatMap { AlertDestination.Kind(rawValue: $0) } ?? .webhook
        let own: [String] =
            switch kind {
            case .webhook: ["url", "url-file", "header-file", "format"]
            case .mail: ["to", "from", "sendmail"]
            case .mqtt: []
            }
        // A printed file contains the defaults.
        let usual: [String: ConfigValue] = ["format": .text("json"), "sendmail": .text("/usr/sbin/sendmail")]
        for field in ["url", "url-file", "header-file", "format", "to", "from", "sendmail"]
        where values[field] != nil && values[field] != usual[field] && !own.contains(field) {
            return (field, "means nothing where kind is \"\(kind.rawValue)\"; take it out")
        }
        switch kind {
        case .webhook: return address(values)
        case .mail:
            for field in ["to", "from"] where values[field] == nil {
                return ("kind", "is \"mail\", and \(field) is missing; write \(field) = \"NAME@example.org\"")
            }
            return nil
        case .mqtt: return nil
        }
    }

    private static func heartbeatFault(_ values: [String: ConfigValue]) -> (field: String, reason: String)? {
        address(values)
    }

    /// Checks that one of the two ways to give an address is used.
    private static func address(_ values: [String: ConfigValue]) -> (field: String, reason: String)? {
        switch (values["url"], values["url-file"]) {
        case (nil, nil): ("name", "names something without an address; write url or url-file")
        case (.some, .some): ("url-file", "stands beside url; keep one of the two")
        default: nil
        }
    }

    private var complaints: [SchemaComplaint] {
        var complaints: [SchemaComplaint] = []
        for (table, names) in [("alert", destinations.map(\.name)), ("heartbeat", heartbeats.map(\.name))] {
            let twice = Dictionary(grouping: names, by: { $0 }).filter { $1.count > 1 }.keys.sorted()
            for name in twice {
                complaints.append(
                    .init([table], "two [[\(table)]] have the name \"\(name)\"; give each its own"))
            }
        }
        if !mqtt.isOn, let needy = destinations.first(where: { $0.kind == .mqtt }) {
            complaints.append(
                .init(
                    ["alert"],
                    "the alert \"\(needy.name)\" goes by MQTT, and there is no broker; write mqtt.broker"))
        }
        if mqtt.certificateFile != nil, !mqtt.addresses.contains(where: \.isSecure) {
            complaints.append(
                .init(
                    ["mqtt", "certificate-file"],
                    "mqtt.certificate-file is for mqtts, and the broker is spoken to without it; write mqtts://"
                ))
        }
        return complaints
    }
}

extension ConfigValue {
    fileprivate var word: String? { if case .text(let text) = self { text } else { nil } }

    fileprivate var list: [String] {
        switch self {
        case .texts(let texts): texts
        case .text(let text): [text]
        default: []
        }
    }
}
