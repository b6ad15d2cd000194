/// The answer to a request: a document, or a refusal.
package enum Reply: Sendable {
    case document(any ReplyDocument)
    case refused(ControlError)
}

/// The parameters of a Varlink reply.
package protocol ReplyDocument: Codable, Sendable {
    /// Whether its texts have several lines.
    static var hasLines: Bool { get }
    /// Its fields, as the interface's description writes them.
    static var described: String { get }
}

extension ReplyDocument {
    package static var hasLines: Bool { false }
}

/// The answer of everything that changes something: one sentence for a person, and what it did.
package struct SaidReply: ReplyDocument, Equatable {
    package static var described: String {
        "message: string, id: ?string, until: ?string, problems: ?[]string"
    }
    package let message: String
    package var id: String?
    package var until: String?
    /// Parts that will not work although it was done; sentences, left out when there are none.
    package var problems: [String]?

    package init(_ message: String, id: String? = nil, until: String? = nil, problems: [String] = []) {
        self.message = message
        self.id = id
        self.until = until
        if !problems.isEmpty { self.problems = problems }
    }
}

package struct StatusReply: ReplyDocument, Equatable {
    package static var described: String { "status: Status" }
    package let status: StatusDocument

    package init(status: StatusDocument) {
        self.status = status
    }
}

package struct TimesReply: ReplyDocument, Equatable {
    package static var described: String { "times: Times" }
    package let times: TimesDocument

    package init(times: TimesDocument) { self.times = times }
}

package struct HistoryReply: ReplyDocument, Equatable {
    package static var described: String { "history: History" }
    package let history: HistoryDocument

    package init(history: HistoryDocument) {
        self.history = history
    }
}

package struct LogReply: ReplyDocument, Equatable {
    package static var described: String { "entries: []Event" }
    /// At most as many of the last notices are sent.
    package static let capacity = 500
    /// Of these for what callers bring about.
    package static let shareOfCallers = 150

    package let entries: [LogEntry]

    package init(entries: [LogEntry]) {
        self.entries = entries
    }
}

/// One event of a monitor; or first of all, when that was asked for, what is true when it begins.
package struct MonitorReply: ReplyDocument, Equatable {
    package static var described: String { "event: ?Event, status: ?Status" }
    package let event: LogEntry?
    package let status: StatusDocument?

    package init(event: LogEntry) {
        self.event = event
        status = nil
    }

    package init(status: StatusDocument) {
        event = nil
        self.status = status
    }
}

package struct TimersReply: ReplyDocument, Equatable {
    package static var described: String { "timers: []Timer, housekeeping: []Timer" }
    /// The announcements that are armed.
    package let timers: [TimerEntry]
    /// Other timers: preparation of a sound, midnight, the end of a mute.
    package let housekeeping: [TimerEntry]

    package init(timers: [TimerEntry], housekeeping: [TimerEntry]) {
        self.timers = timers
        self.housekeeping = housekeeping
    }
}

package struct TimerEntry: Codable, Sendable, Equatable {
    package let id: String
    package let at: String

    package init(id: String, at: String) {
        self.id = id
        self.at = at
    }
}

package struct DiagnosticsReply: ReplyDocument, Equatable {
    package static var described: String { "text: string" }
    package static var hasLines: Bool { true }
    package let text: String

    package init(text: String) {
        self.text = text
    }
}
