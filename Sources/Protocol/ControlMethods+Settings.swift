import Settings

extension ControlMethod {
    static let settings: [ControlMethod] = [
        ControlMethod(
            .setSettings, .changing("set", from: .household, grant: nil),
            """
            Sets keys of the configuration (1 to 64, all or nothing) in adhand's own layer over the files: each to a value as TOML
            writes it, or to none, which takes the setting away. The whole is tried, saved and in force before the answer.
            expect: the number of the change that the caller has seen; that one of these keys was changed since is a conflict.
            dryRun: nothing is changed.
            """
        ) { .setSettings($0) },
        ControlMethod(
            .getSettings, .reading,
            "What was set by command, in force or not, and what may be set; of one key or table, or all."
        ) { .getSettings(prefix: $0.prefix) },
        ControlMethod(
            .undoSettings, .changing("undo", from: .household, grant: nil),
            """
            Undoes a change, the newest when left out. That is a change, too; it is a conflict where one of its keys was
            changed since.
            """
        ) { .undoSettings(change: $0.change) },
        ControlMethod(
            .getChanges, .reading,
            "The last changes of settings, at most 50, the newest last."
        ) { asked throws(ControlError) in
            let limit = asked.limit ?? SettingsLayer.mostChanges
            guard limit >= 0 else { throw .invalidParameter(parameter: "limit") }
            return .getChanges(limit: limit)
        },
    ]
}
