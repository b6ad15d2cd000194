package import PrayerEngine
package import Settings
package import Texts
package import Times

/// A file as it was found, or one from an archive.
package struct ImportFile: Sendable, Equatable {
    package let name: String
    package let bytes: [UInt8]

    package init(name: String, bytes: [UInt8]) {
        self.name = name
        self.bytes = bytes
    }
}

/// Facts about a file that a person supplies because the file does not state them.
package struct ImportOptions: Sendable {
    package enum Year: Sendable, Equatable {
        case of(Int)
        case every
    }

    package var format: FileFormat?
    package var clock: TimetableClock?
    package var year: Year?
    package var hours: Int?
    package var dates: DateOrder?
    package var asr: AsrSchool?
    /// Headers by their meaning; the keys are `fajr`, `fajr_iqama`, `date`, `day`, `month`, `year` and the like.
    package var columns: [String: String] = [:]
    package var name = "main"

    package init() {}
}

/// The forms in which timetables are published, by the names that `--format` takes.
package enum FileFormat: String, CaseIterable, Sendable {
    case adhand, mawaqit
    case mawaqitYear = "mawaqit-year"
    case mawaqitJSON = "mawaqit-json"
    case dailyPrayerTime = "daily-prayer-time"
    case tawkit, london, muis, jakim, kemenag, diyanet, masjidal
    case myMasjid = "my-masjid"
    case csv, tsv, json
}

/// Why nothing was imported.
package struct ImportRefusal: Error, Sendable {
    /// Questions that may be put to a person instead, if one is present.
    package enum Question: Sendable, Equatable {
        case dates, asr
    }

    package let mistake: TimetableError
    package let question: Question?

    package init(_ mistake: TimetableError, asking question: Question? = nil) {
        self.mistake = mistake
        self.question = question
    }

    init(
        _ reason: String, file: String, line: Int? = nil, cell: String? = nil,
        asking question: Question? = nil
    ) {
        self.init(TimetableError(reason, file: file, line: line, cell: cell), asking: question)
    }
}

/// The content of the files as understood.
package struct ImportResult: Sendable {
    package var table: PublishedTimetable
    package var format: FileFormat
    package var clock: TimetableClock
    package var hours: Int
    package var year: ImportOptions.Year?
    package var asr: AsrSchool?
    /// Headers as written in the file, by column.
    package var columns: [String: String]
    /// The number of days that have a row.
    package var days: Int
    package var missing: [DateSpan]
    package var findings: [TimetableFinding]
    /// Decisions made during the import, one sentence each.
    package var remarks: [String]
}
