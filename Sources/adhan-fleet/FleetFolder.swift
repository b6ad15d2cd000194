internal import ArgumentParser
internal import CommandKit
internal import FleetPlan
internal import Host
internal import MQTT
internal import Settings
internal import Texts
internal import WebDelivery

/// Options of the commands that need the folder of a fleet's server.
struct FolderOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The folder of the fleet's files. Default: \(FleetConfig.usualFolder).", valueName: "folder"),
        completion: .directory)
    var dir = FleetConfig.usualFolder

    var folder: FleetFolder {
        FleetFolder(path: dir.count > 1 && dir.hasSuffix("/") ? String(dir.dropLast()) : dir)
    }
}

/// The folder of a fleet's server, with its configuration in fleet.toml.
struct FleetFolder: Sendable {
    /// fleet.toml and the password that it names.
    struct Content: Sendable {
        var config: FleetConfig
        var org: String
        var password: String?
    }

    let path: String

    func read() throws(FleetError) -> Content {
        let file = "\(path)/\(FleetConfig.fileName)"
        let found: ConfigFiles
        do throws(FileError) { found = try ConfigFiles.read(file) } catch {
            throw FleetError(
                error.isMissing ? .invalidInput : .failed,
                error.isMissing
                    ? "\(error.message); \"adhan-fleet init --dir \(path) --org NAME --broker URL\" writes one"
                    : error.message)
        }
        let config: FleetConfig
        do throws(ConfigError) { config = try FleetConfig.schema.read(found.sources).settings } catch {
            throw FleetError(.invalidInput, error.all.map(\.message).joined(separator: "\n"))
        }
        guard let org = config.org else { throw Self.missing(file, "org") }
        guard !config.addresses.isEmpty else { throw Self.missing(file, "broker") }
        var password: String?
        if let secret = config.passwordFile { password = try Self.password(secret) }
        return Content(config: config, org: org, password: password)
    }

    private static func password(_ file: String) throws(FleetError) -> String {
        let bytes: [UInt8]
        do throws(FileError) { bytes = try FileBytes.read(file, limit: FileBytes.mostSecretBytes) } catch {
            throw FleetError(.invalidInput, error.message)
        }
        let lines = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
        guard lines.count == 1 else {
            throw FleetError(
                .invalidInput,
                "\"\(file)\" (password-file) has \(lines.count) lines; write the password on one")
        }
        return String(lines[0])
    }

    private static func missing(_ file: String, _ key: String) -> FleetError {
        FleetError(.invalidInput, "\"\(file)\" has no \(key), without which there is no fleet; write \(key)")
    }
}

extension FleetFolder.Content {
    /// The settings of a session with the fleet's broker under this client name.
    func session(_ client: String, subscriptions: [String] = []) -> SessionSettings {
        var settings = SessionSettings(
            brokers: config.addresses.map { .init(host: $0.host, port: $0.port, isEncrypted: $0.isSecure) },
            clientID: client, username: config.username, password: password,
            certificates: .init(caFile: config.caFile), subscriptions: subscriptions,
            mostPacketBytes: Self.mostPacketBytes)
        // The retain flag then shows whether a report is new or was kept by the broker.
        settings.keepsRetainFlag = false
        settings.longestPauseSeconds = Self.longestPauseSeconds
        return settings
    }

    private static let mostPacketBytes = 65_536
    private static let longestPauseSeconds = 5.0
}

extension MQTTError {
    /// The reason as a person reads it, without a capital and a full stop.
    var sentence: String {
        switch self {
        case .wrongPassword, .notAuthorized: "it does not accept the username and password of fleet.toml"
        case .certificateFile: "ca-file cannot be used"
        case .takenOver: "another watcher has come by this one's name"
        default: commonSentence ?? "\(self)"
        }
    }
}

extension WebError {
    /// The reason as a clause within a sentence.
    var reason: String {
        self == .noLibrary ? "libcurl cannot be loaded; install the package libcurl4" : "\(self)"
    }
}
