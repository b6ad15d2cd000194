public import PrayerEngine
public import Texts

/// An announcement's identity and its day: acted on at most once, whatever the clock does.
///
/// Written as text: `fajr_20261120`, `reminder-10m_fajr_20261120`, `iqama_fajr_20261120`, `jumua-2_20261120`,
/// `call_tahajjud_20261120`, `khutba_20261120`, `imsak_20270208`, `wake-2_20270208`, `takbirat_20270309`,
/// `iqama-reminder-5m_fajr_20261120`, `trigger-3_asr_1795197600`, `test-4_fajr`. Only this file writes and reads that text.
public struct AnnouncementID: Hashable, Sendable {
    /// The kind of announcement, with whatever distinguishes two of one kind.
    public enum Kind: Hashable, Sendable {
        case adhan, iqama
        /// The sermon before the prayer of a Friday.
        case khutba
        /// Seconds before the prayer.
        case reminder(beforeSeconds: Double)
        /// Seconds before the congregation.
        case iqamaReminder(beforeSeconds: Double)
        /// The wake-up before a day of fasting, and the end of eating; both belong to fajr.
        case wake, imsak
        /// The takbirat of a feast, which belong to no prayer.
        case takbirat
        /// A `[[call]]`, by its name; belongs to no prayer. The date is that of its row in the day's times.
        case call(name: String)
        /// A simulated prayer (`debug trigger`), handled like a real one; at these Unix seconds.
        case simulated(serial: Int, atUnixSeconds: Int)
        /// A sound of `test-play` or `sound play`: heard at once, whatever the plan contains.
        case test(serial: Int)
    }

    /// The kind of announcement.
    public let kind: Kind
    /// The prayer to which it belongs. A call and the takbirat belong to none and have a placeholder here: see ``isOfPrayer``.
    public let prayer: Prayer
    /// The number of a congregation among several of one prayer, from 1.
    public let slot: Int
    /// The civil date of the prayer; `nil` for simulated ones and tests.
    public let date: CivilDate?

    /// The name of a `[[call]]`; `nil` for everything else.
    package var callName: String? { if case .call(let name) = kind { name } else { nil } }

    package init(kind: Kind, prayer: Prayer, slot: Int, date: CivilDate? = nil) {
        self.kind = kind
        self.prayer = prayer
        self.slot = slot
        self.date = date
    }

    package static func adhan(_ prayer: Prayer, slot: Int = 1, on date: CivilDate) -> Self {
        Self(kind: .adhan, prayer: prayer, slot: slot, date: date)
    }

    package static func iqama(_ prayer: Prayer, slot: Int = 1, on date: CivilDate) -> Self {
        Self(kind: .iqama, prayer: prayer, slot: slot, date: date)
    }

    package static func khutba(slot: Int = 1, on date: CivilDate) -> Self {
        Self(kind: .khutba, prayer: .jumua, slot: slot, date: date)
    }

    package static func reminder(
        beforeSeconds seconds: Double, _ prayer: Prayer, slot: Int = 1, on date: CivilDate
    )
        -> Self
    {
        Self(kind: .reminder(beforeSeconds: seconds), prayer: prayer, slot: slot, date: date)
    }

    package static func iqamaReminder(
        beforeSeconds seconds: Double, _ prayer: Prayer, slot: Int = 1, on date: CivilDate
    ) -> Self {
        Self(kind: .iqamaReminder(beforeSeconds: seconds), prayer: prayer, slot: slot, date: date)
    }

    /// The identity of the first, second … wake-up of a day.
    package static func wake(_ number: Int = 1, on date: CivilDate) -> Self {
        Self(kind: .wake, prayer: .fajr, slot: number, date: date)
    }

    package static func imsak(on date: CivilDate) -> Self {
        Self(kind: .imsak, prayer: .fajr, slot: 1, date: date)
    }

    package static func takbirat(_ number: Int = 1, on date: CivilDate) -> Self {
        Self(kind: .takbirat, prayer: .maghrib, slot: number, date: date)
    }

    package static func call(_ name: String, on date: CivilDate) -> Self {
        Self(kind: .call(name: name), prayer: .dhuhr, slot: 1, date: date)
    }

    package static func simulated(_ prayer: Prayer, serial: Int, at instant: Instant) -> Self {
        Self(
            kind: .simulated(serial: serial, atUnixSeconds: Int(instant.unixSeconds)), prayer: prayer,
            slot: 1, date: nil
        )
    }

    package static func test(_ prayer: Prayer, serial: Int) -> Self {
        Self(kind: .test(serial: serial), prayer: prayer, slot: 1, date: nil)
    }

    /// Whether it comes from the plan, not from a person's command.
    public var isPlanned: Bool { date != nil }

    /// Whether it comes before a prayer or a congregation, by its `beforeSeconds`.
    public var isReminder: Bool {
        switch kind {
        case .reminder, .iqamaReminder: true
        default: false
        }
    }

    /// Whether a switch or a skip of a prayer applies to it.
    public var isOfPrayer: Bool {
        switch kind {
        case .takbirat, .call: false
        default: true
        }
    }

    /// Whether it is one of the configuration's own calls, `[[call]]`.
    public var isCall: Bool { if case .call = kind { true } else { false } }

    /// The prayer's name in records; `none` for a call.
    public var prayerName: String { isCall ? "none" : prayer.rawValue }

    /// The adhan itself, or the adhan to which it belongs; `nil` where it belongs to none, and for simulated ones and tests.
    public var adhan: Self? {
        switch kind {
        case .wake, .imsak, .takbirat, .call: nil
        default: date.map { .adhan(prayer, slot: slot, on: $0) }
        }
    }

    /// Whether it waits while an adhan sounds: an iqama does not begin before its adhan has ended.
    public func waits(for other: Self) -> Bool {
        kind == .iqama && other.kind == .adhan && adhan == other
    }

    /// Whether both are the same call of the same prayer, under any date: a box that is moved to another zone dates it again, and
    /// on a Friday it has another name. Two congregations of one prayer are two calls.
    public func isSameCall(as other: Self) -> Bool {
        kind == other.kind && prayer.event == other.prayer.event && slot == other.slot
    }
}

// MARK: As text

extension AnnouncementID: CustomStringConvertible {
    public var description: String {
        let day = date.map { "_\($0.compact)" } ?? ""
        return switch kind {
        case .adhan: "\(congregation)\(day)"
        case .khutba, .wake, .imsak, .takbirat: "\(label)\(day)"
        case .call(let name): "\(label)_\(name)\(day)"
        case .iqama, .reminder, .iqamaReminder: "\(label)_\(congregation)\(day)"
        case .simulated(_, let at): "\(label)_\(congregation)_\(at)"
        case .test: "\(label)_\(congregation)"
        }
    }

    /// `reminder-10m`, `trigger-3`: the part before the prayer.
    public var label: String {
        switch kind {
        case .adhan: congregation
        case .khutba: Self.numbered("khutba", slot)
        case .wake: Self.numbered("wake", slot)
        case .imsak: Self.numbered("imsak", slot)
        case .takbirat: Self.numbered("takbirat", slot)
        case .iqamaReminder(let seconds): "iqama-reminder-\(DurationText.format(seconds))"
        case .iqama: "iqama"
        case .call: "call"
        case .reminder(let seconds): "reminder-\(DurationText.format(seconds))"
        case .simulated(let serial, _): "trigger-\(serial)"
        case .test(let serial): "test-\(serial)"
        }
    }

    /// `fajr`, `jumua-2`
    private var congregation: String { Self.numbered(prayer.rawValue, slot) }

    private static func numbered(_ name: String, _ slot: Int) -> String {
        slot == 1 ? name : "\(name)-\(slot)"
    }

    /// Parses a ``description``; `nil` for any other text.
    public init?(_ text: String) {
        let parts = text.split(separator: "_", omittingEmptySubsequences: false)
        guard let id = Self.read(parts), id.slot > 0, id.description == text else { return nil }
        self = id
    }

    /// The date of a planned announcement's identity, even if a newer adhand wrote a kind that is unknown here.
    package static func date(in text: String) -> CivilDate? {
        text.split(separator: "_").last.flatMap(CivilDate.init(compact:))
    }

    private static func read(_ parts: [Substring]) -> Self? {
        switch parts.count {
        case 2:
            let (name, number) = split(parts[0])
            if name == "test", let number, let prayer = Prayer(rawValue: String(parts[1])) {
                return .test(prayer, serial: number)
            }
            guard let date = CivilDate(compact: parts[1]) else { return nil }
            switch name {
            case "khutba": return .khutba(slot: number ?? 1, on: date)
            case "wake": return .wake(number ?? 1, on: date)
            case "imsak": return .imsak(on: date)
            case "takbirat": return .takbirat(number ?? 1, on: date)
            default: break
            }
            return Prayer(rawValue: String(name)).map { .adhan($0, slot: number ?? 1, on: date) }
        case 3 where parts[0] == "call":
            guard isName(parts[1]), let date = CivilDate(compact: parts[2]) else { return nil }
            return .call(String(parts[1]), on: date)
        case 3:
            let (name, slot) = split(parts[1])
            guard let prayer = Prayer(rawValue: String(name)) else { return nil }
            let (kind, number) = split(parts[0])
            if kind == "trigger", let number, let at = Int(parts[2]) {
                return Self(
                    kind: .simulated(serial: number, atUnixSeconds: at), prayer: prayer, slot: 1, date: nil)
            }
            guard let date = CivilDate(compact: parts[2]) else { return nil }
            if parts[0] == "iqama" { return .iqama(prayer, slot: slot ?? 1, on: date) }
            if parts[0].hasPrefix("iqama-reminder-"), let before = DurationText.parse(parts[0].dropFirst(15))
            {
                return .iqamaReminder(beforeSeconds: before, prayer, slot: slot ?? 1, on: date)
            }
            guard parts[0].hasPrefix("reminder-"), let before = DurationText.parse(parts[0].dropFirst(9))
            else {
                return nil
            }
            return .reminder(beforeSeconds: before, prayer, slot: slot ?? 1, on: date)
        default: return nil
        }
    }

    /// Whether a text can be the name of a call: small letters, digits and "-" after a letter.
    private static func isName(_ text: Substring) -> Bool {
        guard let first = text.utf8.first, (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(first) else {
            return false
        }
        return text.utf8.count <= 16
            && text.utf8.allSatisfy {
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0)
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || $0 == UInt8(ascii: "-")
            }
    }

    /// `jumua-2` as the name and the number.
    private static func split(_ text: Substring) -> (name: Substring, number: Int?) {
        guard let dash = text.lastIndex(of: "-"), let number = Int(text[text.index(after: dash)...]),
            number >= 0
        else { return (text, nil) }
        return (text[..<dash], number)
    }
}

extension CivilDate {
    /// The date as in identities: `20261120`.
    public var compact: String {
        let digits = String(year * 10_000 + month * 100 + day)
        return String(repeating: "0", count: max(0, 8 - digits.utf8.count)) + digits
    }

    fileprivate init?(compact text: Substring) {
        guard text.utf8.count == 8, let number = Int(text), number > 0 else { return nil }
        self.init(year: number / 10_000, month: number / 100 % 100, day: number % 100)
    }
}
