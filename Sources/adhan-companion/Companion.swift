import ArgumentParser
import CommandKit
import Glibc
import Host
import Texts

/// Runs adhan-companion, which shares an executable file with other programs.
package func runAdhanCompanion() { Companion.main() }

struct Companion: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "adhan-companion",
        abstract: "One person's prayers: a log, streaks, notifications, and lines for status bars.",
        discussion: """
            What is logged is in $XDG_DATA_HOME/adhand, readable by its user alone, and leaves the machine nowhere. Times are \
            those of adhand where it answers, else computed by the configuration that it would read.

            Exit status: 0 done, 1 refused or failed, 64 wrong usage, 65 an input file is not valid.
            """,
        version: "adhan-companion \(adhandVersion)",
        groupedSubcommands: [
            CommandGroup(name: "Log", subcommands: [Prayed.self, Undo.self, Redo.self]),
            CommandGroup(
                name: "Review",
                subcommands: [Week.self, Month.self, Stats.self, StreakCommand.self, Badges.self, Next.self]),
            CommandGroup(name: "Notifications", subcommands: [Run.self, Pending.self]),
            CommandGroup(name: "The log as a file", subcommands: [Import.self, Export.self, Erase.self]),
        ])

    /// The name of the installed link that runs `prayed`.
    private static let shortName = "prayed"

    static func main() {
        StandardDescriptors.reserve()
        // All files are for this user alone, including those that SQLite creates beside the log.
        umask(0o077)
        guard var words = CommandLineWords.arguments else {
            end(Refusal(.failed, CommandLineWords.complaint))
        }
        if CommandLine.arguments.first?.split(separator: "/").last == Substring(shortName) {
            words.insert(shortName, at: 0)
        }
        do {
            var command = try parseAsRoot(words)
            try command.run()
        } catch let refusal as Refusal {
            end(refusal)
        } catch {
            endParsing(error)
        }
    }

    private static func end(_ refusal: Refusal) -> Never {
        StandardError.write("adhan-companion: \(refusal.message)")
        // A failure to write has already been reported.
        if CommandLine.arguments.contains("--json") {
            try? Output(json: true).write(document: refusal.document)
        }
        Glibc.exit(refusal.status.rawValue)
    }

    /// Ends the program after parsing. Help and the version are regular answers; every other message of the parser is a usage
    /// error.
    private static func endParsing(_ error: any Error) -> Never {
        guard exitCode(for: error) != .success else {
            do throws(Refusal) {
                try Output(json: false).write(fullMessage(for: error) + "\n")
            } catch {
                end(error)
            }
            Glibc.exit(0)
        }
        if let unknown = unknownCommand(CommandLineWords.arguments ?? []) {
            let names = configuration.subcommands.map { $0._commandName }
            let near = NearestName.of(unknown, among: names).map { "; did you mean \"\($0)\"?" } ?? ""
            end(
                Refusal(
                    .usage,
                    "there is no command \"\(unknown)\"\(near)\(near.isEmpty ? "; see" : " See") \"adhan-companion --help\""
                ))
        }
        let message = message(for: error)
        end(Refusal(.usage, message.hasSuffix(".") ? String(message.dropLast()) : message))
    }

    /// The first word, if a command is expected there and it is none.
    private static func unknownCommand(_ words: [String]) -> String? {
        let isShort = CommandLine.arguments.first?.split(separator: "/").last == Substring(shortName)
        guard !isShort, let first = words.first, !first.hasPrefix("-"), first != "help" else { return nil }
        let names = configuration.subcommands.flatMap { [$0._commandName] + $0.configuration.aliases }
        return names.contains(first) ? nil : first
    }
}
