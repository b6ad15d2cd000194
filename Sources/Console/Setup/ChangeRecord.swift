package import Protocol
package import Settings

/// Items besides the configuration that a change of the place removed, kept beside the previous text for `--undo`.
package struct ChangeRecord: Codable, Sendable, Equatable {
    package enum Timetable: String, Codable, Sendable {
        case removed, replaced
    }

    package var timetable: Timetable?
    /// The exceptions set by hand that are removed.
    package var exceptions: ExceptionsReply?
    /// The mark of the text that the command wrote (``ConfigurationMark``); `nil` where the text before may have been damaged.
    package var written: String?

    package init(timetable: Timetable? = nil, removed exceptions: DayExceptions = DayExceptions()) {
        self.timetable = timetable
        self.exceptions = exceptions.isEmpty ? nil : ExceptionsReply(exceptions)
    }

    package var isEmpty: Bool { timetable == nil && exceptions == nil && written == nil }

    /// The command that sets one of them again.
    package static func command(for exception: ExceptionParameters) -> String {
        var words = ["adhanctl exception", exception.date, exception.prayer]
        if let adhan = exception.adhan { words.append(adhan) }
        if let iqama = exception.iqama { words += ["--iqama", iqama] }
        if let reason = exception.reason {
            words += ["--reason", "'" + reason.replacing("'", with: #"'\''"#) + "'"]
        }
        return words.joined(separator: " ")
    }
}

extension ExceptionParameters {
    package init(_ entry: ExceptionsReply.Entry) {
        self.init(
            date: entry.date, prayer: entry.prayer, adhan: entry.adhan, iqama: entry.iqama,
            reason: entry.reason)
    }
}
