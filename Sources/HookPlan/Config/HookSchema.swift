import Protocol
package import Settings
import Texts

extension HookConfig {
    package static let schema = Schema<HookConfig>(
        initial: HookConfig(),
        parts: [.section(.init(path: [], keys: tables))],
        relations: { _ in [] }, judge: { config, _ in config.complaints })

    /// Tables of one kind: every relay has a program that may be running.
    static let mostTables = 16

    package typealias Key = ConfigKey<HookConfig>

    private static let tables: [Key] = [
        .tables(
            "hook", \.hooks, of: hookKeys, blank: HookSettings(), required: ["name", "on", "command"],
            "a program that is run for events", fault: hookFault),
        .tables(
            "relay", \.relays, of: relayKeys, blank: RelaySettings(), required: ["name", "on", "off"],
            "an amplifier that is on before the first sample, and off after the last", fault: relayFault),
    ]

    private static let hookKeys: [ConfigKey<HookSettings>] = [
        .text("name", .text(.other(HookKinds.name)), \.name, ""),
        ConfigKey(
            name: "on", rule: .texts(.other(HookKinds.event), orOne: true), meaning: "",
            example: .texts(["preroll", "finished", "stopped", "failed"])
        ) {
            $0.on.isEmpty ? nil : .texts($0.on.map(\.rawValue))
        } set: { hook, value in
            hook.on = value.list.compactMap { HookEvent(rawValue: $0) }
        },
        .optionalTexts(
            "command", .texts(.other(HookKinds.word), orOne: true), \.command,
            example: ["/usr/local/lib/adhand/lights", "--dim"], "absolute; no shell is between"),
        ConfigKey(
            name: "prayers", rule: .texts(.other(HookKinds.prayer), orOne: true), meaning: "default: all",
            example: .texts(["maghrib", "isha"])
        ) {
            $0.prayers.isEmpty ? nil : .texts($0.prayers.map(\.rawValue))
        } set: { hook, value in
            hook.prayers = value.list.compactMap { Prayer(rawValue: $0) }
        },
        .duration("lead", 0...21_600, \.leadSeconds, "how long before the adhan \"upcoming\" comes"),
        .duration("timeout", 1...300, \.timeoutSeconds, "then it is ended, with all that it started"),
    ]

    private static let relayKeys: [ConfigKey<RelaySettings>] = [
        .text("name", .text(.other(HookKinds.name)), \.name, ""),
        command("on", \.on), command("off", \.off),
        .duration("lead", 0...300, \.leadSeconds, "on so long before the first sample"),
        .duration("linger", 0...3600, \.lingerSeconds, "off so long after the last"),
        ConfigKey(
            name: "for", rule: .texts(.other(HookKinds.occasion), orOne: true),
            meaning: "default: everything with a sound", example: .texts(["adhan", "iqama"])
        ) {
            $0.kinds.isEmpty ? nil : .texts($0.kinds.map(\.rawValue))
        } set: { relay, value in
            relay.kinds = value.list.compactMap { OccasionDocument.Kind(rawValue: $0) }
        },
    ]

    private static func command(
        _ name: String, _ place: ConfigKey<RelaySettings>.Place<[String]>
    ) -> ConfigKey<RelaySettings> {
        .optionalTexts(
            name, .texts(.other(HookKinds.word), orOne: true), place,
            example: ["/usr/local/lib/adhand/amplifier", name], "absolute; no shell is between")
    }

    // MARK: What keys say together

    private static func hookFault(_ values: [String: ConfigValue]) -> (field: String, reason: String)? {
        HookKinds.fault(values["command"]?.list ?? []).map { ("command", $0) }
    }

    private static func relayFault(_ values: [String: ConfigValue]) -> (field: String, reason: String)? {
        for name in ["on", "off"] {
            if let reason = HookKinds.fault(values[name]?.list ?? []) { return (name, reason) }
        }
        guard values["on"]?.list != values["off"]?.list else {
            return ("off", "is the same command as on, so the relay would never be off; write the other one")
        }
        return nil
    }

    private var complaints: [SchemaComplaint] {
        var complaints: [SchemaComplaint] = []
        for (table, names) in [("hook", hooks.map(\.name)), ("relay", relays.map(\.name))] {
            let twice = Dictionary(grouping: names, by: { $0 }).filter { $1.count > 1 }.keys.sorted()
            for name in twice {
                complaints.append(
                    .init([table], "two [[\(table)]] have the name \"\(name)\"; give each its own"))
            }
            if names.count > Self.mostTables {
                complaints.append(
                    .init(
                        [table], "there are \(names.count) [[\(table)]], and \(Self.mostTables) is the most"))
            }
        }
        let drives = Dictionary(grouping: relays, by: \.drive).values.filter { $0.count > 1 }
        for same in drives {
            complaints.append(
                .init(
                    ["relay"],
                    "the relays \"\(same[0].name)\" and \"\(same[1].name)\" are switched by the same commands; keep one of them"
                ))
        }
        return complaints
    }
}

extension ConfigValue {
    fileprivate var list: [String] {
        switch self {
        case .texts(let texts): texts
        case .text(let text): [text]
        default: []
        }
    }
}
