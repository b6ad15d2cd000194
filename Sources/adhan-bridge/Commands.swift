internal import ArgumentParser
internal import BridgePlan
internal import CommandKit
internal import Host
internal import MQTT
internal import PrayerEngine
internal import Settings
internal import Texts

/// `adhan-bridge test NAME`
struct TestCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "test",
        abstract: "Send one message marked \"test\" to an [[alert]], and say what came of it.")

    /// The parser may assign an option that both commands have to either of them.
    @ParentCommand var parent: AdhanBridge

    @Argument(help: ArgumentHelp("The name of the [[alert]].", valueName: "name"))
    var name: String

    @Option(
        help: ArgumentHelp("Read this file. Default: \(BridgeConfig.systemFile).", valueName: "file"),
        completion: .file(extensions: ["toml"]))
    var config: String?

    @Option(help: ArgumentHelp("The name by which a broker knows this machine.", valueName: "id"))
    var box: String?

    @Flag(help: "Print the result as JSON.")
    var json = false

    private struct Result: Encodable {
        let name: String
        let delivered: Bool
        let detail: String
    }

    func run() throws {
        let files = StateFiles(parent.place.stateFolder)
        let file = try BridgeFile.read(
            config ?? parent.place.configFile, beside: try? files.page(), isNeeded: !files.hasPage)
        guard let destination = file.destinations.first(where: { $0.settings.name == name }) else {
            let names = file.destinations.map(\.settings.name)
            let near = NearestName.of(name, among: names).map { "; did you mean \"\($0)\"?" } ?? ""
            throw BridgeError(
                .usage, "there is no [[alert]] with name = \"\(PlainText.visible(name))\"\(near)")
        }
        let box = try AdhanBridge.box(box ?? parent.box)
        let message = AlertMessage.trial(
            box: box, name: file.config.name ?? box, at: WallClock.now(), zone: .utc)
        let (outcome, detail) =
            destination.settings.kind == .mqtt
            ? try Self.publish(message, file, box, name) : Delivery.attempt(message, destination, zone: .utc)
        let isDelivered = outcome == .delivered
        let output = Output(json: json)
        try output.show(Result(name: name, delivered: isDelivered, detail: detail)) { _ in
            isDelivered ? "\"\(name)\" took the message: \(detail)\n" : ""
        }
        if !isDelivered { throw BridgeError(.failed, "\"\(name)\" did not take the message: \(detail)") }
    }

    /// Publishes in a session of its own, because the service may not be running.
    private static func publish(
        _ message: AlertMessage, _ file: BridgeFile, _ box: String, _ name: String
    ) throws(BridgeError) -> (DeliveryQueue.Outcome, detail: String) {
        guard file.config.mqtt.isOn else { throw BridgeError(.invalidInput, "[mqtt] has no broker") }
        let topics = Topics(file.config, box: box)
        let inbox = Inbox<MQTTEvent>()
        let mqtt = file.config.mqtt
        let session = MQTTSession(
            SessionSettings(
                brokers: mqtt.addresses.map { .init(host: $0.host, port: $0.port, isEncrypted: $0.isSecure) },
                clientID: "\(topics.clientID)-test", username: mqtt.username, password: file.password,
                certificates: .init(
                    caFile: mqtt.caFile, certificateFile: mqtt.certificateFile, keyFile: mqtt.keyFile)),
            now: { MonotonicClock.now() }, chance: { 0.5 }, handler: { inbox.put($0) })
        guard session.start(), let payload = try? JSON.encode(message) else {
            throw BridgeError(.failed, "the system grants no thread")
        }
        defer { session.stop() }
        let deadline = MonotonicClock.now() + 20
        var reason = MQTTError.timedOut
        while MonotonicClock.now() < deadline {
            for event in inbox.drain() {
                switch event {
                case .connected:
                    session.publish(
                        MQTTPublication(topic: topics.alert(name), payload: payload, expirySeconds: 86_400),
                        number: 1)
                case .delivered(_, nil): return (.delivered, "the broker took it")
                case .delivered(_, let error?): return (.failed, error.sentence)
                case .refused(let error, let broker, _):
                    reason = error
                    if broker == mqtt.addresses.count - 1 { return (.failed, error.sentence) }
                default: break
                }
            }
            inbox.wakeSignal.wait(deadline - MonotonicClock.now())
        }
        return (.failed, reason.sentence)
    }
}

/// `adhan-bridge status`
struct StatusCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract:
            "Show the connection, the queue, open alerts, and what came of the last message of each destination."
    )

    @ParentCommand var parent: AdhanBridge

    @Option(
        help: ArgumentHelp(
            "The service's directory. Default: \(StateFiles.usualFolder).", valueName: "directory"),
        completion: .directory)
    var stateDir: String?

    @Flag(help: "Print the result as JSON.")
    var json = false

    func run() throws {
        let files = StateFiles(stateDir ?? parent.place.stateFolder)
        let bytes: [UInt8]
        let isRunning: Bool
        do throws(FileError) {
            bytes = try files.read(.status)
            isRunning = bytes.isEmpty ? false : try files.isLocked()
        } catch {
            throw BridgeError(.notPermitted, "\(error.message); use sudo")
        }
        guard isRunning else {
            throw BridgeError(.unreachable, "adhan-bridge does not run; see: systemctl status adhan-bridge")
        }
        guard let document = try? JSON.decode(BridgeStatus.self, from: bytes) else {
            throw BridgeError(
                .failed, "\"\(files.folder)/status.json\" cannot be read; are both of the same version?")
        }
        try Output(json: json).show(document) { _ in document.text }
    }
}
