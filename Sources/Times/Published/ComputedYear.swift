import PrayerEngine
import Settings

/// A year of computed times as a table, with published times over it.
package enum ComputedYear {
    package static func table(_ year: Int, published: PublishedTimetable, site: Site) -> PublishedTimetable {
        var table = PublishedTimetable()
        guard let first = CivilDate(year: year, month: 1, day: 1) else { return table }
        // Times as they are called, so that imsak belongs to the published Fajr.
        var mosque = MosqueTimes()
        mosque.table = published
        let times = TimesSource(computed: site.computedTimes, mosque: mosque)
        for day in times.days(from: first, count: 366) where day.date.year == year {
            var cells = day.row?.cellMinutes ?? [:]
            for event in TimetableColumn.events where cells[.begins(event)] == nil || event == .imsak {
                cells[.begins(event)] = day[event].map { minutes($0, on: day.date, in: site.zone) }
            }
            table.dated[day.date] = .init(cellMinutes: cells, sources: [])
        }
        return table
    }

    /// Minutes of the clock, seconds cut off.
    private static func minutes(_ instant: Instant, on date: CivilDate, in zone: Zone) -> Int {
        let minutes = Int((SunReference.minutes(of: instant, after: date, in: zone) + 0.001).rounded(.down))
        return ((minutes % 1440) + 1440) % 1440
    }
}
