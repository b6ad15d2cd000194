internal import ArgumentParser
internal import CommandKit
internal import Glibc
internal import HookPlan
internal import Host
internal import Settings
internal import Texts

/// Runs adhan-hooks, which shares an executable file with other programs.
package func runAdhanHooks() { AdhanHooks.main() }

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

    static func main() { ServiceStart.run(AdhanHooks.self, failing: HooksError.self) }

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
        Orphans.adopt()
        let hooks = Hooks(config: place.file, socket: Paths.clientSocket(option: socket, in: .process))
        Signals.follow(hooks.signals)
        hooks.run(config)
    }
}

/// The option for the path of the file.
struct ConfigOption: ParsableArguments {
    @Option(
        help: ArgumentHelp("Read this file. Default: \(HookConfig.systemFile).", valueName: "file"),
        completion: .file(extensions: ["toml"]))
    var config: String?

    var file: String { config ?? HookConfig.systemFile }
}
