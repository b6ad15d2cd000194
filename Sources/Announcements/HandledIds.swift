package import PrayerEngine
package import Protocol

/// An announcement and its outcome.
package struct HandledAnnouncement: Sendable, Equatable {
    package let id: AnnouncementID
    package let outcome: Outcome
    package let at: Instant

    package init(id: AnnouncementID, outcome: Outcome, at: Instant) {
        (self.id, self.outcome, self.at) = (id, outcome, at)
    }
}

/// Outcomes of the latest announcements, by identity. Limited by number, not by age: a clock that jumps ahead by years must not
/// make them expire.
package struct HandledIds: Sendable, Equatable {
    /// The most outcomes that were heard: two weeks of a mosque that announces forty times a day, four months of five adhans,
    /// besides the protected ones.
    package static let capacity = 720
    /// The most outcomes that were not heard, counted separately: a clock that jumps ahead by years makes hundreds of prayers
    /// missed at once, a start may learn of as many withdrawn ones, and neither may evict heard outcomes.
    package static let unheardCapacity = 1200

    /// The most outcomes recorded in one event: the longest absence of the daemon with two reminders for each prayer, and some
    /// more.
    package static let mostAtOnce = 550
    /// The number of the newest lines of the history that a start reads: everything that one event may have written before the
    /// state was saved, including a jump of weeks.
    package static let learntFrom = capacity + unheardCapacity

    private var heard = BoundedRecords(capacity: Self.capacity)
    private var unheard = BoundedRecords(capacity: Self.unheardCapacity)
    private var protected: Set<AnnouncementID> = []
    /// Adhans that were missed or failed after the last one that was played, in the order of their instants. Read after every
    /// event, so it is recomputed only when an adhan's record is added or removed.
    package private(set) var adhansLostSincePlayed: [HandledAnnouncement] = []
    /// The number of changes: equal numbers of the same value mean equal content.
    package private(set) var changes = 0

    package init() {}

    package subscript(id: AnnouncementID) -> Outcome? { record(of: id)?.outcome }

    /// The outcomes in the order of their changes, the latest last.
    package var inOrder: [HandledAnnouncement] {
        let all = Array(heard.records) + Array(unheard.records)
        return all.sorted { $0.value.age < $1.value.age }.map {
            HandledAnnouncement(id: $0.key, outcome: $0.value.outcome, at: $0.value.at)
        }
    }

    /// The adhan, congregation or call of the same event of the day that was handled around that instant, under any date.
    package func twin(of announcement: Announcement) -> AnnouncementID? {
        guard announcement.isAdhan || announcement.isCall || announcement.id.kind == .iqama else {
            return nil
        }
        return [heard, unheard].lazy.flatMap(\.records).first { id, record in
            record.outcome.isFinal && abs(record.at - announcement.at) < Self.twinSeconds
                && id.date != announcement.id.date && id.isSameCall(as: announcement.id)
        }?.key
    }

    /// Seconds within which two calls of one prayer count as the same, whatever zones date them.
    private static let twinSeconds = 3600.0

    package mutating func set(_ outcome: Outcome, of id: AnnouncementID, at: Instant) {
        set([HandledAnnouncement(id: id, outcome: outcome, at: at)])
    }

    /// Sets outcomes in this order.
    package mutating func set(_ entries: [HandledAnnouncement]) {
        var evicted: [AnnouncementID] = []
        for entry in entries {
            forget(entry.id)
            changes += 1
            let record = Record(outcome: entry.outcome, at: entry.at, age: changes)
            let dropped =
                entry.outcome.isHeard
                ? heard.put(record, of: entry.id, sparing: protected)
                : unheard.put(record, of: entry.id, sparing: protected)
            if let dropped { evicted.append(dropped) }
        }
        if (entries.map(\.id) + evicted).contains(where: { $0.kind == .adhan }) { findAdhansLost() }
    }

    /// Protects these from eviction until others take their place. They keep their age: past outcomes must not displace those
    /// that a clock that was set back will need again.
    package mutating func protect(_ ids: some Sequence<AnnouncementID>) { protected = Set(ids) }

    /// Adds entries that are older than all present ones, as far as there is room; they are evicted first.
    package mutating func learn(older: [HandledAnnouncement]) {
        var age = (Array(heard.records.values) + Array(unheard.records.values)).map(\.age).min() ?? changes
        // The newest first: those without room are older than those with.
        for entry in older.reversed() where self[entry.id] == nil {
            age -= 1
            let record = Record(outcome: entry.outcome, at: entry.at, age: age)
            let isAdded =
                entry.outcome.isHeard
                ? heard.putIfRoom(record, of: entry.id) : unheard.putIfRoom(record, of: entry.id)
            if isAdded { changes += 1 }
        }
        findAdhansLost()
    }

    package mutating func remove(_ id: AnnouncementID) {
        if forget(id), id.kind == .adhan { findAdhansLost() }
    }

    /// - Returns: whether it was present.
    @discardableResult
    private mutating func forget(_ id: AnnouncementID) -> Bool {
        guard heard.records.removeValue(forKey: id) ?? unheard.records.removeValue(forKey: id) != nil else {
            return false
        }
        changes += 1
        return true
    }

    private mutating func findAdhansLost() {
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
        adhansLostSincePlayed = lost.sorted { $0.at < $1.at }
    }

    private func record(of id: AnnouncementID) -> Record? { heard.records[id] ?? unheard.records[id] }

    package static func == (a: Self, b: Self) -> Bool { a.heard == b.heard && a.unheard == b.unheard }
}

/// One announcement's outcome.
private struct Record: Sendable, Equatable {
    let outcome: Outcome
    let at: Instant
    /// Rises with every change: the smallest is evicted first.
    let age: Int

    static func == (a: Self, b: Self) -> Bool { a.outcome == b.outcome && a.at == b.at }
}

/// A map of bounded size that evicts the oldest. Unheard outcomes are kept separately: the state is copied at every save.
private struct BoundedRecords: Sendable, Equatable {
    let capacity: Int
    var records: [AnnouncementID: Record] = [:]

    /// - Returns: the evicted record.
    mutating func put(_ record: Record, of id: AnnouncementID, sparing protected: Set<AnnouncementID>)
        -> AnnouncementID?
    {
        records[id] = record
        guard records.count > capacity else { return nil }
        var oldest: (id: AnnouncementID, age: Int)?
        for (id, record) in records where record.age < oldest?.age ?? .max && !protected.contains(id) {
            oldest = (id, record.age)
        }
        guard let id = oldest?.id ?? records.min(by: { $0.value.age < $1.value.age })?.key else { return nil }
        records[id] = nil
        return id
    }

    /// - Returns: whether there was room.
    mutating func putIfRoom(_ record: Record, of id: AnnouncementID) -> Bool {
        guard records.count < capacity else { return false }
        records[id] = record
        return true
    }
}
