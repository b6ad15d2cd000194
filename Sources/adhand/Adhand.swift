internal import AdhanCore
internal import ArgumentParser
internal import Glibc
internal import Host
internal import PrayerEngine

@main
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

    @Flag(help: "Check the configuration and exit.")
    var check = false

    @Flag(help: "Print the effective configuration and exit.")
    var printConfig = false

    static func main() {
        StandardDescriptors.reserve()
        guard let arguments = CommandLineWords.arguments else {
            say(CommandLineWords.complaint)
            Glibc.exit(EXIT_FAILURE)
        }
        main(arguments)
    }

    mutating func run() throws {
        let environment = Environment.process
        let options = Paths.Options(
            configuration: config, audioDirectory: audioDir, stateDirectory: stateDir, socket: socket)
        let paths = Paths(options, in: environment)
        let reader = WorldReader(
            find: { Paths(options, in: environment).configuration }, zones: ZoneFiles(in: environment),
            stateDirectory: Directories.absolute(paths.stateDirectory),
            audioDirectory: Directories.absolute(paths.audioDirectory))
        if check {
            try Self.check(reader)
        } else if printConfig {
            try Self.printConfig(reader)
        } else {
            let start = Start(paths: paths, reader: reader, journal: Journal(environment.variables))
            try start.run()
        }
    }

    /// An input file that cannot be used (sysexits.h EX_DATAERR).
    static let invalidInput = ExitCode(65)

    private static func check(_ reader: WorldReader) throws {
        do throws(ConfigError) {
            let world = try reader.read()
            let settings = try reader.readConfig().settings
            let site = world.site
            let place = site.name + (site.approximate ? " (approximate)" : "")
            let method = site.calculation.method.name
            print(
                PlainText.visible(
                    "\(world.configuration) is valid: \(place), zone \(site.zone.name), method \(method)"))
            let files = world.configurationFiles
            let dropIns = CheckText.dropIns(of: world.configuration, files: files, settings: settings)
            print(PlainText.printable(dropIns), terminator: "")
        } catch {
            say("\(error.message)")
            throw invalidInput
        }
    }

    private static func printConfig(_ reader: WorldReader) throws {
        do throws(ConfigError) {
            print(try reader.readConfig().config.printed(), terminator: "")
        } catch {
            say("\(error.message)")
            throw invalidInput
        }
    }

    private static func say(_ sentence: String) {
        let line = Array("adhand: \(PlainText.printable(sentence))\n".utf8)
        _ = unsafe line.withUnsafeBytes { unsafe write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}
