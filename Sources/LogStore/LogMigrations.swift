import Glibc
import Host
import PrayerLog

/// The steps by which the file reached its present schema. A shipped step never changes; a new schema is a new step.
package struct LogMigrations: Sendable {
    package struct Step: Sendable {
        package let name: String
        package let sql: String

        package init(name: String, sql: String) {
            self.name = name
            self.sql = sql
        }
    }

    private let steps: [Step]

    package init(_ steps: [Step]) { self.steps = steps }

    package static let current = LogMigrations([
        // Instants are milliseconds since 1970; zone is seconds east of UTC at the time of marking.
        Step(
            name: "1-marks",
            sql: """
                CREATE TABLE mark (
                    day INTEGER NOT NULL,
                    prayer INTEGER NOT NULL CHECK (prayer BETWEEN 0 AND 4),
                    status INTEGER NOT NULL CHECK (status BETWEEN 1 AND 5),
                    at INTEGER,
                    source INTEGER NOT NULL,
                    marked INTEGER NOT NULL,
                    zone INTEGER NOT NULL,
                    starts INTEGER,
                    ends INTEGER,
                    PRIMARY KEY (day, prayer)
                ) WITHOUT ROWID, STRICT;
                """),
        // Changes of the log with the entries that they replaced (LogHistory). An image without a status means that there was
        // no entry.
        Step(
            name: "2-changes",
            sql: """
                CREATE TABLE change (
                    id INTEGER PRIMARY KEY AUTOINCREMENT,
                    made INTEGER NOT NULL,
                    kind INTEGER NOT NULL,
                    state INTEGER NOT NULL CHECK (state BETWEEN 0 AND 2)
                ) STRICT;
                CREATE TABLE image (
                    change INTEGER NOT NULL,
                    day INTEGER NOT NULL,
                    prayer INTEGER NOT NULL,
                    status INTEGER,
                    at INTEGER,
                    source INTEGER,
                    marked INTEGER,
                    zone INTEGER,
                    starts INTEGER,
                    ends INTEGER,
                    reverts INTEGER,
                    PRIMARY KEY (change, day, prayer)
                ) WITHOUT ROWID, STRICT;
                CREATE INDEX image_of_slot ON image (day, prayer, change);
                CREATE INDEX change_by_state ON change (state, id);
                """),
    ])

    /// The first steps, as in an older program.
    package func through(_ count: Int) -> LogMigrations { LogMigrations(Array(steps.prefix(count))) }

    package func adding(_ step: Step) -> LogMigrations { LogMigrations(steps + [step]) }

    /// Updates a file. A file with entries in an older schema is copied first; one from a newer program is not changed.
    func run(on database: Database, path: String) throws {
        guard try !areDone(on: database, path: path) else { return }
        // Lock out a second program, which would migrate again and copy the first one's changes.
        guard let lock = try LockFile.acquire(path + ".lock", patienceSeconds: 20) else {
            throw LogRefusal("another program is bringing the log \"\(path)\" up to date; try again")
        }
        defer { lock.release() }
        guard try !areDone(on: database, path: path) else { return }
        let done = try database.read { try Self.completedSteps($0) }
        if !done.isEmpty { _ = try Self.copy(database, path: path, as: "before-\(steps[done.count].name)") }
        try database.execute(
            "CREATE TABLE IF NOT EXISTS \(Self.table) (identifier TEXT NOT NULL PRIMARY KEY)")
        for step in steps where !done.contains(step.name) {
            try database.write {
                try $0.execute(step.sql)
                try $0.run("INSERT INTO \(Self.table) (identifier) VALUES (?)", [SQLValue(step.name)])
            }
        }
    }

    /// The table of completed steps, under the name that the first versions of this program gave it.
    private static let table = "grdb_migrations"

    /// The completed steps of a file, including those of a newer program. Call it in a transaction: the first query
    /// fixes the state of both, so that a table which another program is creating is seen by both or by neither.
    private static func completedSteps(_ database: Database) throws -> Set<String> {
        let tables = try database.integer(
            "SELECT COUNT(*) FROM sqlite_master WHERE type = 'table' AND name = ?", [SQLValue(table)])
        // A new file has no such table.
        guard tables != 0 else { return [] }
        return Set(
            try database.rows("SELECT identifier FROM \(table)").map { row throws(DatabaseError) in
                guard let name = row.first?.string else { throw .unreadableValue }
                return name
            })
    }

    /// Whether a file has the present schema; refuses one from a newer program.
    func areDone(on database: Database, path: String) throws -> Bool {
        let (done, known) = (try database.read { try Self.completedSteps($0) }, Set(steps.map(\.name)))
        guard done.isSubset(of: known) else {
            throw LogRefusal(
                "the log \"\(path)\" was written by a newer adhan-companion; nothing was changed, install that version"
            )
        }
        return done == known
    }

    /// Whether a file has a readable schema. Readers need only the entries, which every schema has.
    func canBeRead(on database: Database, path: String) throws -> Bool {
        if try areDone(on: database, path: path) { return true }
        return try database.read { try Self.completedSteps($0).contains(steps[0].name) }
    }

    /// Makes a complete copy beside the file, atomically; returns its path.
    static func copy(_ database: Database, path: String, as name: String) throws -> String {
        // Use a name of this process, because two programs may copy at once.
        let (copy, draft) = ("\(path).\(name)", "\(path).\(name).new-\(getpid())")
        unsafe unlink(draft)
        let raw = unsafe open(draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard raw >= 0 else { throw FileError("write", draft, code: errno).refusal }
        close(raw)
        do {
            // Create the file first, because an existing empty file keeps its mode.
            try database.run("VACUUM INTO ?", [SQLValue(draft)])
        } catch {
            unsafe unlink(draft)
            throw error
        }
        guard unsafe rename(draft, copy) == 0 else { throw FileError("replace", copy, code: errno).refusal }
        return copy
    }
}

extension FileError {
    fileprivate var refusal: LogRefusal { LogRefusal("\(message); nothing was changed") }
}
