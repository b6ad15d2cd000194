/// The outcome of one request to the intake: one line of JSON.
package struct IntakeReply: Codable, Sendable, Equatable {
    package enum Refusal: String, Codable, Sendable, CaseIterable {
        /// The line is not one of these requests, or a field has an invalid value.
        case request
        case tooLarge = "too-large"
        /// Fewer bytes arrived than were announced, or too slowly.
        case cut
        /// Another file is being received.
        case busy
        /// The file has another content than expected.
        case content
        /// The file is ambiguous: see `question`.
        case question
        /// The name is taken, or in use.
        case refused
        /// There is nothing to remove or to undo.
        case nothing
        /// It could not be saved.
        case notSaved = "not-saved"
    }

    package enum Question: String, Codable, Sendable, CaseIterable {
        case dates, asr
    }

    /// The outcome for people, without a path.
    package var message: String
    package var error: Refusal?
    package var question: Question?
    /// The added recording.
    package var sound: AddedSoundDocument?
    /// The name of the accepted picture: 64 hexadecimal digits.
    package var picture: String?
    package var timetable: IntakeTimetable?

    package init(_ message: String, error: Refusal? = nil) {
        self.message = message
        self.error = error
    }
}

/// A timetable as it was understood.
package struct IntakeTimetable: Codable, Sendable, Equatable {
    package struct Finding: Codable, Sendable, Equatable {
        package var kind: String
        package var isWarning: Bool
        /// The first day, YYYY-MM-DD.
        package var from: String
        package var until: String
        package var text: String

        package init(kind: String, isWarning: Bool, from: String, until: String, text: String) {
            (self.kind, self.isWarning, self.from, self.until) = (kind, isWarning, from, until)
            self.text = text
        }
    }

    package var days: Int
    package var first: String?
    package var last: String?
    package var clock: String?
    package var hours: Int?
    package var findings: [Finding]
    package var remarks: [String]
    /// Whether it is in force.
    package var saved: Bool

    package init(
        days: Int, first: String?, last: String?, clock: String?, hours: Int?, findings: [Finding],
        remarks: [String], saved: Bool
    ) {
        (self.days, self.first, self.last) = (days, first, last)
        (self.clock, self.hours, self.findings) = (clock, hours, findings)
        (self.remarks, self.saved) = (remarks, saved)
    }
}
