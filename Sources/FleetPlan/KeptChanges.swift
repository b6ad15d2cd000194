import Envelope

/// The envelopes on the topics for changes, as the broker has delivered them since it was connected. It is a value: messages go
/// in.
package struct KeptChanges: Sendable {
    /// An envelope whose text the fleet's folder lacks.
    package struct Other: Sendable, Equatable {
        package let label: EnvelopeLabel
        package let text: [UInt8]
    }

    /// The labels by topic. A text that no box of the fleet would accept has no label.
    package private(set) var labels: [ChangePlace: EnvelopeLabel] = [:]
    /// How often an envelope was removed, or replaced by a text that boxes would refuse, by an older envelope, or by one that
    /// the folder lacks.
    package private(set) var undone: [ChangePlace: [String: Int]] = [:]
    /// Whether the broker permits reading them.
    package private(set) var isReadable = true
    /// The envelopes in the fleet's folder, by their digests.
    package var known: Set<String> = []
    /// The envelopes at the broker that the folder lacks, by their digests.
    private var others: [String: Other] = [:]
    /// The last text read. Most boxes have the same text, which is then parsed once.
    private var last: (text: [UInt8], label: EnvelopeLabel?)?

    /// The most foreign texts in memory, each of up to 48 KiB. The rest arrives with the next connection.
    static let mostOthers = 64
    /// The most envelopes per topic whose replacements are counted.
    private static let mostUndone = 8

    package init() {}

    /// Handles a new connection, which delivers everything again.
    package mutating func connected() {
        (labels, undone, others, last, isReadable) = ([:], [:], [:], nil, true)
    }

    /// Notes that the broker does not permit reading them.
    package mutating func refused() { isReadable = false }

    /// - Parameters:
    ///   - isRetained: whether the broker had retained the message.
    ///   - read: reads the label of a text that the fleet's keys have signed; `nil` for any other text.
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

    /// Returns the envelopes that an earlier version or another program has published, which are on all topics that `publish`
    /// writes. One that is on some of these topics only came from a roll-out, or from a command that failed half-way.
    package mutating func drainOthers() -> [Other] {
        defer { others = [:] }
        return others.values.filter { other in
            !known.contains(other.label.digest)
                && other.label.places.allSatisfy { labels[$0]?.digest == other.label.digest }
        }.sorted { $0.label.digest < $1.label.digest }
    }
}
