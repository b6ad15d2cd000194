public import PrayerEngine
package import Settings
public import Texts

/// The parameters of `SetException`. It replaces the exception of that prayer and day as a whole: an omitted time is as usual.
public struct ExceptionParameters: Codable, Sendable, Equatable {
    /// The day: `2027-03-20`.
    public var date: String
    /// The prayer's name; `jumua` on Fridays.
    public var prayer: String
    /// The time of the adhan: `18:31`; for jumua, of the khutba.
    public var adhan: String?
    /// The time of the iqama: `18:45`.
    public var iqama: String?
    /// The reason for people; shown beside the times.
    public var reason: String?

    /// Makes the parameters; without any time they are refused.
    public init(
        date: String, prayer: String, adhan: String? = nil, iqama: String? = nil, reason: String? = nil
    ) {
        self.date = date
        self.prayer = prayer
        self.adhan = adhan
        self.iqama = iqama
        self.reason = reason
    }
}

/// `RemoveException`
public struct ExceptionNameParameters: Codable, Sendable, Equatable {
    /// The day: `2027-03-20`.
    public var date: String
    /// The prayer's name.
    public var prayer: String

    /// Makes the parameters.
    public init(date: String, prayer: String) {
        self.date = date
        self.prayer = prayer
    }
}

/// The answer of `GetTimetable`.
public struct TimetableReply: ReplyDocument, Equatable {
    public static var described: String { "table: string" }
    public static var hasLines: Bool { true }
    /// The timetable in its strict form.
    public let table: String

    package init(table: String) {
        self.table = table
    }
}

/// `exception list --json`
public struct ExceptionsReply: ReplyDocument, Equatable {
    public static var described: String { "exceptions: []Exception" }
    /// One prayer of one day that was set by hand.
    public struct Entry: Codable, Sendable, Equatable {
        /// The day: `2027-03-20`.
        public let date: String
        /// The prayer's name; `jumua` on Fridays.
        public let prayer: String
        /// The time of the adhan as `18:31`, for jumua of the khutba; `null` where it was not set.
        @Nullable public var adhan: String?
        /// The time of the iqama as `18:45`; `null` where it was not set.
        @Nullable public var iqama: String?
        /// The reason; `null` where none was given.
        @Nullable public var reason: String?

        package init(
            date: String, prayer: String, adhan: String? = nil, iqama: String? = nil, reason: String? = nil
        ) {
            self.date = date
            self.prayer = prayer
            self.adhan = adhan
            self.iqama = iqama
            self.reason = reason
        }
    }

    /// The exceptions by day, and within a day by prayer.
    public let exceptions: [Entry]

    package init(_ exceptions: DayExceptions) {
        self.exceptions = exceptions.all.map {
            Entry(
                date: $0.date.description, prayer: $0.prayer.rawValue,
                adhan: $0.adhanMinutes.map(ClockText.format),
                iqama: $0.iqamaMinutes.map(ClockText.format), reason: $0.reason)
        }
    }
}

extension ExceptionsReply {
    /// The exceptions; entries that this program does not understand are left out.
    package var decided: DayExceptions {
        DayExceptions(
            exceptions.compactMap { entry in
                guard let date = CivilDate(entry.date), let prayer = Prayer(rawValue: entry.prayer) else {
                    return nil
                }
                return DayException(
                    date: date, prayer: prayer, adhanMinutes: entry.adhan.flatMap { ClockText.parse($0) },
                    iqamaMinutes: entry.iqama.flatMap { ClockText.parse($0) }, reason: entry.reason)
            })
    }
}

extension HijriPinsReply {
    /// First days of months that were set by command.
    public var commanded: [HijriMonth: CivilDate] {
        var pins: [HijriMonth: CivilDate] = [:]
        for pin in self.pins where pin.source == .command {
            guard let month = HijriMonth(pin.month), let date = CivilDate(pin.date) else { continue }
            pins[month] = date
        }
        return pins
    }
}

/// The day of `hijri sighted` and `hijri complete`; the daemon's own when omitted.
public struct HijriDayParameters: Codable, Sendable, Equatable {
    /// The day: `2027-03-20`.
    public var date: String?

    /// Makes the parameters; without a date the daemon's own day is used.
    public init(date: String? = nil) {
        self.date = date
    }
}

/// `RemoveHijriPin`
public struct HijriMonthParameters: Codable, Sendable, Equatable {
    /// The month: `1448-09`.
    public var month: String

    /// Makes the parameters.
    public init(month: String) {
        self.month = month
    }
}

/// `hijri pins --json`
public struct HijriPinsReply: ReplyDocument, Equatable {
    public static var described: String { "pins: []HijriPin" }
    /// The origin of a month's beginning: a file, or a command.
    public enum Source: String, Codable, Sendable, CaseIterable {
        case configuration, command
    }

    /// The decided beginning of one month.
    public struct Pin: Codable, Sendable, Equatable {
        /// The month: `1448-09`.
        public let month: String
        /// `Ramadan 1448`
        public let name: String
        /// The civil day of its first daylight: `2027-02-08`.
        public let date: String
        /// The source of the decision.
        public let source: Source
        /// Whether it is in force: a pin in the configuration overrides it, and a contradicting pin is set aside.
        public let inForce: Bool

        package init(month: String, name: String, date: String, source: Source, inForce: Bool) {
            self.month = month
            self.name = name
            self.date = date
            self.source = source
            self.inForce = inForce
        }
    }

    /// The pins by month; a month with pins from both sources occurs twice.
    public let pins: [Pin]

    /// Makes the reply. `calendar` is the result of both sources.
    public init(
        configured: [HijriMonth: CivilDate], commanded: [HijriMonth: CivilDate], calendar: HijriCalendar
    ) {
        let all =
            configured.map { ($0.key, $0.value, Source.configuration) }
            + commanded.map { ($0.key, $0.value, Source.command) }
        pins = all.sorted { ($0.0, $0.2.rawValue) < ($1.0, $1.2.rawValue) }.map { month, date, source in
            Pin(
                month: month.description, name: month.text, date: date.description, source: source,
                inForce: source == .configuration
                    || configured[month] == nil && calendar.pins[month] == date)
        }
    }
}
