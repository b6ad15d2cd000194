package import PrayerEngine

extension IqamaCalendar {
    /// Congregations by a site's computed times and what is published over them.
    package init(
        _ settings: IqamaSettings, table: PublishedTable, site: Site, years: [Int] = [],
        exceptions: [CivilDate: [Prayer: Double]] = [:]
    ) {
        let hijri = site.calculation.hijri
        self.init(settings, zone: site.zone, years: years) { date in
            let published = table.published(on: date, in: site.zone)
            let computed = site.timetable.day(date)
            var events: [DayEvent: Double] = [:]
            for event in DayEvent.allCases {
                events[event] =
                    published?.minutes(of: event).map(Double.init)
                    ?? computed[event].map { SunReference.minutes(of: $0, after: date, in: site.zone) }
            }
            var congregations: [Prayer: Double] = [:]
            for prayer in TableColumn.prayers {
                let adhan = events[prayer.event].map { Int($0.rounded(.down)) }
                congregations[prayer] = published?.minutes(of: .iqama(prayer, slot: 1), adhan: adhan).map(
                    Double.init)
            }
            return Day(
                events: events, published: congregations, exceptions: exceptions[date] ?? [:],
                isRamadan: hijri.date(date).isRamadan, isRamadanEvening: hijri.evening(of: date).isRamadan)
        }
    }
}
