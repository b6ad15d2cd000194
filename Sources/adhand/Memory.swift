internal import CLinux
internal import Dispatch
internal import Glibc
internal import Host

/// A daemon that wakes a few times a day should not hold on to what a moment's work needed.
enum Memory {
    /// One arena for all threads: the few that there are hardly ever allocate at the same time.
    static func beFrugal() {
        mallopt(M_ARENA_MAX, 1)
    }

    /// Returns to the system what is free, and the program code that nothing will run again soon. The code
    /// stays in the page cache and comes back page by page; a sound is prepared ten seconds ahead, so none is
    /// missing at its instant.
    fileprivate static func giveBack() {
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

/// Gives memory back when the work is done. Used on the daemon's queue only.
final class Tidying {
    /// Seconds after something happened: more may follow at once.
    private static let patience = 2.0

    private let timer: any DispatchSourceTimer
    private var isDue = false

    /// Only when `isQuiet` says that nothing is sounding, or about to, is anything given back.
    init(on queue: DispatchQueue, isQuiet: @escaping () -> Bool) {
        timer = DispatchSource.makeTimerSource(queue: queue)
        timer.setEventHandler { [unowned self] in
            isDue = false
            if isQuiet() { Memory.giveBack() }
        }
        timer.schedule(deadline: .distantFuture)
        timer.resume()
    }

    /// Something has happened.
    func soon() {
        guard !isDue else { return }
        isDue = true
        timer.schedule(deadline: .now() + Self.patience, leeway: .seconds(1))
    }
}
