import Announcements
package import PrayerEngine
package import Protocol

/// A problem that lasts from one event to another, with its beginning: both outlive a restart. Problems that the rest of the
/// state shows at any time (a missed adhan, the clock, the disk) are not noted.
package struct NotedProblem: Sendable, Equatable {
    package let kind: StatusProblem.Kind
    /// The beginning; `nil` where the clock could not be trusted then.
    package var since: Instant?
    /// The problem in one sentence.
    package var message: String

    package static let kinds: Set<StatusProblem.Kind> = [
        .partial, .inaudible, .device, .place, .timetable, .configuration,
    ]

    package init(_ kind: StatusProblem.Kind, since: Instant?, message: String) {
        (self.kind, self.since, self.message) = (kind, since, message)
    }
}
