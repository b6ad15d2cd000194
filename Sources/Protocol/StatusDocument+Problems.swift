package import PrayerEngine
public import Settings
public import Texts
public import Times

/// The problems in the status, and the timetable.
extension StatusDocument {
    /// Why the configuration on disk is not in force.
    public struct ConfigurationProblem: Codable, Sendable, Equatable {
        /// The path of the file with the mistake: the configuration or one of its drop-ins.
        public let file: String
        /// The line, counted from 1.
        public let line: Int
        /// The column, counted from 1, in characters.
        public let column: Int
        /// The problem, and the configuration that is in force instead.
        public let message: String
        /// The command that reads the files again at once; omitted by an older adhand.
        public var fix: String?
        /// Whether the text has a mistake, a file has gone or lost its text, or a file system does not answer; omitted by an
        /// older adhand.
        public var cause: ConfigError.Cause?

        package init(_ problem: UnusableConfiguration) {
            file = problem.error.file
            line = problem.error.line
            column = problem.error.column
            message = problem.message
            fix = UnusableConfiguration.fix
            cause = problem.error.cause
        }
    }

    /// The loss of the state at a start, as a part of the status.
    public struct StateLoss: Codable, Sendable, Equatable {
        /// The fault of the file.
        public let cause: Protocol.StateLoss.Cause
        /// When it was noticed.
        public let at: String
        /// Whether people's decisions were restored from their copy.
        public let restored: Bool
        /// One sentence.
        public let message: String
        /// The command that confirms it.
        public let fix: String

        package init(_ loss: Protocol.StateLoss, in zone: Zone) {
            cause = loss.cause
            at = InstantText.rfc3339(loss.at, in: zone)
            restored = loss.isRestored
            message = loss.message(in: zone)
            fix = Protocol.StateLoss.fix
        }
    }

    /// The problem of the machine's zone, or of the place.
    public struct Problem: Codable, Sendable, Equatable {
        /// The problem, for programs: see the field of the status that holds it.
        public let code: String
        /// One sentence without its full stop.
        public let message: String
        /// The command to type.
        @Nullable public var fix: String?

        package init(code: String, message: String, fix: String? = nil) {
            self.code = code
            self.message = message
            self.fix = fix
        }
    }

    /// The published timetable: its content and its problems.
    public struct Timetable: Codable, Sendable, Equatable {
        /// The number of days with a row of their own, and of days of every year.
        public let days: Int
        /// The number of rows without a year, which apply to every year.
        public let everyYear: Int
        /// The first dated day: `2027-01-01`; `null` where no row has a year.
        @Nullable public var first: String?
        /// The last dated day: `2027-12-31`; `null` where no row has a year.
        @Nullable public var last: String?
        /// Today's events that come from it.
        public let published: [String]
        /// The rule for days that it lacks.
        public let missing: MissingDays
        /// Whether today has no row and nothing is called for that reason; omitted by an older adhand.
        public var isSilent: Bool?
        /// The warning with its remedy; `null` when all is well.
        @Nullable public var warning: String?
        /// Whether it is probably for another place: `sun` or `elsewhere`; ``warning`` has the reason.
        public var mismatch: TimetableMismatch.Code?
        /// The place for which it was imported, if different.
        public var importedFor: String?
        /// Why the file in the state directory is not in force; `null` when it is.
        @Nullable public var problem: String?

        package init(
            days: Int, everyYear: Int, first: String? = nil, last: String? = nil, published: [String],
            missing: MissingDays, isSilent: Bool? = nil, warning: String? = nil,
            mismatch: TimetableMismatch.Code? = nil, importedFor: String? = nil, problem: String? = nil
        ) {
            self.days = days
            self.everyYear = everyYear
            self.first = first
            self.last = last
            self.published = published
            self.missing = missing
            self.isSilent = isSilent
            self.warning = warning
            self.mismatch = mismatch
            self.importedFor = importedFor
            self.problem = problem
        }
    }

    /// A time set by hand that is probably for another place.
    public struct ExceptionProblem: Codable, Sendable, Equatable {
        /// The day: `2027-03-20`.
        public let date: String
        /// The prayer's name.
        public let prayer: String
        /// One sentence.
        public let message: String
        /// The command to type.
        public let fix: String

        package init(date: String, prayer: String, message: String, fix: String) {
            self.date = date
            self.prayer = prayer
            self.message = message
            self.fix = fix
        }
    }
}
