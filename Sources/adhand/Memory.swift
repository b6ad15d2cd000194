internal import CLinux

/// A daemon that wakes a few times a day should not hold on to what a moment's work needed.
enum Memory {
    /// One arena for all threads: the few that there are hardly ever allocate at the same time.
    static func beFrugal() {
        mallopt(M_ARENA_MAX, 1)
    }

    /// Returns what is free to the system.
    static func giveBack() {
        malloc_trim(0)
    }
}
