public import Texts

/// One thing that is wrong now, as adhand itself finds it: a field of `status`, and what alerts are made of.
public struct StatusProblem: Codable, Sendable, Equatable {
    /// The kind of problem, each at most once in a status.
    public enum Kind: String, Codable, Sendable, CaseIterable {
        /// The latest adhan that was due was not called, or failed; over with the next one that is played.
        case missed, failed
        /// The latest adhan was heard, but not on every output; over with the next one that is played.
        case partial
        /// Too little of an adhan came out of the device, or the mixer was silent before it; over with an adhan that is heard.
        case inaudible
        /// No sound device opens.
        case device
        /// The clock cannot be trusted, so that nothing is called.
        case clock
        /// No place is known, so that nothing is called.
        case place
        /// The published timetable ends soon, has nothing for today, or cannot be read.
        case timetable
        /// The configuration on disk is refused, and an older one is in force.
        case configuration
        /// The state cannot be saved.
        case disk

        /// One that a later version wrote.
        case unknown

        public init(from decoder: any Decoder) throws {
            let name = try? decoder.singleValueContainer().decode(String.self)
            self = name.flatMap { Self(rawValue: $0) } ?? .unknown
        }

        /// How grave such a problem is.
        public var severity: Severity {
            switch self {
            case .missed, .failed, .inaudible, .device, .clock, .place, .disk, .unknown: .problem
            case .partial, .timetable, .configuration: .warning
            }
        }
    }

    /// Whether an adhan was or will not be heard as it should, or somebody should know about something else.
    public enum Severity: String, Codable, Sendable, CaseIterable {
        case problem, warning
    }

    /// The kind, for programs.
    public let kind: Kind
    /// How grave it is.
    public let severity: Severity
    /// RFC 3339: the instant of the adhan, or of the moment at which it was noticed; `null` where only a clock that cannot be trusted
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
