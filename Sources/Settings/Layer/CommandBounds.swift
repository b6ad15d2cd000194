/// The changes that the files allow to commands.
package struct CommandBounds: Sendable, Equatable {
    /// Keys and tables that no command can change.
    package var pinned: [String] = []
    /// Percent above which no command can set a volume.
    package var loudestPercent = 100
    package var household = HouseholdRights.volume
    /// The rights of users without full rights.
    package var grants = CommandGrant.initial

    package init() {}
}

extension [String] {
    /// The key or table in this list that covers a key.
    func pin(of key: String) -> String? { first { key == $0 || key.hasPrefix($0 + ".") } }
}

extension ConfigSchema {
    static let commandBounds: [ConfigKey<Config>] = [
        ConfigKey(
            name: "pinned", rule: .texts(.pin, orOne: true),
            meaning: "keys and tables that no command can change",
            example: .texts(["adhan.isha.volume", "calculation"])
        ) {
            $0.control.pinned.isEmpty ? nil : .texts($0.control.pinned)
        } set: { config, value in
            config.control.pinned = value.strings
        },
        .integer(
            "loudest", 0...100, "percent", \.control.loudestPercent, "no volume set by command is above"),
        .choice(
            "household", \.control.household,
            "what the role \"household\" may change: \"volume\", or \"switch\" (mute, stop and switches only)"
        ),
    ]
}

extension TextKind {
    /// The kind of a key or a table of the configuration.
    static let pin = TextKind.other(
        .init(
            allowed: "a key or a table such as \"adhan.isha.volume\" or \"calculation\"",
            plural: "keys and tables such as [\"adhan.isha.volume\", \"calculation\"]",
            fault: { text in
                let path = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
                if ConfigSchema.index[path] != nil { return nil }
                if path.first == SettableKey.Home.displayTable,
                    path.count == 1 || DisplayConfig.schema.index[Array(path.dropFirst())] != nil
                {
                    return nil
                }
                return Fault(
                    because: "there is no such key",
                    hint: SettableKey.near(text).map(TOMLEscapes.quote))
            }))
}
