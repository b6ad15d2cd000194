package import Envelope
package import PrayerEngine

extension FleetRollout {
    /// The facts about one box.
    package struct Fact: Sendable, Equatable {
        package var applied: ReceivedReport.Applied?
        package var isOnline: Bool
        /// The instant of the newest adhan that was heard.
        package var lastHeard: Instant?

        package init(applied: ReceivedReport.Applied? = nil, isOnline: Bool, lastHeard: Instant? = nil) {
            (self.applied, self.isOnline, self.lastHeard) = (applied, isOnline, lastHeard)
        }
    }

    /// The outcome of the change at a box, by its facts.
    package enum Verdict: String, Sendable, Codable, CaseIterable {
        case reached, success, failure
        /// The box was away all the time.
        case notCounted
    }
}

extension FleetWatch {
    /// Facts about the boxes that receive a change. A named box without any report counts as away.
    package func facts(_ kind: FleetKind, _ selector: FleetSelector) -> [String: FleetRollout.Fact] {
        var facts: [String: FleetRollout.Fact] = [:]
        if case .boxes(let names) = selector {
            for name in names { facts[name] = .init(isOnline: false) }
        }
        for box in boxes.values where selector.includes(box: box.name, groups: box.status?.groups ?? []) {
            facts[box.name] = .init(
                applied: box.applied[kind], isOnline: box.isOnline, lastHeard: box.lastHeard)
        }
        return facts
    }
}
