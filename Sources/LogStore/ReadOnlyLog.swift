import Glibc

/// Opens a log where nothing can be written.
enum ReadOnlyLog {
    /// Opens the log read-only; `nil` if that fails as well.
    static func open(_ path: String, _ migrations: LogMigrations) throws -> Database? {
        // A write-ahead log left by a killed program has entries that are not in the file itself.
        let ways = isEmpty(path + "-wal") ? [immutable, alone] : [alone]
        for way in ways {
            guard let database = try? way(path) else { continue }
            if try migrations.canBeRead(on: database, path: path) { return database }
        }
        return nil
    }

    /// Opens the file as immutable: without locks, and without files beside it.
    private static func immutable(_ path: String) throws -> Database {
        var name = ""
        for character in path {
            switch character {
            case "%": name += "%25"
            case "?": name += "%3f"
            case "#": name += "%23"
            default: name.append(character)
            }
        }
        return try Database("file:\(name)?immutable=1", Database.Options(isReadOnly: true, isURI: true))
    }

    /// Opens the file exclusively, so that no shared file is needed.
    private static func alone(_ path: String) throws -> Database {
        try Database(
            path,
            Database.Options(patienceMilliseconds: 5000, setup: "PRAGMA locking_mode = EXCLUSIVE"))
    }

    private static func isEmpty(_ path: String) -> Bool {
        var status = stat()
        return unsafe stat(path, &status) != 0 || status.st_size == 0
    }
}
