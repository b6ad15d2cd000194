import PrayerEngine
import Settings
import Times

/// Converts cells into minutes by the wall clock: decides on 12 or 24 hours, on the clock, and on the year.
struct ClockNormalizer {
    let options: ImportOptions
    let site: Site
    private let today: CivilDate
    private let fridays: [Grid.Context.Friday]
    private var raw: [RawDay]
    var remarks: [String] = []
    private(set) var findings: [TimetableFinding] = []
    var clock = TimetableClock.local
    private(set) var hours = 24

    /// A day whose cells are all read, by the file's own clock.
    struct Day {
        var date: CivilDate
        var begins: [DayEvent: Int] = [:]
        var congregations: [TimetableColumn: IqamaTime] = [:]
        /// Whether the congregations are listed beside the times, and so follow the same clock.
        var isOneTable: Bool { !begins.isEmpty }
    }

    init(
        _ raw: [RawDay], options: ImportOptions, site: Site, today: CivilDate,
        fridays: [Grid.Context.Friday]
    ) {
        self.raw = raw
        self.options = options
        self.site = site
        self.today = today
        self.fridays = fridays
    }

    mutating func work() throws(ImportRefusal) -> (table: PublishedTimetable, days: [PublishedDay]) {
        try assignYears()
        dropLeapDays()
        var days = try read()
        addFridays(to: &days)
        let dates = days.map(\.date)
        let seasons = SeasonClock(zone: site.zone, years: dates.map(\.year))
        let sun = SunReference(place: site.place, zone: site.zone, dates: dates)
        decideClock(days, seasons, sun)
        var table = PublishedTimetable()
        var wall: [PublishedDay] = []
        for day in days {
            let cells = wallCells(of: day, seasons)
            wall.append(PublishedDay(date: day.date, cellMinutes: cells))
            if options.year == .every {
                let shift = winterShift(of: cells, on: day.date, seasons, sun)
                table.everyYear[MonthDay(day.date)] = .init(
                    cellMinutes: cells.filter { !$0.key.isFriday }.mapValues { ($0 - shift + 1440) % 1440 },
                    sources: [])
            } else {
                table.dated[day.date] = .init(cellMinutes: cells, sources: [])
            }
        }
        if options.year == .every,
            days.contains(where: { day in day.congregations.keys.contains(where: \.isFriday) })
        {
            remarks.append("the times of Fridays are left out: they do not fall on the same dates every year")
        }
        return (table, wall)
    }

    // MARK: Years

    private mutating func assignYears() throws(ImportRefusal) {
        let printed = Set(raw.compactMap(\.year))
        switch options.year {
        case .of(let year):
            if let other = printed.first(where: { $0 != year }),
                let day = raw.first(where: { $0.year == other })
            {
                throw ImportRefusal(
                    "the file itself says \(other), and times of one year are not those of another; leave --year out",
                    file: day.file, line: day.line)
            }
            setYears(year)
        case .every:
            // A leap year, so that 29 February exists.
            setYears(
                (0...7).map { today.year + $0 }.first { CivilDate(year: $0, month: 2, day: 29) != nil }
                    ?? 2024)
            remarks.append(
                "the table is for every year, by the clock of winter time; summer time is added where it holds"
            )
            if !raw.contains(where: { $0.month == 2 && $0.day == 29 }) {
                remarks.append("29 February is computed: the file has no times for it")
            }
        case nil:
            guard raw.contains(where: { $0.year == nil }) else { return }
            setYears(printed.count == 1 ? printed.first ?? today.year : today.year)
            let year = printed.count == 1 ? printed.first ?? today.year : today.year
            remarks.append("the file names no year; it is taken for \(year) (--year says otherwise)")
        }
    }

    /// Drops 29 February in common years, for which spreadsheets have a row all the same.
    private mutating func dropLeapDays() {
        let common = raw.filter {
            $0.month == 2 && $0.day == 29 && CivilDate(year: $0.year ?? 0, month: 2, day: 29) == nil
        }
        guard let year = common.first?.year else { return }
        remarks.append("29 February is left out: \(year) has none")
        raw.removeAll {
            $0.month == 2 && $0.day == 29 && CivilDate(year: $0.year ?? 0, month: 2, day: 29) == nil
        }
    }

    private mutating func setYears(_ year: Int) {
        for index in raw.indices where raw[index].year == nil { raw[index].year = year }
    }

    // MARK: Cells

    private mutating func read() throws(ImportRefusal) -> [Day] {
        var byDate: [CivilDate: [TimetableColumn: RawCell]] = [:]
        var (twice, weekdays) = ([CivilDate: (String, String)](), [CivilDate]())
        for day in raw {
            guard let year = day.year, let date = CivilDate(year: year, month: day.month, day: day.day) else {
                throw ImportRefusal(
                    "\(day.place) is not a day in the calendar", file: day.file, line: day.line)
            }
            if let printed = day.weekday, printed != date.weekday, options.year != .every {
                weekdays.append(date)
            }
            for (column, cell) in day.cells {
                if let other = byDate[date]?[column], other.text != cell.text {
                    twice[date] = (other.place(beside: cell), cell.place(beside: other))
                }
                byDate[date, default: [:]][column] = cell
            }
        }
        findings += DateSpan.runs(weekdays.sorted()).map { span in
            TimetableFinding(
                .weekday, from: span.from, until: span.until,
                "the weekday printed beside \(span.text) is not that of the date (\(span.from) is a \(WeekdayNames.title(span.from.weekday))); is it the right year?"
            )
        }
        findings += DateSpan.runs(twice.keys.sorted()).map { span in
            let (first, second) = twice[span.from] ?? ("", "")
            return TimetableFinding(
                .duplicateDay, from: span.from, until: span.until,
                "\(span.text) \(span.days == 1 ? "is" : "are") there twice with different times, first in \(first) and \(second); what comes later counts"
            )
        }
        let twelve = TwelveHourTimes(byDate.values, stated: options.hours)
        hours = twelve.hours
        if twelve.isGuess {
            remarks.append("times without am or pm are read by their columns, as 12-hour times")
        }
        var unread = UnreadCells()
        let days = try byDate.sorted { $0.key < $1.key }.map { date, cells throws(ImportRefusal) in
            try Self.day(date, cells, twelve, &unread)
        }
        findings += unread.findings
        remarks += [unread.remark].compactMap(\.self)
        return days
    }

    private static func day(
        _ date: CivilDate, _ cells: [TimetableColumn: RawCell], _ twelve: TwelveHourTimes,
        _ unread: inout UnreadCells
    ) throws(ImportRefusal) -> Day {
        var day = Day(date: date)
        for event in TimetableColumn.events {
            guard let cell = cells[.begins(event)] else { continue }
            // Some tables print "Sunset" for maghrib, which leaves it to the computation.
            if event == .maghrib, TextFolding.words(cell.text) == ["sunset"] { continue }
            guard let reading = PrintedTime(cell.text) else {
                throw ImportRefusal(
                    "\(event.rawValue) must be a time such as 05:44", file: cell.file, line: cell.line,
                    cell: cell.text)
            }
            day.begins[event] = twelve.minutes(reading, of: event, maghrib: day.begins[.maghrib])
        }
        for (column, cell) in cells where !column.isBeginning {
            let readings: [IqamaCell]
            switch IqamaCell.read(cell.text, of: column.event) {
            case .success(let success): readings = success
            case .failure(let reason):
                unread.add(cell, column, on: date, reason)
                continue
            }
            for (index, reading) in readings.enumerated() {
                let column = column.next(index)
                switch reading {
                case .after(let event, let minutes):
                    day.congregations[column] = .after(event, minutes: minutes)
                case .clock(let clock):
                    let adhan = day.begins[column.event]
                    let minutes = twelve.congregation(clock, of: column, adhan: adhan)
                    // A Friday's khutba may begin before noon.
                    guard case .iqama(let prayer, _) = column else {
                        day.congregations[column] = .clock(minutes: minutes)
                        continue
                    }
                    guard let possible = twelve.possible(minutes, clock, of: prayer, adhan: adhan) else {
                        unread.add(cell, column, on: date, .impossibleTime)
                        continue
                    }
                    if possible != minutes { unread.turned(cell, to: possible) }
                    day.congregations[column] = .clock(minutes: possible)
                }
            }
        }
        return day
    }

    private mutating func addFridays(to days: inout [Day]) {
        for friday in fridays {
            guard let column = friday.column else { continue }
            var unread = UnreadCells()
            switch IqamaCell.read(friday.text, of: column.event) {
            case .success(let readings):
                for (number, reading) in readings.enumerated() {
                    addFriday(reading, column.next(number), to: &days)
                }
            case .failure(let reason):
                let cell = RawCell(
                    text: friday.text, file: raw.first?.file ?? "", line: friday.line,
                    header: friday.header)
                for day in days where day.date.isFriday { unread.add(cell, column, on: day.date, reason) }
            }
            findings += unread.findings
        }
        for index in days.indices where !days[index].date.isFriday {
            days[index].congregations = days[index].congregations.filter { !$0.key.isFriday }
        }
    }

    private func addFriday(_ reading: IqamaCell, _ column: TimetableColumn, to days: inout [Day]) {
        let congregation: IqamaTime
        switch reading {
        case .after(let event, let minutes): congregation = .after(event, minutes: minutes)
        case .clock(let clock):
            congregation = .clock(minutes: TwelveHourTimes.minutes(clock, of: column.event))
        }
        for index in days.indices where days[index].date.isFriday {
            days[index].congregations[column] = congregation
        }
    }
}

extension TimetableColumn {
    /// The column of the same congregation, some slots later.
    fileprivate func next(_ count: Int) -> TimetableColumn {
        guard count > 0 else { return self }
        switch self {
        case .begins: return self
        case .iqama(let prayer, let slot): return .iqama(prayer, slot: slot + count)
        case .khutba(let slot): return .khutba(slot: slot + count)
        case .jumuaIqama(let slot): return .jumuaIqama(slot: slot + count)
        }
    }
}
