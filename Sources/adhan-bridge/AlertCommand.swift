internal import ArgumentParser
internal import BridgePlan
internal import CommandKit
internal import Glibc
internal import Host
internal import Settings
internal import Texts

/// `adhan-bridge alert`
struct AlertCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "alert",
        abstract: "Show where messages go, or write an address for them into the file.",
        discussion: """
            Without an address it shows what the file has. With one it writes an [[alert]] of that name, or gives the one that is there the \
            new address; everything else in the file stays, and what the file was is kept in FILE.bak. A service that runs takes it over by \
            "systemctl reload adhan-bridge".
            """)

    @ParentCommand var parent: AdhanBridge

    @Argument(
        help: ArgumentHelp("Such as https://ntfy.sh/our-mosque, or ntfy.sh/our-mosque.", valueName: "address")
    )
    var address: String?

    @Option(
        help: ArgumentHelp("The name of the [[alert]]. Default: \(AlertEdit.usualName).", valueName: "name"))
    var name = AlertEdit.usualName

    @Option(
        help: ArgumentHelp(
            "json, ntfy, slack or text. Default: what the server behind the address understands.",
            valueName: "format"))
    var format: String?

    @Flag(help: "Take that [[alert]] out of the file.")
    var remove = false

    @Option(
        help: ArgumentHelp(
            "Read and write this file. Default: \(BridgeConfig.systemFile).", valueName: "file"),
        completion: .file(extensions: ["toml"]))
    var config: String?

    @Flag(help: "Print the result as JSON.")
    var json = false

    func validate() throws {
        if remove, address != nil { throw ValidationError("--remove and an address exclude each other") }
        if format != nil, address == nil { throw ValidationError("--format goes with an address") }
        if let format, AlertDestination.Format(rawValue: format) == nil {
            throw ValidationError("--format must be json, ntfy, slack or text, not \"\(format)\"")
        }
    }

    func run() throws {
        let file = AlertFile(config ?? parent.place.configFile)
        let changes = address != nil || remove
        if changes { try file.locked { () throws(BridgeError) in try change(file) } }
        let now = try file.read()
        var all = now.config
        // The phone page's address is omitted if this user may not read it.
        if let page = try? StateFiles(parent.place.stateFolder).page() { all.add(page) }
        let document = AlertListing(file: file.path, isChanged: changes, all)
        try Output(json: json).show(document) { _ in document.text }
    }

    private func change(_ file: AlertFile) throws(BridgeError) {
        let before = try file.read()
        let new: [UInt8]
        do throws(AlertEdit.Refusal) {
            let edit = try AlertEdit(file.path, before.text, before.own, name: name)
            if let address {
                switch DeliveryAddress.typed(address) {
                case .failure(let problem):
                    throw AlertEdit.Refusal(
                        reason:
                            "\"\(PlainText.visible(address))\" cannot be used as an address: \(problem.reason)"
                    )
                case .success(let read):
                    new = try edit.setting(read, format.flatMap { AlertDestination.Format(rawValue: $0) })
                }
            } else {
                guard let rest = try edit.removing() else {
                    throw AlertEdit.Refusal(reason: "\"\(file.path)\" has no alert \"\(name)\"")
                }
                new = rest
            }
        } catch {
            throw BridgeError(.invalidInput, "\(error.reason); nothing was changed")
        }
        // The service must be able to read the new text, and a drop-in with alerts overrides the file.
        let inForce = try file.meaning(of: new, beside: before)
        if let wanted = address.flatMap({ try? DeliveryAddress.typed($0).get().text }),
            !inForce.destinations.contains(where: { $0.name == name && $0.url == wanted })
        {
            throw BridgeError(
                .failed,
                "a drop-in in \"\(file.path).d\" sets the alerts and goes before the file; nothing was changed"
            )
        }
        try file.write(new, over: before)
    }
}

/// bridge.toml, which one command at a time reads and changes.
struct AlertFile {
    struct Content {
        /// The file's own text; `nil` if it does not exist.
        var text: [UInt8]?
        /// The meaning of the file alone; the other property includes its drop-ins.
        var own: BridgeConfig
        var config: BridgeConfig
        var dropIns: [ConfigSource]
    }

    let path: String

    /// Resolves a link, so that its target is replaced and not the link.
    init(_ path: String) {
        guard let real = unsafe realpath(path, nil) else {
            self.path = path
            return
        }
        defer { unsafe free(real) }
        self.path = unsafe String(cString: real)
    }

    private static let patienceSeconds = 10.0

    func locked(_ work: () throws(BridgeError) -> Void) throws(BridgeError) {
        let lock: LockFile?
        do throws(FileError) {
            lock = try LockFile.acquire(path + ".lock", patienceSeconds: Self.patienceSeconds)
        } catch {
            throw Self.refusal(error)
        }
        guard let lock else {
            throw BridgeError(.failed, "another command is changing \"\(path)\"; nothing was changed")
        }
        defer { lock.release() }
        try work()
    }

    func read() throws(BridgeError) -> Content {
        let own: [ConfigSource]
        var dropIns: [ConfigSource] = []
        do throws(FileError) {
            own = try ownSource().map { [$0] } ?? []
            for file in try ConfigFiles.dropIns(of: path) { dropIns.append(try ConfigFiles.source(file)) }
        } catch {
            throw Self.refusal(error)
        }
        return Content(
            text: own.first?.text, own: try Self.meaning(own), config: try Self.meaning(own + dropIns),
            dropIns: dropIns)
    }

    /// The meaning of a new text for the file, with the drop-ins unchanged.
    func meaning(of text: [UInt8], beside before: Content) throws(BridgeError) -> BridgeConfig {
        try Self.meaning([ConfigSource(file: path, text: text)] + before.dropIns)
    }

    private func ownSource() throws(FileError) -> ConfigSource? {
        do throws(FileError) {
            return try ConfigFiles.source(path)
        } catch  where error.isMissing {
            return nil
        }
    }

    func write(_ new: [UInt8], over before: Content) throws(BridgeError) {
        do throws(FileError) {
            if let old = before.text { try replace(path + ".bak", old) }
            try replace(path, new)
        } catch {
            throw Self.refusal(error)
        }
    }

    /// Makes a new file readable by root and the service only, because addresses are secrets.
    private func replace(_ path: String, _ bytes: [UInt8]) throws(FileError) {
        let isNew = unsafe access(self.path, F_OK) != 0
        try AtomicFile.replace(path, mode: 0o640, like: self.path) { draft throws(FileError) in
            if isNew, geteuid() == 0, let group = unsafe getgrnam("adhan-bridge") {
                unsafe chown(draft.path, uid_t.max, group.pointee.gr_gid)
            }
            try draft.write(bytes)
        }
    }

    private static func meaning(_ sources: [ConfigSource]) throws(BridgeError) -> BridgeConfig {
        guard !sources.isEmpty else { return BridgeConfig() }
        do throws(ConfigError) {
            return try BridgeConfig.schema.read(sources).settings
        } catch {
            throw BridgeError(.invalidInput, sentences: error.all.map(\.message))
        }
    }

    private static func refusal(_ error: FileError) -> BridgeError {
        let isRefused = error.code == EACCES || error.code == EPERM
        return BridgeError(
            isRefused ? .notPermitted : .failed, isRefused ? "\(error.message); use sudo" : error.message)
    }
}

/// The answer of `adhan-bridge alert`.
struct AlertListing: Encodable {
    struct Alert: Encodable {
        let name: String
        let kind: String
        /// The address; `nil` if it is in a file of its own, or the kind has none.
        @Nullable var address: String?
    }

    let file: String
    let isChanged: Bool
    let alerts: [Alert]

    init(file: String, isChanged: Bool, _ config: BridgeConfig) {
        self.file = file
        self.isChanged = isChanged
        alerts = config.destinations.map { .init(name: $0.name, kind: $0.kind.rawValue, address: $0.url) }
    }

    var text: String {
        let lines = alerts.map { alert in
            let place =
                alert.address
                ?? (alert.kind == "webhook" ? "an address in a file of its own" : "by \(alert.kind)")
            return "  \(alert.name): \(place)\n"
        }
        guard !lines.isEmpty else {
            return "\"\(file)\" has no [[alert]]: nobody learns when an adhan is not heard.\n"
        }
        return (isChanged ? "Saved in \(file).\n" : "\(file):\n") + lines.joined()
            + (isChanged ? "\"adhan-bridge test NAME\" sends a test.\n" : "")
    }
}
