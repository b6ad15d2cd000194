import Glibc
import Host

/// Files in the data directory beside the log.
enum KeptFiles {
    /// Removes all of it, and the directory if nobody else's files are in it.
    static func erase(directory: String) throws(FileError) -> [String] {
        var removed: [String] = []
        for name in [CachedTimesFile.fileName, Snoozes.fileName] {
            let file = directory + "/" + name
            if unsafe unlink(file) == 0 {
                removed.append(file)
            } else if errno != ENOENT, errno != ENOTDIR {
                throw FileError("remove", file, code: errno)
            }
        }
        unsafe rmdir(directory)
        return removed
    }
}
