package import Announcements
package import PrayerEngine
package import Protocol

/// An announcement and its outcome.
package struct HandledAnnouncement: Sendable, Equatable {
    package let id: AnnouncementID
    package let outcome: Outcome
    package let at: Instant
}

/// Outcomes of the latest announcements, by identity. Kept by number, not by age: a clock that leaps for years must not
/// make them expire.
package struct HandledIds: Sendable, Equatable {
    /// Outcomes that were heard: two weeks of a mosque that announces forty times a day, four months of five adhans, and as many as
    /// are protected.
    package static let capacity = 720
    /// Outcomes that were not heard, counted apart: a clock that leaps for years makes hundreds of prayers missed at
    /// once, a start may learn of as many withdrawn ones, and neither may evict heard outcomes.
    package static let unheardCapacity = 1200

    /// How many may be recorded in one event: ``DaemonState/longestAbsenceSeconds`` with two reminders for each prayer, and some more.
    static let mostAtOnce = 550
    /// The newest lines of the history that a start reads: all that one event may have written before the state was
    /// saved, a leap over weeks included.
    package static let learntFrom = capacity + unheardCapacity

    private var heard = BoundedRecords(capacity: Self.capacity)
    private var unheard = BoundedRecords(capacity: Self.unheardCapacity)
    private var protected: Set<AnnouncementID> = []
    /// The number of changes: equal numbers of the same value mean equal content.
    package private(set) var changes = 0

    package subscript(id: AnnouncementID) -> Outcome? { record(of: id)?.outcome }

    /// The latest change last.
    package var inOrder: [HandledAnnouncement] {
        let all = Array(heard.records) + Array(unheard.records)
        return all.sorted { $0.value.age < $1.value.age }.map {
            HandledAnnouncement(id: $0.key, outcome: $0.value.outcome, at: $0.value.at)
        }
    }

    /// The adhan, the congregation or the call of the same event of the day that was dealt with about that instant, under whatever date.
    package func twin(of announcement: Announcement) -> AnnouncementID? {
        guard announcement.isAdhan || announcement.isCall || announcement.id.kind == .iqama else {
            return nil
        }
        return [heard, unheard].lazy.flatMap(\.records).first { id, record in
            record.outcome.isFinal && abs(record.at - announcement.at) < Self.twinSeconds
                && id.date != announcement.id.date && id.isSameCall(as: announcement.id)
        }?.key
    }

    /// Seconds. Two calls of one prayer within an hour are one too many, whatever zone they are dated in.
    private static let twinSeconds = 3600.0

    package mutating func set(_ outcome: Outcome, of id: AnnouncementID, at: Instant) {
        remove(id)
        changes += 1
        let record = Record(outcome: outcome, at: at, age: changes)
        if outcome.isHeard {
            heard.put(record, of: id, sparing: protected)
        } else {
            unheard.put(record, of: id, sparing: protected)
        }
    }

    /// These outlast all others from now on, until others take their place. They keep their age: what has passed must not push out
    /// what a clock that was set back will have come once more.
    mutating func protect(_ ids: some Sequence<AnnouncementID>) { protected = Set(ids) }

    /// Adds entries that are older than all present ones, as far as there is room; they are the first to be evicted.
    mutating func learn(older: [HandledAnnouncement]) {
        var age = (Array(heard.records.values) + Array(unheard.records.values)).map(\.age).min() ?? changes
        // The newest first: what finds no room is older than what did.
        for entry in older.reversed() where self[entry.id] == nil {
            age -= 1
            let record = Record(outcome: entry.outcome, at: entry.at, age: age)
            let isAdded =
                entry.outcome.isHeard
                ? heard.putIfRoom(record, of: entry.id) : unheard.putIfRoom(record, of: entry.id)
            if isAdded { changes += 1 }
        }
    }

    package mutating func remove(_ id: AnnouncementID) {
        if heard.records.removeValue(forKey: id) ?? unheard.records.removeValue(forKey: id) != nil {
            changes += 1
        }
    }

    /// Adhans that were missed or failed after the last one that was played, in the order of their instants. Asked for after every
    /// event, so it goes through all records but sorts only what it found.
    package var adhansLostSincePlayed: [HandledAnnouncement] {
        var played = Int.min
        for (id, record) in heard.records
        where record.outcome.isHeardSomewhere && record.age > played && id.kind == .adhan {
            played = record.age
        }
        var lost: [HandledAnnouncement] = []
        for records in [heard.records, unheard.records] {
            for (id, record) in records
            where record.age > played && (record.outcome == .missed || record.outcome == .failed)
                && id.kind == .adhan
            {
                lost.append(HandledAnnouncement(id: id, outcome: record.outcome, at: record.at))
            }
        }
        return lost.count < 2 ? lost : lost.sorted { $0.at < $1.at }
    }

    private func record(of id: AnnouncementID) -> Record? { heard.records[id] ?? unheard.records[id] }

    package static func == (a: Self, b: Self) -> Bool { a.heard == b.heard && a.unheard == b.unheard }
}

private struct Record: Sendable, Equatable {
    let outcome: Outcome
    let at: Instant
    /// Grows with every change: the smallest is the first to be dropped.
    let age: Int

    static func == (a: Self, b: Self) -> Bool { a.outcome == b.outcome && a.at == b.at }
}

/// A map of bounded size that drops the oldest. Unheard outcomes are kept apart: the state is copied at every save.
private struct BoundedRecords: Sendable, Equatable {
    let capacity: Int
    var records: [AnnouncementID: Record] = [:]

    mutating func put(_ record: Record, of id: AnnouncementID, sparing protected: Set<AnnouncementID>) {
        records[id] = record
        guard records.count > capacity else { return }
        let spare = records.lazy.filter { !protected.contains($0.key) }.min { $0.value.age < $1.value.age }
        guard let oldest = spare ?? records.min(by: { $0.value.age < $1.value.age }) else { return }
        records[oldest.key] = nil
    }

    /// - Returns: whether there was room.
    mutating func putIfRoom(_ record: Record, of id: AnnouncementID) -> Bool {
        guard records.count < capacity else { return false }
        records[id] = record
        return true
    }
}
