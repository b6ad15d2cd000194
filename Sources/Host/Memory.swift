internal import CLinux
internal import Glibc

/// An idle program should return a moment's memory.
package enum Memory {
    /// One arena for all threads: the few that there are hardly ever allocate at the same time.
    package static func beFrugal() {
        mallopt(M_ARENA_MAX, 1)
    }

    /// Returns free memory to the system, and program code that will not run again soon. The code stays in the page
    /// cache and comes back page by page, as it is needed.
    package static func trim() {
        malloc_trim(0)
        guard let maps = try? FileBytes.read("/proc/self/maps", limit: 1 << 20) else { return }
        for line in String(decoding: maps, as: UTF8.self).split(separator: "\n") {
            // `55d0c0a00000-55d0c0b00000 r-xp 00001000 08:01 393 /usr/bin/adhand` (proc(5)). Code alone is
            // never written to, so that dropping it loses nothing.
            let fields = line.split(separator: " ", maxSplits: 5)
            guard fields.count == 6, fields[1] == "r-xp", fields[5].contains("/") else { continue }
            let range = fields[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
            guard range.count == 2, range[0] < range[1] else { continue }
            let start = unsafe UnsafeMutableRawPointer(bitPattern: range[0])
            _ = unsafe madvise(start, Int(range[1] - range[0]), MADV_DONTNEED)
        }
    }
}
