package import PrayerEngine

/// Where the times of a site come from. They are computed, always; what somebody publishes goes before that, event by event.
package struct TimesSource: Sendable, Equatable {
    package let computed: Timetable
    package let published: PublishedTimes?

    package init(computed: Timetable, published: PublishedTimes? = nil) {
        self.computed = computed
        self.published = published
    }

    package func day(_ date: CivilDate) -> SiteDay {
        SiteDay(computed: computed.day(date), published: published?.days[date] ?? [:])
    }

    /// The times of days in a row, which are cheaper than one by one.
    package func days(from first: CivilDate, count: Int) -> some Sequence<SiteDay> {
        computed.days(from: first, count: count).lazy.map {
            SiteDay(computed: $0, published: published?.days[$0.date] ?? [:])
        }
    }
}

/// The times that a mosque or an authority prints, as far as they are known.
package struct PublishedTimes: Sendable, Equatable {
    /// Who publishes them, in a sentence: `the timetable "main"`.
    package let name: String
    /// Only what is published: an event that is left out is computed.
    package let days: [CivilDate: [DayEvent: Instant]]

    package init(name: String, days: [CivilDate: [DayEvent: Instant]]) {
        self.name = name
        self.days = days
    }
}

/// One day at a site: its times, and where each comes from.
package struct SiteDay: Sendable {
    package enum Origin: String, Sendable, Codable {
        case computed, published
    }

    package let computed: DayTimes
    package let published: [DayEvent: Instant]

    package var date: CivilDate { computed.date }

    /// When an event is, whoever says so.
    package subscript(event: DayEvent) -> Instant? { published[event] ?? computed[event] }

    package func origin(of event: DayEvent) -> Origin { published[event] == nil ? .computed : .published }

    /// Why an event is not simply where the Sun puts it; `nil` when it is, and when somebody publishes it.
    package func note(for event: DayEvent) -> String? {
        published[event] == nil ? computed.note(for: event) : nil
    }
}
