internal import ArgumentParser
internal import CommandKit
internal import Glibc
internal import Host
internal import PrayerEngine
import Protocol
internal import Settings
internal import Texts

/// Runs adhand as one of the programs of an executable file.
package func runAdhand() { Adhand.main() }

struct Adhand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "adhand",
        abstract: "Calls the adhan at the right second, every time, never twice.",
        discussion: """
            Runs in the foreground until it is stopped. adhanctl controls it. Without a configuration file \
            it runs on its embedded default, for the principal place of the system's time zone.

            ADHAND_LOG=debug|info|notice|warning|error says what is worth telling (default: info).
            """,
        version: "adhand \(adhandVersion)")

    @Option(
        help: ArgumentHelp("Read this configuration file.", valueName: "file"),
        completion: .file(extensions: ["toml"]))
    var config: String?

    @Option(
        help: ArgumentHelp("Take the shipped sounds from here.", valueName: "directory"),
        completion: .directory)
    var audioDir: String?

    @Option(
        help: ArgumentHelp("Keep state, history and added sounds here.", valueName: "directory"),
        completion: .directory)
    var stateDir: String?

    @Option(help: ArgumentHelp("Listen for adhanctl on this socket.", valueName: "path"), completion: .file())
    var socket: String?

    @Option(
        help: ArgumentHelp(
            "The name by which a fleet knows this box. Default: one that the machine's identifier gives.",
            valueName: "name"))
    var box: String?

    @Flag(help: "Call nothing until somebody has named the place.")
    var awaitPlace = false

    @Flag(
        help: "Check the configuration, its sounds and its devices, as the user who runs this, and exit.")
    var check = false

    @Flag(help: "With --check: print one JSON document.")
    var json = false

    @Flag(help: "Print the effective configuration and exit.")
    var printConfig = false

    func validate() throws {
        if json, !check { throw ValidationError("--json goes with --check") }
        if let box, !FleetName.isBox(box) {
            throw ValidationError("--box is a name: \(FleetName.box)")
        }
    }

    static func main() {
        StandardDescriptors.reserve()
        guard let arguments = CommandLineWords.arguments else {
            report(CommandLineWords.complaint)
            Glibc.exit(EXIT_FAILURE)
        }
        main(arguments)
    }

    mutating func run() throws {
        let environment = Environment.process
        let options = Paths.Options(
            configuration: config, audioDirectory: audioDir, stateDirectory: stateDir, socket: socket)
        let paths = Paths(options, in: environment)
        let reader = InputsReader(
            find: { Paths(options, in: environment).configuration },
            candidates: Paths.candidates(options, in: environment), zones: ZoneFiles(in: environment),
            stateDirectory: Directories.absolute(paths.stateDirectory),
            audioDirectory: Directories.absolute(paths.audioDirectory),
            callsApproximate: !awaitPlace && environment.value("ADHAND_PLACE") != "named")
        if check {
            try check(reader, paths)
        } else if printConfig {
            try Self.printConfig(reader)
        } else {
            let start = Start(
                paths: paths, reader: reader, box: box, journal: Journal(environment.variables))
            try start.run()
        }
    }

    /// The status for an unusable input file (sysexits.h EX_DATAERR).
    static let invalidInput = ExitCode(65)

    private func check(_ reader: InputsReader, _ paths: Paths) throws {
        let folders = SoundFolders(
            stateDirectory: reader.stateDirectory, audioDirectory: reader.audioDirectory)
        var checker = ConfigChecker(
            reader: reader, folders: folders, view: paths.isSystemService ? .service : .own)
        let found = checker.check()
        if json {
            print(String(decoding: try JSON.encode(found), as: UTF8.self))
        } else {
            print(PlainText.printable(CheckText.render(found, .plain)), terminator: "")
            for problem in found.problems { Self.report(CheckText.sentence(problem)) }
        }
        guard found.exitStatus != 0 else { return }
        throw ExitCode(found.exitStatus)
    }

    private static func printConfig(_ reader: InputsReader) throws {
        do throws(ConfigError) {
            print(try reader.readConfig().config.printed(), terminator: "")
        } catch {
            for mistake in error.all { report(mistake.message) }
            throw invalidInput
        }
    }

    private static func report(_ sentence: String) {
        StandardError.write("adhand: \(sentence)")
    }
}
