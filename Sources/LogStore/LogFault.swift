internal import CSQLite
import Glibc
import Host
import PrayerLog
import Texts

/// Turns errors of the log into sentences.
struct LogFault {
    private let error: any Error
    private let path: String
    /// SQLITE_IOERR_SHMSIZE, an expression that Swift does not import.
    private static let sharedMemoryFull = SQLITE_IOERR | 19 << 8

    init(_ error: any Error, _ path: String) {
        self.error = error
        self.path = path
    }

    var refusal: LogRefusal {
        (error as? LogRefusal) ?? LogRefusal("\(what); nothing was changed\(help)")
    }

    /// Whether the disk or the directory refuses writes: the log may still be readable then.
    var isOfWriting: Bool {
        if let error = error as? FileError {
            return [ENOSPC, EDQUOT, EROFS, EACCES, EPERM].contains(error.code)
        }
        guard let error = error as? DatabaseError else { return false }
        return [SQLITE_FULL, SQLITE_IOERR, SQLITE_READONLY, SQLITE_CANTOPEN, SQLITE_PERM].contains(
            error.primaryCode)
    }

    var what: String {
        if let error = error as? FileError { return error.message }
        let log = "the log \"\(PlainText.visible(path))\""
        guard let error = error as? DatabaseError else { return "\(log) cannot be used: \(error)" }
        let reason = PlainText.visible(error.message)
        switch error.primaryCode {
        case SQLITE_BUSY, SQLITE_LOCKED: return "\(log) is in use by another program for more than 5 s"
        case SQLITE_CORRUPT, SQLITE_NOTADB: return "\(log) is damaged (\(reason))"
        case SQLITE_FULL: return "\(log) cannot be written: the disk is full"
        // The file through which programs share the log could not be extended.
        case SQLITE_IOERR where error.code == Self.sharedMemoryFull:
            return "\(log) cannot be used: the disk is full"
        case SQLITE_READONLY, SQLITE_PERM: return "\(log) cannot be written: \(reason)"
        default: return "\(log) cannot be used: \(reason)"
        }
    }

    private var help: String {
        switch (error as? DatabaseError)?.primaryCode {
        case SQLITE_BUSY, SQLITE_LOCKED: return ", try again"
        case SQLITE_CORRUPT, SQLITE_NOTADB:
            let name = path.split(separator: "/").last.map(String.init) ?? path
            let backups =
                (try? Directories.names(in: Directories.parent(of: path)))?
                .filter { $0.hasPrefix(name + ".before-") } ?? []
            return backups.isEmpty
                ? ": move it away and import an export"
                : ": move it away and put a backup in its place (\(backups.joined(separator: ", ")))"
        default: return ""
        }
    }
}
