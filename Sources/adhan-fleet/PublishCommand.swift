internal import ArgumentParser
internal import CommandKit
internal import Envelope
internal import FleetPlan
internal import Host
internal import PrayerEngine
internal import Texts

/// `adhan-fleet publish FILE`
struct PublishCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "publish",
        abstract: "Give an envelope to all boxes that it is for, at once.",
        discussion: """
            The broker keeps it for boxes that are away, and published/ for a broker that loses it. What a box would refuse is not \
            published: fleet.toml has the public keys, and a number has to be above those that were given before. The same envelope may \
            be published again. "adhan-fleet rollout start" reaches the boxes one ring after the other.
            """)

    @OptionGroup var common: CommonOptions
    @OptionGroup var place: FolderOptions

    @Argument(help: ArgumentHelp("The envelope.", valueName: "file"), completion: .file())
    var file: String

    private struct Document: Encodable {
        let kind: String
        let seq: Int
        let digest: String
        /// All on which it stands.
        let topics: [String]
        /// Whether it stood on all of them before.
        let already: Bool
    }

    func run() throws {
        let content = try place.folder.read()
        let (text, payload) = try VerifyCommand.taken(from: file, content)
        guard let digest = try? SignedEnvelope(text).digest else {
            throw FleetError(.invalidInput, "the envelope has no digest")
        }
        let label = EnvelopeLabel(payload, digest: digest)
        let published = PublishedFolder(place.folder)
        let missing = try published.edit { () throws(FleetError) in
            try publish(label, text, published, content)
        }
        let topics = label.places.map { FleetTopic(org: content.org).topic(of: $0) }
        let document = Document(
            kind: label.kind.rawValue, seq: label.seq, digest: digest, topics: topics,
            already: missing.isEmpty)
        try common.output.show(document) { _ in
            let name = "\(label.kind.rawValue) number \(label.seq)"
            let places = topics.count == 1 ? topics[0] : "\(topics.count) topics"
            return missing.isEmpty
                ? "\(name) stands at \(places) already: nothing was changed.\n"
                : "\(name) is published at \(places).\n"
        }
    }

    /// - Returns: the topics that did not have it.
    private func publish(
        _ label: EnvelopeLabel, _ text: [UInt8], _ folder: PublishedFolder, _ content: FleetFolder.Content
    ) throws(FleetError) -> [ChangePlace] {
        let topics = FleetTopic(org: content.org)
        let looked = ChangeCheck.placesToLookAt(for: label)
        let found = try BrokerDelivery.kept(
            on: looked.map { topics.topic(of: $0) }, content, as: "adhan-fleet-look")
        var kept: [ChangePlace: EnvelopeLabel] = [:]
        for place in looked {
            // Boxes believe nothing else, so nothing else counts.
            guard let text = found[topics.topic(of: place)],
                let there = try? VerifyCommand.label(of: text, content), there.kind == place.kind
            else { continue }
            kept[place] = there
        }
        let known = KnownChanges(place.folder)
        let now = WallClock.now()
        let missing: [ChangePlace]
        do throws(ChangeCheck.Refusal) {
            missing = try ChangeCheck(published: known.published, rollouts: known.rollouts, kept: kept)
                .publish(label, at: now)
        } catch {
            throw FleetError(.failed, error.sentence(about: label, topics))
        }
        if !missing.isEmpty {
            try BrokerDelivery.send(
                text, to: missing.map { topics.topic(of: $0) }, content, as: "adhan-fleet-publish")
        }
        try keep(label, text, folder, known, at: now)
        return missing
    }

    /// The broker has it already. Without the file a broker that loses it would not be given it again.
    private func keep(
        _ label: EnvelopeLabel, _ text: [UInt8], _ folder: PublishedFolder, _ known: KnownChanges,
        at now: Instant
    ) throws(FleetError) {
        do throws(FileError) {
            if !known.published.contains(where: { $0.digest == label.digest }) {
                try folder.save(text, label.digest)
            }
        } catch {
            throw FleetError(
                .failed,
                "the broker has the envelope, but \(error.message); type the same again once that is mended"
            )
        }
        let all = ChangeCheck(published: known.published + [label], rollouts: [])
        for digest in all.obsolete(at: now) { folder.remove(digest) }
    }
}
