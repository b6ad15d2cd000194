import PrayerEngine

/// The topics to which an envelope was restored within the last hour. Another client may change a topic at any rate, so after a
/// few repairs the watch waits longer each time.
struct TopicRepairs: Sendable {
    private struct Repair {
        let digest: String
        let seq: Int
        var count = 0
        /// The instant of the last repair.
        var at: Instant
        /// Whether it was changed again after the permitted number of repairs.
        var isContested = false

        var pauseSeconds: Double {
            guard count >= TopicRepairs.mostAtOnce else { return 0 }
            let doublings = min(count - TopicRepairs.mostAtOnce, 8)
            return min(
                TopicRepairs.firstPauseSeconds * Double(1 << doublings), TopicRepairs.longestPauseSeconds)
        }
    }

    private static let mostAtOnce = 3
    private static let (firstPauseSeconds, longestPauseSeconds) = (60.0, 1800.0)
    /// A repair is forgotten once the topic has stayed unchanged for this long, which exceeds every pause.
    private static let quietSeconds = 3600.0

    private var repairs: [ChangePlace: Repair] = [:]

    /// The topics that were changed repeatedly, with the number that belongs there.
    var contested: [(place: ChangePlace, seq: Int)] {
        repairs.filter(\.value.isContested).map { ($0.key, $0.value.seq) }
    }

    /// Whether an envelope may be restored now.
    mutating func mayRepair(_ digest: String?, at place: ChangePlace, _ now: Instant) -> Bool {
        guard let repair = repairs[place], repair.digest == digest else { return true }
        if repair.count >= Self.mostAtOnce { repairs[place]?.isContested = true }
        return now - repair.at >= repair.pauseSeconds
    }

    /// - Returns: whether it is restored there for the first time.
    mutating func note(_ digest: String, _ seq: Int, at place: ChangePlace, _ now: Instant) -> Bool {
        let isFirst = repairs[place]?.digest != digest
        if isFirst { repairs[place] = Repair(digest: digest, seq: seq, at: now) }
        repairs[place]?.count += 1
        repairs[place]?.at = now
        return isFirst
    }

    mutating func forgetQuiet(_ now: Instant, isOurs: (String) -> Bool) {
        for (place, repair) in repairs {
            // An instant from a clock that was ahead begins again now.
            if repair.at > now { repairs[place]?.at = now }
            if !isOurs(repair.digest) || now - repair.at >= Self.quietSeconds { repairs[place] = nil }
        }
    }
}
