internal import Glibc

/// The room that a file system still has.
package struct DiskRoom: Sendable {
    package var exists = true
    package var isReadOnly = false
    /// Bytes and files; `nil` where the file system does not say.
    package var freeBytes: Int?
    package var freeFiles: Int?

    /// Of the directory; the call may never return on a server that is gone.
    package init(of path: String) {
        var room = statvfs()
        guard unsafe statvfs(path, &room) == 0 else {
            exists = errno != ENOENT && errno != ENOTDIR
            return
        }
        isReadOnly = room.f_flag & UInt(ST_RDONLY) != 0
        let bytes = Double(room.f_bavail) * Double(room.f_frsize)
        freeBytes = bytes < 9e18 ? Int(bytes) : nil
        // File systems that make room for files as they go say 0 of 0.
        if room.f_files > 0 { freeFiles = Int(clamping: room.f_favail) }
    }
}
