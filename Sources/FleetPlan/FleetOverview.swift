import Envelope
package import PrayerEngine
package import Texts

/// The fleet at one moment, for people and programs.
package struct FleetOverview: Codable, Sendable, Equatable {
    package enum State: String, Codable, Sendable, CaseIterable {
        /// One of its adhans was not heard.
        case silent
        /// The box is absent although an adhan was due.
        case dead
        /// The box is absent.
        case offline
        /// Something else is wrong.
        case problem
        case online
    }

    package struct Box: Codable, Sendable, Equatable {
        package let box: String
        package let state: State
        package let groups: [String]
        @Nullable package var version: String?
        @Nullable package var lastHeard: String?
        @Nullable package var lastSeen: String?
        /// The next adhan in its plan.
        @Nullable package var next: String?
        /// The newest number of each kind that is in force or on trial.
        package let seq: [String: Int]
        /// Alerts about this box, and an alert about many boxes that includes it.
        package let alerts: [String]
    }

    package struct Alert: Codable, Sendable, Equatable {
        package let alertname: String
        package let labels: [String: String]
        package let summary: String
        package let since: String
    }

    package var v = 1
    package let org: String
    package let at: String
    /// Whether the watcher is connected to a broker.
    package let broker: Bool
    package let counts: [String: Int]
    package let alerts: [Alert]
    /// Silent boxes first, then dead ones, then the rest by group.
    package let boxes: [Box]
}

extension FleetWatch {
    package func overview(at now: Instant) -> FleetOverview {
        // Thousands of boxes in one town have the same next adhan, so each text is made once.
        var known: [Int: String] = [:]
        func text(_ instant: Instant) -> String {
            let second = Int(instant.unixSeconds.rounded())
            if let text = known[second] { return text }
            let text = InstantText.rfc3339(instant, in: .utc)
            known[second] = text
            return text
        }
        let open = alerts.sorted {
            ($0.startsAt, $0.identity.name.rawValue, $0.identity.box, $0.identity.subject)
                < ($1.startsAt, $1.identity.name.rawValue, $1.identity.box, $1.identity.subject)
        }
        let byBox = Dictionary(grouping: open.filter { !$0.identity.box.isEmpty }, by: \.identity.box)
        let list = boxes.values.map { box -> FleetOverview.Box in
            let own = byBox[box.name] ?? []
            return FleetOverview.Box(
                box: box.name, state: state(of: box, own.map(\.identity.name)),
                groups: box.status?.groups ?? [],
                version: box.status?.version, lastHeard: box.lastHeard.map(text),
                lastSeen: box.lastSeen.map(text), next: box.next(after: now).map(text),
                seq: Dictionary(uniqueKeysWithValues: box.numbers.map { ($0.key.rawValue, $0.value) }),
                alerts: own.map(\.identity.name.rawValue)
                    + (crowd.contains(box.name) ? [AlertName.fleetOffline.rawValue] : []))
        }
        // Only boxes that need attention stand out; the rest is sorted by group.
        let rank = Dictionary(
            uniqueKeysWithValues: FleetOverview.State.allCases.enumerated().map { ($1, min($0, 2)) })
        let places = list.indices.map { index in
            (rank: rank[list[index].state] ?? 2, group: list[index].groups.first ?? "", index: index)
        }
        let sorted = places.sorted {
            if $0.rank != $1.rank { return $0.rank < $1.rank }
            return $0.group != $1.group ? $0.group < $1.group : list[$0.index].box < list[$1.index].box
        }
        return FleetOverview(
            org: topics.org, at: text(now), broker: isConnected,
            counts: Dictionary(list.map { ($0.state.rawValue, 1) }, uniquingKeysWith: +),
            alerts: open.map {
                .init(
                    alertname: $0.identity.name.rawValue, labels: $0.labels, summary: $0.summary,
                    since: text($0.startsAt))
            }, boxes: sorted.map { list[$0.index] })
    }

    private func counts() -> [FleetOverview.State: Int] {
        let byBox = Dictionary(grouping: alerts, by: \.identity.box)
        return Dictionary(
            boxes.values.map { (state(of: $0, (byBox[$0.name] ?? []).map(\.identity.name)), 1) },
            uniquingKeysWith: +)
    }

    private func state(of box: WatchedBox, _ alerts: [AlertName]) -> FleetOverview.State {
        if box.hasSilence || alerts.contains(.adhanFailed) { return .silent }
        if alerts.contains(.boxDead) { return .dead }
        guard box.isOnline else { return .offline }
        return alerts.isEmpty ? .online : .problem
    }

    /// The figures in the text format of Prometheus.
    package func metrics(lagSeconds: Double, version: String) -> String {
        let names = boxes.keys.sorted()
        let counts = counts()
        var lines = [
            "# HELP adhan_fleet_build_info The program.", "# TYPE adhan_fleet_build_info gauge",
            "adhan_fleet_build_info{version=\"\(version)\"} 1",
        ]
        func family(_ name: String, _ kind: String, _ help: String, _ rows: [String]) {
            lines.append("# HELP \(name) \(help)")
            lines.append("# TYPE \(name) \(kind)")
            lines += rows
        }
        family(
            "adhan_fleet_up", "gauge", "Whether the watch hears the broker.",
            ["adhan_fleet_up \(isConnected ? 1 : 0)"])
        family(
            "adhan_fleet_boxes", "gauge", "Boxes by state.",
            FleetOverview.State.allCases.map {
                "adhan_fleet_boxes{state=\"\($0.rawValue)\"} \(counts[$0] ?? 0)"
            })
        family(
            "adhan_fleet_watch_lag_seconds", "gauge", "How late the last assessment was.",
            ["adhan_fleet_watch_lag_seconds \((lagSeconds * 1000).rounded() / 1000)"])
        family(
            "adhan_fleet_refused_total", "counter", "Reports that were not read.",
            refused.sorted { $0.key < $1.key }.map { "adhan_fleet_refused_total{reason=\"\($0)\"} \($1)" })
        family(
            "adhan_fleet_damaged_files", "gauge",
            "Files of the fleet's folder that are damaged, or were lost.",
            ["adhan_fleet_damaged_files \(damagedFiles.count)"])
        family(
            "adhan_fleet_change_conflicts", "gauge",
            "Topics on which another change stands than the one given.",
            ["adhan_fleet_change_conflicts \(conflicts.reduce(0) { $0 + $1.count })"])
        if let servedIndex {
            family(
                "adhan_fleet_index_end_timestamp_seconds", "gauge",
                "When the index of the archive that boxes are served is over.",
                ["adhan_fleet_index_end_timestamp_seconds \(Int(servedIndex.validUntil.unixSeconds))"])
        }
        family(
            "adhan_fleet_former_key_envelopes", "gauge",
            "Envelopes that have to be signed again, as the watch does not know their key.",
            ["adhan_fleet_former_key_envelopes \(formerKeys.reduce(0) { $0 + $1.count })"])
        func perBox(_ name: String, _ kind: String, _ help: String, _ value: (WatchedBox) -> String?) {
            family(
                name, kind, help,
                names.compactMap { box in
                    boxes[box].flatMap(value).map { "\(name){box=\"\(box)\"} \($0)" }
                })
        }
        perBox("adhand_expected_total", "counter", "Adhans that were to be heard.") { String($0.expected) }
        perBox("adhand_heard_total", "counter", "Adhans that were heard.") { String($0.heard) }
        perBox("adhand_box_last_heard_timestamp_seconds", "gauge", "The start of the last one.") {
            $0.lastHeard.map { String(Int($0.unixSeconds)) }
        }
        perBox("adhand_box_online", "gauge", "Whether it is heard of.") { $0.isOnline ? "1" : "0" }
        family(
            "adhand_box_seq", "gauge", "The number of the change that it has in force, or tries, by kind.",
            names.flatMap { name in
                (boxes[name]?.numbers ?? [:]).sorted { $0.key.rawValue < $1.key.rawValue }.map {
                    "adhand_box_seq{box=\"\(name)\",kind=\"\($0.key.rawValue)\"} \($0.value)"
                }
            })
        return lines.joined(separator: "\n") + "\n"
    }
}

extension WatchedBox {
    func next(after now: Instant) -> Instant? { entries.first { $0.due > now }?.due }
}

// MARK: Alertmanager

extension FleetAlert {
    private struct Document: Encodable {
        let labels: [String: String]
        let annotations: [String: String]
        let startsAt: String
        /// The end; omitted while the alarm is open, because Alertmanager ends an alarm that is no longer posted.
        let endsAt: String?
    }

    /// The most alarms per request.
    private static let mostOfOne = 500

    /// The bodies of requests to `/api/v2/alerts`.
    package static func bodies(_ alerts: [FleetAlert], org: String) -> [[UInt8]] {
        stride(from: 0, to: alerts.count, by: mostOfOne).compactMap { start in
            let documents = alerts[start..<min(start + mostOfOne, alerts.count)].map { alert in
                Document(
                    labels: alert.labels.merging(["alertname": alert.identity.name.rawValue, "org": org]) {
                        $1
                    },
                    annotations: ["summary": alert.summary],
                    startsAt: InstantText.rfc3339(alert.startsAt, in: .utc),
                    endsAt: alert.endsAt.map { InstantText.rfc3339($0, in: .utc) })
            }
            return try? JSON.encode(documents)
        }
    }
}
