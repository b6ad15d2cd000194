internal import CLinux
internal import Glibc

/// Returns memory that an idle program does not need.
package enum Memory {
    /// Uses one arena for all threads: the few threads rarely allocate at the same time.
    package static func beFrugal() {
        mallopt(M_ARENA_MAX, 1)
    }

    /// Limits the private memory of this program: more is not granted.
    package static func limitData(toMegabytes most: Int) {
        var limit = rlimit(rlim_cur: rlim_t(most) << 20, rlim_max: rlim_t(most) << 20)
        unsafe setrlimit(__rlimit_resource_t(RLIMIT_DATA.rawValue), &limit)
    }

    /// Returns free memory to the system, and the pages of files that will not be needed again soon: code, and this program's
    /// constants. They stay in the page cache and return as they are needed, 64 KiB around each use.
    package static func trim() {
        malloc_trim(0)
        guard let maps = try? FileBytes.read("/proc/self/smaps", limit: 1 << 20),
            let program = Links.target("/proc/self/exe")
        else { return }
        for range in droppable(String(decoding: maps, as: UTF8.self), program: program) {
            let start = unsafe UnsafeMutableRawPointer(bitPattern: range.lowerBound)
            _ = unsafe madvise(start, Int(range.upperBound - range.lowerBound), MADV_DONTNEED)
        }
    }

    /// Mappings whose pages can be dropped without loss, as the file has the same bytes. Code is never written to. Nor are
    /// constants, except where the linker wrote addresses into them: those pages are private to the process (`Anonymous`,
    /// `Swap`). Constants of libraries stay, as another thread may be loading one.
    static func droppable(_ smaps: String, program: String) -> [Range<UInt>] {
        var found: [Range<UInt>] = []
        var candidate: Range<UInt>?
        for line in smaps.split(separator: "\n") {
            let fields = line.split(separator: " ", maxSplits: 5)
            guard let first = fields.first else { continue }
            if first.hasSuffix(":") {
                // `Anonymous:           596 kB` (proc(5)), one of the figures below their mapping.
                guard ["Anonymous:", "Swap:"].contains(first), fields.count > 1, fields[1] != "0" else {
                    continue
                }
                candidate = nil
            } else {
                if let candidate { found.append(candidate) }
                candidate = mapping(fields, program: program)
            }
        }
        if let candidate { found.append(candidate) }
        return found
    }

    /// Parses `55d0c0a00000-55d0c0b00000 r-xp 00001000 08:01 393 /usr/bin/adhand` (proc(5)).
    private static func mapping(_ fields: [Substring], program: String) -> Range<UInt>? {
        guard fields.count == 6 else { return nil }
        let path = fields[5].drop { $0 == " " }
        let isCode = fields[1] == "r-xp" && path.hasPrefix("/")
        guard isCode || fields[1] == "r--p" && path == program else { return nil }
        let range = fields[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
        guard range.count == 2, range[0] < range[1] else { return nil }
        return range[0]..<range[1]
    }
}
