package import Envelope
import PrayerEngine
package import Texts

/// A box according to the broker's retained reports, which are claims that were not assessed.
package struct ReportedBox: Codable, Sendable, Equatable {
    package let box: String
    /// The box's own report, or its will after it has disconnected.
    package let online: Bool
    package let groups: [String]
    @Nullable package var version: String?
    /// The newest adhan, its state and its instant.
    @Nullable package var lastOutcome: String?
    package let failed: Bool
    package let problems: [String]
    package let seq: [String: Int]
}

/// The retained reports of a fleet, collected once.
package struct ReportedBoxes: Sendable {
    private struct Box: Sendable {
        var status: ReceivedReport.Status?
        var newest: ReceivedReport.Adhan?
        var problems: [String] = []
        var seq: [String: Int] = [:]
    }

    private let topics: FleetTopic
    private var boxes: [String: Box] = [:]

    package init(_ topics: FleetTopic) { self.topics = topics }

    package mutating func receive(_ topic: String, _ payload: [UInt8]) {
        guard let (name, topic) = topics.report(at: topic), let report = try? ReceivedReport(topic, payload)
        else { return }
        var box = boxes[name] ?? Box()
        switch report {
        case .status(let status): box.status = status
        case .adhan(let adhan): if box.newest.map({ $0.due <= adhan.due }) ?? true { box.newest = adhan }
        case .problems(let open): box.problems = open.map(\.alert)
        case .applied(let applied):
            // A box does not have a change that it refused.
            box.seq[applied.kind.rawValue] = applied.state == .refused ? nil : applied.seq
        case .plan, .backlog, .beat, .cleared: break
        }
        boxes[name] = box
    }

    /// The boxes, with those that report problems first.
    package var rows: [ReportedBox] {
        boxes.map { name, box in
            ReportedBox(
                box: name, online: box.status?.isOnline ?? false, groups: box.status?.groups ?? [],
                version: box.status?.version,
                lastOutcome: box.newest.map {
                    "\($0.id) \($0.state.rawValue) \(InstantText.rfc3339($0.due, in: .utc))"
                }, failed: box.newest?.isFailure ?? false, problems: box.problems, seq: box.seq)
        }.sorted {
            ($0.failed ? 0 : 1, $0.online ? 1 : 0, $0.groups.first ?? "", $0.box)
                < ($1.failed ? 0 : 1, $1.online ? 1 : 0, $1.groups.first ?? "", $1.box)
        }
    }
}
