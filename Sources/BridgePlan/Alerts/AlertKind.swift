package import Protocol

/// The subject of an alert.
package enum AlertKind: String, Sendable, CaseIterable, Codable {
    case missed, failed, partial, inaudible, device, clock, place, timetable, configuration, disk
    /// A flashed box has abandoned a layer.
    case upgrade
    /// adhand does not answer.
    case daemon
    /// Another box uses this one's identity.
    case clone
    /// No broker answers.
    case mqtt

    /// The kind of a problem that adhand reports; `nil` for a kind of a later version.
    package init?(_ kind: StatusProblem.Kind) { self.init(rawValue: kind.rawValue) }

    package var severity: StatusProblem.Severity {
        switch self {
        case .partial, .timetable, .configuration, .upgrade: .warning
        default: .problem
        }
    }

    /// Seconds that the problem must last before its alert begins.
    package var afterSeconds: Double {
        switch self {
        // A person may be setting up a new box, or changing its place.
        case .clock, .place: 600
        case .configuration, .disk, .daemon: 60
        case .missed, .failed, .partial, .inaudible, .device, .timetable, .upgrade, .clone: 0
        case .mqtt: 900
        }
    }

    /// Whether adhand reports this kind, so that its state is unknown while adhand does not answer.
    package var isAdhands: Bool {
        switch self {
        case .upgrade, .daemon, .clone, .mqtt: false
        default: true
        }
    }
}
