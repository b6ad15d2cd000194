import PrayerEngine
import Settings
import Times

/// Determines the clock that the times follow.
extension ClockNormalizer {
    mutating func decideClock(_ days: [Day], _ seasons: SeasonClock, _ sun: SunReference) {
        if let named = options.clock {
            clock = named
            return
        }
        let off = [true, false].map { isSummer in
            Self.distances(
                days.filter { seasons.changes(in: $0.date.year) && seasons.isSummer($0.date) == isSummer },
                sun)
        }
        let (summer, winter) = (off[0], off[1])
        if !summer.isEmpty, Self.areAbout(-60, summer), Self.areAbout(0, winter) {
            clock = .winter
            remarks.append(
                "by the sun, the file has winter time all year; summer time is added (--clock says otherwise)"
            )
        } else if !winter.isEmpty, Self.areAbout(60, winter), Self.areAbout(0, summer) {
            clock = .summer
            remarks.append(
                "by the sun, the file has summer time all year; in winter an hour is taken off (--clock says otherwise)"
            )
        } else {
            clock = .local
        }
    }

    /// Events that depend on the Sun alone, and not on a school or an angle.
    private static let bySun = [DayEvent.sunrise, .dhuhr, .maghrib]

    /// The usual difference of each of these events from the Sun.
    private static func distances(_ days: [Day], _ sun: SunReference) -> [Double] {
        bySun.compactMap { event in
            Median.of(days.compactMap { distance(of: event, $0.begins, sun[$0.date]) })
        }
    }

    /// Whether the differences come from the clock. A table for another place differs as well, but not equally at sunrise, noon
    /// and sunset; customs and safety margins are less than a dozen minutes.
    private static func areAbout(_ minutes: Double, _ distances: [Double]) -> Bool {
        guard let middle = Median.of(distances) else { return true }
        return abs(middle - minutes) <= 12 && distances.allSatisfy { abs($0 - minutes) <= 20 }
    }

    private static func distance(
        of event: DayEvent, _ begins: [DayEvent: Int], _ sun: SunReference.Events
    ) -> Double? {
        guard let published = begins[event], let computed = sun.minutes(of: event, asr: .standard) else {
            return nil
        }
        return SunReference.difference(published, computed)
    }

    /// The difference of a day's times from the Sun.
    static func difference(_ begins: [DayEvent: Int], _ sun: SunReference.Events) -> Double? {
        Median.of(bySun.compactMap { distance(of: $0, begins, sun) })
    }

    func wallCells(of day: Day, _ seasons: SeasonClock) -> [TimetableColumn: Int] {
        func wall(_ minutes: Int) -> Int { seasons.wallMinutes(of: minutes, on: day.date, shownBy: clock) }
        var cells: [TimetableColumn: Int] = [:]
        for (event, minutes) in day.begins { cells[.begins(event)] = wall(minutes) }
        for (column, congregation) in day.congregations {
            switch congregation {
            case .clock(let minutes):
                // A separate list of congregations follows the wall clock.
                cells[column] = day.isOneTable && !column.isFriday ? wall(minutes) : minutes
            case .after(let event, let minutes):
                let event = event ?? column.event
                if let time = cells[.begins(event)] ?? computed(event, on: day.date) {
                    cells[column] = (time + minutes + 1440) % 1440
                }
            }
        }
        return cells
    }

    func computed(_ event: DayEvent, on date: CivilDate) -> Int? {
        site.computedTimes.day(date)[event].map {
            let minutes = Int(SunReference.minutes(of: $0, after: date, in: site.zone).rounded(.down))
            return (minutes % 1440 + 1440) % 1440
        }
    }

    /// Minutes from winter time to the clock of these cells. In a table for every year, the days of the clock changes come from
    /// an unknown year; the Sun shows on which side of a change each day lies.
    func winterShift(
        of cells: [TimetableColumn: Int], on date: CivilDate, _ seasons: SeasonClock, _ sun: SunReference
    ) -> Int {
        let offsets = seasons.offsets(in: date.year)
        let step = (offsets.upperBound - offsets.lowerBound) / 60
        guard step > 0 else { return 0 }
        let usual = seasons.isSummer(date) ? step : 0
        guard clock == .local else { return usual }
        var begins: [DayEvent: Int] = [:]
        for event in SunReference.events { begins[event] = cells[.begins(event)] }
        guard let difference = Self.difference(begins, sun[date]) else { return usual }
        // Measure in winter time: on a summer day the computed times are `usual` minutes later.
        let byWinter = difference + Double(usual)
        return byWinter > Double(step) / 2 ? step : 0
    }
}
