internal import ArgumentParser
internal import CommandKit
internal import Envelope
internal import FleetPlan
internal import Host
internal import MQTT
internal import Signature
internal import Texts

/// `adhan-fleet publish FILE`
struct PublishCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "publish",
        abstract: "Give an envelope to all boxes that it is for, at once.",
        discussion: """
            The broker keeps it for boxes that are away. What a box would refuse is not published: fleet.toml has the public keys. \
            "adhan-fleet rollout start" reaches the boxes one ring after the other.
            """)

    @OptionGroup var common: CommonOptions
    @OptionGroup var place: FolderOptions

    @Argument(help: ArgumentHelp("The envelope.", valueName: "file"), completion: .file())
    var file: String

    private struct Document: Encodable {
        let kind: String
        let seq: Int
        let digest: String
        let topics: [String]
    }

    private static let patienceSeconds = 20.0

    func run() throws {
        let content = try place.folder.read()
        let text: [UInt8]
        do throws(FileError) { text = try FileBytes.read(file, limit: 1_048_576) } catch {
            throw FleetError(.failed, error.message)
        }
        guard let signing = content.config.signingKey else {
            throw FleetError(
                .invalidInput,
                "fleet.toml has no signing-key, so nobody knows whether a box would take the envelope; write it"
            )
        }
        let payload = try VerifyCommand.payload(
            of: text, signing: signing, recovery: content.config.recoveryKey, org: content.org)
        let topics: [String]
        let topic = FleetTopic(org: content.org)
        switch payload.selector {
        case .all: topics = [topic.changeForAll(payload.kind)]
        case .boxes(let names): topics = names.map { topic.change(payload.kind, for: $0) }
        // Each box knows its groups; those that are in none of them answer that it is not for them.
        case .groups: topics = [topic.changeForAll(payload.kind)]
        }
        try send(text, to: topics, content)
        let document = Document(
            kind: payload.kind.rawValue, seq: payload.seq, digest: (try? SignedEnvelope(text).digest) ?? "",
            topics: topics)
        try common.output.show(document) { _ in
            "\(payload.kind.rawValue) number \(payload.seq) is published at \(topics.count == 1 ? topics[0] : "\(topics.count) topics").\n"
        }
    }

    /// Waits until the broker has all of them.
    private func send(_ text: [UInt8], to topics: [String], _ content: FleetFolder.Content) throws(FleetError)
    {
        let inbox = Inbox<MQTTEvent>()
        let session = MQTTSession(
            content.session("adhan-fleet-publish"), now: { WallClock.monotonic() }, chance: { 0.5 },
            handler: { inbox.put($0) })
        guard session.start() else { throw FleetError(.failed, "the system grants no thread") }
        defer { session.stop() }
        let deadline = WallClock.monotonic() + Self.patienceSeconds
        var waiting = Set(topics.indices)
        var next = 0
        var isConnected = false
        var reason = MQTTError.timedOut
        while WallClock.monotonic() < deadline {
            for event in inbox.take() {
                switch event {
                case .connected: isConnected = true
                case .delivered(let number, nil): waiting.remove(number)
                case .delivered(_, let error?): throw Self.unreachable(error)
                case .disconnected(let error): throw Self.unreachable(error)
                case .refused(let error, let broker, _):
                    reason = error
                    if broker == content.config.addresses.count - 1 { throw Self.unreachable(error) }
                default: break
                }
            }
            while isConnected, next < topics.count,
                session.publish(
                    MQTTPublication(topic: topics[next], payload: text, isRetained: true), number: next)
                    == .accepted
            { next += 1 }
            if waiting.isEmpty { return }
            inbox.doorbell.wait(min(0.2, deadline - WallClock.monotonic()))
        }
        throw Self.unreachable(reason)
    }

    private static func unreachable(_ error: MQTTError) -> FleetError {
        FleetError(.unreachable, "the broker did not take it: \(error.sentence)")
    }
}

/// The verbs that this version does not have. They are refused by their names, so that nobody takes them for a typing mistake.
struct UnbuiltCommand: ParsableArguments {
    static func refuse(_ verb: String, _ instead: String) -> FleetError {
        FleetError(.failed, "this version of adhan-fleet has no \(verb) yet; \(instead)")
    }
}

struct EnrolCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "enrol", abstract: "Not in this version: let boxes join by themselves.",
        shouldDisplay: true)

    @Argument(parsing: .captureForPassthrough) var words: [String] = []

    func run() throws {
        throw UnbuiltCommand.refuse(
            "enrol",
            "\"mosquitto_passwd -b passwords BOX PASSWORD\" adds a box, whose bridge.toml names that password"
        )
    }
}
