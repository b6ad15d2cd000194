import Announcements
package import PrayerEngine
package import Protocol

/// A problem that lasts from one event to another, with its beginning: both outlive a restart. What can be seen in the rest of the
/// state at any time (a missed adhan, the clock, the disk) is not noted.
package struct NotedProblem: Sendable, Equatable {
    package let kind: StatusProblem.Kind
    /// `nil` where the clock could not be trusted when it began.
    package internal(set) var since: Instant?
    /// One sentence.
    package internal(set) var message: String

    static let kinds: Set<StatusProblem.Kind> = [
        .partial, .inaudible, .device, .place, .timetable, .configuration,
    ]

    init(_ kind: StatusProblem.Kind, since: Instant?, message: String) {
        (self.kind, self.since, self.message) = (kind, since, message)
    }
}
