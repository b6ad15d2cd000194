package import Protocol
internal import Texts

/// `/r/log`: the latest announcements, newest first.
package struct LogFacts: Sendable, Equatable {
    package struct Entry: Sendable, Equatable {
        package let date: String
        package let time: String
        package let prayer: String
        package let outcome: Outcome
        package let reason: String?

        package init(date: String, time: String, prayer: String, outcome: Outcome, reason: String? = nil) {
            self.date = date
            self.time = time
            self.prayer = prayer
            self.outcome = outcome
            self.reason = reason
        }
    }

    package static let most = 50
    package let entries: [Entry]

    package init(entries: [Entry]) { self.entries = entries }

    package init(_ history: HistoryDocument) {
        entries = history.announcements.suffix(Self.most).reversed().map {
            Entry(
                date: LocalText.date($0.scheduled), time: LocalText.minute($0.scheduled),
                prayer: AnnouncementID($0.id)?.callName ?? $0.prayer, outcome: $0.outcome, reason: $0.reason)
        }
    }
}
