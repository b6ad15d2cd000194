/// A time zone: the offset of local clocks from UTC, at any instant.
///
/// A zone is made from the bytes of a compiled zone file (TZif, RFC 9636) or from a POSIX TZ string; it reads no files itself.
public struct Zone: Sendable, Equatable {
    /// The name given by the caller, such as `Pacific/Chatham`.
    public let name: String
    /// Instants, in Unix seconds and strictly rising, at which the `kindIndex` at the same position takes effect.
    let transitions: [Int64]
    let kindIndex: [UInt8]
    let kinds: [LocalTimeKind]
    /// The rule after the last transition; `nil` when the last kind applies for ever.
    let rule: PosixRule?

    /// Reads a compiled zone file of version 1 to 4.
    public init(name: String, tzif: [UInt8]) throws(ZoneError) {
        let file = try TZifFile(name: name, bytes: tzif)
        self.name = name
        transitions = file.transitions
        kindIndex = file.kindIndex
        kinds = file.kinds
        rule = file.rule
    }

    /// Reads a TZ string such as `EST5EDT,M3.2.0,M11.1.0` or `UTC0`.
    public init(name: String, posix: String) throws(ZoneError) {
        let rule = try PosixRule(zone: name, posix)
        self.init(name: name, rule: rule)
    }

    init(name: String, rule: PosixRule) {
        self.name = name
        transitions = []
        kindIndex = []
        kinds = [rule.standard]
        self.rule = rule
    }

    /// Coordinated Universal Time: no offset, no changes.
    public static let utc = Zone(
        name: "UTC",
        rule: PosixRule(standard: LocalTimeKind(offset: 0, isDaylight: false, abbreviation: "UTC")))

    /// A zone of whole hours that fits the Sun at a longitude, as on ships, for a place whose zone cannot be read.
    public static func ofMeridian(_ longitude: Double) -> Zone {
        let hours = Int((longitude / 15).rounded())
        let name = "UTC\(hours < 0 ? "-" : "+")\(abs(hours))"
        return Zone(
            name: name,
            rule: PosixRule(
                standard: LocalTimeKind(offset: hours * 3600, isDaylight: false, abbreviation: name)))
    }

    /// Seconds east of UTC at an instant.
    public func offset(at instant: Instant) -> Int { span(at: instant).kind.offset }

    /// `EST`, `CEST`, `+0545`: the zone file's name for the time that applies at an instant.
    public func abbreviation(at instant: Instant) -> String { span(at: instant).kind.abbreviation }

    /// The calendar date in this zone.
    public func civilDate(of instant: Instant) -> CivilDate {
        CivilDate(dayNumber: Int(total: (instant.unixSeconds + Double(offset(at: instant))).floorDays))
    }

    /// The reading of a wall clock in this zone.
    public func clock(of instant: Instant) -> LocalClock {
        let offset = offset(at: instant)
        let local = instant.unixSeconds + Double(offset)
        let day = local.floorDays
        return LocalClock(
            date: CivilDate(dayNumber: Int(total: day)), secondOfDay: local - day * 86_400, offset: offset)
    }

    /// The instant at which clocks show `secondOfDay` on a date.
    ///
    /// A reading that the clock skips gives the instant of the change; one that occurs twice gives the first.
    public func instant(of date: CivilDate, secondOfDay: Double) -> Instant {
        let local = Double(date.dayNumber) * 86_400 + secondOfDay
        // No zone is or ever was more than 26 hours from UTC, so the search starts before any possible result.
        var span = span(at: Instant(unixSeconds: local - 26 * 3600))
        while true {
            let candidate = local - Double(span.kind.offset)
            if candidate < span.start { return Instant(unixSeconds: span.start) }
            if candidate < span.end { return Instant(unixSeconds: candidate) }
            span = self.span(at: Instant(unixSeconds: span.end))
        }
    }

    /// The first instant of a local date; for a date that the zone skipped, the first instant after it.
    public func startOfDay(_ date: CivilDate) -> Instant { instant(of: date, secondOfDay: 0) }

    /// The next instant, within two years, at which the offset or the abbreviation changes.
    public func nextTransition(after instant: Instant) -> Instant? {
        let limit = instant.unixSeconds + 2 * 366 * 86_400
        var span = span(at: instant)
        while span.end <= limit {
            let next = self.span(at: Instant(unixSeconds: span.end))
            if next.kind.offset != span.kind.offset || next.kind.abbreviation != span.kind.abbreviation {
                return Instant(unixSeconds: span.end)
            }
            span = next
        }
        return nil
    }

    /// The period around an instant in which one kind of local time applies.
    func span(at instant: Instant) -> ZoneSpan {
        let seconds = instant.unixSeconds
        // The first transition after the instant.
        var (low, high) = (0, transitions.count)
        while low < high {
            let middle = (low + high) / 2
            if Double(transitions[middle]) <= seconds { low = middle + 1 } else { high = middle }
        }
        let start = low == 0 ? -Double.infinity : Double(transitions[low - 1])
        if low == transitions.count, let rule {
            var span = rule.span(at: seconds)
            span.start = max(span.start, start)
            return span
        }
        let end = low == transitions.count ? Double.infinity : Double(transitions[low])
        return ZoneSpan(start: start, end: end, kind: kinds[low == 0 ? 0 : Int(kindIndex[low - 1])])
    }
}

/// A date and a time of day as a wall clock shows them.
public struct LocalClock: Sendable, Equatable {
    /// The calendar date at that time.
    public let date: CivilDate
    /// Seconds since midnight by the clock's display, 0..<86400.
    public let secondOfDay: Double
    /// Seconds east of UTC.
    public let offset: Int
}

/// One kind of local time in a zone.
struct LocalTimeKind: Sendable, Equatable {
    /// Seconds east of UTC.
    let offset: Int
    let isDaylight: Bool
    let abbreviation: String
}

/// Unix seconds `start..<end` in which one kind applies.
struct ZoneSpan: Sendable {
    var start: Double
    var end: Double
    var kind: LocalTimeKind

    func contains(_ instant: Instant) -> Bool { instant.unixSeconds >= start && instant.unixSeconds < end }
}

extension Double {
    /// Whole days in a number of seconds, rounded down.
    var floorDays: Double { (self / 86_400).rounded(.down) }
}

/// Why a zone could not be read. The description is a sentence for the user.
public enum ZoneError: Error, Equatable, Sendable, CustomStringConvertible {
    case notTZif(zone: String)
    case truncated(zone: String)
    case damaged(zone: String, what: String)
    case badRule(zone: String, text: String)

    public var description: String {
        switch self {
        case .notTZif(let zone):
            "cannot read time zone \"\(zone)\": the file is not a compiled time zone (TZif)"
        case .truncated(let zone):
            "cannot read time zone \"\(zone)\": the file ends too early; reinstall tzdata"
        case .damaged(let zone, let what):
            "cannot read time zone \"\(zone)\": \(what); reinstall tzdata"
        case .badRule(let zone, let text):
            "cannot read time zone \"\(zone)\": \"\(text)\" is not a POSIX TZ rule such as EST5EDT,M3.2.0,M11.1.0"
        }
    }
}
