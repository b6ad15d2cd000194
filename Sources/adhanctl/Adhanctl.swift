import ArgumentParser
import CommandKit
import Glibc
import Host
import Maintenance
import Texts

/// adhanctl as one of the programs of an executable file.
package func runAdhanctl() { Adhanctl.main() }

struct Adhanctl: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "adhanctl",
        abstract: "Shows and controls adhand, which calls the adhan.",
        discussion: """
            Anyone may look. Changing things needs root, the user who runs adhand, or membership in its group.

            Exit status: 0 done, 1 refused or failed, 64 wrong usage, 65 an input file is not valid, \
            69 adhand cannot be reached, 75 silenced by a quiet window, 77 not permitted.
            """,
        version: "adhanctl \(adhandVersion)",
        groupedSubcommands: [
            CommandGroup(name: "Show", subcommands: [Status.self, Next.self, History.self, Log.self]),
            CommandGroup(
                name: "Control",
                subcommands: [
                    MuteCommand.self, Unmute.self, Enable.self, Disable.self, Skip.self, Unskip.self,
                    Stop.self,
                    TestPlay.self, Sound.self, Outputs.self,
                    TimetableCommand.self, ExceptionCommand.self,
                ]),
            CommandGroup(
                name: "Calculate (no daemon needed)",
                subcommands: [
                    Times.self, Iqama.self, Explain.self, Methods.self, QiblaCommand.self, Hijri.self,
                    City.self,
                ]),
            CommandGroup(
                name: "Maintain",
                subcommands: [
                    DisplayCommand.self, RemoteCommand.self, Setup.self, SetCommand.self, UnsetCommand.self,
                    SettingsCommand.self, FleetCommand.self,
                    MethodCommand.self, DoctorCommand.self,
                    Reload.self,
                    Check.self,
                    Diagnostics.self, Feedback.self, Debug.self, CardCommand.self,
                    IntakeCommand.self,
                ]),
        ])

    @OptionGroup var global: GlobalOptions

    static func main() {
        SoundWorker.serve(Array(CommandLine.arguments.dropFirst()))
        StandardDescriptors.reserve()
        guard let arguments = CommandLineWords.arguments else {
            end(CommandError(.failed, CommandLineWords.complaint))
        }
        do {
            var command = try parseAsRoot(arguments)
            try command.run()
        } catch let refusal as CommandError {
            end(refusal)
        } catch {
            endParsing(error)
        }
    }

    private static func end(_ refusal: CommandError) -> Never {
        StandardError.write("adhanctl: \(refusal.message)")
        // Ignore a failure, because text that cannot be written has been reported.
        if wantsDocument { try? Output(json: true).write(document: refusal.document, stream: true) }
        Glibc.exit(refusal.status.rawValue)
    }

    /// Whether a program reads the output. It is decided before parsing, because the command line itself may be wrong.
    private static var wantsDocument: Bool {
        let words = CommandLine.arguments.dropFirst().prefix { $0 != "--" }
        return words.contains("--json") || words.contains("--format=json")
            || zip(words, words.dropFirst()).contains { $0 == ("--format", "json") }
    }

    /// Whether the parser itself answers a word.
    private static func asksTheParser(_ word: String) -> Bool {
        ["--help", "-h", "help", "--help-hidden", "--version", "--experimental-dump-help"].contains(word)
            || word.hasPrefix("--generate-completion-script")
    }

    /// Ends after the parser: help and the version are answers, all other output of the parser is wrong usage.
    private static func endParsing(_ error: any Error) -> Never {
        // A command line without a command is wrong usage, and is answered with help.
        if !CommandLine.arguments.contains(where: asksTheParser), exitCode(for: error) == .success {
            StandardError.write(fullMessage(for: error))
            if wantsDocument {
                let refusal = CommandError(.usage, "name a command; see \"adhanctl --help\"")
                try? Output(json: true).write(document: refusal.document, stream: true)
            }
            Glibc.exit(ExitStatus.usage.rawValue)
        }
        let arguments = Array(CommandLine.arguments.dropFirst())
        guard exitCode(for: error) != .success else {
            if let refusal = UsageHint.unknownTopic(arguments) { end(refusal) }
            do throws(CommandError) {
                try Output(json: false).write(fullMessage(for: error) + "\n")
            } catch {
                end(error)
            }
            Glibc.exit(0)
        }
        end(UsageHint.refusal(message(for: error), arguments: arguments))
    }
}
