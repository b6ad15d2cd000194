package import PrayerEngine
package import Protocol

/// The order of precedence: there is one device, and two announcements cannot sound at once.
///
/// The same rule resolves due announcements (why is one not heard?) and prepares coming ones (will one be heard?), because a
/// prepared sound starts by itself and would take the device from any other.
package enum Precedence {
    /// Kinds in order of their rank: a higher one does not end for a lower one.
    package enum Rank: Int, Comparable {
        /// A call: ends nothing, and ends for everything.
        case call
        /// A reminder: ends nothing of a higher rank.
        case reminder
        /// An iqama, or a mosque's other announcement: never cuts an adhan short.
        case congregation
        /// A sound that a person requested: tests and simulated prayers.
        case tried
        case adhan

        package static func < (a: Rank, b: Rank) -> Bool { a.rawValue < b.rawValue }
    }

    /// A competitor of an announcement at its instant.
    package enum Competitor {
        /// An announcement that has the device.
        case sounding(Announcement)
        /// An announcement that is also due.
        case due(Announcement)
        /// An announcement that takes the device this many seconds before its own instant: for its silence, and for others to
        /// fade out.
        case coming(Announcement, leadSeconds: Double)
    }

    /// The announcement to which another gives way, and its state then.
    package struct Yielding {
        package let other: AnnouncementID
        package let reason: String
    }

    /// Whether and why an announcement whose sound would begin at an instant gives way.
    package static func yielding(of announcement: Announcement, at begin: Instant, to competitor: Competitor)
        -> Yielding?
    {
        switch competitor {
        case .sounding(let other):
            // All but reminders and calls take over from a playing sound; an adhan does not give way to an iqama.
            let givesWay =
                announcement.rank == .call
                || announcement.rank == .reminder && other.rank > .reminder
                || announcement.rank == .congregation && other.rank == .adhan
            return givesWay ? Yielding(other: other.id, reason: "\(other.title) was sounding") : nil
        case .due(let other):
            return isBefore(announcement, other)
                ? Yielding(
                    other: other.id, reason: "it gave way to \(other.title), which was due as well") : nil
        case .coming(let other, let lead):
            let isAtHand = other.at > begin && other.at - begin <= lead
            let isGreater =
                announcement.rank == .call
                ? other.rank > .call : other.rank > .reminder && other.rank >= announcement.rank
            let givesWay = isAtHand && isGreater
            return givesWay
                ? Yielding(other: other.id, reason: "\(other.title) was about to sound") : nil
        }
    }

    /// The announcement to call when all of these are due: the highest rank, and within it the latest.
    package static func winner(of due: [Announcement]) -> Announcement? { due.max(by: isBefore) }

    /// The announcements that will be heard, out of several within seconds.
    /// - Parameters:
    ///   - sounding: the announcement that has the device.
    ///   - leadSeconds: how long before its instant an announcement takes the device.
    package static func audible(
        of coming: [Announcement], beside sounding: [Announcement], leadSeconds: (Announcement) -> Double
    ) -> [Announcement] {
        coming.filter { announcement in
            let competitors =
                sounding.map { Competitor.sounding($0) }
                + coming.compactMap { other in
                    if other.id == announcement.id { return nil }
                    if other.at == announcement.at { return .due(other) }
                    // An earlier announcement sounds when this one is due.
                    if other.at < announcement.at { return .sounding(other) }
                    // An announcement that gives way at its own instant takes no device before.
                    let dueThen = coming.filter { $0.at == other.at }
                    return winner(of: dueThen) == other
                        ? .coming(other, leadSeconds: leadSeconds(other)) : nil
                }
            return !competitors.contains {
                yielding(of: announcement, at: announcement.at, to: $0) != nil
            }
        }
    }

    private static func isBefore(_ a: Announcement, _ b: Announcement) -> Bool {
        if a.rank != b.rank { return a.rank < b.rank }
        if a.at != b.at { return a.at < b.at }
        if a.place != b.place { return a.place > b.place }
        return a.id.description < b.id.description
    }
}

extension Announcement {
    package var rank: Precedence.Rank {
        switch id.kind {
        case .call: .call
        case .reminder, .iqamaReminder: .reminder
        case .iqama, .khutba, .wake, .imsak, .takbirat: .congregation
        case .simulated, .test: .tried
        case .adhan: .adhan
        }
    }

    /// Whether sounds are faded out for it before its instant: all but reminders and calls fade others out, and reminders fade
    /// out calls.
    package func takesOver(from sounding: Announcement) -> Bool {
        switch rank {
        case .call: false
        case .reminder: sounding.rank == .call
        case .congregation, .tried, .adhan: true
        }
    }
}
