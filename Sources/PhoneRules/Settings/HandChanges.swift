package import PrayerEngine
package import Protocol
internal import Settings
package import Texts

/// Changes that adhand does not list: times of single days and the beginnings of months. Each can be undone while its result is
/// in force, and undoing it is itself a change.
package struct HandChanges: Sendable {
    package enum Subject: Hashable, Sendable {
        case exception(CivilDate, Prayer)
        /// A month such as `1448-09`.
        case month(String)
    }

    package enum Value: Sendable, Equatable {
        /// Minutes after midnight.
        case times(adhan: Int?, iqama: Int?, reason: String?)
        /// The first day of the month.
        case begins(CivilDate)
    }

    package struct Change: Sendable, Equatable {
        package let number: Int
        package let by: String
        package let subject: Subject
        package let before: Value?
        package let after: Value?

        package var isOfMonth: Bool { if case .month = subject { true } else { false } }
    }

    package enum UndoRefusal: Error, Sendable, Equatable {
        /// The change was already undone, or is too old.
        case nothing
        /// The value was changed again since; the name is that of the phone, if it was one.
        case changed(by: String?)
    }

    /// The most changes kept, which is the number that the pages show.
    package static let most = 8

    /// The changes, newest last.
    package private(set) var changes: [Change] = []
    private var last = 0

    package init() {}

    /// - Parameter last: the number of the newest change ever made.
    init(changes: [Change], last: Int) { (self.changes, self.last) = (changes, last) }

    var newest: Int { last }

    /// - Returns: the number of the change; `nil` if nothing was changed.
    package mutating func note(
        _ subject: Subject, from before: Value?, to after: Value?, by name: String
    ) -> Int? {
        guard before != after else { return nil }
        last += 1
        changes.append(Change(number: last, by: name, subject: subject, before: before, after: after))
        if changes.count > Self.most { changes.removeFirst() }
        return last
    }

    package func subject(of number: Int) -> Subject? { changes.first { $0.number == number }?.subject }

    /// The act that restores the value before a change.
    /// - Parameter now: the value in force now.
    package func undoing(_ number: Int, now: Value?) throws(UndoRefusal) -> Act {
        guard let change = changes.first(where: { $0.number == number }) else { throw .nothing }
        guard change.after == now else {
            let later = changes.last { $0.subject == change.subject && $0.number > number && $0.after == now }
            throw .changed(by: later?.by)
        }
        switch (change.subject, change.before) {
        case (.exception(let date, let prayer), .times(let adhan, let iqama, let reason)):
            return .exception(date, prayer, adhan: adhan, iqama: iqama, reason: reason)
        case (.exception(let date, let prayer), _): return .removeException(date, prayer)
        // The sighting of a month takes place on the evening before its first day.
        case (.month, .begins(let date)): return .hijri(.sighted, date.adding(days: -1))
        case (.month(let month), _): return .removeMonth(month)
        }
    }

    /// Forgets a change that was undone.
    package mutating func forget(_ number: Int) { changes.removeAll { $0.number == number } }
}

/// All values set by hand at one moment.
package struct HandValues: Sendable, Equatable {
    private var values: [HandChanges.Subject: HandChanges.Value] = [:]

    package init(_ exceptions: ExceptionsReply? = nil, _ pins: HijriPinsReply? = nil) {
        for entry in exceptions?.exceptions ?? [] {
            guard let date = CivilDate(entry.date), let prayer = Prayer(rawValue: entry.prayer) else {
                continue
            }
            values[.exception(date, prayer)] = .times(
                adhan: entry.adhan.flatMap { ClockText.parse($0) },
                iqama: entry.iqama.flatMap { ClockText.parse($0) },
                reason: entry.reason)
        }
        for pin in pins?.pins ?? [] where pin.source == .command {
            if let date = CivilDate(pin.date) { values[.month(pin.month)] = .begins(date) }
        }
    }

    package subscript(_ subject: HandChanges.Subject) -> HandChanges.Value? { values[subject] }

    /// The subjects whose values have changed.
    package func changed(since before: HandValues) -> [HandChanges.Subject] {
        Set(values.keys).union(before.values.keys).filter { values[$0] != before.values[$0] }
    }
}
