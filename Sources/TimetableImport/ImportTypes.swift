package import PrayerEngine
package import Settings
package import Texts
package import Times

/// A file as it was found, or one out of an archive.
package struct ImportFile: Sendable, Equatable {
    package let name: String
    package let bytes: [UInt8]

    package init(name: String, bytes: [UInt8]) {
        self.name = name
        self.bytes = bytes
    }
}

/// The options of a person about a file, where it does not say it by itself.
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
    /// Headers by their meaning: `fajr`, `fajr_iqama`, `date`, `day`, `month`, `year`.
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
    /// The questions that a person who is there may be asked instead.
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

/// The understood content of the files.
package struct ImportResult: Sendable {
    package var table: PublishedTimetable
    package var format: FileFormat
    package var clock: TimetableClock
    package var hours: Int
    package var year: ImportOptions.Year?
    package var asr: AsrSchool?
    /// Headers as they stand in the file, by column.
    package var columns: [String: String]
    /// How many days have a row.
    package var days: Int
    package var missing: [DateSpan]
    package var findings: [TimetableFinding]
    /// Decisions on the way, a sentence each.
    package var remarks: [String]
}
