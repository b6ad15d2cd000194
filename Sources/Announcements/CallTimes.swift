package import PrayerEngine
package import Settings
package import Times

/// The times of the configured `[[call]]`: each is computed from the events of one row of the days, and its conditions are
/// checked at the resulting instant.
package struct CallTimes: Sendable {
    private let calls: [(place: Int, call: CallSettings)]
    private let site: Site

    package init(_ config: Config, site: Site) {
        calls = config.calls.enumerated().filter { $1.enabled }.map { ($0, $1) }
        self.site = site
    }

    /// Days on either side of an instant whose rows may have a call then: an event may be on the next date, and a call half a day
    /// from it.
    package static func reach(_ config: Config) -> Int { config.calls.isEmpty ? 1 : 2 }

    /// The calls of a row, named by its date.
    package func announcements(on day: SiteDay) -> [Announcement] {
        calls.compactMap { place, call in
            guard let at = instant(of: call, on: day), holds(call, at: at, day) else { return nil }
            return Announcement(call, place: place, on: day.date, at: at)
        }
    }

    /// The instant of a call; `nil` where the day lacks the event, and for all but manual events where the timetable silences the
    /// day.
    package func instant(of call: CallSettings, on day: SiteDay) -> Instant? {
        switch call.at.time {
        case .clock(let minutes): site.zone.instant(of: day.date, secondOfDay: Double(minutes * 60))
        case .after(let event, let minutes):
            event.flatMap { event in
                day.isSilenced && day.origin(of: event) != .exception ? nil : day[event]
            }.map { $0 + Double(minutes * 60) }
        }
    }

    /// Whether all its conditions hold at an instant.
    package func holds(_ call: CallSettings, at instant: Instant, _ day: SiteDay) -> Bool {
        let date = site.zone.civilDate(of: instant)
        guard call.days.isEmpty || call.days.contains(date.weekday) else { return false }
        if call.validity != Validity(), !call.validity.contains(date, SeasonClock(zone: site.zone)) {
            return false
        }
        guard !call.hijri.isEmpty else { return true }
        let hijri = hijri(at: instant, on: date, day)
        return call.hijri.contains { $0.contains(hijri) }
    }

    /// The day of the Islamic calendar that contains an instant.
    private func hijri(at instant: Instant, on date: CivilDate, _ day: SiteDay) -> HijriDate {
        let calendar = site.calculation.hijri
        guard calendar.dayBegins == .maghrib else { return calendar.date(date) }
        let maghrib = (date == day.date ? day : site.times.day(date))[.maghrib]
        return maghrib.map { $0 <= instant } ?? false ? calendar.evening(of: date) : calendar.date(date)
    }
}

/// Calls of a year that are impossible because a day lacks their event, or that never occur.
package struct CallYear: Sendable, Equatable {
    package struct Gap: Sendable, Equatable {
        package let call: String
        package let at: String
        package let days: Int
        package let first: CivilDate
        package let last: CivilDate

        /// One sentence.
        package var sentence: String {
            let when =
                days == 1 ? "on \(first)" : "on \(days) days of the coming year, from \(first) to \(last)"
            return "the call \"\(call)\" does not sound \(when): there is no \(at)"
        }
    }

    /// The gaps in the order of the calls.
    package private(set) var gaps: [Gap] = []
    /// Names of calls that no day of the year has.
    package private(set) var never: [String] = []

    package static func sentence(ofNever name: String) -> String {
        "the call \"\(name)\" does not sound on any day of the coming year: its conditions never hold together"
    }

    /// - Parameter days: the number of days, from `first` on.
    package init(site: Site, config: Config, from first: CivilDate, days: Int = 365) {
        let enabled = config.calls.filter(\.enabled)
        guard !enabled.isEmpty else { return }
        let (times, rows) = (CallTimes(config, site: site), site.times.days(from: first, count: days))
        for call in enabled {
            var (missing, sounds) = ([CivilDate](), false)
            for day in rows {
                if let at = times.instant(of: call, on: day) {
                    sounds = sounds || times.holds(call, at: at, day)
                } else if times.holds(call, at: site.zone.instant(of: day.date, secondOfDay: 43_200), day) {
                    // Without an instant, the day's noon decides whether it would have been called.
                    missing.append(day.date)
                }
            }
            if let event = call.at.event, let first = missing.first, let last = missing.last {
                gaps.append(
                    Gap(call: call.name, at: Self.words(event), days: missing.count, first: first, last: last)
                )
            } else if !sounds {
                never.append(call.name)
            }
        }
    }

    private static func words(_ event: DayEvent) -> String {
        event == .lastThird ? "last third of the night" : event.rawValue
    }
}
