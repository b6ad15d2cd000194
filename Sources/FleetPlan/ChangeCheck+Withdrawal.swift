import Envelope
package import PrayerEngine
import Texts

/// Withdraws a published envelope: boxes that have not fetched it find the previous one, or none.
extension ChangeCheck {
    /// A published envelope that was found by its digest.
    package struct Found: Sendable, Equatable {
        package let digest: String
        /// The label; `nil` if its file is damaged.
        package let label: EnvelopeLabel?
        /// Whether it was withdrawn before.
        package let isWithdrawn: Bool

        init(_ label: EnvelopeLabel, isWithdrawn: Bool) {
            (digest, self.label, self.isWithdrawn) = (label.digest, label, isWithdrawn)
        }

        init(_ file: Damaged) { (digest, label, isWithdrawn) = (file.digest, nil, file.isWithdrawn) }
    }

    package enum WithdrawalRefusal: Error, Sendable, Equatable {
        /// Fewer digits could name an envelope by accident.
        case short
        /// No envelope with this digest was published. Contains all published ones, and the digests of damaged files.
        case unknown([EnvelopeLabel], damaged: [String])
        case several(Int)
        /// A roll-out has delivered it to boxes.
        case rolledOut(FleetRollout)
    }

    fileprivate static let fewestDigits = 8

    /// - Parameter name: a digest, or the beginning of one.
    package func withdrawal(of name: String) throws(WithdrawalRefusal) -> Found {
        let name = name.lowercased()
        guard name.utf8.count >= Self.fewestDigits else { throw .short }
        let found =
            (published.map { Found($0, isWithdrawn: false) } + withdrawn.map { Found($0, isWithdrawn: true) }
            + damaged.map { Found($0) })
            .filter { $0.digest.hasPrefix(name) }
        guard found.count < 2 else { throw .several(found.count) }
        let rolled = rollouts.filter { $0.digest.hasPrefix(name) }
        guard let one = found.first else {
            guard rolled.count == 1 else {
                throw .unknown(published, damaged: damaged.filter { !$0.isWithdrawn }.map(\.digest))
            }
            throw .rolledOut(rolled[0])
        }
        // An envelope that was published after the end of its roll-out is withdrawn like any other.
        if !one.isWithdrawn,
            let rollout = rolled.first(where: { $0.digest == one.digest }), rollout.state.canBeEnded
        {
            throw .rolledOut(rollout)
        }
        return one
    }

    /// The topics that may hold a published envelope: its own, and those of boxes to which an earlier roll-out gave it.
    package func placesToClear(of old: EnvelopeLabel) -> Set<ChangePlace> {
        let given = rollouts.first { $0.digest == old.digest }?.given.keys.map {
            ChangePlace(box: $0, kind: old.kind)
        }
        return Set(old.places).union(given ?? [])
    }

    /// - Parameters:
    ///   - places: the topics that hold the withdrawn envelope.
    ///   - others: the other published envelopes that boxes would accept.
    ///   - isRevoked: whether a box was removed from the fleet, so that its topics stay empty.
    /// - Returns: these topics, each with the envelope that now belongs there.
    package static func clearing(
        _ places: some Sequence<ChangePlace>, others: [EnvelopeLabel], isRevoked: (String) -> Bool,
        at now: Instant
    ) -> [RolloutBook.Delivery] {
        var next: [ChangePlace: EnvelopeLabel] = [:]
        for label in others where !label.isOver(at: now) {
            for place in label.places where next[place].map({ $0.seq < label.seq }) ?? true {
                next[place] = label
            }
        }
        return places.sorted { ($0.kind.rawValue, $0.box) < ($1.kind.rawValue, $1.box) }.map {
            RolloutBook.Delivery(place: $0, digest: isRevoked($0.box) ? nil : next[$0]?.digest)
        }
    }
}

extension ChangeCheck.WithdrawalRefusal {
    private static let mostNamed = 10

    /// A sentence for a person: the fact, its reason, and the command to type.
    /// - Parameter name: the name as typed.
    package func sentence(about name: String) -> String {
        switch self {
        case .short:
            "\"\(PlainText.visible(name))\" is neither a file nor a topic of this fleet, and too short for a digest; type at least \(ChangeCheck.fewestDigits) of the digits that \"adhan-fleet verify FILE\" prints"
        case .unknown(let published, let damaged) where published.isEmpty && damaged.isEmpty:
            "nothing is published here"
        case .unknown(let published, let damaged):
            "no published envelope has the digest \"\(PlainText.visible(name))\"; type one of these: \(Self.list(published, damaged))"
        case .several(let count):
            "\(count) published envelopes begin with \"\(PlainText.visible(name))\"; type more of the digest"
        case .rolledOut(let rollout): Self.sentence(about: rollout)
        }
    }

    private static func sentence(about rollout: FleetRollout) -> String {
        switch rollout.state {
        case .running, .paused, .stopped:
            "a roll-out of this envelope is \(rollout.state.rawValue); \"adhan-fleet rollout abort \(rollout.digest.prefix(16))\" ends it, and takes the envelope away from boxes that have not applied it"
        case .done:
            "this envelope was rolled out to all of its boxes; sign what they are to have with --seq \(rollout.seq + 1)"
        case .aborted:
            "this envelope is not published, and its roll-out was ended: boxes that have not applied it do not get it"
        }
    }

    private static func list(_ published: [EnvelopeLabel], _ damaged: [String]) -> String {
        // Lists the newest of each kind first.
        let sorted = published.sorted { ($0.kind.rawValue, $1.seq) < ($1.kind.rawValue, $0.seq) }
        let all =
            damaged.sorted().map { "\($0.prefix(16)) (its file is damaged)" }
            + sorted.map { "\($0.digest.prefix(16)) (\($0.kind.rawValue) number \($0.seq))" }
        let named = all.prefix(mostNamed)
        let rest = all.count - named.count
        return named.joined(separator: ", ") + (rest > 0 ? ", and \(rest) more in published/" : "")
    }
}
