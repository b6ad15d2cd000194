import PrayerEngine
import Texts

/// The keys of `[[announcement]]`.
extension ScreenAnnouncement {
    /// The most tables of one file.
    package static let most = 100
    /// The most characters of a text that people write for the screen.
    package static let longestText = 500

    static let keys: [ConfigKey<ScreenAnnouncement>] = [
        ConfigKey(
            name: "text", rule: .text(.other(words)), meaning: "one or more lines",
            example: .text("Funeral prayer after Dhuhr")
        ) {
            .text($0.text)
        } set: { announcement, value in
            if case .text(let text) = value { announcement.text = text }
        },
        ConfigKey(
            name: "from", rule: .moment, meaning: "a date, or a date and time; default: now",
            example: .moment(example(0, 8 * 3600))
        ) {
            $0.from.map { .moment($0) }
        } set: { announcement, value in
            if case .moment(let moment) = value { announcement.from = moment }
        },
        ConfigKey(
            name: "until", rule: .moment, meaning: "a date counts to its end", example: .moment(example(7))
        ) {
            .moment($0.until)
        } set: { announcement, value in
            if case .moment(let moment) = value { announcement.until = moment }
        },
        ConfigKey(
            name: "show", rule: .texts(.other(place), orOne: true),
            meaning: "\"board\" (ticker), \"slide\", \"bar\" (before the iqama), \"screen\" (all of it)",
            example: .texts(["board", "bar"])
        ) {
            .texts($0.show.map(\.rawValue))
        } set: { announcement, value in
            announcement.show = value.listed.compactMap(Place.init)
        },
        ConfigKey(
            name: "days", rule: .texts(.other(weekday), orOne: true), meaning: "default: every day",
            example: .texts(["friday"])
        ) {
            $0.days.isEmpty ? nil : .texts($0.days.map { Weekday.names[$0 - 1] })
        } set: { announcement, value in
            announcement.days = value.listed.compactMap(Weekday.number)
        },
        ConfigKey(
            name: "between", rule: .text(.other(hours)), meaning: "hours of the day",
            example: .text("18:00-20:00")
        ) {
            $0.between.map { .text($0.text) }
        } set: { announcement, value in
            if case .text(let text) = value { announcement.between = Hours(text) }
        },
        .integer("seconds", 2...600, "seconds", \.seconds, "how long each time"),
        ConfigKey(
            name: "picture", rule: .text(.other(digest)),
            meaning: "of an accepted picture; with \"slide\", instead of the text", example: nil
        ) {
            $0.picture.map { .text($0) }
        } set: { announcement, value in
            if case .text(let text) = value { announcement.picture = text }
        },
    ]

    static let fault: @Sendable ([String: ConfigValue]) -> (field: String, reason: String)? = { values in
        if values["picture"] != nil, values["show"]?.listed.contains(Place.slide.rawValue) != true {
            return ("picture", "is shown among the slides; write show = \"slide\"")
        }
        guard case .moment(let from)? = values["from"], case .moment(let until)? = values["until"],
            until.end(in: .utc) <= from.beginning(in: .utc)
        else { return nil }
        return ("until", "is before from")
    }

    private static func example(_ day: Int, _ second: Int? = nil) -> LocalMoment {
        LocalMoment(CivilDate(dayNumber: 20_786 + day), secondOfDay: second)
    }

    private static let words = TextKind.Other(
        allowed: "a text of 1 to \(longestText) characters", hasLines: true
    ) { text in
        (1...longestText).contains(text.count) && text.contains { !$0.isWhitespace } ? nil : TextKind.Fault()
    }

    private static let place = TextKind.Other(
        allowed: "one of " + Place.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", "),
        plural: "of these"
    ) { Place(rawValue: $0) == nil ? TextKind.Fault() : nil }

    private static let weekday = TextKind.Other(
        allowed: "a day of the week such as \"friday\"", plural: "of them"
    ) { Weekday.number($0) == nil ? TextKind.Fault() : nil }

    private static let digest = TextKind.Other(
        allowed: "the 64 hexadecimal digits by which an accepted picture is named"
    ) { text in
        SHA256.isHex(text) ? nil : TextKind.Fault()
    }

    private static let hours = TextKind.Other(allowed: "hours of the day such as \"18:00-20:00\"") {
        Hours($0) == nil ? TextKind.Fault() : nil
    }
}

extension ConfigValue {
    /// The texts of a list, or a single text.
    fileprivate var listed: [String] {
        switch self {
        case .texts(let texts): texts
        case .text(let text): [text]
        default: []
        }
    }
}
