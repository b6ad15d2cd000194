internal import CSQLite
import Glibc

/// An error of SQLite.
struct DatabaseError: Error {
    /// The extended result code.
    let code: Int32
    let message: String

    /// The primary result code of an extended one.
    var primaryCode: Int32 { code & 0xFF }

    /// A value that the log's own tables can only contain if a disk or memory damaged it.
    static let unreadableValue = DatabaseError(code: SQLITE_CORRUPT, message: "a value is not a number")
}

/// One connection to a SQLite file, for one thread at a time. The statements are prepared once and kept.
@safe final class Database {
    struct Options {
        var isReadOnly = false
        /// Whether the path is a URI with parameters.
        var isURI = false
        /// Milliseconds to wait for other connections.
        var patienceMilliseconds: Int32 = 0
        /// SQL that is run before the file is read.
        var setup: String?
    }

    private let connection: OpaquePointer
    private var statements: [String: OpaquePointer] = unsafe [:]

    init(_ path: String, _ options: Options) throws(DatabaseError) {
        var opened: OpaquePointer?
        let mode = options.isReadOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
        let flags =
            mode | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE | (options.isURI ? SQLITE_OPEN_URI : 0)
        let code = unsafe sqlite3_open_v2(path, &opened, flags, nil)
        guard let connection = unsafe opened else {
            throw DatabaseError(code: code, message: "out of memory")
        }
        unsafe self.connection = connection
        // deinit closes it from here on, even if it failed.
        guard code == SQLITE_OK else { throw error(code) }
        unsafe sqlite3_busy_timeout(connection, options.patienceMilliseconds)
        if let setup = options.setup { try execute(setup, for: options.patienceMilliseconds) }
        // Read a table now, so that a file that is no database fails at once.
        _ = try rows("SELECT * FROM sqlite_master LIMIT 1")
    }

    deinit {
        // The formatter does not know `for unsafe`.
        // swift-format-ignore: ReplaceForEachWithForLoop
        unsafe statements.values.forEach { unsafe _ = sqlite3_finalize($0) }
        unsafe sqlite3_close_v2(connection)
    }

    /// The last error; SQLite keeps its message in the connection.
    private func error(_ code: Int32) -> DatabaseError {
        let message = unsafe sqlite3_errmsg(connection).map { unsafe String(cString: $0) }
        return DatabaseError(code: code, message: message ?? "error \(code)")
    }

    // MARK: Statements

    /// Runs statements that have no parameters; rows are dropped.
    func execute(_ statements: String) throws(DatabaseError) {
        let code = unsafe sqlite3_exec(connection, statements, nil, nil, nil)
        guard code == SQLITE_OK else { throw error(code) }
    }

    /// Runs statements that change how the file is written. Unlike others, SQLite refuses these at once while other programs
    /// have the file open, so this method waits.
    private func execute(_ statements: String, for patienceMilliseconds: Int32) throws(DatabaseError) {
        let pauseMilliseconds: Int32 = 10
        var left = patienceMilliseconds / pauseMilliseconds
        while true {
            do throws(DatabaseError) {
                return try execute(statements)
            } catch  where error.primaryCode == SQLITE_BUSY && left > 0 {
                left -= 1
                usleep(UInt32(pauseMilliseconds) * 1000)
            }
        }
    }

    /// Runs one statement and drops its rows.
    func run(_ sql: String, _ values: [SQLValue] = []) throws(DatabaseError) {
        try each(sql, values) { _ in }
    }

    /// Every row of one statement.
    func rows(_ sql: String, _ values: [SQLValue] = []) throws(DatabaseError) -> [[SQLValue]] {
        var rows: [[SQLValue]] = []
        try each(sql, values) { rows.append($0.values) }
        return rows
    }

    /// The first column of every row, as whole numbers.
    func integers(_ sql: String, _ values: [SQLValue] = []) throws(DatabaseError) -> [Int] {
        var numbers: [Int] = []
        var isDamaged = false
        try each(sql, values) { row in
            if let number = row.integer { numbers.append(number) } else { isDamaged = true }
        }
        if isDamaged { throw .unreadableValue }
        return numbers
    }

    /// The first column of the first row; `nil` if there is no row or the value is empty.
    func integer(_ sql: String, _ values: [SQLValue] = []) throws(DatabaseError) -> Int? {
        guard let value = try rows(sql, values).first?.first, !value.isNull else { return nil }
        guard let number = value.integer else { throw .unreadableValue }
        return number
    }

    var lastInsertedRowID: Int { unsafe Int(sqlite3_last_insert_rowid(connection)) }

    private func each(
        _ sql: String, _ values: [SQLValue], _ body: (Row) -> Void
    ) throws(DatabaseError) {
        let statement = unsafe try prepared(sql)
        // Reset the statement, because no transaction can end while it is active.
        defer { unsafe sqlite3_reset(statement) }
        for (index, value) in values.enumerated() {
            let code = unsafe Self.bind(value, statement, Int32(index + 1))
            guard code == SQLITE_OK else { throw error(code) }
        }
        while true {
            let code = unsafe sqlite3_step(statement)
            if code == SQLITE_DONE { return }
            guard code == SQLITE_ROW else { throw error(code) }
            unsafe body(Row(statement))
        }
    }

    private func prepared(_ sql: String) throws(DatabaseError) -> OpaquePointer {
        if let known = unsafe statements[sql] { return unsafe known }
        var made: OpaquePointer?
        let code = unsafe sqlite3_prepare_v2(connection, sql, -1, &made, nil)
        guard code == SQLITE_OK, let statement = unsafe made else { throw error(code) }
        unsafe statements[sql] = statement
        return unsafe statement
    }

    private static func bind(_ value: SQLValue, _ statement: OpaquePointer, _ index: Int32) -> Int32 {
        switch value {
        case .null: unsafe sqlite3_bind_null(statement, index)
        case .integer(let number): unsafe sqlite3_bind_int64(statement, index, number)
        case .real(let number): unsafe sqlite3_bind_double(statement, index, number)
        case .text(let bytes): unsafe adhand_bind_text(statement, index, bytes, Int32(bytes.count))
        case .blob(let bytes): unsafe adhand_bind_blob(statement, index, bytes, Int32(bytes.count))
        }
    }

    // MARK: Transactions

    /// Lets `body` read one consistent state.
    func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try transaction("BEGIN DEFERRED", body)
    }

    /// Writes everything in `body` or nothing. Waits for other writers first.
    func write<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try transaction("BEGIN IMMEDIATE", body)
    }

    private func transaction<Value>(_ begin: String, _ body: (Database) throws -> Value) throws -> Value {
        try run(begin)
        do {
            let value = try body(self)
            try run("COMMIT")
            return value
        } catch {
            // SQLite may have rolled back already, as on a full disk; report the first error.
            if unsafe sqlite3_get_autocommit(connection) == 0 { try? run("ROLLBACK") }
            throw error
        }
    }
}

/// The current row of a statement, until its next step.
@safe private struct Row {
    private let statement: OpaquePointer

    @unsafe init(_ statement: OpaquePointer) { unsafe self.statement = statement }

    var values: [SQLValue] { (0..<(unsafe sqlite3_column_count(statement))).map(value) }

    /// The first column, if it is a whole number.
    var integer: Int? {
        guard unsafe sqlite3_column_type(statement, 0) == SQLITE_INTEGER else { return nil }
        return unsafe Int(sqlite3_column_int64(statement, 0))
    }

    private func value(_ column: Int32) -> SQLValue {
        switch unsafe sqlite3_column_type(statement, column) {
        case SQLITE_INTEGER: .integer(unsafe sqlite3_column_int64(statement, column))
        case SQLITE_FLOAT: .real(unsafe sqlite3_column_double(statement, column))
        case SQLITE_TEXT: .text(unsafe bytes(sqlite3_column_text(statement, column), column))
        case SQLITE_BLOB: .blob(unsafe bytes(sqlite3_column_blob(statement, column), column))
        default: .null
        }
    }

    /// - Parameter start: the pointer, which SQLite requires to be requested before the count.
    private func bytes(_ start: UnsafeRawPointer?, _ column: Int32) -> [UInt8] {
        let count = unsafe Int(sqlite3_column_bytes(statement, column))
        return unsafe Array(UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count))
    }
}
