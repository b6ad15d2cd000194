internal import BridgePlan
internal import CommandKit
internal import Glibc
internal import Host
internal import Settings
internal import Texts

/// `bridge.toml` with its drop-ins, and the secrets in the files that it names. Reading it fails unless all can be read.
struct BridgeFile: Sendable, Equatable {
    /// The destination of one `[[alert]]`, with the current secrets.
    struct Destination: Sendable, Equatable {
        var settings: AlertDestination
        var url: String
        var headers: [HeaderLine]
    }

    struct Beat: Sendable, Equatable {
        var settings: HeartbeatTarget
        var url: DeliveryAddress
        var failURL: String
    }

    /// Whether the file exists: the phone page's address works without one.
    let hasFile: Bool
    var config: BridgeConfig
    var password: String?
    /// The password for the broker of the fleet.
    var fleetPassword: String?
    /// The word with which the box asks to be admitted to the fleet.
    var fleetToken: String?
    var destinations: [Destination]
    var beats: [Beat]

    /// - Parameters:
    ///   - page: the address of the phone page, which may exist without a file.
    ///   - isNeeded: whether it is an error if neither exists.
    static func read(_ path: String, beside page: PageAlert?, isNeeded: Bool = true) throws(BridgeError)
        -> BridgeFile
    {
        var sources: [ConfigSource] = []
        do throws(FileError) {
            sources = try ConfigFiles.read(path).sources
        } catch {
            guard error.isMissing, page != nil || !isNeeded else {
                throw BridgeError(error.isMissing ? .invalidInput : .failed, error.message)
            }
        }
        var config = BridgeConfig()
        do throws(ConfigError) {
            if !sources.isEmpty { config = try BridgeConfig.schema.read(sources).settings }
        } catch {
            throw BridgeError(.invalidInput, sentences: error.all.map(\.message))
        }
        if let page { config.add(page) }
        return try BridgeFile(config, hasFile: !sources.isEmpty)
    }

    private init(_ config: BridgeConfig, hasFile: Bool) throws(BridgeError) {
        (self.config, self.hasFile) = (config, hasFile)
        password = nil
        if let file = config.mqtt.passwordFile { password = try Self.line(of: file, key: "password-file") }
        fleetPassword = nil
        if let file = config.fleet.passwordFile {
            fleetPassword = try Self.line(of: file, key: "fleet.password-file")
        }
        fleetToken = nil
        if let file = config.fleet.tokenFile { fleetToken = try Self.line(of: file, key: "fleet.token-file") }
        destinations = []
        for settings in config.destinations { destinations.append(try Self.destination(settings)) }
        beats = []
        for settings in config.heartbeats {
            let url = try Self.address(settings.url, file: settings.urlFile)
            beats.append(
                Beat(settings: settings, url: url, failURL: settings.failURL ?? url.appending("/fail")))
        }
        for file in [config.mqtt.certificateFile, config.mqtt.keyFile].compactMap(\.self) {
            _ = try Self.bytes(of: file)
        }
    }

    /// The reason why no broker's certificate can be checked. It is not an error of the file, because messages can still be
    /// sent by other means.
    var complaint: String? {
        complaint(config.mqtt.addresses, config.mqtt.caFile, "mqtt.ca-file")
            ?? complaint(config.fleet.addresses, config.fleet.caFile, "fleet.ca-file")
    }

    private func complaint(_ brokers: [BrokerAddress], _ file: String, _ key: String) -> String? {
        guard brokers.contains(where: \.isSecure), unsafe access(file, R_OK) != 0 else { return nil }
        let remedy =
            file == BridgeConfig().mqtt.caFile
            ? "install ca-certificates, or name the broker's own authority"
            : "adhan-bridge has to be able to read it"
        return "\"\(file)\" (\(key)) cannot be read: \(SystemError.text(errno)); \(remedy)"
    }

    static func destination(_ settings: AlertDestination) throws(BridgeError) -> Destination {
        guard settings.kind == .webhook else { return Destination(settings: settings, url: "", headers: []) }
        let url = try address(settings.url, file: settings.urlFile)
        var headers: [HeaderLine] = []
        if let file = settings.headerFile {
            guard let lines = HeaderLine.read(String(decoding: try bytes(of: file), as: UTF8.self)) else {
                throw BridgeError(
                    .invalidInput,
                    "\"\(file)\" (header-file) has a line that is no header; write \"Name: value\"")
            }
            headers = lines
        }
        return Destination(settings: settings, url: url.text, headers: headers)
    }

    private static func address(_ text: String?, file: String?) throws(BridgeError) -> DeliveryAddress {
        let written: String
        if let text { written = text } else { written = try line(of: file ?? "", key: "url-file") }
        switch DeliveryAddress.read(written) {
        case .success(let address): return address
        case .failure(let problem):
            throw BridgeError(
                .invalidInput, "the address in \"\(file ?? written)\" cannot be used: \(problem.reason)")
        }
    }

    /// The only line of a file.
    private static func line(of file: String, key: String) throws(BridgeError) -> String {
        let lines = String(decoding: try bytes(of: file), as: UTF8.self).split(whereSeparator: \.isNewline)
        guard lines.count == 1, let line = lines.first else {
            throw BridgeError(
                .invalidInput, "\"\(file)\" (\(key)) has \(lines.count) lines; write the secret on one")
        }
        return String(line)
    }

    private static func bytes(of file: String) throws(BridgeError) -> [UInt8] {
        do throws(FileError) {
            return try FileBytes.read(file, limit: FileBytes.mostSecretBytes)
        } catch {
            throw BridgeError(
                .invalidInput,
                "\(error.message); adhan-bridge has to be able to read it: chgrp adhan-bridge, chmod 640")
        }
    }
}
