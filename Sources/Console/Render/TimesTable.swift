import PrayerEngine
package import Protocol
package import Texts

/// `adhanctl times` for people: the events of a single day as lines, the prayers of several days in columns.
package enum TimesTable {
    package static func render(_ times: TimesDocument, _ style: Style) -> String {
        head(times, style) + "\n" + body(times, style)
    }

    /// The days alone, without the place and the method.
    static func body(_ times: TimesDocument, _ style: Style = .plain) -> String {
        times.days.count == 1 ? oneDay(times.days[0], times, style) : manyDays(times, style)
    }

    private static func head(_ times: TimesDocument, _ style: Style) -> String {
        let place = times.location
        let calculation = times.calculation
        var text = style(PlaceText.describe(place.name, place.latitude, place.longitude), .heading)
        text += ", \(place.timezone)\n"
        if place.approximate {
            let advice =
                PlaceText.caution(place.name)
                + " Give --latitude and --longitude, or run \"sudo adhanctl setup\"."
            text += Wrapping.lines(advice, indent: 0).map { style($0, .caution) + "\n" }.joined()
        }
        if let warning = times.zoneWarning {
            text += Wrapping.lines(warning.caution, indent: 0).map { style($0, .alarm) + "\n" }.joined()
        }
        text += style(
            "\(MethodText.line(calculation.basics)), rounding \(calculation.rounding), midnight \(calculation.midnight)",
            .faint)
        text += "\n"
        // A single day's date names it.
        if times.days.count != 1, let calendar = calculation.hijriCalendar {
            text += style("Hijri calendar: \(HijriRule.title(of: calendar))", .faint) + "\n"
        }
        if let advice = MethodText.advice(calculation.basics, typing: "--method NAME") {
            text += style(advice, .faint) + "\n"
        }
        return text
    }

    private static func oneDay(_ day: TimesDocument.Day, _ times: TimesDocument, _ style: Style) -> String {
        var notes = Footnotes()
        let hasIqama = day.iqama?.isEmpty == false
        var table = TextTable([.left, .left, .left, .left], indent: 2)
        if hasIqama { table.add(["", "", .init("Iqama", .heading)]) }
        for event in DayEvent.allCases {
            let time = clock(day, event, times)
            let mark = notes.mark(day.notes[event.rawValue], on: event)
            var row: [TextTable.Cell] = [
                .init(event.title, isPrayer(event) ? .plain : .faint), .init(time + mark),
            ]
            if hasIqama { row.append(.init(day.iqama?[event.rawValue].map { clock($0, on: day) } ?? "")) }
            if let off = off(event, day) {
                row.append(.init(off, .caution))
            } else if let origin = origin(of: event, day) {
                row.append(.init(origin, .faint))
            }
            table.add(row)
        }
        for slot in day.jumua ?? [] {
            let khutba = slot.khutba.map { "khutba \(clock($0, on: day))" } ?? ""
            let name = (day.jumua?.count ?? 0) > 1 ? "Jumu'ah \(slot.slot)" : "Jumu'ah"
            table.add([
                .init(name), .init(khutba), .init(slot.prayer.map { clock($0, on: day) } ?? ""),
            ])
        }
        let date = CivilDate(day.date).map(LocalText.long) ?? day.date
        let calendar = times.calculation.hijriCalendar.map { " (\(HijriRule.title(of: $0)))" } ?? ""
        return "\(date), \(day.hijri.text)\(calendar)\n\n" + table.rendered(style) + notes.rendered(style)
    }

    /// `Jumu'ah is switched off`, `Asr is skipped`
    private static func off(_ event: DayEvent, _ day: TimesDocument.Day) -> String? {
        let parts = [(day.off, "switched off"), (day.skipped, "skipped")].compactMap { list, how in
            let prayers = (list ?? []).compactMap(Prayer.init).filter { $0.event == event }
            guard !prayers.isEmpty else { return nil as String? }
            let names = prayers.map(\.title).joined(separator: " and ")
            return "\(names) \(prayers.count == 1 ? "is" : "are") \(how)"
        }
        return parts.isEmpty ? nil : parts.joined(separator: "; ")
    }

    /// The source of an event's time, where it is not computed.
    static func origin(of event: DayEvent, _ day: TimesDocument.Day) -> String? {
        if day.exceptions?.contains(event.rawValue) == true { return "set by hand" }
        return day.published?.contains(event.rawValue) == true ? "published" : nil
    }

    /// The number of days from a timetable, if there is one.
    private static func published(_ times: TimesDocument, _ style: Style) -> String {
        let published = times.days.count { $0.published?.isEmpty == false }
        guard published > 0 else { return "" }
        let areAllPublished = published == times.days.count
        let sentence =
            areAllPublished
            ? "All of these days are in the mosque's timetable."
            : "\(published) of these \(times.days.count) days are in the mosque's timetable; the others are computed."
        return "\n" + Wrapping.lines(sentence, indent: 0).map { style($0, .faint) + "\n" }.joined()
    }

    private static func manyDays(_ times: TimesDocument, _ style: Style) -> String {
        var notes = Footnotes()
        let columns: [DayEvent] = [.fajr, .sunrise, .dhuhr, .asr, .maghrib, .isha]
        var table = TextTable([.left, .left, .left] + columns.map { _ in .left })
        table.add(
            [.init("Date", .heading), "", .init("Hijri", .heading)]
                + columns.map { .init($0.title, .heading) })
        for day in times.days {
            let date = CivilDate(day.date)
            let isFriday = date?.isFriday ?? false
            let hijri = day.hijri
            var row: [TextTable.Cell] = [
                .init(day.date), .init(date.map(LocalText.weekday) ?? "", isFriday ? .good : .faint),
                .init(
                    "\(hijri.year)-\(InstantText.padded(hijri.month, 2))-\(InstantText.padded(hijri.day, 2))",
                    .faint),
            ]
            for event in columns {
                let byHand = day.exceptions?.contains(event.rawValue) == true ? "set by hand" : nil
                let mark = [byHand ?? day.notes[event.rawValue], off(event, day)]
                    .map { notes.mark($0, on: event) }.joined()
                row.append(.init(clock(day, event, times) + mark))
            }
            table.add(row)
        }
        return table.rendered(style) + notes.rendered(style) + published(times, style)
    }

    /// `16:32`; with its seconds when nothing is rounded; `00:15+1` on the day after; `-` when there is none.
    static func clock(_ day: TimesDocument.Day, _ event: DayEvent, _ times: TimesDocument) -> String {
        guard let instant = day.events[event.rawValue]?.wrappedValue else { return "-" }
        let exact = times.calculation.rounding == Rounding.none.rawValue
        let time = exact ? LocalText.second(instant) : LocalText.minute(instant)
        return dated(time, instant, day)
    }

    /// The clock time of a congregation's instant.
    static func clock(_ instant: String, on day: TimesDocument.Day) -> String {
        dated(LocalText.minute(instant), instant, day)
    }

    private static func dated(_ time: String, _ instant: String, _ day: TimesDocument.Day) -> String {
        guard let own = CivilDate(day.date), let date = CivilDate(LocalText.date(instant)), date != own else {
            return time
        }
        return date > own
            ? "\(time)+\(date.dayNumber - own.dayNumber)" : "\(time)-\(own.dayNumber - date.dayNumber)"
    }

    private static func isPrayer(_ event: DayEvent) -> Bool {
        Prayer.allCases.contains { $0.event == event }
    }
}

/// Notes under a table: each text once, with a letter beside every time that it explains.
private struct Footnotes {
    private var notes: [(text: String, events: [DayEvent])] = []

    /// ` a`, or nothing when there is no note.
    mutating func mark(_ note: String?, on event: DayEvent) -> String {
        guard let note else { return "" }
        guard let index = notes.firstIndex(where: { $0.text == note }) else {
            notes.append((note, [event]))
            return " " + Self.letters(notes.count - 1)
        }
        if !notes[index].events.contains(event) { notes[index].events.append(event) }
        return " " + Self.letters(index)
    }

    func rendered(_ style: Style) -> String {
        guard !notes.isEmpty else { return "" }
        var text = "\n"
        for (index, note) in notes.enumerated() {
            let letters = Self.letters(index)
            let events = note.events.map(\.title).joined(separator: ", ")
            let lines = Wrapping.lines("\(events): \(note.text)", indent: letters.count + 2)
            let blank = String(repeating: " ", count: letters.count)
            for (number, line) in lines.enumerated() {
                text += "\(number == 0 ? letters : blank)  \(style(line, .faint))\n"
            }
        }
        return text
    }

    /// a … z, aa … zz and on, as spreadsheets name their columns.
    private static func letters(_ index: Int) -> String {
        let own = String(UnicodeScalar(UInt8(ascii: "a") + UInt8(index % 26)))
        return index < 26 ? own : letters(index / 26 - 1) + own
    }
}
