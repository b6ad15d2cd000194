import Envelope
package import PrayerEngine

/// Envelopes of one kind that boxes may still need but that are not sent to a broker again, because the watch does not know the
/// key that signed them.
package struct FormerKey: Sendable, Equatable {
    /// The label with the highest number.
    package let label: EnvelopeLabel
    /// The number of envelopes.
    package let count: Int
    /// The highest number of this kind in the fleet's folder.
    package let highest: Int

    package init(_ label: EnvelopeLabel, count: Int, highest: Int) {
        (self.label, self.count, self.highest) = (label, count, highest)
    }

    private static let mostNames = 5

    /// A sentence for a person: the fact, its consequence, and the command to type.
    /// - Parameter highestReported: the highest number of this kind that a box has reported.
    package func sentence(org: String, highestReported: Int) -> String {
        let others =
            switch count {
            case ...1: " is"
            case 2: " and another one of this kind are"
            default: " and \(count - 1) others of this kind are"
            }
        let them = count > 1 ? "them" : "it"
        let fact =
            "Number \(label.seq) of \(label.kind.rawValue) for \(receivers)\(others) signed by a key that the watch does not know, so no broker is given \(them) again."
        // Since the watch began, fleet.toml may have received a new key or lost the old one.
        let restart = "If fleet.toml has that key, type \"systemctl restart adhan-fleet\"."
        guard label.kind != .keys else {
            return
                "\(fact) \(restart) Else a box that still has the former keys takes it by hand alone: \"adhanctl fleet apply FILE\"."
        }
        let above = max(highestReported, highest, label.seq)
        guard above < StrictJSON.largestInteger else {
            return
                "\(fact) \(restart) Else see \"When the highest number is used up\" in FLEET.md, as no number is above \(above)."
        }
        return
            "\(fact) \(restart) Else sign the same change again, and publish that: \"adhan-fleet sign --key FILE --org \(org) --kind \(label.kind.rawValue) --seq \(above + 1)\(option) BODY -o NEW\"."
    }

    /// The receivers in words: a selector may have up to a thousand names.
    private var receivers: String {
        switch label.selector {
        case .all: "all"
        case .boxes(let names): "boxes \(Self.shortened(names, ", "))"
        case .groups(let names): "groups \(Self.shortened(names, ", "))"
        }
    }

    /// The option of `sign` for these receivers.
    private var option: String {
        switch label.selector {
        case .all: ""
        case .boxes(let names): " --for boxes:\(Self.shortened(names, ","))"
        case .groups(let names): " --for groups:\(Self.shortened(names, ","))"
        }
    }

    private static func shortened(_ names: [String], _ separator: String) -> String {
        let shown = Array(names.prefix(mostNames))
        return (names.count > mostNames ? shown + ["..."] : shown).joined(separator: separator)
    }
}

extension RolloutBook {
    /// The envelopes that have to be signed again, by kind: boxes without them would accept them, and at least one of these
    /// boxes has no later envelope that replaces them.
    package func formerKeys(at now: Instant) -> [FormerKey] {
        guard !formerPublished.isEmpty || !formerRolledOut.isEmpty else { return [] }
        let former = formerRolledOut.merging(formerPublished) { $1 }
        let rolledOut = entries.values.filter { !$0.rollout.state.isOver || $0.rollout.state == .done }
        let labels = Array(former.values) + Array(published.values) + rolledOut.map(\.label)
        var highest = withdrawnNumbers
        for label in labels { highest[label.kind] = max(highest[label.kind] ?? 0, label.seq) }
        let current = Dictionary(grouping: labels.filter { !$0.isOver(at: now) }, by: \.kind)
        let needed = former.values.filter { label in
            guard !label.isOver(at: now), published[label.digest] == nil, entries[label.digest] == nil else {
                return false
            }
            let later = (current[label.kind] ?? []).filter { $0.seq > label.seq }
            return !label.parts.allSatisfy { part in later.contains { $0.reaches(allOf: part) } }
        }
        return Dictionary(grouping: needed, by: \.kind).compactMap { kind, labels in
            labels.max { $0.seq < $1.seq }.map {
                FormerKey($0, count: labels.count, highest: highest[kind] ?? $0.seq)
            }
        }.sorted { $0.label.kind.rawValue < $1.label.kind.rawValue }
    }
}
