package import PrayerEngine
package import Settings
package import Texts

/// One line of the history: what was to be called, and what came of it.
package struct HistoryEntry: Codable, Sendable, Equatable {
    package let id: String
    package let prayer: String
    package let scheduled: String
    @Nullable package var started: String?
    @Nullable package var latenessMs: Double?
    package let outcome: Outcome
    @Nullable package var reason: String?
    /// The cause that cut it short.
    @Nullable package var endedBy: String?
    /// The same for programs; left out where nothing sounded, and by older versions.
    package var cause: EndCause?
    package let sound: [String]
    @Nullable package var device: String?
    @Nullable package var rate: Int?
    package var framesDecoded = 0
    package var framesPlayed = 0
    package var dropouts = 0
    @Nullable package var gainDb: Double?
    /// The source of its time; left out where it was computed.
    package var source: TimeOrigin?

    package init(id: String, prayer: String, scheduled: String, outcome: Outcome, sound: [String]) {
        self.id = id
        self.prayer = prayer
        self.scheduled = scheduled
        self.outcome = outcome
        self.sound = sound
    }
}

/// `history`: what was called in the last days, and how much of what was due came out.
package struct HistoryDocument: Codable, Sendable, Equatable {
    package let days: Int
    /// Adhans that were to be heard: not those muted, disabled, silent, skipped, or ended by hand.
    package let due: Int
    package let played: Int
    package let announcements: [HistoryEntry]
    /// Older announcements that one reply has no room for: all go to those who call with "more".
    package var omitted: Int?

    package init(days: Int, due: Int, played: Int, announcements: [HistoryEntry], omitted: Int? = nil) {
        self.days = days
        self.due = due
        self.played = played
        self.announcements = announcements
        self.omitted = omitted
    }

    /// The lines that count as the last `days` days. They end now: a clock that was ahead writes lines of days that have not come yet,
    /// and an adhan of such a day is not due.
    package static func span(days: Int, now: Instant) -> ClosedRange<Instant> {
        (now - Double(max(0, days)) * 86_400)...now
    }

    /// `entries` in the order of the file; of an id that stands there twice the last one holds.
    package init(days: Int, entries: [HistoryEntry], now: Instant) {
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
        let due = recent.filter { $0.isDue }
        self.due = due.count
        played = due.count { $0.outcome == .played }
    }
}

extension HistoryEntry {
    /// Whether it is an adhan that should have been heard to its end.
    package var isDue: Bool {
        // Older versions wrote who, and no cause: that was a person, or another announcement.
        guard AnnouncementID(id)?.kind == .adhan, endedBy == nil || cause?.isMeant == false else {
            return false
        }
        switch outcome {
        case .played, .failed, .missed, .interrupted: return true
        case .upcoming, .playing, .muted, .disabled, .silent, .skipped: return false
        }
    }
}

extension HistoryEntry {
    /// A line of the history's file without its end; `nil` when it is none.
    package init?(line: some Collection<UInt8>) {
        guard let entry = try? JSON.decode(HistoryEntry.self, from: line) else { return nil }
        self = entry
    }

    /// Whether a byte ends a line. A zero does, too: zeros are what a power cut leaves in the place of what was written, and
    /// the lines on both sides of them are whole.
    package static func isLineEnd(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "\n") || byte == 0 }
}
