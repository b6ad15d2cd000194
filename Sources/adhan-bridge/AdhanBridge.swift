internal import ArgumentParser
internal import BridgePlan
internal import CommandKit
internal import Glibc
internal import Host
internal import Settings
internal import Systemd
internal import Texts

/// Runs adhan-bridge, which shares an executable file with other programs.
package func runAdhanBridge() { AdhanBridge.main() }

struct AdhanBridge: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "adhan-bridge",
        abstract: "Connects adhand with the house: MQTT, Home Assistant, alerts, heartbeats and figures.",
        discussion: """
            Follows adhand, publishes what it does, and sends a message when an adhan was not heard. adhand waits for nothing of it.

            Exit status: 0 done, 1 failed, 64 wrong usage, 65 bridge.toml is not valid, 69 adhan-bridge cannot be reached.
            """,
        version: "adhan-bridge \(adhandVersion)",
        subcommands: [AlertCommand.self, TestCommand.self, StatusCommand.self, MessagesCommand.self])

    @OptionGroup var place: PlaceOptions

    @Option(help: ArgumentHelp("Talk to adhand on this socket.", valueName: "path"), completion: .file())
    var socket: String?

    @Option(
        help: ArgumentHelp(
            "The name by which a broker knows this machine. Default: made of the machine's own.",
            valueName: "id"))
    var box: String?

    @Flag(help: "Say whether the file and the secrets that it names are valid, and end.")
    var check = false

    @Flag(help: "Print the settings in force, and end.")
    var printConfig = false

    /// The MQTT library allocates any size that a broker announces. This limit makes such an allocation fail and the connection
    /// end, where the unit's MemoryMax= would end the program.
    private static let mostDataMegabytes = 40

    static func main() { ServiceStart.run(AdhanBridge.self, failing: BridgeError.self) }

    func validate() throws {
        if check, printConfig { throw ValidationError("--check and --print-config exclude each other") }
    }

    func run() throws {
        let path = place.configFile
        let files = StateFiles(place.stateFolder)
        // The address is ignored if it is damaged or this user may not read it. The service reports that.
        let page = try? files.page()
        if check || printConfig {
            let file = try BridgeFile.read(path, beside: page)
            if check, let complaint = file.complaint { throw BridgeError(.invalidInput, complaint) }
            return try Output(json: false).write(
                check ? "\"\(path)\" is valid\n" : BridgeConfig.schema.printed(file.config))
        }
        // Files that this program writes are readable by its own user alone.
        umask(0o077)
        Memory.beFrugal()
        Memory.limitData(toMegabytes: Self.mostDataMegabytes)
        let file = try BridgeFile.read(path, beside: page, isNeeded: !files.hasPage)
        let box = try Self.box(box)
        let lock: LockFile
        do throws(FileError) {
            try files.make()
            guard let held = try files.lock() else {
                throw FileError("use", files.folder, reason: "another adhan-bridge runs with it")
            }
            lock = held
        } catch {
            throw BridgeError(.failed, error.message)
        }
        let bridge = Bridge(
            .init(
                config: path, socket: Paths.clientSocket(option: socket, in: .process),
                stateFolder: place.stateFolder, box: box), file, page, lock)
        let inbox = bridge.inbox
        Signals.follow { inbox.put(.signal($0)) }
        bridge.run()
    }

    static func box(_ named: String?) throws(BridgeError) -> String {
        if let named {
            guard FleetName.isBox(named) else {
                throw BridgeError(
                    .usage,
                    "\"\(PlainText.visible(named))\" is no name of a box: use 1 to 32 of a-z, 0-9 and -")
            }
            return named
        }
        guard let own = BoxIdentity.ofMachine() else {
            throw BridgeError(
                .failed, "this machine has no identifier (/etc/machine-id), so name it: --box kitchen")
        }
        return own
    }
}

/// Options for the paths of the file and the state.
struct PlaceOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("Read this file. Default: \(BridgeConfig.systemFile).", valueName: "file"),
        completion: .file(extensions: ["toml"]))
    var config: String?

    @Option(
        help: ArgumentHelp(
            "Keep the queue here. Default: \(StateFiles.usualFolder).", valueName: "directory"),
        completion: .directory)
    var stateDir: String?

    var configFile: String { config ?? BridgeConfig.systemFile }
    var stateFolder: String {
        stateDir ?? Environment.process.value("STATE_DIRECTORY") ?? StateFiles.usualFolder
    }
}
