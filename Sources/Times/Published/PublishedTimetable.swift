package import PrayerEngine
package import Settings
import Texts

/// A printed timetable by date: the strict table. It has no information about other days.
package struct PublishedTimetable: Sendable, Equatable {
    /// The source of rows: one import of one or more files.
    package struct Source: Sendable, Equatable, Codable {
        package var id: Int
        /// The importer's name for it.
        package var name: String
        package var file: String
        package var sha256: String
        /// The day of the import.
        package var imported: String
        package var format: String
        /// The clock by which the file was read: `local`, `winter` or `summer`.
        package var clock: String
        /// Names of the columns that were imported; `nil` where that is unknown.
        package var columns: [String]?
        /// The place for which it was imported; `nil` without a chosen place, and in old tables.
        package var place: Place?
        /// Other places for which it was kept; `nil` without any.
        package var alsoFor: [Place]?

        package struct Place: Sendable, Equatable, Codable {
            package let name: String
            package let latitude: Double
            package let longitude: Double

            /// The place for which a table is kept, chosen or not.
            package init(keptAt site: Site) {
                (name, latitude, longitude) = (site.name, site.place.latitude, site.place.longitude)
            }

            /// Kilometres from another place.
            package func kilometres(to place: PrayerEngine.Place) -> Double {
                GreatCircle.kilometres(from: (latitude, longitude), to: (place.latitude, place.longitude))
            }

            /// Makes the place of a site; `nil` for a place that was not chosen.
            package init?(_ site: Site) {
                guard !site.approximate else { return nil }
                (name, latitude, longitude) = (site.name, site.place.latitude, site.place.longitude)
            }
        }

        package init(
            id: Int, name: String, file: String, sha256: String, imported: String, format: String,
            clock: String, columns: [String]? = nil, place: Place? = nil
        ) {
            self.id = id
            self.name = name
            self.file = file
            self.sha256 = sha256
            self.imported = imported
            self.format = format
            self.clock = clock
            self.columns = columns
            self.place = place
        }

        /// Whether it was imported or kept for this place or one near it; false where that is unknown.
        package func isFor(_ here: PrayerEngine.Place) -> Bool {
            ((place.map { [$0] } ?? []) + (alsoFor ?? [])).contains {
                $0.kilometres(to: here) <= TimetableMismatch.anotherTownKilometres
            }
        }

        /// Whether the import may have contained a column.
        func has(_ column: TimetableColumn) -> Bool { columns?.contains(column.name) ?? true }
    }

    package struct Row: Sendable, Equatable {
        /// Minutes after midnight by the clock, 0..<1440. A missing event is computed.
        package var cellMinutes: [TimetableColumn: Int]
        /// Ids of ``sources``.
        package var sources: [Int]

        package init(cellMinutes: [TimetableColumn: Int], sources: [Int]) {
            self.cellMinutes = cellMinutes
            self.sources = sources
        }
    }

    package var sources: [Source]
    /// Rows of single dates, by the wall clock of the place.
    package var dated: [CivilDate: Row]
    /// Rows for every year, by the clock of the zone's winter time: the days on which clocks change differ every year.
    package var everyYear: [MonthDay: Row]

    package init(
        sources: [Source] = [], dated: [CivilDate: Row] = [:], everyYear: [MonthDay: Row] = [:]
    ) {
        self.sources = sources
        self.dated = dated
        self.everyYear = everyYear
    }

    package var isEmpty: Bool { dated.isEmpty && everyYear.isEmpty }

    /// The published times of a date; no other code looks them up. A date's own row overrides a row for every year; `nil` where
    /// there is neither.
    package func published(on date: CivilDate, in zone: Zone) -> PublishedDay? {
        if let row = dated[date] {
            return PublishedDay(date: date, cellMinutes: row.cellMinutes, sources: sources(of: row))
        }
        guard let row = everyYear[MonthDay(date)] else { return nil }
        let winter = SeasonClock(zone: zone)
        return PublishedDay(
            date: date,
            cellMinutes: row.cellMinutes.mapValues { winter.wallMinutes(of: $0, on: date, shownBy: .winter) },
            sources: sources(of: row))
    }

    private func sources(of row: Row) -> [Source] { sources.filter { row.sources.contains($0.id) } }

    /// The first and the last date with a row of its own.
    package var span: ClosedRange<CivilDate>? {
        guard let first = dated.keys.min(), let last = dated.keys.max() else { return nil }
        return first...last
    }

    package var columns: [TimetableColumn] {
        var columns = Set<TimetableColumn>()
        for row in dated.values { columns.formUnion(row.cellMinutes.keys) }
        for row in everyYear.values { columns.formUnion(row.cellMinutes.keys) }
        return columns.sorted()
    }

    /// Marks every row as coming from one import.
    package mutating func label(_ source: Source) {
        var source = source
        source.columns = columns.map(\.name)
        sources = [source]
        dated = dated.mapValues { Row(cellMinutes: $0.cellMinutes, sources: [source.id]) }
        everyYear = everyYear.mapValues { Row(cellMinutes: $0.cellMinutes, sources: [source.id]) }
    }

    /// Records that a person confirmed the table for this place. The place for which it was imported stays valid, too.
    package mutating func adopt(_ place: Source.Place) {
        for index in sources.indices where sources[index].place != nil {
            let others = (sources[index].alsoFor ?? []).filter { $0 != place }
            sources[index].alsoFor = sources[index].place == place ? sources[index].alsoFor : others + [place]
        }
    }

    /// Merges another table: its dates and columns replace these, the others stay.
    package mutating func merge(_ other: PublishedTimetable) {
        let columns = Set(other.columns)
        var ids: [Int: Int] = [:]
        var next = (sources.map(\.id).max() ?? 0) + 1
        for var source in other.sources {
            ids[source.id] = next
            source.id = next
            sources.append(source)
            next += 1
        }
        for (date, row) in other.dated { Self.merge(row, into: &dated[date], columns, ids) }
        for (day, row) in other.everyYear { Self.merge(row, into: &everyYear[day], columns, ids) }
        forgetReplacedSources()
    }

    private static func merge(
        _ new: Row, into row: inout Row?, _ columns: Set<TimetableColumn>, _ ids: [Int: Int]
    ) {
        let kept = (row?.cellMinutes ?? [:]).filter { !columns.contains($0.key) }
        row = Row(
            cellMinutes: kept.merging(new.cellMinutes) { $1 },
            sources: (kept.isEmpty ? [] : row?.sources ?? []) + new.sources.compactMap { ids[$0] })
    }

    /// The source of a cell: the last of the imports that had its column.
    private func source(of column: TimetableColumn, in row: Row) -> Int? {
        sources.filter { row.sources.contains($0.id) && $0.has(column) }.map(\.id).max()
    }

    /// Removes the cells of imports of a name; the others stay.
    package mutating func remove(named name: String) {
        let ids = Set(sources.filter { $0.name == name }.map(\.id))
        keepCells { $0.map { !ids.contains($0) } ?? true }
    }

    /// The table with only the cells from imports of a name.
    package func only(named name: String) -> PublishedTimetable {
        let ids = Set(sources.filter { $0.name == name }.map(\.id))
        var table = self
        table.keepCells { $0.map(ids.contains) ?? false }
        return table
    }

    /// Keeps the cells whose source, by its id, is wanted; removes rows without any.
    private mutating func keepCells(_ isWanted: (Int?) -> Bool) {
        func reduced(_ row: Row) -> Row? {
            var (cells, ids) = ([TimetableColumn: Int](), Set<Int>())
            for (column, minutes) in row.cellMinutes {
                let id = source(of: column, in: row)
                guard isWanted(id) else { continue }
                cells[column] = minutes
                if let id { ids.insert(id) }
            }
            return cells.isEmpty ? nil : Row(cellMinutes: cells, sources: ids.sorted())
        }
        (dated, everyYear) = (dated.compactMapValues(reduced), everyYear.compactMapValues(reduced))
        forgetUnusedSources()
    }

    /// Removes imports from a row that have no cell in it any more.
    private mutating func forgetReplacedSources() {
        func named(_ row: Row) -> Row {
            Row(
                cellMinutes: row.cellMinutes,
                sources: Set(row.cellMinutes.keys.compactMap { source(of: $0, in: row) }).sorted()
            )
        }
        (dated, everyYear) = (dated.mapValues(named), everyYear.mapValues(named))
        forgetUnusedSources()
    }

    private mutating func forgetUnusedSources() {
        var used = Set<Int>()
        for row in dated.values { used.formUnion(row.sources) }
        for row in everyYear.values { used.formUnion(row.sources) }
        sources.removeAll { !used.contains($0.id) }
    }
}

/// The published times for one date, by the wall clock.
package struct PublishedDay: Sendable, Equatable {
    package let date: CivilDate
    /// Minutes after midnight, 0..<1440.
    package let cellMinutes: [TimetableColumn: Int]
    package let sources: [PublishedTimetable.Source]

    package init(
        date: CivilDate, cellMinutes: [TimetableColumn: Int], sources: [PublishedTimetable.Source] = []
    ) {
        self.date = date
        self.cellMinutes = cellMinutes
        self.sources = sources
    }

    /// Where the published beginning of an event comes from.
    package func source(of event: DayEvent) -> PublishedTimetable.Source? {
        sources.filter { $0.has(.begins(event)) }.max { $0.id < $1.id }
    }

    /// The published beginning of an event in minutes after the date's midnight: negative for a Fajr before it, 1440 and more
    /// for an Isha after the next one.
    package func minutes(of event: DayEvent) -> Int? {
        guard let minutes = cellMinutes[.begins(event)] else { return nil }
        return Self.unfolded(minutes, for: event)
    }

    /// In the summer of high latitudes the day's first events may lie before midnight, and its last ones after the next.
    private static func unfolded(_ minutes: Int, for event: DayEvent) -> Int {
        switch event {
        case .imsak, .fajr: minutes >= 20 * 60 ? minutes - ClockText.minutesADay : minutes
        case .sunrise: minutes >= 22 * 60 ? minutes - ClockText.minutesADay : minutes
        case .maghrib: minutes < 3 * 60 ? minutes + ClockText.minutesADay : minutes
        case .isha: minutes < 9 * 60 ? minutes + ClockText.minutesADay : minutes
        default: minutes
        }
    }

    /// The published time of a congregation, in minutes after the date's midnight; `adhan` is when it is called on that scale.
    package func minutes(of column: TimetableColumn, adhan: Int?) -> Int? {
        guard let minutes = cellMinutes[column] else { return nil }
        if case .begins(let event) = column { return Self.unfolded(minutes, for: event) }
        guard let adhan else { return Self.unfolded(minutes, for: column.event) }
        let day = ClockText.minutesADay
        return minutes + Int((Double(adhan - minutes) / Double(day)).rounded()) * day
    }

    /// The instant of a published beginning.
    package func instant(of event: DayEvent, in zone: Zone) -> Instant? {
        minutes(of: event).map { PublishedDay.instant(of: $0, on: date, in: zone) }
    }

    /// The instant at which clocks show this many minutes after a date's midnight; for those before it or after the next, of
    /// its neighbour.
    package static func instant(of minutes: Int, on date: CivilDate, in zone: Zone) -> Instant {
        let day = ClockText.minutesADay
        let days = minutes >= 0 ? minutes / day : -((day - 1 - minutes) / day)
        return zone.instant(of: date.adding(days: days), secondOfDay: Double((minutes - days * day) * 60))
    }
}
