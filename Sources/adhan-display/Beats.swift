internal import DisplayProgramme
internal import Host
internal import Synchronization

/// The signs of life of pages: whoever made a token asks whether the page that was given it still runs.
final class Beats: Sendable {
    private let last = Mutex<[String: Double]>([:])
    private static let most = 16
    private static let longest = 64

    /// Whether the beat was taken.
    func take(_ token: String) -> Bool {
        guard (8...Self.longest).contains(token.utf8.count) else { return false }
        let now = WallClock.monotonic()
        last.withLock {
            $0[token] = now
            // Of too many the one that has been silent for longest gives way.
            if $0.count > Self.most, let oldest = $0.min(by: { $0.value < $1.value })?.key {
                $0[oldest] = nil
            }
        }
        return true
    }

    /// Whether the page of this token has beaten lately: it does so every ten seconds.
    func hears(_ token: String) -> Bool {
        last.withLock { $0[token] }.map { WallClock.monotonic() - $0 < PageWatch.freshness } ?? false
    }
}
