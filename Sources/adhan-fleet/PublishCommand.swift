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
            be published again. "adhan-fleet rollout start" reaches the boxes one ring after the other, and "adhan-fleet withdraw" takes \
            a published one back.
            """)

    @OptionGroup var common: CommonOptions
    @OptionGroup var place: FolderOptions

    @Argument(help: ArgumentHelp("The envelope.", valueName: "file"), completion: .file())
    var file: String

    private struct Document: Encodable {
        let kind: String
        let seq: Int
        let digest: String
        /// All topics that hold the envelope.
        let topics: [String]
        /// Whether all of them held it before.
        let already: Bool
    }

    func run() throws {
        let content = try place.folder.read()
        let (text, payload) = try VerifyCommand.acceptedEnvelope(from: file, content)
        guard let digest = try? SignedEnvelope(text).digest else {
            throw FleetError(.invalidInput, "the envelope has no digest")
        }
        let label = EnvelopeLabel(payload, digest: digest)
        let published = PublishedFolder(place.folder)
        let revoked = revoked(among: label)
        let places = label.places.filter { !revoked.contains($0.box) }
        guard !places.isEmpty else {
            throw FleetError(
                .failed,
                "nothing is published: \(PlainText.list(revoked)) was taken out of the fleet; \"adhan-fleet enrol list\" shows whether it waits for \"accept\""
            )
        }
        let missing = try published.edit { () throws(FleetError) in
            try publish(label, text, published, content, places)
        }
        let topics = places.map { FleetTopic(org: content.org).topic(of: $0) }
        if !revoked.isEmpty {
            StandardError.write(
                "adhan-fleet: left out, as taken out of the fleet: \(PlainText.list(revoked))")
        }
        noteStrangers(among: label, content)
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

    /// The label's boxes that were taken out of the fleet. This command and the watch leave their topics empty.
    private func revoked(among label: EnvelopeLabel) -> [String] {
        var revoked = RevokedBoxes(place.folder)
        return label.places.map(\.box).filter { revoked.contains($0) }
    }

    /// Warns about names that no known box has: a misspelt name reaches nobody and still uses up a number. A box that has never
    /// connected is unknown, too.
    private func noteStrangers(among label: EnvelopeLabel, _ content: FleetFolder.Content) {
        guard
            let overview = try? StatusCommand.assessed(
                at: "http://\(content.config.watch.listen)", org: content.org),
            !overview.boxes.isEmpty
        else { return }
        let strangers: [String]
        switch label.selector {
        case .all: strangers = []
        case .boxes(let names):
            let known = Set(overview.boxes.map(\.box))
            strangers = names.filter { !known.contains($0) }
        case .groups(let names):
            let known = Set(overview.boxes.flatMap(\.groups))
            strangers = names.filter { !known.contains($0) }
        }
        guard !strangers.isEmpty else { return }
        StandardError.write(
            "adhan-fleet: the watch has no box for these names: \(PlainText.list(strangers)); look whether they are right"
        )
    }

    /// - Returns: the topics that lacked the envelope.
    private func publish(
        _ label: EnvelopeLabel, _ text: [UInt8], _ folder: PublishedFolder, _ content: FleetFolder.Content,
        _ places: [ChangePlace]
    ) throws(FleetError) -> [ChangePlace] {
        let topics = FleetTopic(org: content.org)
        let looked = ChangeCheck.placesToLookAt(for: label)
        let found = try BrokerDelivery.retained(
            on: looked.map { topics.topic(of: $0) }, content, as: "adhan-fleet-look")
        var kept: [ChangePlace: EnvelopeLabel] = [:]
        for place in looked {
            // Boxes refuse any other text, so only a text that they accept is compared.
            guard let text = found[topics.topic(of: place)],
                let there = try? VerifyCommand.label(of: text, content), there.kind == place.kind
            else { continue }
            kept[place] = there
        }
        let known = KnownChanges(place.folder)
        let now = WallClock.now()
        let missing: [ChangePlace]
        do throws(ChangeCheck.Refusal) {
            missing = try known.check(kept: kept).publish(label, at: now).filter { places.contains($0) }
        } catch {
            throw FleetError(.failed, error.sentence(about: label, topics))
        }
        try keep(label, text, folder, known)
        if !missing.isEmpty {
            do throws(FleetError) {
                try BrokerDelivery.send(
                    text, to: missing.map { topics.topic(of: $0) }, content, as: "adhan-fleet-publish")
            } catch {
                throw FleetError(
                    error.status,
                    "\(error.message). \(folder.name(label.digest)) has the envelope, and \"adhan-fleet watch\" gives it to the broker; type the same again to see that it stands there"
                )
            }
        }
        let all = ChangeCheck(
            published: known.published + [label], withdrawn: known.withdrawn, rollouts: [])
        for digest in all.obsolete(at: now) { folder.remove(digest) }
        return missing
    }

    /// Saves the envelope before the broker has it: if this program ends in between, the number is used and the watch delivers
    /// the envelope.
    private func keep(
        _ label: EnvelopeLabel, _ text: [UInt8], _ folder: PublishedFolder, _ known: KnownChanges
    ) throws(FleetError) {
        // The saved file may hold the same change signed by another key, or a damaged signature.
        if known.published.contains(where: { $0.digest == label.digest }),
            let there = try? folder.read(label.digest).text, there == text
        {
            return
        }
        do throws(FileError) { try folder.save(text, label.digest) } catch {
            throw FleetError(.failed, "nothing is published: \(error.message)")
        }
    }
}
