internal import Host
internal import ScreenPlan
internal import Synchronization

/// Signs of life of the pages that this machine's launchers have started. Only a token that a launcher asks for counts, so made-up
/// tokens cannot displace it.
final class Heartbeat: Sendable {
    enum Heard { case alive, silent, renewing }

    private struct Page {
        /// Seconds of a clock that never steps; `nil` before the first beat.
        var lastBeatUptime: Double?
        var lastAskedUptime: Double
        var isRenewing = false
    }

    private let pages = Mutex<[String: Page]>([:])
    private static let most = 16
    private static let lengths = 8...64

    /// Notes the beat of a page; returns whether a launcher waits for it.
    /// - Parameter isRenewing: the page asks for its browser to be started again, with the files that the server has now.
    func take(_ token: String, isRenewing: Bool) -> Bool {
        let now = WallClock.monotonic()
        return pages.withLock { pages in
            guard var page = pages[token] else { return false }
            page.lastBeatUptime = now
            if isRenewing { page.isRenewing = true }
            pages[token] = page
            return true
        }
    }

    /// Whether the page of this token has sent a beat lately, which it does every ten seconds. Beats count from the first question on.
    func hears(_ token: String) -> Heard {
        guard Self.lengths.contains(token.utf8.count) else { return .silent }
        let now = WallClock.monotonic()
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

    /// Whether a launcher waits for this token's page.
    func knows(_ token: String) -> Bool { pages.withLock { $0[token] != nil } }
}
