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

    func run() throws {
        let content = try place.folder.read()
        let (text, payload) = try VerifyCommand.taken(from: file, content)
        let topics: [String]
        let topic = FleetTopic(org: content.org)
        switch payload.selector {
        case .all: topics = [topic.changeForAll(payload.kind)]
        case .boxes(let names): topics = names.map { topic.change(payload.kind, for: $0) }
        // Each box knows its groups; those that are in none of them answer that it is not for them.
        case .groups: topics = [topic.changeForAll(payload.kind)]
        }
        try BrokerDelivery.send(text, to: topics, content, as: "adhan-fleet-publish")
        let document = Document(
            kind: payload.kind.rawValue, seq: payload.seq, digest: (try? SignedEnvelope(text).digest) ?? "",
            topics: topics)
        try common.output.show(document) { _ in
            "\(payload.kind.rawValue) number \(payload.seq) is published at \(topics.count == 1 ? topics[0] : "\(topics.count) topics").\n"
        }
    }
}
