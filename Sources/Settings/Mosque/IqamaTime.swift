package import PrayerEngine
import Texts

/// The time of an iqama as written: `13:30`, `+15m`, `sunrise-40m`.
package enum IqamaTime: Sendable, Equatable {
    /// Minutes after midnight by the wall clock.
    case clock(minutes: Int)
    /// Minutes after an event of the day, negative before it; without an event, after the prayer's own adhan.
    case after(DayEvent?, minutes: Int)

    /// The most minutes, longer than any prayer waits.
    private static let longestMinutes = 12 * 60

    package init(_ text: String) throws(IqamaError) {
        let plain = String(Substring(text).trimmed)
        if plain.utf8.contains(UInt8(ascii: ":")) {
            guard let minutes = ClockText.parse(plain.utf8.count == 4 ? "0" + plain : plain) else {
                throw IqamaError("a clock time must be HH:MM, 00:00 to 23:59, not \"\(text)\"")
            }
            self = .clock(minutes: minutes)
            return
        }
        guard let sign = plain.firstIndex(where: { $0 == "+" || $0 == "-" }) else {
            guard let event = Self.event(plain) else { throw Self.mistake(text) }
            self = .after(event.event, minutes: 0)
            return
        }
        let (name, duration) = (plain[..<sign].trimmed, plain[plain.index(after: sign)...].trimmed)
        guard let seconds = DurationText.parse(duration), seconds.truncatingRemainder(dividingBy: 60) == 0,
            Int(seconds) / 60 <= Self.longestMinutes
        else {
            throw IqamaError(
                "\"\(duration)\" in \"\(text)\" must be minutes or hours such as 15m or 1h, 12h at most")
        }
        let minutes = Int(seconds) / 60
        if name.isEmpty {
            guard plain[sign] == "+" else {
                throw IqamaError("an iqama is not before its adhan; did you mean \"+\(duration)\"?")
            }
            self = .after(nil, minutes: minutes)
            return
        }
        guard let event = Self.event(String(name)) else { throw Self.mistake(text) }
        guard event.event != nil || plain[sign] == "+" else {
            throw IqamaError("an iqama is not before its adhan; did you mean \"adhan+\(duration)\"?")
        }
        self = .after(event.event, minutes: plain[sign] == "+" ? minutes : -minutes)
    }

    /// The event of a name; `adhan` stands for none of the day's own. nil for an unknown name.
    private static func event(_ name: String) -> (event: DayEvent?, Void)? {
        if name.lowercased() == "adhan" { return (nil, ()) }
        return DayEvent.allCases.first { $0.rawValue.lowercased() == name.lowercased() }.map { ($0, ()) }
    }

    private static func mistake(_ text: String) -> IqamaError {
        let names = DayEvent.allCases.map(\.rawValue)
        let name = String(text.prefix { $0 != "+" && $0 != "-" })
        // Minutes are after the adhan; people easily forget the plus before them.
        let plain = String(Substring(text).trimmed)
        if let minutes = Int(plain).map({ "\($0)m" }) ?? Spelling.duration(plain) {
            return IqamaError(
                "must be a clock time such as 13:30, minutes after the adhan such as +15m, or an event such as sunrise-40m, not \"\(text)\"; did you mean +\(minutes)?",
                near: "+" + minutes)
        }
        let meant = CommonSpelling.of(name, among: names) ?? NearestName.of(name, among: names)
        let near = meant.map { "; did you mean \($0)?" } ?? ""
        return IqamaError(
            "must be a clock time such as 13:30, minutes after the adhan such as +15m, or an event such as sunrise-40m, not \"\(text)\"\(near)",
            near: meant.map { $0 + text.dropFirst(name.count) }
        )
    }

    /// The time as written in the configuration.
    package var text: String {
        switch self {
        case .clock(let minutes): return ClockText.format(minutes)
        case .after(let event, let minutes):
            let duration = DurationText.format(Double(abs(minutes) * 60))
            return "\(event?.rawValue ?? "")\(minutes < 0 ? "-" : "+")\(minutes == 0 ? "0m" : duration)"
        }
    }
}

/// Why a rule cannot be read; it follows the name of the key in a sentence.
package struct IqamaError: Error, Sendable, Equatable {
    package let reason: String
    /// The rest of a sentence that lists the allowed values; `nil` where there is none.
    package let because: String?
    /// The probable intention.
    package let near: String?

    package init(_ reason: String) {
        self.reason = reason
        because = reason
        near = nil
    }

    package init(_ reason: String, near: String?) {
        self.reason = reason
        because = nil
        self.near = near
    }
}

/// The rule for one prayer's congregation.
package struct IqamaRule: Sendable, Equatable {
    package enum Rounding: String, CaseIterable, Sendable {
        case nearest, up, down
    }

    package var at: IqamaTime
    /// The multiple of minutes to which it is rounded by the clock; a written clock time stays.
    package var roundMinutes: Int?
    package var rounding: Rounding
    /// The day (1 = Monday … 7 = Sunday) on which it is computed for the week; nil: every day.
    package var weekly: Int?
    package var notBefore: IqamaTime?
    package var notAfter: IqamaTime?

    package init(
        at: IqamaTime, roundMinutes: Int? = nil, rounding: Rounding = .nearest, weekly: Int? = nil,
        notBefore: IqamaTime? = nil, notAfter: IqamaTime? = nil
    ) {
        self.at = at
        self.roundMinutes = roundMinutes
        self.rounding = rounding
        self.weekly = weekly
        self.notBefore = notBefore
        self.notAfter = notAfter
    }

    /// Rounds minutes; a half is rounded down.
    package func rounded(_ minutes: Double, _ rounding: Rounding) -> Double {
        guard let roundMinutes else { return minutes }
        let step = Double(roundMinutes)
        // A thousandth of a minute must not round up.
        let parts = minutes / step
        return switch rounding {
        case .nearest: (parts - 0.5).rounded(.up) * step
        case .up: ((minutes - 0.001) / step).rounded(.up) * step
        case .down: ((minutes + 0.001) / step).rounded(.down) * step
        }
    }
}

/// A part of every year.
package enum YearSeason: Sendable, Equatable {
    /// A period with both days included; it may include the new year.
    case days(from: MonthDay, until: MonthDay)
    case winterTime
    case summerTime

    package func contains(_ date: CivilDate, _ clock: SeasonClock) -> Bool {
        switch self {
        case .winterTime: return !clock.isSummer(date)
        case .summerTime: return clock.isSummer(date)
        case .days(let from, let until):
            let day = MonthDay(date)
            return from <= until ? (from...until).contains(day) : day >= from || day <= until
        }
    }
}
