package import PrayerEngine
package import Texts

/// A column of the strict table: the event of a published time.
package enum TimetableColumn: Hashable, Sendable {
    /// The beginning of an event of the day.
    case begins(DayEvent)
    /// The time of an iqama: the first, or another one of the same prayer.
    case iqama(Prayer, slot: Int)
    /// Friday's khutba.
    case khutba(slot: Int)
    /// Friday's prayer.
    case jumuaIqama(slot: Int)

    /// The events that a table may publish, in the order of the day.
    package static let events: [DayEvent] = [.imsak, .fajr, .sunrise, .dhuhr, .asr, .maghrib, .isha]
    package static let prayers: [Prayer] = [.fajr, .dhuhr, .asr, .maghrib, .isha]
    /// The possible numbers of a prayer's congregations.
    package static let slots = 1...9

    /// `fajr`, `fajr_iqama`, `isha_iqama_2`, `jumua`, `jumua_iqama_2`
    package var name: String {
        switch self {
        case .begins(let event): event.rawValue
        case .iqama(let prayer, let slot): "\(prayer.rawValue)_iqama" + Self.suffix(slot)
        case .khutba(let slot): "jumua" + Self.suffix(slot)
        case .jumuaIqama(let slot): "jumua_iqama" + Self.suffix(slot)
        }
    }

    package init?(name: some StringProtocol) {
        var words = name.lowercased().split(separator: "_", omittingEmptySubsequences: false).map(String.init)
        var slot = 1
        // `jumua_2_iqama` is the same as `jumua_iqama_2`.
        if let index = words.indices.dropFirst().first(where: { Int(words[$0]) != nil }) {
            guard let number = Int(words[index]), Self.slots.contains(number), words[index].utf8.count == 1
            else { return nil }
            slot = number
            words.remove(at: index)
        }
        switch (words.first, words.count) {
        case ("jumua", 1): self = .khutba(slot: slot)
        case ("jumua", 2) where words[1] == "iqama": self = .jumuaIqama(slot: slot)
        case (let first?, 2) where words[1] == "iqama":
            guard let prayer = Prayer(rawValue: first), prayer != .jumua else { return nil }
            self = .iqama(prayer, slot: slot)
        case (let first?, 1) where slot == 1:
            guard let event = DayEvent(rawValue: first), Self.events.contains(event) else { return nil }
            self = .begins(event)
        default: return nil
        }
    }

    /// Whether the column only exists on Fridays.
    package var isFriday: Bool {
        switch self {
        case .khutba, .jumuaIqama: true
        case .begins, .iqama: false
        }
    }

    private static func suffix(_ slot: Int) -> String { slot == 1 ? "" : "_\(slot)" }

    /// The event to which an iqama or a khutba belongs, or which the column is.
    package var event: DayEvent {
        switch self {
        case .begins(let event): event
        case .iqama(let prayer, _): prayer.event
        case .khutba, .jumuaIqama: .dhuhr
        }
    }

    package var isBeginning: Bool {
        if case .begins = self { return true }
        return false
    }

    /// The order of columns when written: the beginnings, then the iqamas, then Friday.
    private var rank: (Int, Int, Int) {
        switch self {
        case .begins(let event): (0, Self.events.firstIndex(of: event) ?? 0, 0)
        case .iqama(let prayer, let slot): (1, slot, Self.prayers.firstIndex(of: prayer) ?? 0)
        case .khutba(let slot): (2, slot, 0)
        case .jumuaIqama(let slot): (2, slot, 1)
        }
    }
}

extension TimetableColumn: Comparable {
    package static func < (a: TimetableColumn, b: TimetableColumn) -> Bool { a.rank < b.rank }
}

/// A day of every year.
package struct MonthDay: Hashable, Comparable, Sendable, CustomStringConvertible {
    package let month: Int
    package let day: Int

    /// Makes a day; `nil` for one that no year has.
    package init?(month: Int, day: Int) {
        // 2024 was a leap year.
        guard CivilDate(year: 2024, month: month, day: day) != nil else { return nil }
        (self.month, self.day) = (month, day)
    }

    package init(_ date: CivilDate) { (month, day) = (date.month, date.day) }

    /// Reads `03-29`.
    package init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ $0.utf8.count == 2 && $0.utf8.allSatisfy(ASCII.isDigit) }),
            let month = Int(parts[0]), let day = Int(parts[1])
        else { return nil }
        self.init(month: month, day: day)
    }

    package var description: String { "\(InstantText.padded(month, 2))-\(InstantText.padded(day, 2))" }

    package static func < (a: MonthDay, b: MonthDay) -> Bool { (a.month, a.day) < (b.month, b.day) }
}
