internal import Glibc

/// The free space of a file system.
package struct DiskRoom: Sendable {
    package var exists = true
    package var isReadOnly = false
    /// Free bytes and files; `nil` where the file system does not report them.
    package var freeBytes: Int?
    package var freeFiles: Int?

    /// Reads the directory's file system; the call may never return if its server is gone.
    package init(of path: String) {
        var room = statvfs()
        guard unsafe statvfs(path, &room) == 0 else {
            exists = errno != ENOENT && errno != ENOTDIR
            return
        }
        isReadOnly = room.f_flag & UInt(ST_RDONLY) != 0
        let bytes = Double(room.f_bavail) * Double(room.f_frsize)
        freeBytes = bytes < 9e18 ? Int(bytes) : nil
        // File systems that create inodes on demand report 0 of 0.
        if room.f_files > 0 { freeFiles = Int(clamping: room.f_favail) }
    }
}
