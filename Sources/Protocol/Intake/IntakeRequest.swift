/// One request to the intake, which receives people's files: this document as one line of JSON, then as many bytes as it states.
package struct IntakeRequest: Codable, Sendable, Equatable {
    package enum Act: String, Codable, Sendable, CaseIterable {
        case recording, picture, timetable
        case removeRecording = "remove-recording"
        case removePicture = "remove-picture"
        /// Whether a picture was accepted, and is kept.
        case findPicture = "find-picture"
        /// Reads the same timetable again, with other answers to the questions.
        case answerTimetable = "answer-timetable"
        /// Puts the timetable into force.
        case takeTimetable = "take-timetable"
        case undoTimetable = "undo-timetable"
        /// Removes the timetable: times are computed from then on. Can be undone like an import.
        case removeTimetable = "remove-timetable"

        /// The most bytes of a file; 0 for a request without one.
        package var mostBytes: Int {
            switch self {
            case .recording: 20 << 20
            case .timetable: 16 << 20
            case .picture: 4 << 20
            default: 0
            }
        }
    }

    /// How much of the timetable in force a new one replaces.
    package enum Replacing: String, Codable, Sendable, CaseIterable {
        case dates, all
    }

    package var act: Act
    /// Bytes of the file that follows.
    package var bytes = 0
    /// The name of a recording, of a timetable's file, or of a picture to remove.
    package var name: String?
    /// The only prayer for which the recording is used.
    package var prayer: String?
    // Answers to questions about a timetable, in the words of `adhanctl timetable import`.
    package var clock: String?
    package var hours: String?
    package var dates: String?
    package var year: String?
    package var asr: String?
    package var replace: Replacing?

    package init(_ act: Act) {
        self.act = act
    }

    /// The most bytes of the line.
    package static let mostHeadBytes = 4096
    /// The most seconds for the whole file.
    package static let longestSeconds = 300.0

    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        act = try fields.decode(Act.self, forKey: .act)
        bytes = try fields.decodeIfPresent(Int.self, forKey: .bytes) ?? 0
        name = try fields.decodeIfPresent(String.self, forKey: .name)
        prayer = try fields.decodeIfPresent(String.self, forKey: .prayer)
        clock = try fields.decodeIfPresent(String.self, forKey: .clock)
        hours = try fields.decodeIfPresent(String.self, forKey: .hours)
        dates = try fields.decodeIfPresent(String.self, forKey: .dates)
        year = try fields.decodeIfPresent(String.self, forKey: .year)
        asr = try fields.decodeIfPresent(String.self, forKey: .asr)
        replace = try fields.decodeIfPresent(Replacing.self, forKey: .replace)
    }
}
