import PrayerEngine
import Settings
package import Texts

/// Reads logs from files: our own, and those of other trackers by their headers. Either every row can be read, or nothing is.
/// Entries that our own export marks as computed are left out, since they are computed again.
package struct LogImport {
    private let today: Today
    private let offset: Int

    /// The most rows of a file: fifty years.
    package static let mostRows = 100_000

    /// - Parameter offset: the present offset of the place's clocks, for entries that do not state when they were made.
    package init(today: Today, offset: Int) {
        self.today = today
        self.offset = offset
    }

    /// Finds the order of day and month from the dates of a file.
    package func order(in bytes: [UInt8], file: String) throws(LogRefusal) -> DateOrder.Finding {
        DateOrder.finding(try rows(bytes, file).lazy.map(\.document.date))
    }

    /// The entries of a file, in the order of the days.
    /// - Parameter order: the order of day and month where the year does not stand first; `nil`: decided by the dates.
    package func marks(in bytes: [UInt8], file: String, order: DateOrder? = nil) throws(LogRefusal) -> [Mark]
    {
        let rows = try rows(bytes, file)
        var order = order
        if order == nil {
            switch DateOrder.finding(rows.lazy.map(\.document.date)) {
            case .plain: break
            case .clear(let found): order = found
            case .open(let example):
                throw LogRefusal(
                    "\(file): whether \(example) begins with the day or the month is not clear from its dates; "
                        + "say --dates day-month or --dates month-day")
            case .contradiction(let day, let month):
                throw LogRefusal(
                    "\(file): \(day) begins with the day and \(month) with the month; write the dates YYYY-MM-DD"
                )
            }
        }
        return try marks(rows, file, order)
    }

    private func rows(_ bytes: [UInt8], _ file: String) throws(LogRefusal) -> [Row] {
        guard let text = String(validating: bytes, as: UTF8.self), !bytes.contains(0) else {
            throw LogRefusal("\(file) is not text in UTF-8; export the log as CSV or JSON")
        }
        let rows =
            [UInt8(ascii: "{"), UInt8(ascii: "[")].contains(text.trimmed.utf8.first)
            ? try json(bytes, file) : try table(text, file)
        guard !rows.isEmpty else { throw LogRefusal("\(file) has no entries") }
        guard rows.count <= Self.mostRows else {
            throw LogRefusal("\(file) has more than \(Self.mostRows) entries; import it in parts")
        }
        return rows
    }

    private func marks(_ rows: [Row], _ file: String, _ order: DateOrder?) throws(LogRefusal) -> [Mark] {
        var marks: [PrayerSlot: (mark: Mark, place: String)] = [:]
        for row in rows where row.document.source != MarkSource.computed.name {
            let mark: Mark
            do throws(LogRefusal) {
                mark = try self.mark(row.document, order)
            } catch {
                throw LogRefusal("\(file), \(row.place): \(error.message)")
            }
            if let other = marks[mark.slot], other.mark.status != mark.status {
                throw LogRefusal(
                    "\(file), \(row.place): \(mark.slot.prayer.name) of \(mark.slot.date) is "
                        + "\"\(other.mark.status.name)\" in \(other.place) and \"\(mark.status.name)\" here")
            }
            marks[mark.slot] = (mark, row.place)
        }
        return marks.values.map(\.mark).sorted { $0.slot < $1.slot }
    }

    private typealias Row = (document: MarkDocument, place: String)

    private func json(_ bytes: [UInt8], _ file: String) throws(LogRefusal) -> [Row] {
        let documents: [MarkDocument]
        do {
            documents = try JSON.decode(LogDocument.self, from: bytes).marks
        } catch {
            do {
                documents = try JSON.decode([MarkDocument].self, from: bytes)
            } catch {
                throw LogRefusal(
                    "\(file) is not a log: expected is {\"marks\": [{\"date\": …, \"prayer\": …, \"status\": …}]}"
                )
            }
        }
        return documents.enumerated().map { ($1, "entry \($0 + 1)") }
    }

    private func table(_ text: String, _ file: String) throws(LogRefusal) -> [Row] {
        let lines: [DelimitedLines.Line]
        do throws(LogRefusal) {
            lines = try DelimitedLines(text).lines
        } catch {
            throw LogRefusal("\(file), \(error.message)")
        }
        guard let header = lines.first else { throw LogRefusal("\(file) is empty") }
        let columns: TrackerColumns
        do throws(LogRefusal) {
            columns = try TrackerColumns(header.cells)
        } catch {
            throw LogRefusal("\(file), line \(header.number): \(error.message)")
        }
        return lines.dropFirst().flatMap { line in
            columns.documents(line.cells).map { ($0, "line \(line.number)") }
        }
    }

    private func mark(_ document: MarkDocument, _ order: DateOrder?) throws(LogRefusal) -> Mark {
        guard let date = Self.date(document.date) ?? order?.date(document.date) else {
            let shapes =
                order.map { "YYYY-MM-DD or \($0 == .dayFirst ? "DD/MM/YYYY" : "MM/DD/YYYY")" } ?? "YYYY-MM-DD"
            throw LogRefusal("\"\(document.date)\" is not a day that exists, written \(shapes)")
        }
        guard let prayer = Spelling.prayer(document.prayer) else {
            let near = NearestName.of(document.prayer, among: Prayer.allCases.map(\.rawValue))
            throw LogRefusal(
                "\"\(document.prayer)\" is not a prayer" + (near.map { "; did you mean \"\($0)\"?" } ?? ""))
        }
        guard let status = StatusWords.status(document.status) else {
            let all = MarkStatus.allCases.map(\.name).joined(separator: ", ")
            throw LogRefusal("\"\(document.status)\" is none of \(all)")
        }
        let slot = PrayerSlot(date, DailyPrayer(prayer))
        guard date.year >= Marking.firstYear else {
            throw LogRefusal("the year \(date.year) lies before \(Marking.firstYear)")
        }
        try refuseFuture(slot, status)
        let at = try instant(document.at, "at")
        if let at, at > today.now { throw LogRefusal("\(document.at ?? "") is in the future") }
        var window: PrayerWindow?
        if let start = try instant(document.starts, "starts"), let end = try instant(document.ends, "ends") {
            window = PrayerWindow(start: start, end: end)
        }
        if let at, at < window?.start ?? Self.earliest(date) {
            throw LogRefusal(
                "\(slot.prayer.name) of \(date) cannot have been prayed before, at \(document.at ?? "")")
        }
        let marked = try instant(document.marked, "marked")
        return Mark(
            slot: slot, status: status, at: at,
            source: document.source.flatMap { MarkSource(name: $0) } ?? .imported,
            markedAt: marked ?? today.now, offset: document.marked.flatMap(Self.offset) ?? offset,
            window: window)
    }

    private func refuseFuture(_ slot: PrayerSlot, _ status: MarkStatus) throws(LogRefusal) {
        let isFuture =
            status == .excused
            ? Logbook.days(through: today.date, isExcuse: true).upperBound < slot.date.dayNumber
            : today.phase(slot) == .upcoming
        if isFuture { throw LogRefusal("\(slot.prayer.name) of \(slot.date) is in the future") }
        if status == .missed, today.phase(slot) == .open {
            throw LogRefusal("\(slot.prayer.name) of \(slot.date) is not missed yet: its time is now")
        }
    }

    /// `2026-11-20`, `2026/11/20`, and either with a time of day behind it.
    private static func date(_ text: String) -> CivilDate? {
        let day = text.trimmed.prefix { $0 != " " && $0 != "T" }
        return CivilDate(day.replacing("/", with: "-"))
    }

    private func instant(_ text: String?, _ column: String) throws(LogRefusal) -> Instant? {
        guard let text, !text.isEmpty else { return nil }
        guard let instant = InstantText.parse(text) else {
            throw LogRefusal("\(column) \"\(text)\" is not a time such as 2026-11-20T05:31:00-05:00")
        }
        return instant
    }

    /// The instant at which a date begins in the first zone, 14 hours east of Greenwich.
    private static func earliest(_ date: CivilDate) -> Instant {
        Zone.utc.instant(of: date, secondOfDay: 0) - 14 * 3600
    }

    /// Seconds east of UTC in an RFC 3339 text.
    private static func offset(_ text: String) -> Int? {
        guard let instant = InstantText.parse(text),
            let local = InstantText.parse(text.prefix { $0 != "." && $0 != "Z" }.prefix(19) + "Z")
        else { return nil }
        return Int((local.unixSeconds - instant.unixSeconds.rounded(.down)).rounded())
    }
}
