internal import ArgumentParser
internal import CommandKit
internal import Glibc
internal import HookPlan
internal import Host
internal import Settings
internal import Texts

@main
struct AdhanHooks: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "adhan-hooks",
        abstract: "Runs programs when adhand calls, and switches amplifiers on before and off after.",
        discussion: """
            Follows adhand. Nothing that it runs delays or prevents an adhan.

            Exit status: 0 done, 1 failed, 64 wrong usage, 65 hooks.toml is not valid.
            """,
        version: "adhan-hooks \(adhandVersion)", subcommands: [RunCommand.self, OffCommand.self])

    @OptionGroup var place: ConfigOption

    @Option(help: ArgumentHelp("Follow adhand on this socket.", valueName: "path"), completion: .file())
    var socket: String?

    @Flag(help: "Say whether the file is valid and its programs can be run, and end.")
    var check = false

    @Flag(help: "Print the settings in force, and end.")
    var printConfig = false

    static func main() {
        StandardDescriptors.reserve()
        guard let arguments = CommandLineWords.arguments else {
            Journal.say(CommandLineWords.complaint)
            Glibc.exit(EXIT_FAILURE)
        }
        do {
            var command = try parseAsRoot(arguments)
            try command.run()
        } catch let error as HooksError {
            end(error)
        } catch {
            endParsing(error)
        }
    }

    func validate() throws {
        if check, printConfig { throw ValidationError("--check and --print-config exclude each other") }
    }

    func run() throws {
        let config = try HookFile.read(place.file)
        if printConfig { return try Output(json: false).write(HookConfig.schema.printed(config)) }
        if check {
            let complaints = HookFile.complaints(config)
            guard complaints.isEmpty else { throw HooksError(.failed, sentences: complaints) }
            return try Output(json: false).write("\"\(place.file)\" is valid\n")
        }
        umask(0o077)
        Memory.beFrugal()
        let hooks = Hooks(config: place.file, socket: Paths.clientSocket(option: socket, in: .process))
        Signals.follow(hooks.signals)
        hooks.run(config)
    }

    private static func end(_ error: HooksError) -> Never {
        for sentence in error.sentences { Journal.say(sentence) }
        Glibc.exit(error.status.rawValue)
    }

    /// Help and the version are answers; everything else that the parser says is wrong usage.
    private static func endParsing(_ error: any Error) -> Never {
        guard exitCode(for: error) != .success else {
            try? Output(json: false).write(fullMessage(for: error) + "\n")
            Glibc.exit(0)
        }
        let message = message(for: error)
        end(HooksError(.usage, message.hasSuffix(".") ? String(message.dropLast()) : message))
    }
}

/// Where the file is.
struct ConfigOption: ParsableArguments {
    @Option(
        help: ArgumentHelp("Read this file. Default: \(HookConfig.systemFile).", valueName: "file"),
        completion: .file(extensions: ["toml"]))
    var config: String?

    var file: String { config ?? HookConfig.systemFile }
}
