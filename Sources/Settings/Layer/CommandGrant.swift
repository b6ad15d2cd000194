import Texts

/// One right of a user without full rights: a word of `[control.grants]`. A program on the network gets no more than these, since
/// an intruder has the rights of the program.
package enum CommandGrant: String, CaseIterable, Sendable {
    case mute, stop, prayers, test
    /// The requests of a fleet.
    case fleet

    /// The default grants. Users that do not exist gain nothing from it.
    package static let initial: [String: [CommandGrant]] = [
        "adhan-bridge": [.mute, .stop], "adhan-hooks": [.mute, .stop],
    ]
}

extension ConfigSchema {
    static let commandGrants = ConfigKey<Config>.entries(
        "grants", .texts(.grant, orOne: true), names: .user,
        example: (name: "adhan-bridge", value: .texts(["mute", "stop"])),
        "what users outside of the group may do; [] takes it away",
        get: { config in config.control.grants.mapValues { .texts($0.map(\.rawValue)) } },
        set: { config, entries in
            for (user, value) in entries {
                config.control.grants[user] = value.strings.compactMap { CommandGrant(rawValue: $0) }
            }
        })
}

extension TextKind {
    private static let grants = CommandGrant.allCases.map { TOMLEscapes.quote($0.rawValue) }.joined(
        separator: ", ")

    fileprivate static let grant = TextKind.other(
        .init(allowed: "one of \(grants)", plural: "of \(grants)", mayBeNone: true) { text in
            guard CommandGrant(rawValue: text) == nil else { return nil }
            let near = NearestName.of(text, among: CommandGrant.allCases.map(\.rawValue))
            return Fault(hint: near.map(TOMLEscapes.quote))
        })

    fileprivate static let user = TextKind.other(
        .init(allowed: "a user's name such as \"adhan-bridge\"", plural: "users") { text in
            // Checked like a group's name; a number is not a name, and root may do everything.
            TextKind.group.fault(in: text) ?? (text.allSatisfy(\.isNumber) ? Fault() : nil)
        })
}
