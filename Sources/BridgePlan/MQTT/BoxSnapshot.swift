package import PrayerEngine
package import Protocol
import Texts

/// The last answers of adhand, from which topics, discovery and metrics are made.
package struct BoxSnapshot: Sendable, Equatable {
    package let status: StatusDocument
    /// The agenda of two civil days, beginning today.
    package let agenda: [OccasionDocument]
    /// The history's last entries, oldest first.
    package let history: [HistoryEntry]

    package init(status: StatusDocument, agenda: [OccasionDocument], history: [HistoryEntry]) {
        (self.status, self.agenda, self.history) = (status, agenda, history)
    }

    package var name: String { status.location.name }

    /// The snapshot's date in adhand's zone: `2026-11-24`.
    package var today: String { String(status.now.prefix(10)) }

    /// The zone with the document's own UTC offset, which suffices for sentences about nearby hours.
    package var zone: Zone {
        guard let instant = InstantText.parse(status.now), status.now.count > 6 else { return .utc }
        let text = status.now.hasSuffix("Z") ? "+00:00" : String(status.now.suffix(6))
        let parts = text.dropFirst().split(separator: ":")
        guard parts.count == 2, instant.unixSeconds.isFinite else { return .utc }
        // POSIX counts offsets westwards.
        let sign = text.hasPrefix("-") ? "" : "-"
        return
            (try? Zone(
                name: status.location.timezone,
                posix: "<\(text.filter { $0 != ":" })>\(sign)\(parts[0]):\(parts[1])"))
            ?? .utc
    }

    /// The adhans of a date by prayer, with the first of several.
    func adhans(on date: String) -> [String: OccasionDocument] {
        of(.adhan, on: date)
    }

    func iqamas(on date: String) -> [String: OccasionDocument] {
        of(.iqama, on: date)
    }

    func sunrise(on date: String) -> OccasionDocument? {
        agenda.first { $0.kind == .sunrise && $0.at.hasPrefix(date) }
    }

    private func of(_ kind: OccasionDocument.Kind, on date: String) -> [String: OccasionDocument] {
        var found: [String: OccasionDocument] = [:]
        for occasion in agenda where occasion.kind == kind {
            // An Isha after midnight belongs to the day in its identity.
            guard let id = AnnouncementID(occasion.id), id.date?.description == date,
                let prayer = occasion.prayer,
                found[prayer] == nil
            else { continue }
            found[prayer] = occasion
        }
        return found
    }

    var tomorrow: String {
        guard let date = CivilDate(today) else { return today }
        return date.adding(days: 1).description
    }

    /// The last adhan in the history.
    var last: HistoryEntry? {
        history.last { AnnouncementID($0.id)?.kind == .adhan }
    }

    /// Seconds by which an adhan may be late. adhand does not report its setting, so this is the default.
    package static let graceSeconds = 120.0
}
