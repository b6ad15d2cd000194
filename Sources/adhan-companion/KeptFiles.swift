import Glibc
import Host

/// Files in the data directory beside the log.
enum KeptFiles {
    /// Removes all of them, and the directory unless it holds other files.
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
