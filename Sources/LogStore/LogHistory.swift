import GRDB
import PrayerEngine
import PrayerLog

/// Every change of the log with a copy of what it replaced, in the log's own file and in the transaction of the change itself: a
/// program that dies leaves both or neither.
///
/// An image holds the other side of a change: while the change is in force what was before it, while it is undone what it made.
/// Undoing swaps the two, so nothing is lost by it. The order is that of the numbers; clocks decide nothing.
struct LogHistory {
    private enum State: Int {
        case inForce
        case undone
        /// Undone, and then the log was changed: kept as a copy, and not done again.
        case dropped
    }

    private let database: Database

    init(_ database: Database) { self.database = database }

    typealias Entry = (slot: PrayerSlot, new: RawEntry?, reverts: Int?)

    /// Brings entries into the log as one change; returns those that differ from what was there.
    func record(_ entries: [Entry], _ kind: LogChange.Kind, _ now: Instant) throws -> [LogChange.Slot] {
        var changed: [(entry: Entry, before: RawEntry?)] = []
        for entry in entries {
            let before = try current(entry.slot)
            if before != entry.new { changed.append((entry, before)) }
        }
        guard !changed.isEmpty else { return [] }
        try database.execute(
            sql: "UPDATE change SET state = ? WHERE state = ?",
            arguments: [State.dropped.rawValue, State.undone.rawValue])
        try database.execute(
            sql: "INSERT INTO change (made, kind, state) VALUES (?, ?, ?)",
            arguments: [RawEntry.milliseconds(now), kind.rawValue, State.inForce.rawValue])
        let number = database.lastInsertedRowID
        let image = try database.cachedStatement(
            sql: """
                INSERT OR REPLACE INTO image (change, day, prayer, \(RawEntry.columns), reverts)
                VALUES (?, ?, ?, \(RawEntry.placeholders), ?)
                """)
        for (entry, before) in changed {
            var arguments = [number.databaseValue] + Self.key(entry.slot) + RawEntry.arguments(before)
            arguments.append(entry.reverts?.databaseValue ?? .null)
            try image.execute(arguments: StatementArguments(arguments))
            try put(entry.new, entry.slot)
        }
        return changed.map {
            LogChange.Slot(
                $0.entry.slot, before: $0.before?.mark($0.entry.slot),
                after: $0.entry.new?.mark($0.entry.slot))
        }
    }

    // MARK: The last change as a whole

    func undo() throws -> LogChange? {
        guard
            let number = try Int.fetchOne(
                database, sql: "SELECT MAX(id) FROM change WHERE state = ?",
                arguments: [State.inForce.rawValue])
        else { return nil }
        return try swap(number, to: .undone)
    }

    func redo() throws -> LogChange? {
        guard
            let number = try Int.fetchOne(
                database, sql: "SELECT MIN(id) FROM change WHERE state = ?",
                arguments: [State.undone.rawValue])
        else { return nil }
        return try swap(number, to: .inForce)
    }

    func depth() throws -> (undo: Int, redo: Int) {
        func count(_ state: State) throws -> Int {
            try Int.fetchOne(
                database, sql: "SELECT COUNT(*) FROM change WHERE state = ?", arguments: [state.rawValue])
                ?? 0
        }
        return (try count(.inForce), try count(.undone))
    }

    private func swap(_ number: Int, to state: State) throws -> LogChange {
        let kind = try Int.fetchOne(
            database, sql: "SELECT kind FROM change WHERE id = ?", arguments: [number])
        let rows = try Row.fetchAll(
            database,
            sql: """
                SELECT day, prayer, \(RawEntry.columns), (\(LogRows.whole) OR \(LogRows.empty)) IS 1 FROM image
                WHERE change = ?
                """, arguments: [number])
        // Half of a change undone would be neither the one nor the other.
        guard rows.allSatisfy({ $0[RawEntry.count + 2] as Bool }) else {
            throw LogRefusal(
                "the copy of the last change is damaged, so it cannot be undone; nothing was changed")
        }
        let image = try database.cachedStatement(
            sql: """
                UPDATE image SET (\(RawEntry.columns)) = (\(RawEntry.placeholders))
                WHERE change = ? AND day = ? AND prayer = ?
                """)
        var slots: [LogChange.Slot] = []
        for row in rows {
            guard let prayer = DailyPrayer(rawValue: row[1]) else { continue }
            let slot = PrayerSlot(CivilDate(dayNumber: row[0]), prayer)
            let (other, present) = (RawEntry(row, from: 2), try current(slot))
            try image.execute(
                arguments: StatementArguments(
                    RawEntry.arguments(present) + [number.databaseValue] + Self.key(slot)))
            try put(other, slot)
            slots.append(LogChange.Slot(slot, before: present?.mark(slot), after: other?.mark(slot)))
        }
        try database.execute(
            sql: "UPDATE change SET state = ? WHERE id = ?", arguments: [state.rawValue, number])
        return LogChange(
            kind: kind.flatMap(LogChange.Kind.init(rawValue:)) ?? .marked, slots: slots, kept: [])
    }

    // MARK: One prayer after another

    /// The last change of each prayer is undone, as a change of its own that can be undone. Done again it undoes the one
    /// before. A mark of which no change is known was made before changes were kept; it goes.
    func takeBack(_ slots: [PrayerSlot], from status: MarkStatus?, _ now: Instant) throws -> [LogChange.Slot]
    {
        var entries: [Entry] = []
        for slot in slots {
            let present = try current(slot)
            if let status, present?.mark(slot)?.status != status { continue }
            if let last = try lastImage(slot) {
                entries.append((slot, last.before, last.number))
            } else if present != nil {
                entries.append((slot, nil, 0))
            }
        }
        return try record(entries, .takenBack, now)
    }

    /// The last change of a prayer that is in force and was not undone by itself.
    private func lastImage(_ slot: PrayerSlot) throws -> (number: Int, before: RawEntry?)? {
        let rows = try Row.fetchCursor(
            database,
            sql: """
                SELECT image.change, image.reverts, \(RawEntry.columns), (\(LogRows.whole) OR \(LogRows.empty)) IS 1
                FROM image JOIN change ON change.id = image.change
                WHERE image.day = ? AND image.prayer = ? AND change.state = ? ORDER BY image.change DESC
                """, arguments: StatementArguments(Self.key(slot) + [State.inForce.rawValue.databaseValue]))
        var limit = Int.max
        while let row = try rows.next() {
            let number: Int = row[0]
            guard number < limit else { continue }
            if let reverts: Int = row[1] {
                // An undone change, and all between, says no more of it.
                limit = reverts
                continue
            }
            guard row[RawEntry.count + 2] as Bool else {
                throw LogRefusal("the copy of its last change is damaged; nothing was changed")
            }
            return (number, RawEntry(row, from: 2))
        }
        return nil
    }

    // MARK: Rows

    private func current(_ slot: PrayerSlot) throws -> RawEntry? {
        let statement = try database.cachedStatement(
            sql: "SELECT \(RawEntry.columns) FROM mark WHERE day = ? AND prayer = ?")
        return try Row.fetchOne(statement, arguments: StatementArguments(Self.key(slot))).flatMap {
            RawEntry($0, from: 0)
        }
    }

    private func put(_ entry: RawEntry?, _ slot: PrayerSlot) throws {
        guard let entry else {
            return try database.cachedStatement(sql: "DELETE FROM mark WHERE day = ? AND prayer = ?").execute(
                arguments: StatementArguments(Self.key(slot)))
        }
        try database.cachedStatement(
            sql: """
                INSERT OR REPLACE INTO mark (day, prayer, \(RawEntry.columns))
                VALUES (?, ?, \(RawEntry.placeholders))
                """
        ).execute(arguments: StatementArguments(Self.key(slot) + entry.values))
    }

    private static func key(_ slot: PrayerSlot) -> [DatabaseValue] {
        [slot.date.dayNumber.databaseValue, slot.prayer.rawValue.databaseValue]
    }
}
