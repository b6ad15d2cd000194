public import PrayerEngine
package import Settings
public import Texts

public struct ExceptionParameters: Codable, Sendable, Equatable {
    /// `2027-03-20`
    public var date: String
    public var prayer: String
    /// `18:31`: when it is called; of jumua, when the khutba is.
    public var adhan: String?
    public var iqama: String?
    public var reason: String?

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

public struct ExceptionNameParameters: Codable, Sendable, Equatable {
    public var date: String
    public var prayer: String

    public init(date: String, prayer: String) {
        self.date = date
        self.prayer = prayer
    }
}

public struct TimetableReply: ReplyDocument, Equatable {
    public static var described: String { "table: string" }
    public static var hasLines: Bool { true }
    /// The strict form.
    public let table: String

    public init(table: String) {
        self.table = table
    }
}

/// `exception list --json`
public struct ExceptionsReply: ReplyDocument, Equatable {
    public static var described: String { "exceptions: []Exception" }
    public struct Entry: Codable, Sendable, Equatable {
        public let date: String
        public let prayer: String
        @Nullable public var adhan: String?
        @Nullable public var iqama: String?
        @Nullable public var reason: String?

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
    /// The entry that it holds; lines that mean nothing to this program are left out.
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
    /// First days of months as they were set by command.
    public var commanded: [HijriMonth: CivilDate] {
        var pins: [HijriMonth: CivilDate] = [:]
        for pin in self.pins where pin.source == .command {
            guard let month = HijriMonth(pin.month), let date = CivilDate(pin.date) else { continue }
            pins[month] = date
        }
        return pins
    }
}

/// The day that `hijri sighted` and `hijri complete` are about; the daemon's own when left out.
public struct HijriDayParameters: Codable, Sendable, Equatable {
    public var date: String?

    public init(date: String? = nil) {
        self.date = date
    }
}

public struct HijriMonthParameters: Codable, Sendable, Equatable {
    /// `1448-09`
    public var month: String

    public init(month: String) {
        self.month = month
    }
}

/// `hijri pins --json`
public struct HijriPinsReply: ReplyDocument, Equatable {
    public static var described: String { "pins: []HijriPin" }
    public enum Source: String, Codable, Sendable, CaseIterable {
        case configuration, command
    }

    public struct Pin: Codable, Sendable, Equatable {
        public let month: String
        /// `Ramadan 1448`
        public let name: String
        public let date: String
        public let source: Source
        /// Whether it is in force: a pin in the configuration overrides it, and a contradicting pin is set aside.
        public let inForce: Bool

        public init(month: String, name: String, date: String, source: Source, inForce: Bool) {
            self.month = month
            self.name = name
            self.date = date
            self.source = source
            self.inForce = inForce
        }
    }

    public let pins: [Pin]

    /// `calendar` is the result of both.
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
