package import PrayerEngine

/// What became of the latest announcements, by identity. Kept by number, not by age: a clock that leaps for years must not
/// make them expire.
package struct HandledIds: Sendable, Equatable {
    package struct Entry: Sendable, Equatable {
        package let id: String
        package let outcome: Outcome
        package let at: Instant
        /// Grows with every change: the smallest is the first to be dropped.
        fileprivate let age: Int

        package static func == (a: Self, b: Self) -> Bool {
            a.id == b.id && a.outcome == b.outcome && a.at == b.at
        }
    }

    /// Of what was heard: enough for weeks of prayers with reminders.
    package static let capacity = 300
    /// Of what was not heard. Counted apart, lest a clock that leaps for years drive out what was heard: it makes hundreds of
    /// prayers missed at once, as many as ``DaemonState/longestAbsence`` holds with two reminders each, and some more.
    package static let unheardCapacity = 600

    private var entries: [String: Entry] = [:]
    private var changes = 0
    private var heard = 0

    package subscript(id: String) -> Outcome? { entries[id]?.outcome }

    /// The latest change last.
    package var inOrder: [Entry] { entries.values.sorted { $0.age < $1.age } }

    /// The adhan of the same event of the day that was dealt with about that instant, under whatever date.
    package func twin(of announcement: Announcement) -> String? {
        guard announcement.isAdhan else { return nil }
        return entries.values.first { entry in
            entry.outcome.isFinal && abs(entry.at - announcement.at) < Self.twinDistance
                && entry.id != announcement.id
                && Prayer(rawValue: String(entry.id.prefix { $0 != "_" }))?.event == announcement.prayer.event
        }?.id
    }

    /// Seconds. Two calls of one prayer within an hour are one too many, whatever zone they are dated in.
    private static let twinDistance = 3600.0

    package mutating func set(_ outcome: Outcome, of id: String, at: Instant) {
        remove(id)
        changes += 1
        entries[id] = Entry(id: id, outcome: outcome, at: at, age: changes)
        if outcome.isHeard { heard += 1 }
        let isFull =
            outcome.isHeard ? heard > Self.capacity : entries.count - heard > Self.unheardCapacity
        guard isFull else { return }
        let alike = entries.values.lazy.filter { $0.outcome.isHeard == outcome.isHeard }
        if let oldest = alike.min(by: { $0.age < $1.age }) { remove(oldest.id) }
    }

    mutating func touch(_ id: String) {
        guard let entry = entries[id] else { return }
        changes += 1
        entries[id] = Entry(id: id, outcome: entry.outcome, at: entry.at, age: changes)
    }

    package mutating func remove(_ id: String) {
        guard let removed = entries.removeValue(forKey: id) else { return }
        if removed.outcome.isHeard { heard -= 1 }
    }

    package static func == (a: Self, b: Self) -> Bool { a.entries == b.entries }
}
