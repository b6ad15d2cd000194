public import Texts

/// One thing that is wrong now, according to adhand itself: a field of `status`, and the basis of alerts.
public struct StatusProblem: Codable, Sendable, Equatable {
    /// The kind of problem, each at most once in a status.
    public enum Kind: String, Codable, Sendable, CaseIterable {
        /// The latest due adhan was not called, or failed; ends with the next one that is played.
        case missed, failed
        /// The latest adhan was heard, but not on every output; ends with the next one that is played.
        case partial
        /// Too little of an adhan was audible, or the mixer was silent before it; ends with an adhan that is heard.
        case inaudible
        /// No sound device opens.
        case device
        /// The clock cannot be trusted, so nothing is called.
        case clock
        /// No place is set, so nothing is called.
        case place
        /// The published timetable ends soon, has nothing for today, or cannot be read.
        case timetable
        /// The configuration on disk is refused, and an older one is in force.
        case configuration
        /// The state cannot be saved.
        case disk

        /// A kind that a later version wrote.
        case unknown

        public init(from decoder: any Decoder) throws {
            let name = try? decoder.singleValueContainer().decode(String.self)
            self = name.flatMap { Self(rawValue: $0) } ?? .unknown
        }

        /// The severity of such a problem.
        public var severity: Severity {
            switch self {
            case .missed, .failed, .inaudible, .device, .clock, .place, .disk, .unknown: .problem
            case .partial, .timetable, .configuration: .warning
            }
        }
    }

    /// Whether an adhan is affected, or people should know about something else.
    public enum Severity: String, Codable, Sendable, CaseIterable {
        case problem, warning
    }

    /// The kind, for programs.
    public let kind: Kind
    /// The severity.
    public let severity: Severity
    /// RFC 3339: the instant of the adhan, or the moment at which the problem was noticed; `null` where only an untrusted clock
    /// could tell.
    @Nullable public var since: String?
    /// One sentence.
    public let message: String
    /// The command to type.
    @Nullable public var fix: String?

    package init(_ kind: Kind, since: String?, message: String, fix: String? = nil) {
        (self.kind, severity) = (kind, kind.severity)
        (self.message, self.since, self.fix) = (message, since, fix)
    }
}
