package import Protocol
package import Texts

/// One message about an alert: the document of `format = "json"`, from which all other formats are derived.
package struct AlertMessage: Codable, Sendable, Equatable {
    package enum Phase: String, Codable, Sendable { case begin, reminder, end }

    package var v = 1
    /// Identifies one occurrence of an alert: `failed-1795393859`.
    package let key: String
    package let box: String
    package let name: String
    package let alert: AlertKind
    package let phase: Phase
    package let severity: StatusProblem.Severity
    @Nullable package var since: String?
    package let at: String
    @Nullable package var id: String?
    @Nullable package var prayer: String?
    @Nullable package var reason: String?
    package let count: Int
    /// Whether it is about a simulated prayer, or sent by `adhan-bridge test`.
    package let test: Bool
    package let text: String

    package init(
        key: String, box: String, name: String, alert: AlertKind, phase: Phase, since: String?, at: String,
        id: String? = nil, prayer: String? = nil, reason: String? = nil, count: Int = 1, test: Bool = false,
        text: String
    ) {
        (self.key, self.box, self.name, self.alert, self.phase) = (key, box, name, alert, phase)
        severity = alert.severity
        (self.at, self.count, self.test, self.text) = (at, count, test, text)
        (self.since, self.id, self.prayer, self.reason) = (since, id, prayer, reason)
    }

    /// Identifies a message, so that a receiver recognises a repetition.
    package var idempotencyKey: String { "\(key)-\(phase.rawValue)" + (phase == .reminder ? "-\(at)" : "") }
}
