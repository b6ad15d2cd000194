import ArgumentParser
import CommandKit
import Console
import ControlClient
import Maintenance
import Protocol
import Settings
import Texts

struct SettingsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "settings",
        abstract: "What was set by command, by whom, and whether it is in force.",
        usage: """
            adhanctl settings [<prefix>] [<options>]
            adhanctl settings log
            adhanctl settings undo [<change>]
            adhanctl settings reset <key> ...
            adhanctl settings export
            """,
        discussion: """
            adhand keeps what is set by command over the files of the configuration: "adhanctl set" sets it, \
            "adhanctl settings reset" removes it. A file that is changed afterwards goes before it, and [control] \
            pinned keeps a key from being set at all.
            """,
        subcommands: [List.self, Changes.self, Undo.self, Reset.self, Export.self],
        defaultSubcommand: List.self)

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "What was set by command.", usage: "adhanctl settings [<prefix>] [<options>]")

        @OptionGroup var global: GlobalOptions

        @Argument(help: "A key or a table, as in adhan.fajr.", completion: .configurationKeys)
        var prefix: String?

        func run() throws {
            let reply = try global.daemon.ask(
                .getSettings, SettingsPrefixParameters(prefix: prefix))
            try global.output.show(reply) { SettingsText.list(reply, $0) }
        }
    }

    struct Changes: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "log", abstract: "The last changes, with who made them.",
            usage: "adhanctl settings log [<options>]")

        @OptionGroup var global: GlobalOptions

        func run() throws {
            let reply = try global.daemon.ask(.getChanges, ChangesParameters())
            try global.output.show(reply) { _ in SettingsText.log(reply) }
        }
    }

    struct Undo: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "undo",
            abstract: "Undoes a change, the newest when none is named.",
            usage: "adhanctl settings undo [<change>] [<options>]")

        @OptionGroup var global: GlobalOptions

        @Argument(help: "Its number, as \"adhanctl settings log\" shows it.")
        var change: Int?

        func run() throws {
            let document = try SettingsCommand.client(global).undo(change)
            try global.output.show(document) { document.text($0) }
        }
    }

    struct Reset: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "reset",
            abstract: "Takes settings away, so that the files count again.",
            usage: "adhanctl settings reset <key> ... [<options>]")

        @OptionGroup var global: GlobalOptions

        @Argument(help: "A key, as in adhan.fajr.volume.", completion: .configurationKeys)
        var keys: [String]

        func run() throws {
            let document = try SettingsCommand.client(global).unset(keys)
            try global.output.show(document) { document.text($0) }
        }
    }

    struct Export: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "export",
            abstract: "The settings in force as TOML, to be moved into a file.",
            usage: "adhanctl settings export [<options>]",
            discussion: """
                "adhanctl settings export | sudo tee /etc/adhand/adhand.toml.d/50-settings.toml" writes them into a \
                drop-in; after "adhanctl reload" that counts.
                """)

        @OptionGroup var global: GlobalOptions

        func run() throws {
            let reply = try global.daemon.ask(
                .getSettings, SettingsPrefixParameters())
            try global.output.show(reply) { _ in SettingsText.export(reply) }
        }
    }

    /// - Throws: an error if no daemon answers.
    private static func client(_ global: GlobalOptions) throws(CommandError) -> SettingsClient {
        guard let client = SettingsClient(global.daemon) else {
            // Repeat the request to get the error that explains its refusal.
            _ = try global.daemon.ask(.getSettings, SettingsPrefixParameters())
            throw CommandError(.unreachable, "adhand does not answer on \"\(global.daemon.socket)\"")
        }
        return client
    }
}
