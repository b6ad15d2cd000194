internal import Host
internal import ScreenPlan
internal import Synchronization

/// Heartbeats of the pages that this machine's launchers have opened. Only tokens about which a launcher has asked count, so
/// invented tokens cannot displace them.
final class Heartbeat: Sendable {
    enum Heard { case alive, silent, renewing }

    private struct Page {
        /// The monotonic time of the last beat; `nil` before the first.
        var lastBeatUptime: Double?
        var lastAskedUptime: Double
        var isRenewing = false
    }

    private let pages = Mutex<[String: Page]>([:])
    private static let most = 16
    private static let lengths = 8...64

    /// Records the beat of a page, and returns whether a launcher waits for it.
    /// - Parameter isRenewing: whether the page asks for a restart of its browser, to load the server's current files.
    func record(_ token: String, isRenewing: Bool) -> Bool {
        let now = MonotonicClock.now()
        return pages.withLock { pages in
            guard var page = pages[token] else { return false }
            page.lastBeatUptime = now
            if isRenewing { page.isRenewing = true }
            pages[token] = page
            return true
        }
    }

    /// Whether the page with this token has recently sent a beat, which it does every ten seconds. Beats count from the first
    /// call on.
    func hears(_ token: String) -> Heard {
        guard Self.lengths.contains(token.utf8.count) else { return .silent }
        let now = MonotonicClock.now()
        return pages.withLock { pages in
            pages[token, default: Page(lastAskedUptime: now)].lastAskedUptime = now
            if pages.count > Self.most,
                let oldest = pages.min(by: { $0.value.lastAskedUptime < $1.value.lastAskedUptime })?.key
            {
                pages[oldest] = nil
            }
            guard let page = pages[token], let last = page.lastBeatUptime else { return .silent }
            if page.isRenewing { return .renewing }
            return now - last < PageWatch.freshnessSeconds ? .alive : .silent
        }
    }

    /// Whether a launcher waits for the page with this token.
    func knows(_ token: String) -> Bool { pages.withLock { $0[token] != nil } }
}
