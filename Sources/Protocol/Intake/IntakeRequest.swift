/// One act of the intake, which takes files of people: this document as one line of JSON, then as many bytes as it says.
package struct IntakeRequest: Codable, Sendable, Equatable {
    package enum Act: String, Codable, Sendable, CaseIterable {
        case recording, picture, timetable
        case removeRecording = "remove-recording"
        case removePicture = "remove-picture"
        /// Whether a picture was accepted, and is kept.
        case findPicture = "find-picture"
        /// The same timetable again, understood by other answers.
        case answerTimetable = "answer-timetable"
        /// Into force with it.
        case takeTimetable = "take-timetable"
        case undoTimetable = "undo-timetable"
        /// Times are computed from then on; to be undone like one that was taken.
        case removeTimetable = "remove-timetable"

        /// Bytes of a file; 0 for an act without one.
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
    /// A recording for this one alone.
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

    /// Bytes of the line.
    package static let mostHeadBytes = 4096
    /// Seconds for all of a file.
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
