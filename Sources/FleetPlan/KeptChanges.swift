import Envelope

/// The envelopes on the topics of changes, as the broker has shown them since it was connected. A value: messages go in.
package struct KeptChanges: Sendable {
    /// An envelope whose text the fleet's folder does not have.
    package struct Other: Sendable, Equatable {
        package let label: EnvelopeLabel
        package let text: [UInt8]
    }

    /// The labels by topic. A text that no box of the fleet would accept has none.
    package private(set) var labels: [ChangePlace: EnvelopeLabel] = [:]
    /// How often an envelope gave way to nothing, or to one that comes after no envelope of ours: a text that no box would believe, an older
    /// one, or one that the folder does not have.
    package private(set) var undone: [ChangePlace: [String: Int]] = [:]
    /// Whether the broker shows them at all.
    package private(set) var isReadable = true
    /// The envelopes in the fleet's folder, by their digests.
    package var known: Set<String> = []
    /// Envelopes at the broker that are missing in the folder, by their digests.
    private var others: [String: Other] = [:]
    /// Most boxes have the same text: it is read once.
    private var last: (text: [UInt8], label: EnvelopeLabel?)?

    /// The most foreign texts that are held at a time: each has up to 48 KiB. The rest arrives with the next connection.
    static let mostOthers = 64
    /// Envelopes of one topic of which it is remembered that they gave way.
    private static let mostUndone = 8

    package init() {}

    /// Another connection shows everything again.
    package mutating func connected() {
        (labels, undone, others, last, isReadable) = ([:], [:], [:], nil, true)
    }

    /// The broker refuses to show them.
    package mutating func refused() { isReadable = false }

    /// - Parameters:
    ///   - isRetained: whether the broker had kept it until now.
    ///   - read: the label of a text that the fleet's keys have signed; `nil` for any other.
    package mutating func note(
        _ place: ChangePlace, _ text: [UInt8], isRetained: Bool, read: ([UInt8]) -> EnvelopeLabel?
    ) {
        guard !text.isEmpty, let label = readLabel(of: text, read), label.kind == place.kind else {
            if let before = labels[place] { noteUndone(before.digest, at: place) }
            labels[place] = nil
            return
        }
        if let before = labels[place], before.digest != label.digest,
            label.seq <= before.seq || !known.contains(label.digest)
        {
            noteUndone(before.digest, at: place)
        }
        labels[place] = label
        guard isRetained, !known.contains(label.digest), others.count < Self.mostOthers,
            label.places.contains(place)
        else { return }
        others[label.digest] = Other(label: label, text: text)
    }

    private mutating func noteUndone(_ digest: String, at place: ChangePlace) {
        var counts = undone[place] ?? [:]
        if counts[digest] == nil, counts.count >= Self.mostUndone { counts = [:] }
        counts[digest, default: 0] += 1
        undone[place] = counts
    }

    private mutating func readLabel(
        of text: [UInt8], _ read: ([UInt8]) -> EnvelopeLabel?
    ) -> EnvelopeLabel? {
        if let last, last.text == text { return last.label }
        let label = read(text)
        last = (text, label)
        return label
    }

    /// The envelopes that an earlier version, or somebody else, has published: each stands wherever `publish` puts it. One that stands on
    /// some of these topics alone came there by a roll-out, or by a command that failed half-way.
    package mutating func takeOthers() -> [Other] {
        defer { others = [:] }
        return others.values.filter { other in
            !known.contains(other.label.digest)
                && other.label.places.allSatisfy { labels[$0]?.digest == other.label.digest }
        }.sorted { $0.label.digest < $1.label.digest }
    }
}
