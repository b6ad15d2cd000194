package import PrayerEngine
package import Settings
package import Times

/// The plan in force, kept between events: it changes only when a day has passed or a person changed something.
package struct PlanCache: Sendable {
    private var plan: DayPlan?
    private var from = Instant(unixSeconds: 0)
    private var through = Instant(unixSeconds: 0)
    /// The times of consecutive days: a new plan shares most days with the last one.
    private var days: [SiteDay] = []
    /// The inputs from which ``days`` were computed.
    private var times: TimesSource?

    package init() {}

    /// Discards the plan; the next use computes it again.
    package mutating func invalidate() {
        plan = nil
    }

    /// Ensures that everything in `from < at <= through` is known, and a day more on either side so that this is needed once a
    /// day.
    package mutating func ensurePlanned(
        after from: Instant, through: Instant, site: Site, config: Config, toggles: Toggles
    ) {
        guard plan == nil || from < self.from || self.through < through else { return }
        self.from = from - 3600
        self.through = through + 86_400
        let dates = DayPlan.dates(
            zone: site.zone, after: self.from, through: self.through, reach: CallTimes.reach(config))
        compute(dates, by: site.times)
        plan = DayPlan(
            days: days, site: site, config: config, toggles: toggles, after: self.from, through: self.through)
    }

    /// Sets ``days`` to the requested ones, and computes only the missing ones.
    private mutating func compute(_ dates: (first: CivilDate, count: Int), by times: TimesSource) {
        if self.times != times { days = [] }
        self.times = times
        let end = dates.first.adding(days: dates.count)
        days = days.filter { dates.first <= $0.date && $0.date < end }
        let before = days.first.map { $0.date.dayNumber - dates.first.dayNumber } ?? 0
        days.insert(contentsOf: times.days(from: dates.first, count: before).map { $0 }, at: 0)
        let next = dates.first.adding(days: days.count)
        days += times.days(from: next, count: dates.count - days.count)
    }

    /// The entries in `from < at <= through`, in order. Call `ensurePlanned` first.
    package func entries(after from: Instant, through: Instant) -> ArraySlice<PlannedAnnouncement> {
        guard let entries = plan?.entries else { return [] }
        return entries[...].after(from).through(through)
    }
}

extension ArraySlice<PlannedAnnouncement> {
    /// The entries with a later instant; all are in order of their instants.
    package func after(_ instant: Instant) -> Self {
        self[partitioningIndex { instant < $0.announcement.at }...]
    }

    /// The entries up to this instant; all are in order of their instants.
    package func through(_ instant: Instant) -> Self {
        self[..<partitioningIndex { instant < $0.announcement.at }]
    }

    /// The first index from which `isBeyond` holds.
    private func partitioningIndex(where isBeyond: (PlannedAnnouncement) -> Bool) -> Int {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = (low + high) / 2
            if isBeyond(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
