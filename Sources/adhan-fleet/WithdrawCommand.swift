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
            again. A topic means what stands on it. Where the kept file is damaged, the envelope is withdrawn all the same.
            """)

    @OptionGroup var common: CommonOptions
    @OptionGroup var place: FolderOptions

    @Argument(
        help: ArgumentHelp(
            "The envelope, or its digest, or the beginning of that, or a topic on which it stands.",
            valueName: "file | digest | topic"),
        completion: .file())
    var envelope: String

    private struct Document: Encodable {
        struct Restored: Encodable {
            let topic: String
            let seq: Int
            let digest: String
        }

        /// Absent where the file is damaged and no copy exists.
        @Nullable var kind: String?
        @Nullable var seq: Int?
        let digest: String
        /// The topics from which it was removed and which are now empty.
        let cleared: [String]
        /// The topics to which an earlier envelope was restored.
        let restored: [Restored]
        /// Whether it was withdrawn before and no topic held it.
        let already: Bool
        /// Whether its file was damaged.
        let damaged: Bool
    }

    /// The envelope that the argument names.
    private struct Meant {
        /// The digest, or the beginning of it.
        var name: String
        /// `nil` where the argument was a digest alone.
        var text: [UInt8]?
    }

    func run() throws {
        let content = try place.folder.read()
        let wanted = try findEnvelope(content)
        let document = try PublishedFolder(place.folder).edit { () throws(FleetError) in
            try withdraw(wanted, content)
        }
        try common.output.show(document) { _ in text(document) }
    }

    /// Finds the envelope by a file, a topic or a digest.
    private func findEnvelope(_ content: FleetFolder.Content) throws(FleetError) -> Meant {
        if let place = FleetTopic(org: content.org).place(at: envelope) {
            return try findEnvelope(at: FleetTopic(org: content.org).topic(of: place), content)
        }
        let isThere = unsafe access(envelope, F_OK) == 0
        // The command may be repeated after the withdrawal has renamed the file in published/. A damaged file is known by its
        // name alone.
        if let digest = PublishedFolder.digest(of: envelope),
            !isThere || PublishedFolder(place.folder).isFolder(of: envelope)
        {
            return Meant(name: digest)
        }
        guard isThere else { return Meant(name: envelope) }
        let text: [UInt8]
        do throws(FileError) { text = try FileBytes.read(envelope, limit: 1_048_576) } catch {
            throw FleetError(.failed, error.message)
        }
        do throws(EnvelopeRefusal) { return Meant(name: try SignedEnvelope(text).digest, text: text) } catch {
            throw FleetError(.invalidInput, "this is no envelope: \(error.detail)")
        }
    }

    /// The envelope that a topic holds.
    private func findEnvelope(at topic: String, _ content: FleetFolder.Content) throws(FleetError) -> Meant {
        let kept = try BrokerDelivery.retained(on: [topic], content, as: "adhan-fleet-look")
        guard let text = kept[topic] else {
            throw FleetError(
                .failed,
                "nothing stands on \(topic); to keep an envelope from coming back there, name it by its digest"
            )
        }
        do throws(EnvelopeRefusal) { return Meant(name: try SignedEnvelope(text).digest, text: text) } catch {
            throw FleetError(.failed, "no envelope stands on \(topic): \(error.detail)")
        }
    }

    private func withdraw(_ meant: Meant, _ content: FleetFolder.Content) throws(FleetError) -> Document {
        let folder = PublishedFolder(place.folder)
        let known = KnownChanges(place.folder)
        let found: ChangeCheck.Found
        do throws(ChangeCheck.WithdrawalRefusal) {
            found = try known.check().withdrawal(of: meant.name)
        } catch {
            throw FleetError(.failed, error.sentence(about: meant.name))
        }
        // The file is renamed before the broker drops the envelope: if this program ends in between, the watch or a repeated
        // command removes it.
        if !found.isWithdrawn {
            do throws(FileError) { try folder.withdraw(found.digest) } catch {
                throw FleetError(.failed, error.message)
            }
        }
        // The label of a damaged file comes from a copy of the envelope.
        let rolledOut = try? RolloutFolder(place.folder).envelope(found.digest)
        let copy = [meant.text, rolledOut].compactMap(\.self).first {
            EnvelopeLabel(of: $0, digest: found.digest) != nil
        }
        let cleared: Cleared
        do throws(FleetError) { cleared = try clear(found, copy, known, content) } catch {
            throw FleetError(
                error.status,
                "\(error.message). \(folder.withdrawnName(found.digest)) says that it is withdrawn, and \"adhan-fleet watch\" takes it from the broker; type the same again to see that it is gone"
            )
        }
        if found.label == nil, let text = cleared.text {
            do throws(FileError) { try folder.restoreWithdrawn(text, found.digest) } catch {
                throw FleetError(
                    .failed,
                    "\(error.message). The envelope is withdrawn all the same, but its number does not count")
            }
        }
        let topics = FleetTopic(org: content.org)
        return Document(
            kind: cleared.label?.kind.rawValue, seq: cleared.label?.seq, digest: found.digest,
            cleared: cleared.deliveries.filter { $0.digest == nil }.map { topics.topic(of: $0.place) },
            restored: cleared.deliveries.compactMap { delivery in
                known.published.first { $0.digest == delivery.digest }.map {
                    .init(topic: topics.topic(of: delivery.place), seq: $0.seq, digest: $0.digest)
                }
            },
            already: found.isWithdrawn && cleared.deliveries.isEmpty, damaged: found.label == nil)
    }

    private struct Cleared {
        var deliveries: [RolloutBook.Delivery]
        var label: EnvelopeLabel?
        /// A copy of the envelope; `nil` where none exists or none was needed.
        var text: [UInt8]?
    }

    /// Removes the envelope from the topics that hold it.
    /// - Parameter copy: the text of an envelope whose file is damaged.
    private func clear(
        _ found: ChangeCheck.Found, _ copy: [UInt8]?, _ known: KnownChanges, _ content: FleetFolder.Content
    ) throws(FleetError) -> Cleared {
        let topics = FleetTopic(org: content.org)
        let own = found.label ?? copy.flatMap { EnvelopeLabel(of: $0, digest: found.digest) }
        // Envelopes signed by a former key count, because a box may not have the new key yet.
        let (standing, text) = try BrokerDelivery.standing(
            found.digest, on: Self.filters(own, known.check(), topics), content, as: "adhan-fleet-look")
        let places = Set(standing.compactMap { topics.place(at: $0) })
        var (others, texts): ([EnvelopeLabel], [String: [UInt8]]) = ([], [:])
        for other in known.published
        where other.digest != found.digest && !places.isDisjoint(with: other.places) {
            guard let text = try? PublishedFolder(place.folder).read(other.digest).text,
                (try? VerifyCommand.label(of: text, content)) != nil
            else { continue }
            others.append(other)
            texts[other.digest] = text
        }
        var revoked = RevokedBoxes(place.folder)
        let deliveries = ChangeCheck.clearing(
            places, others: others, isRevoked: { revoked.contains($0) }, at: WallClock.now())
        for (digest, group) in Dictionary(grouping: deliveries, by: \.digest) {
            let text = digest.flatMap { texts[$0] } ?? []
            try BrokerDelivery.send(
                text, to: group.map { topics.topic(of: $0.place) }, content, as: "adhan-fleet-withdraw")
        }
        let label = own ?? text.flatMap { EnvelopeLabel(of: $0, digest: found.digest) }
        return Cleared(deliveries: deliveries, label: label, text: label == nil ? nil : copy ?? text)
    }

    /// The topics that may hold it: all topics of a fleet where its label is unknown.
    private static func filters(
        _ label: EnvelopeLabel?, _ check: ChangeCheck, _ topics: FleetTopic
    ) -> [String] {
        guard let label else { return [topics.changeFilter] }
        let places = check.placesToClear(of: label)
        // A roll-out may have given it to thousands of boxes, which one filter covers.
        guard places.count == label.places.count else { return [topics.filter(of: label.kind)] }
        return places.map { topics.topic(of: $0) }
    }

    private func text(_ document: Document) -> String {
        let short = "the envelope \(document.digest.prefix(16))"
        let name = document.kind.flatMap { kind in document.seq.map { "\(kind) number \($0)" } } ?? short
        let damage = damage(document)
        guard !document.already else {
            return "\(name) was withdrawn already, and stands on none of its topics.\(damage)\n"
        }
        let restored = Set(document.restored.map(\.seq)).sorted().map(String.init)
        let before =
            restored.isEmpty
            ? ""
            : " Where it stood, number \(PlainText.list(restored)) stands again, which such a box refuses."
        let canBeReverted = document.kind.flatMap { FleetKind(rawValue: $0) }?.canBeReverted ?? false
        let remedy = "there a higher number\(canBeReverted ? " or a \"revert\"" : "") undoes it"
        return
            "\(name) is withdrawn. A box that has taken it keeps it; \(remedy).\(before)\(damage)\n"
    }

    private func damage(_ document: Document) -> String {
        guard document.damaged else { return "" }
        let file = PublishedFolder(place.folder).withdrawnName(document.digest)
        return document.seq == nil
            ? " Its file was damaged, and nothing has a copy of it: \(file) keeps it from coming back, but its number is unknown and does not count, so look for it on your list."
            : " Its file was damaged, and \(file) was written again from a copy, so its number counts."
    }
}
