package import PrayerEngine

/// When congregations stand up, day by day.
package struct IqamaDocument: Sendable, Encodable {
    package struct Day: Sendable, Encodable {
        package let date: String
        /// Instants by prayer, RFC 3339.
        package let adhan: [String: String]
        package let iqama: [String: String]
        /// Where each comes from: `published`, `rule` …
        package let sources: [String: String]
        package let jumua: [Slot]
    }

    package struct Slot: Sendable, Encodable {
        package let slot: Int
        package let khutba: String?
        package let prayer: String?
    }

    package let days: [Day]

    package init(_ calendar: IqamaCalendar, table: PublishedTable, site: Site, dates: [CivilDate]) {
        days = dates.map { date in
            func instant(_ minutes: Double) -> String {
                let whole = minutes.rounded(.down)
                let start = PublishedDay.instant(of: Int(whole), on: date, in: site.zone)
                return InstantText.rfc3339(start + ((minutes - whole) * 60).rounded(), in: site.zone)
            }
            var (adhan, iqama, sources) = ([String: String](), [String: String](), [String: String]())
            let today = calendar.events(on: date)
            for prayer in TableColumn.prayers {
                adhan[prayer.rawValue] = today.events[prayer.event].map(instant)
                guard let time = calendar.time(of: prayer, on: date) else { continue }
                iqama[prayer.rawValue] = instant(time.minutes)
                sources[prayer.rawValue] = time.source.rawValue
            }
            let cells = table.published(on: date, in: site.zone)?.cells ?? [:]
            let slots = TableColumn.slots.compactMap { slot -> Slot? in
                let (khutba, prayer) = (cells[.khutba(slot: slot)], cells[.jumuaIqama(slot: slot)])
                guard date.isFriday, khutba != nil || prayer != nil else { return nil }
                return Slot(
                    slot: slot, khutba: khutba.map { instant(Double($0)) },
                    prayer: prayer.map { instant(Double($0)) })
            }
            return Day(date: date.description, adhan: adhan, iqama: iqama, sources: sources, jumua: slots)
        }
    }

    package var isEmpty: Bool { days.allSatisfy { $0.iqama.isEmpty && $0.jumua.isEmpty } }
}

/// The list that hangs in a mosque.
package enum IqamaText {
    package static func render(_ document: IqamaDocument, _ style: Style) -> String {
        let hasFridays = document.days.contains { !$0.jumua.isEmpty }
        let prayers = TableColumn.prayers
        var table = TextTable([.left, .left] + prayers.map { _ in .left } + [.left])
        table.add(
            [.init("Date", .heading), ""] + prayers.map { .init($0.title, .heading) }
                + (hasFridays ? [.init("Jumua", .heading)] : []))
        for day in document.days {
            guard let date = CivilDate(day.date) else { continue }
            var row: [TextTable.Cell] = [
                .init(day.date), .init(LocalText.weekday(date), date.isFriday ? .good : .faint),
            ]
            row += prayers.map { .init(day.iqama[$0.rawValue].map(LocalText.minute) ?? "-") }
            if hasFridays {
                row.append(
                    .init(
                        day.jumua.compactMap { ($0.prayer ?? $0.khutba).map(LocalText.minute) }.joined(
                            separator: ", ")))
            }
            table.add(row)
        }
        return table.rendered(style)
    }
}
