import PrayerEngine
import PrayerLog

/// Every change of the log, with a copy of the entries that it replaced, in the same file and in the transaction of the change
/// itself, so that a program that dies leaves both or neither.
///
/// An image holds the other side of a change: the earlier entries while it is in force, its own entries while it is undone.
/// Undoing swaps the two, so nothing is lost. Numbers determine the order of changes, and clocks do not.
struct LogHistory {
    private enum State: Int {
        case inForce
        case undone
        /// The change was undone before the log was changed again: it is kept as a copy, and cannot be redone.
        case dropped

        var value: SQLValue { SQLValue(rawValue) }
    }

    private let database: Database

    init(_ database: Database) { self.database = database }

    typealias Entry = (slot: PrayerSlot, new: RawEntry?, reverts: Int?)

    /// Writes entries into the log as one change; returns those that differ from the earlier ones.
    func record(_ entries: [Entry], _ kind: LogChange.Kind, _ now: Instant) throws -> [LogChange.Slot] {
        var changed: [(entry: Entry, before: RawEntry?)] = []
        for entry in entries {
            let before = try current(entry.slot)
            if before != entry.new { changed.append((entry, before)) }
        }
        guard !changed.isEmpty else { return [] }
        try database.run(
            "UPDATE change SET state = ? WHERE state = ?", [State.dropped.value, State.undone.value])
        try database.run(
            "INSERT INTO change (made, kind, state) VALUES (?, ?, ?)",
            [SQLValue(RawEntry.milliseconds(now)), SQLValue(kind.rawValue), State.inForce.value])
        let number = database.lastInsertedRowID
        for (entry, before) in changed {
            try database.run(
                """
                INSERT OR REPLACE INTO image (change, day, prayer, \(RawEntry.columns), reverts)
                VALUES (?, ?, ?, \(RawEntry.placeholders), ?)
                """,
                [SQLValue(number)] + Self.key(entry.slot) + RawEntry.arguments(before)
                    + [SQLValue(entry.reverts)])
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
            let number = try database.integer(
                "SELECT MAX(id) FROM change WHERE state = ?", [State.inForce.value])
        else { return nil }
        return try swap(number, to: .undone)
    }

    func redo() throws -> LogChange? {
        guard
            let number = try database.integer(
                "SELECT MIN(id) FROM change WHERE state = ?", [State.undone.value])
        else { return nil }
        return try swap(number, to: .inForce)
    }

    func depth() throws -> (undo: Int, redo: Int) {
        func count(_ state: State) throws -> Int {
            try database.integer("SELECT COUNT(*) FROM change WHERE state = ?", [state.value]) ?? 0
        }
        return (try count(.inForce), try count(.undone))
    }

    private func swap(_ number: Int, to state: State) throws -> LogChange {
        let kind = try database.integer("SELECT kind FROM change WHERE id = ?", [SQLValue(number)])
        let rows = try database.rows(
            """
            SELECT day, prayer, \(RawEntry.columns), (\(LogRows.whole) OR \(LogRows.empty)) IS 1 FROM image
            WHERE change = ?
            """, [SQLValue(number)])
        // Undoing half of a change would result in neither state.
        guard rows.allSatisfy({ $0[RawEntry.count + 2] == .integer(1) }) else {
            throw LogRefusal(
                "the copy of the last change is damaged, so it cannot be undone; nothing was changed")
        }
        var slots: [LogChange.Slot] = []
        for row in rows {
            guard let slot = PrayerSlot(row) else { continue }
            let (other, present) = (RawEntry(row, from: 2), try current(slot))
            try database.run(
                """
                UPDATE image SET (\(RawEntry.columns)) = (\(RawEntry.placeholders))
                WHERE change = ? AND day = ? AND prayer = ?
                """, RawEntry.arguments(present) + [SQLValue(number)] + Self.key(slot))
            try put(other, slot)
            slots.append(LogChange.Slot(slot, before: present?.mark(slot), after: other?.mark(slot)))
        }
        try database.run("UPDATE change SET state = ? WHERE id = ?", [state.value, SQLValue(number)])
        return LogChange(
            kind: kind.flatMap(LogChange.Kind.init(rawValue:)) ?? .marked, slots: slots, kept: [])
    }

    // MARK: Single prayers

    /// Undoes the last change of each prayer, as a change that can itself be undone; repeated, it undoes the change before. A
    /// mark without a recorded change, made before changes were recorded, is removed.
    func undoMarks(_ slots: [PrayerSlot], from status: MarkStatus?, _ now: Instant) throws -> [LogChange.Slot]
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
        return try record(entries, .undone, now)
    }

    /// The last change of a prayer that is in force and was not undone for this prayer alone.
    private func lastImage(_ slot: PrayerSlot) throws -> (number: Int, before: RawEntry?)? {
        let rows = try database.rows(
            """
            SELECT image.change, image.reverts, \(RawEntry.columns), (\(LogRows.whole) OR \(LogRows.empty)) IS 1
            FROM image JOIN change ON change.id = image.change
            WHERE image.day = ? AND image.prayer = ? AND change.state = ? ORDER BY image.change DESC
            """, Self.key(slot) + [State.inForce.value])
        var limit = Int.max
        for row in rows {
            guard let number = row[0].integer else { throw DatabaseError.unreadableValue }
            guard number < limit else { continue }
            if let reverts = row[1].integer {
                // The undone change, and all after it, no longer count.
                limit = reverts
                continue
            }
            guard row[RawEntry.count + 2] == .integer(1) else {
                throw LogRefusal("the copy of its last change is damaged; nothing was changed")
            }
            return (number, RawEntry(row, from: 2))
        }
        return nil
    }

    // MARK: Rows

    private func current(_ slot: PrayerSlot) throws -> RawEntry? {
        try database.rows(
            "SELECT \(RawEntry.columns) FROM mark WHERE day = ? AND prayer = ?", Self.key(slot)
        ).first.flatMap { RawEntry($0, from: 0) }
    }

    private func put(_ entry: RawEntry?, _ slot: PrayerSlot) throws {
        guard let entry else {
            return try database.run("DELETE FROM mark WHERE day = ? AND prayer = ?", Self.key(slot))
        }
        try database.run(
            """
            INSERT OR REPLACE INTO mark (day, prayer, \(RawEntry.columns))
            VALUES (?, ?, \(RawEntry.placeholders))
            """, Self.key(slot) + entry.values)
    }

    private static func key(_ slot: PrayerSlot) -> [SQLValue] {
        [SQLValue(slot.date.dayNumber), SQLValue(slot.prayer.rawValue)]
    }
}
