package import PrayerEngine
package import Settings
package import Texts

package struct ExceptionParameters: Codable, Sendable, Equatable {
    /// `2027-03-20`
    package var date: String
    package var prayer: String
    /// `18:31`: when it is called; of jumua, when the khutba is.
    package var adhan: String?
    package var iqama: String?
    package var reason: String?

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

package struct ExceptionNameParameters: Codable, Sendable, Equatable {
    package var date: String
    package var prayer: String

    package init(date: String, prayer: String) {
        self.date = date
        self.prayer = prayer
    }
}

package struct TimetableReply: ReplyDocument, Equatable {
    package static var described: String { "table: string" }
    package static var hasLines: Bool { true }
    /// The strict form.
    package let table: String

    package init(table: String) {
        self.table = table
    }
}

/// `exception list --json`
package struct ExceptionsReply: ReplyDocument, Equatable {
    package static var described: String { "exceptions: []Exception" }
    package struct Entry: Codable, Sendable, Equatable {
        package let date: String
        package let prayer: String
        @Nullable package var adhan: String?
        @Nullable package var iqama: String?
        @Nullable package var reason: String?

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

    package let exceptions: [Entry]

    package init(_ exceptions: DayExceptions) {
        self.exceptions = exceptions.all.map {
            Entry(
                date: $0.date.description, prayer: $0.prayer.rawValue, adhan: $0.adhan.map(ClockText.format),
                iqama: $0.iqama.map(ClockText.format), reason: $0.reason)
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
                    date: date, prayer: prayer, adhan: entry.adhan.flatMap { ClockText.parse($0) },
                    iqama: entry.iqama.flatMap { ClockText.parse($0) }, reason: entry.reason)
            })
    }
}

extension HijriPinsReply {
    /// First days of months as they were set by command.
    package var commanded: [HijriMonth: CivilDate] {
        var pins: [HijriMonth: CivilDate] = [:]
        for pin in self.pins where pin.source == .command {
            guard let month = HijriMonth(pin.month), let date = CivilDate(pin.date) else { continue }
            pins[month] = date
        }
        return pins
    }
}

/// The day that `hijri sighted` and `hijri complete` are about; the daemon's own when left out.
package struct HijriDayParameters: Codable, Sendable, Equatable {
    package var date: String?

    package init(date: String? = nil) {
        self.date = date
    }
}

package struct HijriMonthParameters: Codable, Sendable, Equatable {
    /// `1448-09`
    package var month: String

    package init(month: String) {
        self.month = month
    }
}

/// `hijri pins --json`
package struct HijriPinsReply: ReplyDocument, Equatable {
    package static var described: String { "pins: []HijriPin" }
    package enum Source: String, Codable, Sendable, CaseIterable {
        case configuration, command
    }

    package struct Pin: Codable, Sendable, Equatable {
        package let month: String
        /// `Ramadan 1448`
        package let name: String
        package let date: String
        package let source: Source
        /// Whether it counts: a pin in the configuration wins, and what does not go with it is set aside.
        package let inForce: Bool

        package init(month: String, name: String, date: String, source: Source, inForce: Bool) {
            self.month = month
            self.name = name
            self.date = date
            self.source = source
            self.inForce = inForce
        }
    }

    package let pins: [Pin]

    /// `calendar` is what comes of both.
    package init(
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
