package import Envelope
package import PrayerEngine
import Texts

/// Decides whether an envelope may be given to boxes, in view of those that were given before. The numbers of a kind increase
/// across the fleet: a box refuses a number that is not above the last one it accepted, and on a topic a lower number hides the
/// higher one from absent boxes.
package struct ChangeCheck: Sendable {
    /// The place where a number was found.
    package enum Origin: Sendable, Equatable {
        case published
        /// The envelope was published and withdrawn, but boxes may have it.
        case withdrawn
        /// A roll-out with this digest.
        case rollout(String)
        /// A topic of the broker.
        case kept(ChangePlace)
    }

    package enum Refusal: Error, Sendable, Equatable {
        /// The envelope cannot be published while its roll-out is in progress or has stopped itself, because the roll-out could
        /// then stop nothing.
        case rollingOut(FleetRollout.State)
        /// The envelope cannot be rolled out a second time.
        case rolledOut(FleetRollout.State)
        /// The envelope cannot be rolled out, because it is already available to all of its receivers.
        case published
        /// The envelope was withdrawn for good.
        case withdrawn
        /// Another roll-out of its kind is in progress.
        case busy(digest: String, FleetRollout.State)
        case notAbove(Int, Origin)
        /// The envelope would replace one that also concerns boxes outside of its receivers.
        case hides(EnvelopeLabel)
        /// The envelope would replace a `revert` of another kind, which absent boxes still need.
        case hidesRevert(EnvelopeLabel)
    }

    /// A file of `published/` that cannot be read, so that only its name is known.
    package struct Damaged: Sendable, Equatable {
        package let digest: String
        package let isWithdrawn: Bool

        package init(digest: String, isWithdrawn: Bool) {
            (self.digest, self.isWithdrawn) = (digest, isWithdrawn)
        }
    }

    let published: [EnvelopeLabel]
    /// Envelopes that were published and withdrawn.
    let withdrawn: [EnvelopeLabel]
    let damaged: [Damaged]
    let rollouts: [FleetRollout]
    /// The digests of all withdrawn envelopes.
    private let gone: Set<String>
    /// The envelopes that the broker holds on the relevant topics.
    private let kept: [ChangePlace: EnvelopeLabel]

    package init(
        published: [EnvelopeLabel], withdrawn: [EnvelopeLabel] = [], damaged: [Damaged] = [],
        rollouts: [FleetRollout], kept: [ChangePlace: EnvelopeLabel] = [:]
    ) {
        (self.published, self.withdrawn, self.rollouts) = (published, withdrawn, rollouts)
        self.damaged = damaged
        // If a withdrawal was interrupted, the envelope still has its file, but it blocks nothing.
        let gone = Set(withdrawn.map(\.digest) + damaged.filter(\.isWithdrawn).map(\.digest))
        self.gone = gone
        self.kept = kept.filter { !gone.contains($0.value.digest) }
    }

    // MARK: Publishing

    /// The topics to check before an envelope is published: its own, and that of all boxes.
    package static func placesToLookAt(for new: EnvelopeLabel) -> [ChangePlace] {
        let all = ChangePlace(box: ChangePlace.everyBox, kind: new.kind)
        return new.places.filter { $0 != all } + [all]
    }

    /// - Returns: the topics that lack it. There may be none, because publishing twice is permitted.
    package func publish(_ new: EnvelopeLabel, at now: Instant) throws(Refusal) -> [ChangePlace] {
        guard !gone.contains(new.digest) else { throw .withdrawn }
        if let own = rollouts.first(where: { $0.digest == new.digest }), own.state.canBeEnded {
            throw .rollingOut(own.state)
        }
        let places = Set(new.places)
        let isAgain =
            published.contains { $0.digest == new.digest }
            || places.contains { kept[$0]?.digest == new.digest }
        // After it was published, higher numbers may have been given to other boxes.
        if let highest = highest(beside: new, at: isAgain ? places : nil), highest.seq >= new.seq {
            throw .notAbove(highest.seq, highest.origin)
        }
        if !isAgain, let hidden = hidden(by: new, at: now) { throw .hides(hidden) }
        if !isAgain, let hidden = hiddenRevert(by: new, at: now) { throw .hidesRevert(hidden) }
        return places.filter { kept[$0]?.digest != new.digest }.sorted { $0.box < $1.box }
    }

    /// The envelope that this one would replace. The topic of all boxes also carries envelopes for groups, but only one of each
    /// kind. Commands expire within an hour, so only the newest counts.
    private func hidden(by new: EnvelopeLabel, at now: Instant) -> EnvelopeLabel? {
        let all = ChangePlace(box: ChangePlace.everyBox, kind: new.kind)
        guard new.kind != .command, new.places.contains(all) else { return nil }
        var there = published.filter { $0.kind == new.kind && $0.places.contains(all) }
        if let label = kept[all] { there.append(label) }
        return there.filter { !$0.isOver(at: now) && !new.reaches(allOf: $0) }.max { $0.seq < $1.seq }
    }

    /// The revert that this one would replace. All reverts share a topic and a sequence of numbers, whichever kind they undo.
    private func hiddenRevert(by new: EnvelopeLabel, at now: Instant) -> EnvelopeLabel? {
        guard new.kind == .revert, let reverted = new.reverted else { return nil }
        let places = Set(new.places)
        let there =
            published.filter { $0.kind == .revert && !places.isDisjoint(with: $0.places) }
            + places.compactMap { kept[$0] }
        return there.filter { !$0.isOver(at: now) && $0.reverted.map { $0 != reverted } ?? false }
            .max { $0.seq < $1.seq }
    }

    // MARK: Roll-outs

    package func rollOut(_ new: EnvelopeLabel) throws(Refusal) {
        if let own = rollouts.first(where: { $0.digest == new.digest }) { throw .rolledOut(own.state) }
        guard !published.contains(where: { $0.digest == new.digest }) else { throw .published }
        guard !gone.contains(new.digest) else { throw .withdrawn }
        if let other = rollouts.first(where: { $0.kind == new.kind && !$0.state.isOver }) {
            throw .busy(digest: other.digest, other.state)
        }
        if let highest = highest(beside: new, at: nil), highest.seq >= new.seq {
            throw .notAbove(highest.seq, highest.origin)
        }
    }

    // MARK: Numbers

    /// - Parameter places: the only topics that count; `nil` for those of all boxes.
    private func highest(
        beside new: EnvelopeLabel, at places: Set<ChangePlace>?
    ) -> (seq: Int, origin: Origin)? {
        var found: [(seq: Int, origin: Origin)] = []
        for label in published where label.kind == new.kind && label.digest != new.digest {
            if let places, places.isDisjoint(with: label.places) { continue }
            found.append((label.seq, .published))
        }
        for (place, label) in kept where label.kind == new.kind && label.digest != new.digest {
            if let places, !places.contains(place) { continue }
            found.append((label.seq, .kept(place)))
        }
        if places == nil {
            for rollout in rollouts where rollout.kind == new.kind && rollout.digest != new.digest {
                found.append((rollout.seq, .rollout(rollout.digest)))
            }
            // After a withdrawal the topics hold an earlier envelope, so the withdrawn number must be remembered.
            for label in withdrawn where label.kind == new.kind { found.append((label.seq, .withdrawn)) }
        }
        return found.max { $0.seq < $1.seq }
    }

    /// The published and withdrawn envelopes that are no longer needed: boxes no longer accept them, and a higher number was
    /// published on each of their topics. The highest one is kept, because its number is still needed.
    package func obsolete(at now: Instant) -> [String] {
        var highest: [ChangePlace: Int] = [:]
        for label in published {
            for place in label.places { highest[place] = max(label.seq, highest[place] ?? 0) }
        }
        return (published + withdrawn).filter { label in
            label.isOver(at: now) && label.places.allSatisfy { (highest[$0] ?? 0) > label.seq }
        }.map(\.digest)
    }
}

extension ChangeCheck.Refusal {
    /// A sentence for a person: the fact, its reason, and the command to type.
    package func sentence(about new: EnvelopeLabel, _ topics: FleetTopic) -> String {
        switch self {
        case .rollingOut(.stopped):
            "the roll-out of this envelope stopped itself, so it is not published; \"adhan-fleet rollout status\" says why, and after \"adhan-fleet rollout abort \(Self.short(new.digest))\" it can be published"
        case .rollingOut(let state):
            "a roll-out of this envelope is \(state.rawValue), and could stop nothing once it is published; \"adhan-fleet rollout abort \(Self.short(new.digest))\" ends the roll-out"
        case .rolledOut(let state):
            "this envelope has a roll-out already: \(Self.short(new.digest)), \(state.rawValue)"
        case .published:
            "this envelope is published already, so every box that it is for finds it; sign the change again with --seq \(new.seq + 1) to roll it out"
        case .withdrawn:
            "this envelope was withdrawn, and stays so; sign the change again with --seq \(new.seq + 1)"
        case .busy(let digest, let state):
            "another roll-out of \(new.kind.rawValue) is \(state.rawValue): \"adhan-fleet rollout abort \(Self.short(digest))\" ends it"
        case .notAbove(StrictJSON.largestInteger, let origin):
            "number \(StrictJSON.largestInteger) of \(new.kind.rawValue) \(origin.clause(topics)), and no number is above it; \"When the highest number is used up\" in FLEET.md says what is left"
        case .notAbove(let seq, .withdrawn):
            "number \(new.seq) of \(new.kind.rawValue) is not above \(seq), which was withdrawn: boxes that took that one would refuse this one; sign the change again with --seq \(seq + 1)"
        case .notAbove(let seq, let origin):
            "number \(new.seq) of \(new.kind.rawValue) is not above \(seq), which \(origin.clause(topics)): boxes that have that one would refuse this one, and boxes that are away would not find the higher one; sign the change again with --seq \(seq + 1)"
        case .hides(let other):
            "number \(other.seq) of \(new.kind.rawValue) is for \(other.selector.text) and holds until \(InstantText.rfc3339(other.expires, in: .utc)): if this one for \(new.selector.text) took its place, boxes that are away would not find it; \"adhan-fleet rollout start\" gives this one to each of its boxes on a topic of its own"
        case .hidesRevert(let other):
            "number \(other.seq) of revert undoes \(other.reverted?.rawValue ?? "another kind") until \(InstantText.rfc3339(other.expires, in: .utc)), and stands where this one would: boxes that are away would not find it. When \"adhan-fleet status --json\" has number \(other.seq) of revert for each of its boxes, type \"adhan-fleet withdraw \(Self.short(other.digest))\" and publish this one"
        }
    }

    /// The digest in the form that the roll-out's commands accept.
    private static func short(_ digest: String) -> Substring { digest.prefix(16) }
}

extension ChangeCheck.Origin {
    fileprivate func clause(_ topics: FleetTopic) -> String {
        switch self {
        case .published: "was published before"
        case .withdrawn: "was withdrawn, and boxes may have it"
        case .rollout(let digest): "the roll-out \(digest.prefix(16)) had"
        case .kept(let place): "stands on \(topics.topic(of: place))"
        }
    }
}

extension FleetSelector {
    /// The receivers in words.
    package var text: String {
        switch self {
        case .all: "all"
        case .boxes(let names): "boxes \(names.joined(separator: ", "))"
        case .groups(let names): "groups \(names.joined(separator: ", "))"
        }
    }
}
