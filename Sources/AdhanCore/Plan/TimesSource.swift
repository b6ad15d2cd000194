package import PrayerEngine

/// Where the times of a site come from. They are computed, always; what a timetable says goes before that, event by event, and
/// what was set by hand for one day before both.
package struct TimesSource: Sendable, Equatable {
    package let computed: Timetable
    package let table: PublishedTable
    package let exceptions: DayExceptions

    package init(
        computed: Timetable, table: PublishedTable = PublishedTable(),
        exceptions: DayExceptions = DayExceptions()
    ) {
        self.computed = computed
        self.table = table
        self.exceptions = exceptions
    }

    package func day(_ date: CivilDate) -> SiteDay { day(computed.day(date)) }

    /// The times of days in a row, which are cheaper than one by one.
    package func days(from first: CivilDate, count: Int) -> some Sequence<SiteDay> {
        computed.days(from: first, count: count).lazy.map { day($0) }
    }

    private func day(_ computed: DayTimes) -> SiteDay {
        SiteDay(
            computed: computed, row: table.published(on: computed.date, in: self.computed.zone),
            exceptions: exceptions[computed.date], zone: self.computed.zone)
    }
}

/// One day at a site: its times, and where each comes from.
package struct SiteDay: Sendable {
    package enum Origin: String, Sendable, Codable {
        case computed, published, exception
    }

    package let computed: DayTimes
    /// What the timetable says of the day; `nil` where it says nothing.
    package let row: PublishedDay?
    package let exceptions: [Prayer: DayException]
    /// What goes before the computation.
    private let decided: [DayEvent: (at: Instant, origin: Origin)]

    init(
        computed: DayTimes, row: PublishedDay? = nil, exceptions: [Prayer: DayException] = [:], zone: Zone
    ) {
        self.computed = computed
        self.row = row
        self.exceptions = exceptions
        decided = Self.decided(computed, row, exceptions, zone)
    }

    package var date: CivilDate { computed.date }

    /// When an event is, whoever says so.
    package subscript(event: DayEvent) -> Instant? { decided[event]?.at ?? computed[event] }

    package func origin(of event: DayEvent) -> Origin { decided[event]?.origin ?? .computed }

    /// Why an event is not simply where the Sun puts it; `nil` when it is, and when somebody else says when it is.
    package func note(for event: DayEvent) -> String? {
        decided[event] == nil ? computed.note(for: event) : nil
    }

    private static func decided(
        _ computed: DayTimes, _ row: PublishedDay?, _ exceptions: [Prayer: DayException], _ zone: Zone
    ) -> [DayEvent: (at: Instant, origin: Origin)] {
        guard row != nil || !exceptions.isEmpty else { return [:] }
        var decided: [DayEvent: (at: Instant, origin: Origin)] = [:]
        for event in TableColumn.events {
            if let at = row?.instant(of: event, in: zone) { decided[event] = (at, .published) }
        }
        for (prayer, exception) in exceptions where prayer != .jumua {
            if let at = exception.published.instant(of: prayer.event, in: zone) {
                decided[prayer.event] = (at, .exception)
            }
        }
        // Who fasts stops before the Fajr that is called, not before another one.
        if let fajr = decided[.fajr], decided[.imsak] == nil, let sky = computed[.fajr],
            let imsak = computed[.imsak]
        {
            decided[.imsak] = (fajr.at + (imsak - sky), fajr.origin)
        }
        return decided
    }
}
