import Texts

/// The questions and texts of `adhanctl feedback`: a text for the maintainers of adhand. Nothing is sent automatically.
package enum FeedbackText {
    package enum Kind: String, Sendable, CaseIterable {
        case wrongTime = "wrong-time"
        case noSound = "no-sound"
        case idea

        /// The kind of feedback, for people.
        package var title: String {
            switch self {
            case .wrongTime: "a wrong time"
            case .noSound: "no sound, or a bad one"
            case .idea: "an idea"
            }
        }

        /// The question about its details.
        package var explanation: String {
            switch self {
            case .wrongTime: "a prayer was called or shown at a wrong time"
            case .noSound: "a prayer was not heard, or sounded bad"
            case .idea: "something that adhand should do, or do otherwise"
            }
        }

        /// The details that are worth reporting.
        package var question: String {
            switch self {
            case .wrongTime:
                "Which prayer on which day, what did adhand say, and what is right by which timetable?"
            case .noSound:
                "What should have been heard and when, what was heard, and through what loudspeaker?"
            case .idea: "What would you like to do, and what stands in the way?"
            }
        }
    }

    package struct Parts: Sendable {
        package var kind: Kind
        /// The report in the person's own words.
        package var words: String
        /// The diagnostics, redacted.
        package var diagnostics: String
        /// The last events, redacted, a line each.
        package var log: [String]

        package init(kind: Kind, words: String, diagnostics: String, log: [String]) {
            self.kind = kind
            self.words = words
            self.diagnostics = diagnostics
            self.log = log
        }
    }

    /// Events that are attached.
    package static let events = 100

    package static func render(_ parts: Parts, date: String) -> String {
        let head = "adhand \(adhandVersion): feedback of \(date) about \(parts.kind.title)\n"
        let words = ReportText.section(
            "in my own words",
            parts.words.split(separator: "\n", omittingEmptySubsequences: false).map(String.init))
        return [head, words, attachments(parts)].joined(separator: "\n")
    }

    /// The parts that go along with the person's words.
    package static func attachments(_ parts: Parts) -> String {
        let log = parts.log.isEmpty ? ["none available"] : parts.log
        return parts.diagnostics + "\n" + ReportText.section("the last \(events) events", log)
    }

    /// The next steps with the file.
    package static func afterwards(_ path: String) -> String {
        """
        Written to \(path), which only you can read. Nothing has been sent.
        Read it, then send it to whoever looks after adhand for you, or attach it to a report where you got adhand from.

        """
    }
}
