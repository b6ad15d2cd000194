package import PrayerEngine
package import Protocol
import Texts

/// A problem at this moment.
package struct AlertCondition: Sendable, Equatable {
    package let kind: AlertKind
    /// The beginning, if known.
    package var since: Instant?
    /// The condition in one sentence.
    package let text: String
    package var id: String?
    package var prayer: String?
    package var reason: String?
    package var isTest = false

    package init(
        _ kind: AlertKind, since: Instant? = nil, text: String, id: String? = nil, prayer: String? = nil,
        reason: String? = nil, isTest: Bool = false
    ) {
        (self.kind, self.since, self.text) = (kind, since, text)
        (self.id, self.prayer, self.reason, self.isTest) = (id, prayer, reason, isTest)
    }
}

/// The facts for the bridge's alerts at one moment.
package struct AlertFacts: Sendable {
    /// All problems that adhand and the bridge have found.
    package var conditions: [AlertCondition]
    /// Whether adhand answers. If it does not, the state of its kinds is unknown.
    package var isAdhandKnown: Bool
    /// The outcomes of adhans, oldest first, as in `GetHistory`; known ones are ignored.
    package var outcomes: [AdhanOutcome] = []
    /// The zone for writing instants, which is the last one that adhand used.
    package var zone: Zone

    package init(
        _ conditions: [AlertCondition], isAdhandKnown: Bool, outcomes: [AdhanOutcome] = [], zone: Zone
    ) {
        (self.conditions, self.isAdhandKnown, self.outcomes, self.zone) = (
            conditions, isAdhandKnown, outcomes, zone
        )
    }
}

/// An adhan that was due, and its outcome.
package struct AdhanOutcome: Sendable, Equatable {
    package let id: String
    package let prayer: String
    package let at: Instant
    package let outcome: Outcome
    package let reason: String?
    /// Whether it was simulated by `debug trigger`.
    package let isTest: Bool

    package init(
        id: String, prayer: String, at: Instant, outcome: Outcome, reason: String? = nil, isTest: Bool = false
    ) {
        (self.id, self.prayer, self.at, self.outcome) = (id, prayer, at, outcome)
        (self.reason, self.isTest) = (reason, isTest)
    }

    /// Reads an entry of the history about an adhan that was due; `nil` for every other entry.
    package init?(_ entry: HistoryEntry) {
        guard let id = AnnouncementID(entry.id), let at = InstantText.parse(entry.scheduled) else {
            return nil
        }
        let isTest = if case .simulated = id.kind { true } else { false }
        guard entry.isDue || isTest else { return nil }
        self.init(
            id: entry.id, prayer: entry.prayer, at: at, outcome: entry.outcome, reason: entry.reason,
            isTest: isTest)
    }
}

extension AlertCondition {
    /// The problems in adhand's status. The bridge itself decides how many days before the timetable's end the alert begins.
    package static func all(of status: StatusDocument, timetableDays: Int) -> [AlertCondition] {
        let left = daysLeft(status)
        var all = all(of: status.problems ?? []) { problem in
            // A timetable without times for today, or one that cannot be read, is a problem whatever its last day.
            let isEnd =
                problem.kind == .timetable && status.timetable?.isSilent != true
                && status.timetable?.problem == nil
            return !isEnd || left.map { $0 <= timetableDays } ?? true
        }
        if let left, left <= timetableDays, !all.contains(where: { $0.kind == .timetable }) {
            let when = left == 1 ? "tomorrow" : "in \(left) days"
            all.append(
                AlertCondition(
                    .timetable,
                    text: "The published timetable ends \(when), on \(status.timetable?.last ?? "")."))
        }
        return all
    }

    /// Days until the timetable's last day; `nil` if there is no timetable, if it repeats every year, or if it has ended, which
    /// adhand reports itself.
    private static func daysLeft(_ status: StatusDocument) -> Int? {
        guard let table = status.timetable, table.everyYear == 0,
            let last = table.last.flatMap({ CivilDate($0) }),
            let today = CivilDate(String(status.now.prefix(10)))
        else { return nil }
        let days = last.dayNumber - today.dayNumber
        return days > 0 ? days : nil
    }

    private static func all(of problems: [StatusProblem], _ isTaken: (StatusProblem) -> Bool)
        -> [AlertCondition]
    {
        problems.filter(isTaken).compactMap { problem in
            guard let kind = AlertKind(problem.kind) else { return nil }
            return AlertCondition(
                kind, since: problem.since.flatMap { InstantText.parse($0) }, text: problem.message,
                reason: problem.message)
        }
    }
}
