import Announcements
import PrayerEngine
import Protocol
import Settings

/// Refusals of unauthorised users. The first refusal of a user is logged at once, the rest of the minute is counted and logged at
/// its end, so that no caller can fill the log.
struct RefusalLog: Sendable {
    static let intervalSeconds = 60.0
    /// The most users that are counted separately; one person may have thousands of user numbers.
    static let mostUsers = 8

    private struct Count {
        var unlogged = 0
        /// When the count is reported.
        var due: Instant
    }

    private var counts: [UInt32?: Count] = [:]

    /// Counts one refusal; returns whether it is to be logged now.
    mutating func record(_ user: UInt32, at now: Instant) -> Bool {
        let known = counts[user] != nil || counts.count < Self.mostUsers
        let key = known ? user : nil
        guard counts[key] != nil else {
            counts[key] = Count(unlogged: key == nil ? 1 : 0, due: now + Self.intervalSeconds)
            return key != nil
        }
        counts[key]?.unlogged += 1
        return false
    }

    /// When the next report is due.
    var due: Instant? { counts.values.map(\.due).min() }

    /// The counts until now, one sentence for each user.
    mutating func due(at now: Instant) -> [(user: UInt32?, sentence: String)] {
        var sentences: [(user: UInt32?, sentence: String)] = []
        let users = counts.keys.sorted { ($0 ?? .max) < ($1 ?? .max) }
        for user in users {
            // A clock that was set back must not delay the report.
            guard let count = counts[user], count.due <= now || count.due - now > Self.intervalSeconds else {
                continue
            }
            guard count.unlogged > 0 else {
                counts[user] = nil
                continue
            }
            counts[user] = Count(due: now + Self.intervalSeconds)
            let who = user.map { "user \($0)" } ?? "other users"
            let what = count.unlogged == 1 ? "1 more request" : "\(count.unlogged) more requests"
            sentences.append((user, "denied to \(who): \(what) within a minute"))
        }
        return sentences
    }
}

extension DaemonState {
    mutating func deny(_ change: ControlMethod.Change, to peer: Peer, _ batch: inout EffectBatch) {
        guard refusalLog.record(peer.user, at: batch.now) else { return }
        batch.publish(
            .controlDenied, .warning,
            "denied to user \(peer.user): \(change.verb) needs the group \"\(inputs.config.controlGroup)\"",
            Notice.Fields(reason: "uid \(peer.user)"))
    }

    mutating func reportRefusals(_ batch: inout EffectBatch) {
        for (user, sentence) in refusalLog.due(at: batch.now) {
            batch.publish(
                .controlDenied, .warning, sentence, Notice.Fields(reason: user.map { "uid \($0)" }))
        }
    }
}
