import PrayerEngine
package import Protocol
import Texts

/// Figures in the text format of Prometheus.
package struct Metrics: Sendable, Equatable {
    /// The counters of the bridge itself.
    package struct Counts: Sendable, Equatable {
        package var isConnected = false
        /// Counts by the name of the alert and `delivered` or `dropped`.
        package var alerts: [String: [String: Int]] = [:]
        package var queued = 0

        package init() {}
    }

    private var text = ""

    /// - Parameters:
    ///   - box: the box; `nil` while adhand does not answer.
    ///   - history: all entries that adhand keeps, each once.
    package static func text(
        _ box: BoxSnapshot?, history: [HistoryEntry], _ book: AlertBook, _ counts: Counts, version: String
    ) -> String {
        var metrics = Metrics()
        metrics.family(
            "adhand_build_info", "gauge", "Which version answers.",
            [(["version": box?.status.version ?? version], 1)])
        metrics.family("adhand_up", "gauge", "Whether adhand answers.", [([:], box == nil ? 0 : 1)])
        metrics.addHistory(history)
        if let box { metrics.add(box, history) }
        metrics.addOutputs(box?.status.namedOutputs ?? [], history)
        metrics.family(
            "adhand_problem", "gauge", "Whether an alert is open.",
            AlertKind.allCases.map { kind in
                (
                    ["alert": kind.rawValue],
                    book.open[AlertBook.Slot(kind: kind, isTest: false)] == nil ? 0 : 1
                )
            })
        metrics.family(
            "adhand_bridge_mqtt_connected", "gauge", "Whether a broker is connected.",
            [([:], counts.isConnected ? 1 : 0)])
        metrics.family(
            "adhand_alerts_total", "counter", "Messages by destination and what came of them.",
            counts.alerts.sorted { $0.key < $1.key }.flatMap { name, results in
                results.sorted { $0.key < $1.key }.map {
                    (["name": name, "result": $0.key], Double($0.value))
                }
            })
        metrics.family("adhand_alert_queue", "gauge", "Messages that wait.", [([:], Double(counts.queued))])
        return metrics.text
    }

    private mutating func addHistory(_ history: [HistoryEntry]) {
        var totals: [String: [String: Int]] = [:]
        var last: [String: Double] = [:]
        for entry in history where AnnouncementID(entry.id)?.kind == .adhan {
            totals[entry.prayer, default: [:]][entry.outcome.rawValue, default: 0] += 1
            if entry.outcome.isHeardSomewhere, let at = InstantText.parse(entry.started ?? entry.scheduled) {
                last[entry.prayer] = max(last[entry.prayer] ?? 0, at.unixSeconds)
            }
        }
        family(
            "adhand_adhans_total", "counter", "Adhans by prayer and what came of them.",
            totals.sorted { $0.key < $1.key }.flatMap { prayer, results in
                results.sorted { $0.key < $1.key }.map {
                    (["prayer": prayer, "result": $0.key], Double($0.value))
                }
            })
        family(
            "adhand_adhan_last_timestamp_seconds", "gauge", "When one was last heard.",
            last.sorted { $0.key < $1.key }.map { (["prayer": $0.key], $0.value) })
    }

    private mutating func add(_ box: BoxSnapshot, _ history: [HistoryEntry]) {
        let status = box.status
        if let next = status.next, let at = InstantText.parse(next.at) {
            family(
                "adhand_adhan_next_timestamp_seconds", "gauge", "When the next one is due.",
                [(["prayer": next.prayer], at.unixSeconds)])
        }
        if let late = history.last(where: { AnnouncementID($0.id)?.kind == .adhan && $0.latenessMs != nil })?
            .latenessMs
        {
            family(
                "adhand_adhan_last_start_delay_seconds", "gauge", "How late the last one began.",
                [([:], late / 1000)])
        }
        family(
            "adhand_state", "gauge", "What playback does: 1 at one of its states.",
            StatusDocument.Playback.State.allCases.map {
                (["state": $0.rawValue], $0 == status.playback.state ? 1 : 0)
            })
        family("adhand_muted", "gauge", "Whether something is muted.", [([:], status.mute.active ? 1 : 0)])
        let enabled = StatePayload(box).enabled
        family(
            "adhand_prayer_enabled", "gauge", "Whether a prayer is called.",
            enabled.sorted { $0.key < $1.key }.map { (["prayer": $0.key], $0.value ? 1 : 0) })
        family(
            "adhand_clock_synchronized", "gauge", "Whether a time server keeps the clock.",
            [([:], status.clock.synchronized ? 1 : 0)])
        family(
            "adhand_clock_trusted", "gauge", "Whether the clock is believed.",
            [([:], status.clock.trusted ? 1 : 0)])
        if let last = status.timetable?.last.flatMap({ CivilDate($0) }) {
            // The end of the timetable's last day, by the current UTC offset.
            let end = box.zone.startOfDay(last.adding(days: 1)).unixSeconds
            family(
                "adhand_timetable_end_timestamp_seconds", "gauge", "When the published times end.",
                [([:], end)])
        }
    }

    /// - Parameter outputs: the configured ones; the history may contain others.
    private mutating func addOutputs(_ outputs: [OutputState], _ history: [HistoryEntry]) {
        family(
            "adhand_output_healthy", "gauge",
            "Whether sound came out of an output when it was last used or tried.",
            outputs.map { (["output": $0.name], $0.healthy ? 1 : 0) })
        let proofs = history.flatMap { $0.outputs ?? [] }
        let counts = Dictionary(grouping: proofs) { [$0.name, $0.outcome.rawValue] }.mapValues(\.count)
        family(
            "adhand_output_outcomes_total", "counter", "Announcements by output and what came of them there.",
            counts.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map {
                (["output": $0.key[0], "outcome": $0.key[1]], Double($0.value))
            })
        let late = Dictionary(
            proofs.compactMap { proof in proof.latenessMs.map { (proof.name, $0) } }
        ) { _, last in last }
        family(
            "adhand_output_lateness_seconds", "gauge", "How late the last announcement began on an output.",
            late.sorted { $0.key < $1.key }.map { (["output": $0.key], $0.value / 1000) })
    }

    private mutating func family(
        _ name: String, _ type: String, _ help: String, _ samples: [([String: String], Double)]
    ) {
        guard !samples.isEmpty else { return }
        text += "# HELP \(name) \(help)\n# TYPE \(name) \(type)\n"
        for (labels, value) in samples {
            let list = labels.sorted { $0.key < $1.key }.map { "\($0.key)=\"\(Self.escaped($0.value))\"" }
            text +=
                name + (list.isEmpty ? "" : "{\(list.joined(separator: ","))}") + " \(Self.number(value))\n"
        }
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
    }

    private static func number(_ value: Double) -> String {
        value == value.rounded() && abs(value) < 1e15 ? "\(Int(value))" : NumberText.decimals(value, 3)
    }
}
