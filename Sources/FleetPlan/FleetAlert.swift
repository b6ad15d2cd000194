package import PrayerEngine

/// The subject of an alarm.
package enum AlertName: String, Sendable, CaseIterable, Codable {
    case adhanSilent = "AdhanSilent"
    case adhanFailed = "AdhanFailed"
    case boxDead = "BoxDead"
    case boxProblem = "BoxProblem"
    case boxPlanEnds = "BoxPlanEnds"
    case boxCloned = "BoxCloned"
    case fleetOffline = "FleetOffline"
    case brokerDown = "BrokerDown"
    case rolloutStopped = "RolloutStopped"
    case changeConflict = "ChangeConflict"
    case formerKey = "FormerKey"
    case fileDamaged = "FileDamaged"
    case archiveEnds = "ArchiveEnds"
}

/// The identity of an alarm, which is open at most once.
package struct AlertIdentity: Hashable, Sendable {
    package let name: AlertName
    /// The box; empty if the alarm does not concern a single box.
    package let box: String
    /// The announcement, the problem, the roll-out, the kind of change, or the file.
    package let subject: String

    package init(_ name: AlertName, box: String = "", subject: String = "") {
        (self.name, self.box, self.subject) = (name, box, subject)
    }

    package static func silent(_ box: String, _ id: String) -> Self {
        Self(.adhanSilent, box: box, subject: id)
    }
    /// Whether it reports that a box is away or silent.
    package var isOfLostBox: Bool { name == .adhanSilent || name == .boxDead }

    package static func dead(_ box: String) -> Self { Self(.boxDead, box: box) }
    package static let offline = Self(.fleetOffline)
    /// The alarm that many boxes missed an adhan before the watch began.
    package static let missedBefore = Self(.fleetOffline, subject: "missed")
}

/// One alarm as posted to Alertmanager: when it begins, each minute, and when it ends.
package struct FleetAlert: Sendable, Equatable {
    package let identity: AlertIdentity
    /// Labels besides `alertname`.
    package var labels: [String: String]
    package var summary: String
    package var startsAt: Instant
    /// The end; `nil` while it is open.
    package var endsAt: Instant?
}

/// The open alarms with the time of their next post, and those that have ended.
struct AlertLedger: Sendable {
    private struct Open: Sendable {
        var alert: FleetAlert
        var postAt: Double
    }

    private struct Ended: Sendable {
        var alert: FleetAlert
        var postAt: Double
        let until: Double
    }

    /// Seconds between two posts of an open alarm, which lets Alertmanager restart.
    static let repeatSeconds = 60.0
    /// Seconds for which the end of an alarm is posted again, in case the first post failed.
    static let endSeconds = 600.0

    private var open: [AlertIdentity: Open] = [:]
    private var ended: [AlertIdentity: Ended] = [:]

    var alerts: [FleetAlert] { open.values.map(\.alert) }

    func isOpen(_ identity: AlertIdentity) -> Bool { open[identity] != nil }

    /// Opens and ends alarms so that exactly these are open.
    mutating func set(
        _ wanted: [AlertIdentity: (labels: [String: String], summary: String)], at now: Timestamp
    ) {
        for (identity, content) in wanted {
            if open[identity] != nil {
                // The labels stay as they are, because Alertmanager would treat other labels as another alarm.
                open[identity]?.alert.summary = content.summary
            } else {
                ended[identity] = nil
                open[identity] = Open(
                    alert: FleetAlert(
                        identity: identity, labels: content.labels, summary: content.summary,
                        startsAt: now.wall), postAt: now.uptime)
            }
        }
        for (identity, entry) in open where wanted[identity] == nil {
            open[identity] = nil
            var alert = entry.alert
            // If the clock was set back, the end must still not precede the beginning.
            alert.endsAt = max(now.wall, alert.startsAt)
            ended[identity] = Ended(alert: alert, postAt: now.uptime, until: now.uptime + Self.endSeconds)
        }
    }

    /// The alarms to post now: changed ones, and those that were last posted a minute ago.
    mutating func due(at now: Timestamp) -> [FleetAlert] {
        var due: [FleetAlert] = []
        for (identity, entry) in open where entry.postAt <= now.uptime {
            due.append(entry.alert)
            open[identity]?.postAt = now.uptime + Self.repeatSeconds
        }
        for (identity, entry) in ended where entry.postAt <= now.uptime {
            due.append(entry.alert)
            ended[identity]?.postAt = now.uptime + Self.repeatSeconds
            if entry.until <= now.uptime { ended[identity] = nil }
        }
        return due.sorted { ($0.startsAt, $0.identity.box) < ($1.startsAt, $1.identity.box) }
    }
}
