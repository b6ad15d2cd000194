import PrayerEngine
import Texts

/// Keys that only a mosque's own times have.
extension ConfigKey {
    /// A time such as `13:30`, `+15m` or `sunrise-40m`, or omitted.
    static func time(
        _ name: String, _ rule: ValueRule, _ place: Place<IqamaTime?>, example: String, _ meaning: String
    ) -> Self {
        Self(name: name, rule: rule, meaning: meaning, example: .text(example)) {
            $0[keyPath: place].map { .text($0.text) }
        } set: { root, value in
            if case .text(let text) = value { root[keyPath: place] = try? IqamaTime(text) }
        }
    }

    /// The first or the last day of something, or omitted.
    static func bound(_ name: String, _ place: Place<DayBound?>, _ kind: TextKind, example: String) -> Self {
        Self(name: name, rule: .text(kind), meaning: "", example: .text(example)) {
            $0[keyPath: place].map { .text($0.text) }
        } set: { root, value in
            root[keyPath: place] = value.dayBound
        }
    }
}

extension ConfigValue {
    var dayBound: DayBound? {
        if case .text(let text) = self { DayBound(text) } else { nil }
    }

    /// One text or several.
    var strings: [String] {
        switch self {
        case .text(let text): [text]
        case .texts(let texts): texts
        case .rotation(let entries): entries.flatMap(\.self)
        default: []
        }
    }

    var eventTimes: [IqamaTime] { strings.compactMap { try? IqamaTime($0) } }
}

extension TextKind {
    static let iqama = TextKind.other(
        .init(
            allowed:
                "a clock time such as \"13:30\", minutes after the adhan such as \"+15m\", or an event of the day such as "
                + "\"sunrise-40m\"",
            plural: "such times", fault: { fault($0) }))

    static let eventTime = TextKind.other(
        .init(
            allowed: "a clock time such as \"01:30\", or an event of the day such as \"fajr-30m\"",
            plural: "such times",
            fault: { text in
                if let fault = fault(text) { return fault }
                guard case .after(nil, _)? = try? IqamaTime(text) else { return nil }
                return Fault(because: "it does not say after what; write an event, such as \"isha\(text)\"")
            }))

    static let clock = TextKind.other(
        .init(
            allowed: "a clock time such as \"08:00\"", plural: "clock times",
            fault: { ClockText.parse($0) == nil ? Fault() : nil }))

    static let slotAdhan = TextKind.other(
        .init(
            allowed: "\"dhuhr\", \"none\", a clock time such as \"12:45\", or \"khutba-10m\"",
            fault: { JumuaSettings.Slot.FirstAdhan($0) == nil ? Fault() : nil }))

    static let beforeIqama = TextKind.other(
        .init(
            allowed: "\"iqama-\" and a duration up to 3h, such as \"iqama-15m\"",
            fault: { AdhanSettings.beforeIqamaSeconds($0) == nil ? Fault() : nil }))

    static let hijriMonth = TextKind.other(
        .init(
            allowed: "a month of the Islamic calendar such as \"1448-09\"",
            fault: { HijriMonth($0) == nil ? Fault() : nil }))

    static func bound(allowed: String, dates: Bool) -> TextKind {
        .other(
            .init(
                allowed: allowed,
                fault: { text in
                    guard let bound = DayBound(text) else { return Fault() }
                    if case .date = bound, !dates { return Fault(because: "a season has no year") }
                    return nil
                }))
    }

    private static func fault(_ text: String) -> Fault? {
        do throws(IqamaError) {
            _ = try IqamaTime(text)
            return nil
        } catch {
            return Fault(because: error.because, hint: error.near.map(TOMLEscapes.quote))
        }
    }
}

extension AdhanSettings {
    /// Seconds before the iqama: `iqama-15m`.
    static func beforeIqamaSeconds(_ text: String) -> Double? {
        guard text.hasPrefix("iqama-"), let seconds = DurationText.parse(text.dropFirst(6)),
            (60...10_800).contains(seconds)
        else { return nil }
        return seconds
    }
}
