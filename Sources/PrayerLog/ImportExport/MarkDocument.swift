import PrayerEngine
import Texts

/// An exported entry: a row of CSV, an object of JSON. Importing our own files reproduces them.
package struct MarkDocument: Codable, Equatable, Sendable {
    package var date: String
    package var prayer: String
    package var status: String
    /// RFC 3339 with the offset of the place, milliseconds included.
    package var at: String?
    package var source: String?
    package var marked: String?
    /// The prayer's time at the place.
    package var starts: String?
    package var ends: String?

    package static let columns = ["date", "prayer", "status", "at", "source", "marked", "starts", "ends"]

    package var cells: [String] {
        [date, prayer, status, at ?? "", source ?? "", marked ?? "", starts ?? "", ends ?? ""]
    }

    package init(_ mark: Mark) {
        let zone = Self.zone(mark.offset)
        func text(_ instant: Instant) -> String { InstantText.rfc3339(instant, in: zone, milliseconds: true) }
        date = mark.slot.date.description
        prayer = mark.slot.prayer.name
        status = mark.status.name
        at = mark.at.map(text)
        source = mark.source.name
        marked = text(mark.markedAt)
        starts = mark.window.map { text($0.start) }
        ends = mark.window.map { text($0.end) }
    }

    /// Makes the entry of a prayer without a mark whose time is over.
    package init(missed slot: PrayerSlot) {
        date = slot.date.description
        prayer = slot.prayer.name
        status = MarkStatus.missed.name
        source = MarkSource.computed.name
    }

    package init(date: String, prayer: String, status: String) {
        self.date = date
        self.prayer = prayer
        self.status = status
    }

    /// A clock this many seconds east of UTC. RFC 3339 knows whole minutes.
    private static func zone(_ offset: Int) -> Zone {
        let minutes = abs(offset) / 60
        // POSIX counts offsets towards the west of Greenwich.
        let text = "X\(offset > 0 ? "-" : "")\(minutes / 60):\(InstantText.padded(minutes % 60, 2))"
        return (try? Zone(name: "local", posix: "XX" + text)) ?? .utc
    }
}

/// `export --format json`
package struct LogDocument: Codable, Equatable, Sendable {
    package var marks: [MarkDocument]

    package init(marks: [MarkDocument]) { self.marks = marks }
}

/// The exported log: every entry, and between them the missed prayers.
package enum LogExport {
    package static func documents(_ marks: [Mark], _ log: Logbook) -> [MarkDocument] {
        var documents: [MarkDocument] = []
        var known: [Int: Mark] = [:]
        for mark in marks { known[mark.slot.index] = mark }
        for date in log.datesWithEntries {
            for prayer in DailyPrayer.allCases {
                let slot = PrayerSlot(date, prayer)
                if let mark = known[slot.index] {
                    documents.append(MarkDocument(mark))
                } else if log.state(slot) == .missed {
                    documents.append(MarkDocument(missed: slot))
                }
            }
        }
        return documents
    }

    package static func csv(_ documents: [MarkDocument]) -> String {
        // No cell has a comma or a quotation mark in it.
        ([MarkDocument.columns] + documents.map(\.cells)).map { $0.joined(separator: ",") + "\n" }.joined()
    }

    package static func json(_ documents: [MarkDocument]) throws -> [UInt8] {
        try JSON.encode(LogDocument(marks: documents), pretty: true) + [UInt8(ascii: "\n")]
    }
}
