import Glibc
import Host

/// The files beside the log in the data directory.
enum KeptFiles {
    /// Removes all of these files, and the directory unless it holds others.
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
