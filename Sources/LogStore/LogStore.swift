import Glibc
package import Host
package import PrayerEngine
package import PrayerLog

/// The log on disk: one SQLite file in the user's data directory, for this user alone. The only module that sees SQLite.
///
/// The file uses a write-ahead log and synchronous writes, so a crash of the program or the machine loses nothing that was
/// confirmed. The first entry creates the file; until then there is none, and the log is empty.
package final class LogStore {
    package let path: String
    private let database: Database

    package static let fileName = "prayers.sqlite"

    /// Why the log is read-only, as a sentence; `nil` if it can be written.
    package let obstacle: String?

    /// Opens the log. Returns `nil` if there is none and `create` is false. Without `create` the log may be read-only,
    /// so that people can see their log even if the disk is full or the home cannot be written.
    package init?(directory: String, create: Bool, migrations: LogMigrations = .current) throws(LogRefusal) {
        path = directory + "/" + Self.fileName
        let path = path
        let opened = try Self.refusing(path) { () -> (Database, String?)? in
            do {
                if create { try Directories.makePrivate(directory) }
                guard try Self.prepareFile(path, create: create) else { return nil }
                return (try Self.connect(path, migrations), nil)
            } catch  where !create && LogFault(error, path).isOfWriting {
                guard let database = try ReadOnlyLog.open(path, migrations) else { throw error }
                return (database, LogFault(error, path).what)
            }
        }
        guard let opened else { return nil }
        (database, obstacle) = opened
    }

    private static func connect(_ path: String, _ migrations: LogMigrations) throws -> Database {
        // The limit is longer than any of our own writes.
        let database = try Database(
            path,
            Database.Options(
                patienceMilliseconds: 5000,
                setup: "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL"))
        try migrations.run(on: database, path: path)
        return database
    }

    /// Creates the file with its mode, which SQLite copies to the files beside it.
    private static func prepareFile(_ path: String, create: Bool) throws(FileError) -> Bool {
        let flags = O_RDWR | O_CLOEXEC | O_NOFOLLOW | (create ? O_CREAT : 0)
        let raw = unsafe open(path, flags, 0o600)
        guard raw >= 0 else {
            let code = errno
            if code == ENOENT, !create { return false }
            // Refuse a link, which may lead out of the person's own directory.
            if code == ELOOP {
                throw FileError("open", path, reason: "it is a symbolic link; put the file itself there")
            }
            throw FileError("open", path, code: code)
        }
        let file = OwnedDescriptor(raw)
        var status = stat()
        guard unsafe fstat(file.raw, &status) == 0 else { throw FileError("open", path, code: errno) }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw FileError("open", path, reason: "not a regular file")
        }
        if status.st_mode & 0o077 != 0, fchmod(file.raw, 0o600) != 0 {
            throw FileError("protect", path, code: errno)
        }
        return true
    }

    // MARK: Reading

    /// Every entry in the form of ``Logbook/packed(_:_:)``.
    package func packed() throws(LogRefusal) -> [Int] {
        try read {
            try $0.integers(
                """
                SELECT ((day * 5 + prayer) * 2 + (source IS \(MarkSource.imported.rawValue))) * 8 + status
                FROM mark
                WHERE \(LogRows.placed)
                """)
        }.sorted()
    }

    package func marks() throws(LogRefusal) -> [Mark] {
        try read { try Self.marks($0, LogRows.whole, []) }.sorted { $0.slot < $1.slot }
    }

    package func mark(_ slot: PrayerSlot) throws(LogRefusal) -> Mark? {
        try read { try Self.mark($0, slot) }
    }

    /// The times of prayers that were prayed in their time, where known.
    package func timings(
        from first: CivilDate?, through last: CivilDate?
    ) throws(LogRefusal) -> [Statistics.Timing] {
        let packed = try read {
            // Pack each row into one number: the length below 2^20 s, the seconds before it below 2^20, the prayer.
            try $0.integers(
                """
                SELECT ((prayer * 1048576) + (at - starts) / 1000) * 1048576 + (ends - starts) / 1000 FROM mark
                WHERE \(LogRows.whole) AND at BETWEEN starts AND ends AND ends - starts < 172800000
                AND status = ? AND +day BETWEEN ? AND ?
                """,
                [
                    SQLValue(MarkStatus.prayed.rawValue), SQLValue(first?.dayNumber ?? Int(Int32.min)),
                    SQLValue(last?.dayNumber ?? Int(Int32.max)),
                ])
        }
        return packed.compactMap { number in
            DailyPrayer(rawValue: number >> 40).map {
                Statistics.Timing(
                    prayer: $0, secondsAfter: number >> 20 & 0xFFFFF, lengthSeconds: number & 0xFFFFF)
            }
        }
    }

    /// The number of unreadable entries. A faulty disk or memory causes impossible dates. They stay in the file.
    /// - Parameter today: entries of later days count as well.
    package func unreadable(today: CivilDate) throws(LogRefusal) -> Int {
        let latest = [false, true].map { Logbook.days(through: today, isExcuse: $0).upperBound }
        return try read {
            try $0.integer(
                """
                SELECT COUNT(*) FROM mark
                WHERE (\(LogRows.whole) AND (+day <= ? OR status = ? AND +day <= ?)) IS NOT 1
                """,
                [SQLValue(latest[0]), SQLValue(MarkStatus.excused.rawValue), SQLValue(latest[1])]) ?? 0
        }
    }

    // MARK: Writing

    /// Writes entries, all or none, with a copy of those that they replace.
    /// - Parameter keeping: whether an existing entry stays although another would replace it.
    @discardableResult
    package func write(
        _ marks: [Mark], as kind: LogChange.Kind = .marked, now: Instant = WallClock.now(),
        keeping: (_ known: Mark, _ new: Mark) -> Bool = { _, _ in false }
    ) throws(LogRefusal) -> LogChange {
        try change { database in
            var (written, kept) = ([(PrayerSlot, RawEntry?)](), [Mark]())
            for mark in marks {
                if let known = try Self.mark(database, mark.slot), keeping(known, mark) {
                    kept.append(known)
                } else {
                    written.append((mark.slot, RawEntry(mark)))
                }
            }
            let history = LogHistory(database)
            let slots = try history.record(written.map { ($0, $1, nil) }, kind, now)
            return LogChange(kind: kind, slots: slots, kept: kept)
        }
    }

    /// Restores each prayer's entry from before its last change.
    /// - Parameter from: if given, restores only entries with this mark.
    package func undoMarks(
        _ slots: [PrayerSlot], from status: MarkStatus? = nil, now: Instant = WallClock.now()
    ) throws(LogRefusal) -> LogChange {
        try change { database in
            LogChange(
                kind: .undone, slots: try LogHistory(database).undoMarks(slots, from: status, now), kept: []
            )
        }
    }

    /// Undoes the last change, whatever it was; `nil` if none is left.
    package func undo() throws(LogRefusal) -> LogChange? {
        try change { try LogHistory($0).undo() }
    }

    /// Redoes the change that was undone last, unless the log was changed since; `nil` if there is none.
    package func redo() throws(LogRefusal) -> LogChange? {
        try change { try LogHistory($0).redo() }
    }

    /// The number of changes that can be undone and redone.
    package func depth() throws(LogRefusal) -> (undo: Int, redo: Int) {
        guard obstacle == nil else { return (0, 0) }
        return try read { try LogHistory($0).depth() }
    }

    /// Copies the log beside it, replacing an older copy of the same name; returns its path.
    @discardableResult
    package func backUp(as name: String) throws(LogRefusal) -> String {
        let path = path
        return try Self.refusing(path) { try LogMigrations.copy(database, path: path, as: name) }
    }

    /// Removes the log, its backups and every other file that begins with its name.
    package static func erase(directory: String) throws(FileError) -> [String] {
        var removed: [String] = []
        let names: [String]
        do throws(FileError) {
            names = try Directories.names(in: directory)
        } catch  where error.isMissing {
            return []
        }
        for name in names where name.hasPrefix(fileName) {
            let file = directory + "/" + name
            guard unsafe unlink(file) == 0 else { throw FileError("remove", file, code: errno) }
            removed.append(file)
        }
        return removed
    }

    // MARK: Rows

    static func mark(_ database: Database, _ slot: PrayerSlot) throws -> Mark? {
        try marks(
            database, "day = ? AND prayer = ? AND \(LogRows.whole)",
            [SQLValue(slot.date.dayNumber), SQLValue(slot.prayer.rawValue)]
        ).first
    }

    private static func marks(
        _ database: Database, _ condition: String, _ values: [SQLValue]
    ) throws -> [Mark] {
        let rows = try database.rows(
            "SELECT day, prayer, \(RawEntry.columns) FROM mark WHERE \(condition)", values)
        var marks: [Mark] = []
        for row in rows {
            guard let slot = PrayerSlot(row) else { continue }
            // Skip rows that another program wrote and that passed SQLite's checks.
            if let mark = RawEntry(row, from: 2)?.mark(slot) { marks.append(mark) }
        }
        return marks
    }

    // MARK: Failures

    private func read<Value>(_ body: (Database) throws -> Value) throws(LogRefusal) -> Value {
        try Self.refusing(path) { try database.read(body) }
    }

    private func change<Value>(_ body: (Database) throws -> Value) throws(LogRefusal) -> Value {
        if let obstacle { throw LogRefusal("\(obstacle); nothing was changed") }
        return try Self.refusing(path) { try database.write(body) }
    }

    private static func refusing<Value>(_ path: String, _ body: () throws -> Value) throws(LogRefusal)
        -> Value
    {
        do {
            return try body()
        } catch {
            throw LogFault(error, path).refusal
        }
    }
}
