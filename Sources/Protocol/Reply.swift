/// The answer to a request: a document, or a refusal.
public enum Reply: Sendable {
    case document(any ReplyDocument)
    case refused(ControlError)
}

/// The parameters of a Varlink reply.
public protocol ReplyDocument: Codable, Sendable {
    /// Whether its texts have several lines.
    static var hasLines: Bool { get }
    /// Its fields, as the interface's description writes them.
    static var described: String { get }
}

extension ReplyDocument {
    public static var hasLines: Bool { false }
}

/// The answer of every method that changes something: one sentence for a person, and the change.
public struct SaidReply: ReplyDocument, Equatable {
    public static var described: String {
        "message: string, id: ?string, until: ?string, problems: ?[]string"
    }
    public let message: String
    public var id: String?
    public var until: String?
    /// Parts that will not work although it was done; sentences, left out when there are none.
    public var problems: [String]?

    public init(_ message: String, id: String? = nil, until: String? = nil, problems: [String] = []) {
        self.message = message
        self.id = id
        self.until = until
        if !problems.isEmpty { self.problems = problems }
    }
}

public struct StatusReply: ReplyDocument, Equatable {
    public static var described: String { "status: Status" }
    public let status: StatusDocument

    public init(status: StatusDocument) {
        self.status = status
    }
}

public struct TimesReply: ReplyDocument, Equatable {
    public static var described: String { "times: Times" }
    public let times: TimesDocument

    public init(times: TimesDocument) { self.times = times }
}

public struct HistoryReply: ReplyDocument, Equatable {
    public static var described: String { "history: History" }
    public let history: HistoryDocument

    public init(history: HistoryDocument) {
        self.history = history
    }
}

public struct LogReply: ReplyDocument, Equatable {
    public static var described: String { "entries: []Event" }
    /// At most as many of the last notices are sent.
    public static let capacity = 500
    /// Of these for what callers bring about.
    public static let shareOfCallers = 150

    public let entries: [LogEntry]

    public init(entries: [LogEntry]) {
        self.entries = entries
    }
}

/// One event of a monitor; or first, when it was asked for, the state at its beginning.
public struct MonitorReply: ReplyDocument, Equatable {
    public static var described: String { "event: ?Event, status: ?Status" }
    public let event: LogEntry?
    public let status: StatusDocument?

    public init(event: LogEntry) {
        self.event = event
        status = nil
    }

    public init(status: StatusDocument) {
        event = nil
        self.status = status
    }
}

public struct TimersReply: ReplyDocument, Equatable {
    public static var described: String { "timers: []Timer, housekeeping: []Timer" }
    /// The announcements that are armed.
    public let timers: [TimerEntry]
    /// Other timers: preparation of a sound, midnight, the end of a mute.
    public let housekeeping: [TimerEntry]

    public init(timers: [TimerEntry], housekeeping: [TimerEntry]) {
        self.timers = timers
        self.housekeeping = housekeeping
    }
}

public struct TimerEntry: Codable, Sendable, Equatable {
    public let id: String
    public let at: String

    public init(id: String, at: String) {
        self.id = id
        self.at = at
    }
}

public struct DiagnosticsReply: ReplyDocument, Equatable {
    public static var described: String { "text: string" }
    public static var hasLines: Bool { true }
    public let text: String

    public init(text: String) {
        self.text = text
    }
}
