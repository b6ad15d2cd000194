/// The answer to a request: a document, or a refusal.
public enum Reply: Sendable {
    case document(any ReplyDocument)
    case refused(ControlError)
}

/// The parameters of a Varlink reply.
public protocol ReplyDocument: Codable, Sendable {
    /// Whether its texts have several lines.
    static var hasLines: Bool { get }
    /// Its fields in the syntax of the interface's description.
    static var described: String { get }
}

extension ReplyDocument {
    /// Texts have one line each, unless a document declares otherwise.
    public static var hasLines: Bool { false }
}

/// The answer of every method that changes something: one sentence for a person, and the change.
public struct ChangeReply: ReplyDocument, Equatable {
    public static var described: String {
        "message: string, id: ?string, until: ?string, problems: ?[]string"
    }
    /// One sentence for a person.
    public let message: String
    /// The identity of the started sound, such as a test: see ``AnnouncementID``; omitted otherwise.
    public var id: String?
    /// RFC 3339: when a mute ends; omitted otherwise, and where it has no end.
    public var until: String?
    /// Parts that will not work although the change was made; sentences, omitted when there are none.
    public var problems: [String]?

    package init(_ message: String, id: String? = nil, until: String? = nil, problems: [String] = []) {
        self.message = message
        self.id = id
        self.until = until
        if !problems.isEmpty { self.problems = problems }
    }
}

/// The answer of `GetStatus`.
public struct StatusReply: ReplyDocument, Equatable {
    public static var described: String { "status: Status" }
    /// The present status.
    public let status: StatusDocument

    package init(status: StatusDocument) {
        self.status = status
    }
}

/// The answer of `GetTimes`.
public struct TimesReply: ReplyDocument, Equatable {
    public static var described: String { "times: Times" }
    /// The place, the calculation and the requested days.
    public let times: TimesDocument

    package init(times: TimesDocument) { self.times = times }
}

/// The answer of `GetHistory`; called with "more", one part of it.
public struct HistoryReply: ReplyDocument, Equatable {
    public static var described: String { "history: History" }
    /// The announcements; in a part, ``HistoryDocument/announcements`` are the part's, and the counts are those of the whole.
    public let history: HistoryDocument

    package init(history: HistoryDocument) {
        self.history = history
    }
}

/// The answer of `GetLog`.
public struct LogReply: ReplyDocument, Equatable {
    public static var described: String { "entries: []Event" }
    /// The most notices that are kept and sent.
    public static let capacity = 500
    /// The share of notices that callers cause.
    public static let shareOfCallers = 150

    /// The notices, the oldest first.
    public let entries: [LogEntry]

    package init(entries: [LogEntry]) {
        self.entries = entries
    }
}

/// One event of a monitor; or first, if requested, the present state.
public struct MonitorReply: ReplyDocument, Equatable {
    public static var described: String { "event: ?Event, status: ?Status" }
    /// The event; omitted in the snapshot.
    public let event: LogEntry?
    /// The status when the events begin; only in the first reply, and only with a snapshot.
    public let status: StatusDocument?

    package init(event: LogEntry) {
        self.event = event
        status = nil
    }

    package init(status: StatusDocument) {
        event = nil
        self.status = status
    }
}

/// The answer of `GetTimers`.
public struct TimersReply: ReplyDocument, Equatable {
    public static var described: String { "timers: []Timer, housekeeping: []Timer" }
    /// The announcements that are armed.
    public let timers: [TimerEntry]
    /// Other timers: preparation of a sound, midnight, the end of a mute.
    public let housekeeping: [TimerEntry]

    package init(timers: [TimerEntry], housekeeping: [TimerEntry]) {
        self.timers = timers
        self.housekeeping = housekeeping
    }
}

/// An instant at which adhand will act.
public struct TimerEntry: Codable, Sendable, Equatable {
    /// An announcement's identity, see ``AnnouncementID``; for other timers a name for people.
    public let id: String
    /// The instant in RFC 3339 in milliseconds.
    public let at: String

    package init(id: String, at: String) {
        self.id = id
        self.at = at
    }
}

/// The answer of `GetDiagnostics`.
public struct DiagnosticsReply: ReplyDocument, Equatable {
    public static var described: String { "text: string" }
    public static var hasLines: Bool { true }
    /// Several lines for a bug report, for people.
    public let text: String

    package init(text: String) {
        self.text = text
    }
}
