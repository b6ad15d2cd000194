import PrayerEngine
import Texts

/// The keys of `[[quiet]]`.
extension ConfigSchema {
    static let quiet: ConfigKey<Config> = .tables(
        "quiet", \.quiet, of: window, blank: QuietWindow(), required: ["name"],
        "hours in which sounds are quieter or silent, any number of times", fault: windowFault)

    private static let window: [ConfigKey<QuietWindow>] = [
        ConfigKey(
            name: "name", rule: .text(.outputName), meaning: "what status and history call it",
            example: .text("night")
        ) {
            .text($0.name)
        } set: { window, value in
            if case .text(let text) = value { window.name = text }
        },
        clock("from", \.fromMinutes, "22:00", "both or neither: the whole day"),
        clock("until", \.untilMinutes, "06:00", "on the day after, if it is not later than from"),
        .weekdays(
            "days", \.days, example: .texts(["saturday", "sunday"]), "on which it begins; default: all"),
        day("first-day", \.firstDay, "12-20", "of every year, or a date; both included"),
        day("last-day", \.lastDay, "01-06", ""),
        .outputs(\.outputs),
        ConfigKey(
            name: "kinds", rule: .texts(.announcedKind, orOne: true), meaning: "default: all",
            example: .texts(["reminder", "iqama"])
        ) {
            $0.kinds.isEmpty ? nil : ConfigValue.texts($0.kinds.map(\.rawValue)).concise
        } set: { window, value in
            window.kinds = value.strings.compactMap { AnnouncedKind(rawValue: $0) }
        },
        ConfigKey(
            name: "volume", rule: .integer(0...100, unit: "percent"),
            meaning: "nothing is louder; default: 0, which is silence", example: .integer(20)
        ) {
            .integer($0.volumePercent)
        } set: { window, value in
            if case .integer(let volume) = value { window.volumePercent = volume }
        },
    ]

    private static func clock(
        _ name: String, _ place: any WritableKeyPath<QuietWindow, Int?> & Sendable, _ example: String,
        _ meaning: String
    ) -> ConfigKey<QuietWindow> {
        ConfigKey(name: name, rule: .text(.clock), meaning: meaning, example: .text(example)) {
            $0[keyPath: place].map { .text(ClockText.format($0)) }
        } set: { window, value in
            if case .text(let text) = value { window[keyPath: place] = ClockText.parse(text) }
        }
    }

    private static func day(
        _ name: String, _ place: any WritableKeyPath<QuietWindow, DayBound?> & Sendable, _ example: String,
        _ meaning: String
    ) -> ConfigKey<QuietWindow> {
        ConfigKey(name: name, rule: .text(.dayBound), meaning: meaning, example: .text(example)) {
            $0[keyPath: place].map { .text($0.text) }
        } set: { window, value in
            window[keyPath: place] = value.dayBound
        }
    }

    private static let windowFault: @Sendable ([String: ConfigValue]) -> (field: String, reason: String)? = {
        values in
        if values["name"] == .text(QuietWindow.muteName) {
            return ("name", "is what the mute of one output is called; write another, such as \"night\"")
        }
        if values["from"] == nil, values["until"] != nil { return ("until", "needs from beside it") }
        if values["from"] != nil, values["until"] == nil { return ("from", "needs until beside it") }
        switch (values["first-day"]?.dayBound, values["last-day"]?.dayBound) {
        case (.everyYear?, nil): return ("first-day", "is a day of every year and needs last-day beside it")
        case (nil, .everyYear?): return ("last-day", "is a day of every year and needs first-day beside it")
        case (.date(let first)?, .date(let last)?) where last < first:
            return ("last-day", "is before first-day; nothing would ever be quiet")
        case (.everyYear?, .date?), (.date?, .everyYear?):
            return ("last-day", "does not go with first-day; write two dates, or two days such as 03-15")
        default: return nil
        }
    }

    /// Rules over all windows.
    static func quietComplaints(_ config: Config) -> [SchemaComplaint] {
        let windows = config.quiet
        guard windows.count <= QuietWindow.most else {
            return [
                .init(["quiet"], "quiet has \(windows.count) windows, allowed are \(QuietWindow.most)")
            ]
        }
        return twins(windows.map(\.name), "quiet", "windows")
    }
}

extension TextKind {
    /// Names of outputs, windows and calls.
    static let outputName = TextKind.other(
        .init(
            allowed:
                "a name of 1 to 16 small letters, digits and \"-\" that begins with a letter, such as \"night\"",
            fault: { text in
                if isOutputName(text) { return nil }
                let plain = text.lowercased().map { $0 == " " || $0 == "_" ? "-" : $0 }
                return Fault(hint: isOutputName(String(plain)) ? TOMLEscapes.quote(String(plain)) : nil)
            }))

    private static func isOutputName(_ text: String) -> Bool {
        guard let first = text.utf8.first, (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(first),
            text.utf8.count <= 16
        else { return false }
        return text.utf8.allSatisfy { isWord($0) && $0 != UInt8(ascii: "_") && !isCapital($0) }
    }

    private static func isCapital(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
    }

    static let weekday = TextKind.other(
        .init(
            allowed: "a day of the week such as \"friday\"", plural: "days of the week",
            fault: { text in
                if Weekday.names.contains(text) { return nil }
                let meant =
                    Weekday.number(text).map { Weekday.names[$0 - 1] }
                    ?? NearestName.of(text, among: Weekday.names)
                return Fault(hint: meant.map(TOMLEscapes.quote))
            }))

    static let dayBound = TextKind.other(
        .init(
            allowed: "a date such as \"2027-03-28\", or a day of every year such as \"03-15\"",
            fault: { text in
                switch DayBound(text) {
                case .date, .everyYear: nil
                case .winterTime, .summerTime, nil: Fault()
                }
            }))

    /// The name of an output, which can only be checked when the whole file is read.
    static let output = TextKind.other(
        .init(
            allowed: "the name of an output", plural: "names of outputs",
            fault: { isOutputName($0) ? nil : Fault() }))

    static let announcedKind = TextKind.other(
        .init(
            allowed: "one of "
                + AnnouncedKind.allCases.map { TOMLEscapes.quote($0.rawValue) }.joined(separator: ", "),
            plural: "such kinds",
            fault: { text in
                if AnnouncedKind(rawValue: text) != nil { return nil }
                if text == AnnouncedKind.partOfAdhan {
                    return Fault(
                        because: "iftar-sound is the beginning of Maghrib's adhan and as loud as that one",
                        hint: TOMLEscapes.quote(AnnouncedKind.adhan.rawValue))
                }
                let meant = NearestName.of(text, among: AnnouncedKind.allCases.map(\.rawValue))
                return Fault(hint: meant.map(TOMLEscapes.quote))
            }))
}
