internal import BridgePlan
internal import Texts

/// The content of `status.json`, and the answer of `adhan-bridge status --json`.
struct BridgeStatus: Codable, Equatable {
    struct Broker: Codable, Equatable {
        let connected: Bool
        @Nullable var broker: String?
        /// The reason why it is not connected, as a word.
        @Nullable var reason: String?
        /// The progress of a box's own admission; only for the fleet.
        var membership: FleetAdmission.Standing?
    }

    struct Delivery: Codable, Equatable {
        let name: String
        @Nullable var at: String?
        @Nullable var delivered: Bool?
        @Nullable var detail: String?
    }

    var v = 1
    let box: String
    /// Whether adhand answers.
    let adhand: Bool
    /// `null` if no broker is configured.
    @Nullable var mqtt: Broker?
    /// `null` if [fleet] names no broker, or adhand belongs to no fleet.
    @Nullable var fleet: Broker?
    let queued: Int
    let open: [ProblemsPayload.Open]
    let destinations: [Delivery]

    private static func waits(_ fleet: Broker) -> String {
        let reason = fleet.reason.map { " (\($0))" } ?? ""
        return switch fleet.membership {
        case .asking: "asks for its place\(reason)"
        case .waiting: "has asked for its place, and waits to be let in"
        case .closed: "not let in: the word of its card counts no longer; it needs a new fleet.toml"
        case .member, nil: "not connected\(reason)"
        }
    }

    /// The status as text.
    var text: String {
        var lines = ["adhand: \(adhand ? "answers" : "does not answer")"]
        if let mqtt {
            lines.append(
                mqtt.connected
                    ? "MQTT: connected to \(mqtt.broker ?? "a broker") as adhand-\(box)"
                    : "MQTT: not connected\(mqtt.reason.map { " (\($0))" } ?? "")")
        } else {
            lines.append("MQTT: off")
        }
        if let fleet {
            lines.append(
                fleet.connected
                    ? "Fleet: connected to \(fleet.broker ?? "a broker") as \(box)"
                    : "Fleet: \(Self.waits(fleet))")
        }
        lines.append("Messages that wait: \(queued)")
        for alert in open { lines.append("Open: \(alert.alert): \(alert.text)") }
        for destination in destinations {
            let last = destination.at.map { at in
                "\(destination.delivered == true ? "delivered" : "not taken") at \(at) (\(destination.detail ?? ""))"
            }
            lines.append("Alert \"\(destination.name)\": \(last ?? "nothing was sent yet")")
        }
        return lines.map { $0 + "\n" }.joined()
    }
}
