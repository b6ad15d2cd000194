public import PrayerEngine
public import Settings
public import Texts

/// One line of the history: an announcement and its outcome.
public struct HistoryEntry: Codable, Sendable, Equatable {
    /// The announcement's identity, as text: see ``AnnouncementID``.
    public let id: String
    /// The prayer's name; `none` for a `[[call]]`.
    public let prayer: String
    /// RFC 3339 in milliseconds: when it was due.
    public let scheduled: String
    /// RFC 3339 in milliseconds: when it began to sound; `null` where it did not.
    @Nullable public var started: String?
    /// Milliseconds from ``scheduled`` to ``started``, to a tenth; `null` where it did not begin.
    @Nullable public var latenessMs: Double?
    /// The outcome. If the history has an id twice, the last entry holds.
    public let outcome: Outcome
    /// Why it was not heard, or not to its end: a sentence; `null` where it was, or where ``outcome`` suffices.
    @Nullable public var reason: String?
    /// The cause that cut it short.
    @Nullable public var endedBy: String?
    /// The same cause as a code, and why it was skipped: by a switch, or for another announcement. Omitted otherwise, and by
    /// older versions.
    public var cause: EndCause?
    /// The announcement for which it was skipped.
    public var gaveWayTo: String?
    /// The sounds to be played, one after another, as configured.
    public let sound: [String]
    /// The device that sounded; with several outputs the first one's; `null` where none was opened.
    @Nullable public var device: String?
    /// Frames a second on that device; `null` where it was not opened.
    @Nullable public var rate: Int?
    /// Frames that were read from the recordings.
    public var framesDecoded = 0
    /// Frames that the device took and played, which is the proof that it was heard to its end.
    public var framesPlayed = 0
    /// How many times the device ran empty.
    public var dropouts = 0
    /// Decibels that were added to the recording, to a tenth: its own gain and the volume's; `null` where nothing was played.
    @Nullable public var gainDb: Double?
    /// The source of its time; omitted where it was computed.
    public var source: TimeOrigin?
    /// The name of the quiet window that silenced it or made it quieter; omitted where none did.
    public var quiet: String?
    /// The proof of each output, in the order of the configuration; omitted without configured outputs or quiet windows.
    public var outputs: [OutputProof]?

    package init(id: String, prayer: String, scheduled: String, outcome: Outcome, sound: [String]) {
        self.id = id
        self.prayer = prayer
        self.scheduled = scheduled
        self.outcome = outcome
        self.sound = sound
    }
}

/// `history`: the announcements of the last days, and the share of due ones that were heard.
public struct HistoryDocument: Codable, Sendable, Equatable {
    /// The requested number of days of 24 hours until now.
    public let days: Int
    /// Adhans that should have been heard: not those muted, disabled, silent, quiet, skipped, or ended by hand.
    public let due: Int
    /// Due adhans that were heard to their end on every output where they should be.
    public let played: Int
    /// Adhans that were heard, but not everywhere: due, and not played. Omitted where there is none and neither outputs nor quiet
    /// windows are configured, and by an older adhand where there is none.
    public var partial: Int?
    /// All announcements of these days, not only adhans, in the order in which their outcomes were recorded.
    public let announcements: [HistoryEntry]
    /// Older announcements that did not fit into one reply: callers with "more" receive all.
    public var omitted: Int?

    /// The valid ``days``.
    package static let possibleDays = 1...3660

    package init(
        days: Int, due: Int, played: Int, partial: Int? = nil, announcements: [HistoryEntry],
        omitted: Int? = nil
    ) {
        self.days = days
        self.due = due
        self.played = played
        self.partial = partial
        self.announcements = announcements
        self.omitted = omitted
    }

    /// The period of the last `days` days until now: a clock that was ahead may have written lines of coming days, and an adhan
    /// of such a day is not due.
    public static func span(days: Int, now: Instant) -> ClosedRange<Instant> {
        (now - Double(max(0, days)) * 86_400)...now
    }

    /// Makes the document. `entries` are in the order of the file; if an id occurs twice, the last one holds.
    public init(days: Int, entries: [HistoryEntry], now: Instant) {
        let span = Self.span(days: days, now: now)
        var lastOfId: [String: Int] = [:]
        for (index, entry) in entries.enumerated() { lastOfId[entry.id] = index }
        let recent = entries.enumerated()
            .filter { index, entry in
                guard lastOfId[entry.id] == index, let at = InstantText.parse(entry.scheduled) else {
                    return false
                }
                return span.contains(at)
            }
            .map(\.element)
        self.days = days
        announcements = recent
        let sums = HistorySums(recent.map(\.heard))
        (due, played, partial) = (sums.due, sums.played, sums.partialCount(tellsOutputs: false))
    }
}

/// How many of the due adhans were heard.
package struct HistorySums: Sendable, Equatable {
    package let due: Int
    package let played: Int
    /// Adhans that were heard, but not everywhere.
    package let partial: Int

    package init(_ all: some Collection<HistoryEntry.Heard?>) {
        due = all.count { $0 != nil }
        played = all.count { $0 == .whole }
        partial = all.count { $0 == .partly }
    }

    /// The count of ``partial`` for a document.
    /// - Parameter tellsOutputs: whether outputs or quiet windows are configured. Otherwise a document has no such count, unless
    ///     an earlier configuration left lines of that kind.
    package func partialCount(tellsOutputs: Bool) -> Int? { tellsOutputs || partial > 0 ? partial : nil }
}

extension HistoryEntry {
    package enum Heard: Sendable, Equatable {
        case whole, partly, notWhole
    }

    /// How much of it was heard; `nil` unless it is due.
    package var heard: Heard? {
        guard isDue else { return nil }
        return switch outcome {
        case .played: .whole
        case .partial: .partly
        default: .notWhole
        }
    }
}

extension HistoryEntry {
    /// Whether it is an adhan that should have been heard to its end.
    public var isDue: Bool {
        // Older versions recorded the person or announcement without a cause: that counts as intended.
        guard AnnouncementID(id)?.kind == .adhan, endedBy == nil || cause?.isMeant == false else {
            return false
        }
        switch outcome {
        case .played, .partial, .failed, .missed, .interrupted: return true
        case .upcoming, .playing, .muted, .disabled, .silent, .quiet, .skipped: return false
        }
    }
}

extension HistoryEntry {
    /// The history's file in the daemon's state directory: one entry a line.
    package static let fileName = "history.jsonl"

    /// Reads a line of the history's file without its end; `nil` for any other line.
    public init?(line: some Collection<UInt8>) {
        guard let entry = try? JSON.decode(HistoryEntry.self, from: line) else { return nil }
        self = entry
    }

    /// Whether a byte ends a line. A zero does, too: a power cut leaves zeros in place of the written bytes, and the lines on
    /// both sides are whole.
    public static func isLineEnd(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "\n") || byte == 0 }
}
