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
    /// The ids of what was heard, and of what was not, the oldest first.
    private var heard: [String] = []
    private var unheard: [String] = []
    /// How often anything was changed: what has the same number and the same past is the same.
    package private(set) var changes = 0

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

    /// Whether so many more can be set without any being forgotten.
    func hasRoom(for count: Int) -> Bool {
        heard.count + count <= Self.capacity && unheard.count + count <= Self.unheardCapacity
    }

    package mutating func set(_ outcome: Outcome, of id: String, at: Instant) {
        remove(id)
        changes += 1
        entries[id] = Entry(id: id, outcome: outcome, at: at, age: changes)
        if outcome.isHeard {
            heard.append(id)
            if heard.count > Self.capacity { entries[heard.removeFirst()] = nil }
        } else {
            unheard.append(id)
            if unheard.count > Self.unheardCapacity { entries[unheard.removeFirst()] = nil }
        }
    }

    /// Keeps an outcome, if there is one, as long as if it had come about just now.
    mutating func touch(_ id: String) {
        guard let entry = entries[id] else { return }
        set(entry.outcome, of: id, at: entry.at)
    }

    package mutating func remove(_ id: String) {
        guard let removed = entries.removeValue(forKey: id) else { return }
        changes += 1
        // What is removed was mostly set a moment ago.
        if removed.outcome.isHeard {
            if let index = heard.lastIndex(of: id) { heard.remove(at: index) }
        } else {
            if let index = unheard.lastIndex(of: id) { unheard.remove(at: index) }
        }
    }

    package static func == (a: Self, b: Self) -> Bool { a.entries == b.entries }
}
