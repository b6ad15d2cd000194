package import Texts

/// The subjects of a box's reports: the last part of `adhand/v1/ORG/BOX/up/…`.
package enum ReportTopic: Sendable, Hashable {
    case status, plan
    case adhan(Prayer)
    case backlog, problems
    case applied(FleetKind)
    case beat

    package var path: String {
        switch self {
        case .status: "status"
        case .plan: "plan"
        case .adhan(let prayer): "adhan/\(prayer.rawValue)"
        case .backlog: "backlog"
        case .problems: "problems"
        case .applied(let kind): "applied/\(kind.rawValue)"
        case .beat: "hb"
        }
    }

    /// Whether a broker keeps the last one.
    package var isRetained: Bool {
        switch self {
        case .backlog, .beat: false
        case .status, .plan, .adhan, .problems, .applied: true
        }
    }

    /// Every retained topic of a box, so that a box that has left can be removed from a broker.
    package static let retained: [ReportTopic] =
        [.status, .plan, .problems] + Prayer.allCases.map { .adhan($0) }
        + FleetKind.allCases.map { .applied($0) }

    init?(_ parts: ArraySlice<Substring>) {
        switch (parts.count, parts.first, parts.last) {
        case (1, "status", _): self = .status
        case (1, "plan", _): self = .plan
        case (1, "backlog", _): self = .backlog
        case (1, "problems", _): self = .problems
        case (1, "hb", _): self = .beat
        case (2, "adhan", let name?):
            guard let prayer = Prayer(rawValue: String(name)) else { return nil }
            self = .adhan(prayer)
        case (2, "applied", let name?):
            guard let kind = FleetKind(rawValue: String(name)) else { return nil }
            self = .applied(kind)
        default: return nil
        }
    }
}

/// The topics of one fleet at its broker: `adhand/v1/ORG/…`.
package struct FleetTopic: Sendable, Equatable {
    package let org: String

    package init(org: String) { self.org = org }

    private static let root = "adhand/v1"
    /// The words in the position of a box's name that name no box.
    package static let reserved = ["all", "enrol", "shard"]

    package func report(_ topic: ReportTopic, of box: String) -> String {
        "\(Self.root)/\(org)/\(box)/up/\(topic.path)"
    }

    package func change(_ kind: FleetKind, for box: String) -> String {
        "\(Self.root)/\(org)/\(box)/down/\(kind.rawValue)"
    }

    /// The filters of a box: its own changes, and those for all boxes.
    package func changeFilters(of box: String) -> [String] {
        ["\(Self.root)/\(org)/\(box)/down/#", "\(Self.root)/\(org)/all/down/#"]
    }

    /// The filter of the watcher.
    package var reportFilter: String { "\(Self.root)/\(org)/+/up/#" }

    /// The filter of everything that the fleet publishes to boxes.
    package var changeFilter: String { "\(Self.root)/\(org)/+/down/#" }

    /// The filter of all changes of one kind.
    package func filter(of kind: FleetKind) -> String { change(kind, for: "+") }

    /// The topic of a client's message to itself. When the message returns, everything retained for this client has arrived.
    package func echo(of client: String) -> String { "\(Self.root)/\(org)/echo/\(client)" }

    /// The topic on which an unknown box requests its place.
    package func enrolment(of box: String) -> String { "\(Self.root)/\(org)/enrol/\(box)" }

    /// - Returns: the box and the subject; `nil` for every other topic.
    package func report(at topic: String) -> (box: String, topic: ReportTopic)? {
        guard let (box, rest) = parts(topic, "up"), let topic = ReportTopic(rest) else { return nil }
        guard !Self.reserved.contains(box) else { return nil }
        return (box, topic)
    }

    /// - Returns: the box (`nil`: all) and the kind of a change; `nil` for every other topic.
    package func change(at topic: String) -> (box: String?, kind: FleetKind)? {
        guard let (box, rest) = parts(topic, "down"), rest.count == 1,
            let kind = rest.first.flatMap({ FleetKind(rawValue: String($0)) })
        else { return nil }
        return (box == "all" ? nil : box, kind)
    }

    private func parts(_ topic: String, _ direction: String) -> (box: String, rest: ArraySlice<Substring>)? {
        guard topic.utf8.count <= 160 else { return nil }
        let parts = topic.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count >= 6, parts[0] == "adhand", parts[1] == "v1", parts[2] == org, parts[4] == direction
        else { return nil }
        let box = String(parts[3])
        return FleetName.isBox(box) ? (box, parts[5...]) : nil
    }
}
