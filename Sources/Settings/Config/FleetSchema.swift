package import Texts

/// The fleet whose signed envelopes may change this box.
package struct FleetSettings: Sendable, Equatable {
    package var org = ""
    /// The signing key; `nil` only while the file is read.
    package var signing: FleetKey?
    /// The recovery key; `nil`: the keys cannot be replaced remotely.
    package var recovery: FleetKey?
    package var groups: [String] = []

    package init() {}

    fileprivate var optionalOrg: String? {
        get { org.isEmpty ? nil : org }
        set { org = newValue ?? "" }
    }
}

extension Config {
    /// The fleet, created when the first of its keys is set; an earlier check ensures the others.
    fileprivate var madeFleet: FleetSettings {
        get { fleet ?? FleetSettings() }
        set { fleet = newValue }
    }
}

/// The keys of `[fleet]`.
extension ConfigSchema {
    static let fleet: [ConfigKey<Config>] = [
        .optionalText(
            "org", .text(.organisation), \.madeFleet.optionalOrg, example: "noor",
            "whose signed envelopes change this box"),
        key(
            "signing-key", \.madeFleet.signing,
            example: "ed25519:qBTmYq9uXayAo87x2zka7P6V+BGHAhQXN8yX920ebHU=",
            "its public key, as `adhan-fleet keys` shows it"),
        key(
            "recovery-key", \.madeFleet.recovery,
            example: "ed25519:fPzlyUVVRWAN/5sugFeHG4Yo7rZfQUNyppvUATYVfd4=",
            "the one that may replace both"),
        ConfigKey(
            name: "groups", rule: .texts(.fleetGroup, orOne: true), meaning: "to which this box belongs",
            example: .texts(["uk/london"])
        ) {
            $0.fleet.flatMap { $0.groups.isEmpty ? nil : .texts($0.groups) }
        } set: { config, value in
            config.madeFleet.groups = value.strings
        },
    ]

    private static func key(
        _ name: String, _ place: any WritableKeyPath<Config, FleetKey?> & Sendable, example: String,
        _ meaning: String
    ) -> ConfigKey<Config> {
        ConfigKey(name: name, rule: .text(.fleetKey), meaning: meaning, example: .text(example)) {
            $0[keyPath: place].map { .text($0.text) }
        } set: { config, value in
            if case .text(let text) = value { config[keyPath: place] = FleetKey(text) }
        }
    }

    static func fleetRelations(_ facts: SchemaFacts) -> [SchemaComplaint] {
        func path(_ name: String) -> [String] { ["fleet", name] }
        let given = ["org", "signing-key", "recovery-key", "groups"].filter { facts.has(path($0)) }
        guard let first = given.first else { return [] }
        let missing = ["org", "signing-key"].filter { !given.contains($0) }.map { name in
            SchemaComplaint(path(first), "fleet.\(first) needs fleet.\(name) beside it")
        }
        guard let recovery = facts.value(path("recovery-key")), recovery == facts.value(path("signing-key"))
        else { return missing }
        let reason = "fleet.recovery-key is the same as fleet.signing-key; a thief of one would have both"
        return missing + [SchemaComplaint(path("recovery-key"), reason)]
    }
}

extension TextKind {
    fileprivate static let organisation = TextKind.other(
        .init(allowed: FleetName.organisation) { FleetName.isOrganisation($0) ? nil : Fault() })
    fileprivate static let fleetGroup = TextKind.other(
        .init(allowed: FleetName.group, plural: "groups such as [\"uk/london\"]") {
            FleetName.isGroup($0) ? nil : Fault()
        })
    fileprivate static let fleetKey = TextKind.other(
        .init(allowed: "a public key such as \"ed25519:…\", which `adhan-fleet keys` shows") {
            FleetKey($0) == nil ? Fault() : nil
        })
}
