internal import ArgumentParser
internal import CommandKit
internal import Envelope
internal import FleetPlan
internal import Glibc
internal import Host
internal import Texts

/// `adhan-fleet withdraw DIGEST`
struct WithdrawCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "withdraw",
        abstract: "Take a published envelope back: boxes that have not fetched it never get it.",
        discussion: """
            A box that has taken it keeps it. What undoes it there is a higher number, or a "revert". What was published before stands on \
            its topics again, where boxes still take it. The number of a withdrawn envelope counts for ever, and it cannot be published \
            again.
            """)

    @OptionGroup var common: CommonOptions
    @OptionGroup var place: FolderOptions

    @Argument(
        help: ArgumentHelp(
            "The envelope, or its digest, or the beginning of that.", valueName: "file | digest"),
        completion: .file())
    var envelope: String

    private struct Document: Encodable {
        struct Restored: Encodable {
            let topic: String
            let seq: Int
            let digest: String
        }

        let kind: String
        let seq: Int
        let digest: String
        /// The topics on which it stood, and nothing stands now.
        let cleared: [String]
        /// Those on which an earlier envelope stands again.
        let restored: [Restored]
        /// Whether it was withdrawn before, and stood on none of its topics.
        let already: Bool
    }

    func run() throws {
        let content = try place.folder.read()
        let digest = try digest()
        let document = try PublishedFolder(place.folder).edit { () throws(FleetError) in
            try withdraw(digest, content)
        }
        try common.output.show(document) { _ in Self.text(document) }
    }

    /// Of the file, or as it was typed.
    private func digest() throws(FleetError) -> String {
        guard unsafe access(envelope, F_OK) == 0 else {
            // A withdrawal takes the name of its file in published/ away, and may have to be typed again.
            return PublishedFolder.digest(of: envelope) ?? envelope
        }
        let text: [UInt8]
        do throws(FileError) { text = try FileBytes.read(envelope, limit: 1_048_576) } catch {
            throw FleetError(.failed, error.message)
        }
        do throws(EnvelopeRefusal) { return try SignedEnvelope(text).digest } catch {
            throw FleetError(.invalidInput, "this is no envelope: \(error.detail)")
        }
    }

    private func withdraw(_ name: String, _ content: FleetFolder.Content) throws(FleetError) -> Document {
        let folder = PublishedFolder(place.folder)
        let known = KnownChanges(place.folder)
        let check = ChangeCheck(
            published: known.published, withdrawn: known.withdrawn, rollouts: known.rollouts)
        let found: ChangeCheck.Found
        do throws(ChangeCheck.WithdrawalRefusal) { found = try check.withdrawal(of: name) } catch {
            throw FleetError(.failed, error.sentence(about: name))
        }
        let label = found.label
        // Before the broker loses it: where this program ends in between, the watch takes it away, or the same command again.
        if !found.isWithdrawn {
            do throws(FileError) { try folder.withdraw(label.digest) } catch {
                throw FleetError(.failed, error.message)
            }
        }
        let others = known.published.filter { $0.kind == label.kind && $0.digest != label.digest }
        let deliveries: [RolloutBook.Delivery]
        do throws(FleetError) {
            deliveries = try clear(label, check.placesToClear(of: label), others, folder, content)
        } catch {
            throw FleetError(
                error.status,
                "\(error.message). \(folder.withdrawnName(label.digest)) says that it is withdrawn, and \"adhan-fleet watch\" takes it from the broker; type the same again to see that it is gone"
            )
        }
        let topics = FleetTopic(org: content.org)
        return Document(
            kind: label.kind.rawValue, seq: label.seq, digest: label.digest,
            cleared: deliveries.filter { $0.digest == nil }.map { topics.topic(of: $0.place) },
            restored: deliveries.compactMap { delivery in
                others.first { $0.digest == delivery.digest }.map {
                    .init(topic: topics.topic(of: delivery.place), seq: $0.seq, digest: $0.digest)
                }
            },
            already: found.isWithdrawn && deliveries.isEmpty)
    }

    /// Takes it from the topics on which it stands.
    private func clear(
        _ label: EnvelopeLabel, _ places: Set<ChangePlace>, _ others: [EnvelopeLabel],
        _ folder: PublishedFolder, _ content: FleetFolder.Content
    ) throws(FleetError) -> [RolloutBook.Delivery] {
        let topics = FleetTopic(org: content.org)
        // A roll-out may have given it to thousands of boxes: one filter has all of them.
        let isRolledOut = places.count > label.places.count
        let filters = isRolledOut ? [topics.filter(of: label.kind)] : places.map { topics.topic(of: $0) }
        var kept: [ChangePlace: String] = [:]
        // Also one that a former key signed: a box may not have the new one yet.
        for (topic, digest) in try BrokerDelivery.digests(on: filters, content, as: "adhan-fleet-look") {
            if let place = topics.place(at: topic) { kept[place] = digest }
        }
        var texts: [String: [UInt8]] = [:]
        for other in others {
            guard let text = try? folder.read(other.digest).text,
                (try? VerifyCommand.label(of: text, content)) != nil
            else { continue }
            texts[other.digest] = text
        }
        var revoked = RevokedBoxes(place.folder)
        let deliveries = ChangeCheck.clearing(
            label, kept: kept, others: others.filter { texts[$0.digest] != nil },
            isRevoked: { revoked.contains($0) }, at: WallClock.now())
        for (digest, group) in Dictionary(grouping: deliveries, by: \.digest) {
            let text = digest.flatMap { texts[$0] } ?? []
            try BrokerDelivery.send(
                text, to: group.map { topics.topic(of: $0.place) }, content, as: "adhan-fleet-withdraw")
        }
        return deliveries
    }

    private static func text(_ document: Document) -> String {
        let name = "\(document.kind) number \(document.seq)"
        guard !document.already else {
            return "\(name) was withdrawn already, and stands on none of its topics.\n"
        }
        let restored = Set(document.restored.map(\.seq)).sorted().map(String.init)
        let before =
            restored.isEmpty
            ? ""
            : " Where it stood, number \(PlainText.list(restored)) stands again, which such a box refuses."
        let isTried = [FleetKind.configuration, .timetable].map(\.rawValue).contains(document.kind)
        let remedy = "there a higher number\(isTried ? " or a \"revert\"" : "") undoes it"
        return "\(name) is withdrawn. A box that has taken it keeps it; \(remedy).\(before)\n"
    }
}
