import PrayerEngine
package import Protocol
import Settings
import Texts

/// `adhanctl times --format csv` (RFC 4180): for spreadsheets, therefore with times of day in the place's own time, `16:32`, or
/// `16:32:05` when nothing is rounded; `00:15+1` is on the next day.
package enum TimesCSV {
    package static func render(_ times: TimesDocument) -> String {
        let congregations = Congregations(times)
        var text = row(
            ["date", "hijri"] + DayEvent.allCases.map(\.rawValue) + congregations.names + ["notes"])
        for day in times.days {
            let events = DayEvent.allCases.map { event -> String in
                day.events[event.rawValue]?.wrappedValue == nil ? "" : TimesTable.clock(day, event, times)
            }
            let notes = DayEvent.allCases.compactMap { event in
                day.notes[event.rawValue].map { "\(event.rawValue): \($0)" }
            }
            text += row(
                [day.date, day.hijri.text] + events + congregations.cells(of: day)
                    + [notes.joined(separator: "; ")])
        }
        return text
    }

    /// The columns of a mosque's iqamas, named as in a timetable; none where there are none.
    private struct Congregations {
        let columns: [TimetableColumn]
        var names: [String] { columns.map(\.name) }

        init(_ times: TimesDocument) {
            let all =
                TimetableColumn.prayers.map { TimetableColumn.iqama($0, slot: 1) }
                + TimetableColumn.slots.flatMap { [.khutba(slot: $0), .jumuaIqama(slot: $0)] }
            columns = all.filter { column in times.days.contains { Self.instant(column, $0) != nil } }
        }

        func cells(of day: TimesDocument.Day) -> [String] {
            columns.map { Self.instant($0, day).map { TimesTable.clock($0, on: day) } ?? "" }
        }

        private static func instant(_ column: TimetableColumn, _ day: TimesDocument.Day) -> String? {
            switch column {
            case .begins: nil
            case .iqama(let prayer, _): day.iqama?[prayer.rawValue]
            case .khutba(let slot): day.jumua?.first { $0.slot == slot }?.khutba
            case .jumuaIqama(let slot): day.jumua?.first { $0.slot == slot }?.prayer
            }
        }
    }

    private static func row(_ fields: [String]) -> String {
        fields.map(field).joined(separator: ",") + "\r\n"
    }

    /// Quoted when it contains a character that ends a field.
    private static func field(_ text: String) -> String {
        let special: (UInt8) -> Bool = {
            $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\n")
                || $0 == UInt8(ascii: "\r")
        }
        guard text.utf8.contains(where: special) else { return text }
        return "\"" + text.replacing("\"", with: "\"\"") + "\""
    }
}
