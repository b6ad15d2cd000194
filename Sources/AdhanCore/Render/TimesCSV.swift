import PrayerEngine

/// `adhanctl times --format csv` (RFC 4180): for spreadsheets, so times of day in the place's own time, `16:32`, or
/// `16:32:05` when nothing is rounded; `00:15+1` lies on the day after.
package enum TimesCSV {
    package static func render(_ times: TimesDocument) -> String {
        var text = row(["date", "hijri"] + DayEvent.allCases.map(\.rawValue) + ["notes"])
        for day in times.days {
            let events = DayEvent.allCases.map { event -> String in
                day.events[event.rawValue]?.wrappedValue == nil ? "" : TimesTable.clock(day, event, times)
            }
            let notes = DayEvent.allCases.compactMap { event in
                day.notes[event.rawValue].map { "\(event.rawValue): \($0)" }
            }
            text += row([day.date, day.hijri.text] + events + [notes.joined(separator: "; ")])
        }
        return text
    }

    private static func row(_ fields: [String]) -> String {
        fields.map(field).joined(separator: ",") + "\r\n"
    }

    /// Quoted when it holds what would end a field.
    private static func field(_ text: String) -> String {
        let special: (UInt8) -> Bool = {
            $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\n")
                || $0 == UInt8(ascii: "\r")
        }
        guard text.utf8.contains(where: special) else { return text }
        return "\"" + text.replacing("\"", with: "\"\"") + "\""
    }
}
