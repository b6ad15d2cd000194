package import Texts

/// The reason why this fleet is not being assessed.
package struct WatcherError: Error, Sendable, Equatable {
    /// The predicate of a sentence whose subject is the watcher's address, such as "does not answer".
    package let sentence: String

    package init(_ sentence: String) { self.sentence = sentence }
}

/// The boxes of a fleet for a terminal: as the watcher assesses them, or else as they report themselves.
package struct FleetStatus: Encodable, Sendable, Equatable {
    package var v = 1
    package let org: String
    /// Whether a watcher has assessed the boxes.
    package let isAssessed: Bool
    /// The reason why no watcher has, as a sentence.
    @Nullable package var reason: String?
    @Nullable package var overview: FleetOverview?
    @Nullable package var reports: [ReportedBox]?

    private enum CodingKeys: String, CodingKey {
        case v, org
        case isAssessed = "judged"
        case reason, overview, reports
    }

    package init(_ overview: FleetOverview) {
        (org, isAssessed) = (overview.org, true)
        reason = nil
        self.overview = overview
        reports = nil
    }

    package init(org: String, _ reports: [ReportedBox], because reason: String) {
        (self.org, isAssessed) = (org, false)
        self.reason = reason
        overview = nil
        self.reports = reports
    }

    /// The status of one box; `nil` if the box is unknown.
    package func only(_ box: String) -> FleetStatus? {
        var one = self
        one.overview = overview?.only(box)
        one.reports = reports.map { $0.filter { $0.box == box } }
        return one.overview == nil && (one.reports ?? []).isEmpty ? nil : one
    }

    /// The text for a person.
    package var text: String {
        if let overview { return overview.text }
        let boxes = reports ?? []
        let lines = boxes.map { box in
            "\(box.box)  reports \(box.online ? "online" : "offline")  \(box.lastOutcome ?? "no adhan yet")  \(box.groups.joined(separator: ","))\n"
        }
        return """
            No watcher assesses these boxes: \(reason ?? ""). "systemctl status adhan-fleet" says more.
            Below stands what the broker keeps of each box. One that reports online may be silent, or gone.
            \(FleetOverview.number(boxes.count)), of which \(boxes.count { $0.online }) report online
            \(lines.joined())
            """
    }
}

extension FleetOverview {
    /// Reads a watcher's answer to `/status.json`.
    /// - Parameter body: `nil` if it exceeds the limit.
    package static func read(
        status: Int, _ body: [UInt8]?, org: String
    ) throws(WatcherError) -> FleetOverview {
        guard status == 200 else { throw WatcherError("answers with status \(status)") }
        guard let body else { throw WatcherError("answers with more than a fleet has") }
        guard let overview = try? JSON.decode(FleetOverview.self, from: body), overview.v == 1 else {
            throw WatcherError("answers, and is no watcher of this version")
        }
        guard overview.org == org else {
            throw WatcherError("is the watcher of another fleet, \"\(PlainText.visible(overview.org))\"")
        }
        return overview
    }

    /// Counts such as `4 boxes: 2 silent, 2 online`.
    var countsText: String {
        let parts = State.allCases.compactMap { state in
            counts[state.rawValue].map { "\($0) \(state.rawValue)" }
        }
        return "\(Self.number(boxes.count)): \(parts.isEmpty ? "none" : parts.joined(separator: ", "))"
    }

    static func number(_ count: Int) -> String { count == 1 ? "1 box" : "\(count) boxes" }

    /// The warning if the assessment is no longer updated.
    static let staleText = "The watcher has no broker: all of this is old."

    /// The overview of one box; `nil` if the watcher does not know it.
    func only(_ box: String) -> FleetOverview? {
        guard let found = boxes.first(where: { $0.box == box }) else { return nil }
        return FleetOverview(
            org: org, at: at, broker: broker, counts: [found.state.rawValue: 1],
            alerts: alerts.filter {
                // The only alert about many boxes without a reason is the one that they are gone or silent.
                $0.labels["box"] == box
                    || $0.alertname == AlertName.fleetOffline.rawValue && $0.labels["reason"] == nil
                        && found.alerts.contains($0.alertname)
            }, boxes: [found])
    }

    /// The overview as text for a terminal.
    var text: String {
        var text = "\(countsText). \(at)\n"
        if !broker { text += Self.staleText + "\n" }
        for alert in alerts { text += "\(alert.alertname): \(alert.summary) (since \(alert.since))\n" }
        for box in boxes {
            text +=
                "\(box.box)  \(box.state.rawValue)  last heard \(box.lastHeard ?? "never")  next \(box.next ?? "none")  \(box.groups.joined(separator: ","))\n"
        }
        return text
    }
}
