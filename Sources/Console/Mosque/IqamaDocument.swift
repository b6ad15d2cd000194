package import PrayerEngine
package import Protocol
import Settings
package import Texts
package import Times

/// The times of iqamas, day by day.
package struct IqamaDocument: Sendable, Encodable {
    package struct Day: Sendable, Encodable {
        package let date: String
        /// Instants by prayer, RFC 3339.
        package let adhan: [String: String]
        package let iqama: [String: String]
        /// The source of each time: `published`, `rule` …
        package let sources: [String: String]
        package let jumua: [TimesDocument.FridayTimes]
    }

    package let days: [Day]

    package init(site: Site, dates: [CivilDate]) {
        guard let first = dates.first else {
            days = []
            return
        }
        let text = { (instant: Instant) in InstantText.rfc3339(instant, in: site.zone) }
        days = site.times.days(from: first, count: dates.count).map { day in
            var (adhan, iqama, sources) = ([String: String](), [String: String](), [String: String]())
            for prayer in TimetableColumn.prayers {
                adhan[prayer.rawValue] = day.call(of: prayer).map(text)
                guard let stands = day.congregations[prayer] else { continue }
                iqama[prayer.rawValue] = text(stands.at)
                sources[prayer.rawValue] = stands.origin.rawValue
            }
            let slots = day.slots.map { TimesDocument.FridayTimes($0, in: site.zone) }
            return Day(
                date: day.date.description, adhan: adhan, iqama: iqama, sources: sources, jumua: slots)
        }
    }

    package var isEmpty: Bool { days.allSatisfy { $0.iqama.isEmpty && $0.jumua.isEmpty } }
}

/// The list that hangs in a mosque.
package enum IqamaText {
    package static func render(_ document: IqamaDocument, _ style: Style) -> String {
        let hasFridays = document.days.contains { !$0.jumua.isEmpty }
        let prayers = TimetableColumn.prayers
        var table = TextTable([.left, .left] + prayers.map { _ in .left } + [.left])
        table.add(
            [.init("Date", .heading), ""] + prayers.map { .init($0.title, .heading) }
                + (hasFridays ? [.init("Jumu'ah", .heading)] : []))
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
