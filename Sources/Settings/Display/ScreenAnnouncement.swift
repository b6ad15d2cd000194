package import PrayerEngine
package import Texts

/// A mosque's own announcement for a while: `[[announcement]]`.
package struct ScreenAnnouncement: Sendable, Equatable {
    package enum Place: String, Codable, Sendable, CaseIterable {
        /// The ticker at the foot of the home screen.
        case board
        /// A slide, beside the home screen.
        case slide
        /// A line under the countdown to the iqama.
        case bar
        /// The whole screen, in turn with the slides.
        case screen
    }

    /// A part of every day, in minutes of its clock. A part that ends before it begins ends on the next day.
    package struct Hours: Sendable, Equatable {
        package let fromMinutes: Int
        package let untilMinutes: Int

        /// `18:00-20:00`
        package init?(_ text: String) {
            let parts = text.split(separator: "-", omittingEmptySubsequences: false)
            guard parts.count == 2, let from = ClockText.parse(parts[0]),
                let until = ClockText.parse(parts[1]),
                from != until
            else { return nil }
            (fromMinutes, untilMinutes) = (from, until)
        }

        package var text: String { "\(ClockText.format(fromMinutes))-\(ClockText.format(untilMinutes))" }
    }

    package var text = ""
    /// The beginning; `nil`: from now on.
    package var from: LocalMoment?
    package var until = LocalMoment(CivilDate(dayNumber: 0))
    package var show: [Place] = [.board]
    /// Days of the week, 1 is Monday; empty for every day.
    package var days: [Int] = []
    package var between: Hours?
    /// Seconds for which it is shown each time.
    package var seconds = 15
    /// The digest of an accepted picture, which is shown as a slide instead of the text; `nil` for none.
    package var picture: String?

    package init() {}

    /// A period in which it is shown.
    package struct Showing: Sendable, Equatable {
        package let from: Instant
        package let until: Instant
        package let announcement: ScreenAnnouncement
    }

    package static func showings(
        _ announcements: [ScreenAnnouncement], in zone: Zone, from start: Instant, until end: Instant
    ) -> [Showing] {
        announcements.flatMap { announcement in
            announcement.spans(in: zone, from: start, until: end).map {
                Showing(from: $0.from, until: $0.until, announcement: announcement)
            }
        }
    }

    /// The periods within `start` and `end`, in order; adjacent periods are joined.
    private func spans(in zone: Zone, from start: Instant, until end: Instant) -> [(
        from: Instant, until: Instant
    )] {
        let first = from?.beginning(in: zone)
        let last = until.end(in: zone)
        var spans: [(from: Instant, until: Instant)] = []
        // The hours of the previous day may extend into the first one.
        var date = zone.civilDate(of: start).adding(days: -1)
        while zone.startOfDay(date) < end {
            defer { date = date.adding(days: 1) }
            guard days.isEmpty || days.contains(date.weekday) else { continue }
            var span = day(date, in: zone)
            span = (max(span.from, first ?? span.from), min(span.until, last))
            guard span.from < span.until, start < span.until, span.from < end else { continue }
            if let previous = spans.last, span.from <= previous.until {
                spans[spans.count - 1].until = span.until
            } else {
                spans.append(span)
            }
        }
        return spans
    }

    private func day(_ date: CivilDate, in zone: Zone) -> (from: Instant, until: Instant) {
        let next = date.adding(days: 1)
        guard let between else { return (zone.startOfDay(date), zone.startOfDay(next)) }
        func at(_ minute: Int, _ date: CivilDate) -> Instant {
            zone.instant(of: date, secondOfDay: Double(minute * 60))
        }
        return (
            at(between.fromMinutes, date),
            at(between.untilMinutes, between.fromMinutes < between.untilMinutes ? date : next)
        )
    }
}
