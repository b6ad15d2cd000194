package import AdhanCore
package import PrayerEngine

/// Why something cannot be marked, or read: one sentence.
package struct LogRefusal: Error, Equatable, Sendable {
    package let message: String

    package init(_ message: String) { self.message = message }
}

/// What `adhan-companion prayed` was asked for.
package struct MarkWish: Sendable {
    /// `nil`: the prayer whose time it is; with ``MarkStatus/excused`` and a date the whole day.
    package var prayer: Prayer?
    package var date: CivilDate?
    /// The last of several days.
    package var until: CivilDate?
    /// Seconds after midnight by the place's clocks.
    package var timeOfDay: Int?
    /// When it was prayed to the very instant, where that is known; goes before ``timeOfDay``.
    package var instant: Instant?
    /// `nil`: what the instant says.
    package var status: MarkStatus?

    package init(
        prayer: Prayer? = nil, date: CivilDate? = nil, until: CivilDate? = nil, timeOfDay: Int? = nil,
        instant: Instant? = nil,
        status: MarkStatus? = nil
    ) {
        self.prayer = prayer
        self.date = date
        self.until = until
        self.timeOfDay = timeOfDay
        self.instant = instant
        self.status = status
    }
}

/// Turns a wish into entries of the log: which prayer is meant, whether it may be marked, and how it was prayed.
package struct Marking {
    package let today: Today
    package let zone: Zone
    /// The windows of any day at the place.
    package let windows: (CivilDate) -> DayWindows

    /// Earlier years are slips.
    package static let firstYear = 1900
    /// Days of one excuse, or of one call.
    package static let mostDays = 366

    package init(today: Today, zone: Zone, windows: @escaping (CivilDate) -> DayWindows) {
        self.today = today
        self.zone = zone
        self.windows = windows
    }

    /// The entries to be written, or with `undo` to be taken back.
    package func marks(_ wish: MarkWish, source: MarkSource) throws(LogRefusal) -> [Mark] {
        try slots(wish).map { slot throws(LogRefusal) in try mark(slot, wish, source) }
    }

    /// The prayers that are meant.
    package func slots(_ wish: MarkWish) throws(LogRefusal) -> [PrayerSlot] {
        let dates = try dates(wish)
        guard let prayer = wish.prayer else {
            if wish.status == .excused, !dates.isEmpty {
                return dates.flatMap { date in DailyPrayer.allCases.map { PrayerSlot(date, $0) } }
            }
            guard dates.isEmpty else {
                throw LogRefusal("name the prayer: fajr, dhuhr, asr, maghrib or isha")
            }
            return [try theOpenOne()]
        }
        guard dates.isEmpty else {
            for date in dates where prayer == .jumua && !date.isFriday {
                throw LogRefusal("\(date) is no Friday; its prayer is dhuhr")
            }
            return dates.map { PrayerSlot($0, DailyPrayer(prayer)) }
        }
        if prayer == .jumua, !today.date.isFriday {
            throw LogRefusal("today is no Friday; the prayer is dhuhr, or give --date")
        }
        // After midnight it may still be the time of yesterday's isha.
        let daily = DailyPrayer(prayer)
        return [today.open.last { $0.prayer == daily } ?? PrayerSlot(today.date, daily)]
    }

    private func dates(_ wish: MarkWish) throws(LogRefusal) -> [CivilDate] {
        guard let first = wish.date ?? wish.until.map({ _ in today.date }) else { return [] }
        let last = wish.until ?? first
        guard first <= last else { throw LogRefusal("--until \(last) lies before \(first)") }
        guard first.year >= Self.firstYear else {
            let meant = (1...99).contains(first.year) ? "; did you mean \(2000 + first.year)?" : ""
            throw LogRefusal("the year \(first.year) lies before \(Self.firstYear)\(meant)")
        }
        guard last <= today.date else {
            throw LogRefusal("\(last) is in the future; today is \(today.date)")
        }
        guard last.dayNumber - first.dayNumber < Self.mostDays else {
            throw LogRefusal(
                "from \(first) to \(last) are more than \(Self.mostDays) days; give them in parts")
        }
        return (first.dayNumber...last.dayNumber).map { CivilDate(dayNumber: $0) }
    }

    private func theOpenOne() throws(LogRefusal) -> PrayerSlot {
        if let open = today.open.first { return open }
        let fajr = today.today[.fajr]
        throw LogRefusal(
            today.now < fajr.start
                ? "it is not the time of any prayer now; name the one that you mean, such as \"prayed isha --date yesterday\""
                : "it is not the time of any prayer now: that of Fajr ended at \(minute(fajr.end)); "
                    + "name the prayer that you mean, such as \"prayed fajr\"")
    }

    private func mark(
        _ slot: PrayerSlot, _ wish: MarkWish, _ source: MarkSource
    ) throws(LogRefusal) -> Mark {
        let window = today.windows(slot.date)?[slot.prayer] ?? windows(slot.date)[slot.prayer]
        let title = slot.prayer.prayer(on: slot.date).title
        // An excuse is of a day, which may have hours left.
        if wish.status != .excused, today.now < window.start {
            let day = slot.date == today.date ? "" : " on \(slot.date)"
            throw LogRefusal("\(title) is at \(minute(window.start))\(day); it can be marked from then on")
        }
        let at = try wish.status == .excused ? nil : instant(of: slot, in: window, wish, title)
        let status =
            wish.status ?? at.map { window.contains($0) ? .prayed : isSameDay($0, slot) ? .late : .madeUp }
            ?? .prayed
        return Mark(
            slot: slot, status: status, at: at, source: source, markedAt: today.now,
            offset: zone.offset(at: today.now), window: window)
    }

    /// When it was prayed: as told, else now. Of a day that was named nothing is known without being told; and who says how it
    /// was prayed does not say that it was now.
    private func instant(
        of slot: PrayerSlot, in window: PrayerWindow, _ wish: MarkWish, _ title: String
    ) throws(LogRefusal) -> Instant? {
        if let instant = wish.instant { return instant }
        guard let timeOfDay = wish.timeOfDay else {
            if wish.date != nil || wish.status == .madeUp || wish.status == .late { return nil }
            if wish.status == .prayed { return window.contains(today.now) ? today.now : nil }
            return today.now
        }
        // Isha may be prayed after midnight, which is the next date.
        let readings = [slot.date, slot.date.adding(days: 1)].map {
            zone.instant(of: $0, secondOfDay: Double(timeOfDay))
        }
        guard let at = readings.first(where: window.contains) ?? readings.first(where: { window.start <= $0 })
        else { throw LogRefusal("\(title) of \(slot.date) was not before \(minute(window.start))") }
        guard at <= today.now else {
            guard let earliest = readings.first, earliest < window.start else {
                throw LogRefusal("\(minute(at)) is still to come; it is \(minute(today.now)) now")
            }
            throw LogRefusal(
                "\(title) of \(slot.date) begins at \(minute(window.start)); it was not prayed at \(minute(earliest))"
            )
        }
        return at
    }

    /// Whether an instant lies on the prayer's day, which ends when its isha does.
    private func isSameDay(_ instant: Instant, _ slot: PrayerSlot) -> Bool {
        instant < (today.windows(slot.date) ?? windows(slot.date)).end
    }

    private func minute(_ instant: Instant) -> String { InstantText.minute(instant, in: zone) }
}
