import PrayerEngine
package import Texts

/// The keys of congregations' times.
extension ConfigSchema {
    static let iqama: [ConfigKey<Config>] = [
        .sounds(
            "sound", \.iqamaAnnouncement.sound,
            "what announces the congregation"),
        .integer(
            "volume", 0...100, "percent", \.iqamaAnnouncement.volumePercent, "percent of perceived loudness"),
        .durations(
            "reminders", 1...21_600, \.iqamaAnnouncement.reminderSeconds, "before the iqama, such as [\"5m\"]"
        ),
        .sound("reminder-sound", \.iqamaAnnouncement.reminderSound, "what a reminder plays"),
        .tables(
            "change", \.iqama.changes, of: change,
            blank: .init(from: CivilDate(dayNumber: 0), times: [:]), required: ["from"],
            "from this date until the next change, or until its own last day", fault: changeFault),
        .tables(
            "season", \.iqamaSeasons, of: season, blank: DatedTimes(), required: [],
            "every year; also \"winter-time\" and \"summer-time\"", fault: seasonFault),
    ]

    /// `[iqama.fajr]`, or `fajr = "+15m"`
    static let iqamaRules: [Schema<Config>.Section] = TimetableColumn.prayers.map { prayer in
        .init(
            path: ["iqama", prayer.rawValue],
            meaning: "when \(prayer.title)'s congregation stands up, unless the timetable says so",
            keys: [
                rule("at", at, iqamaExample[prayer], "after the adhan, a clock time, or by an event") {
                    .text($0.at.text)
                } set: { rule, value in
                    if case .text(let text) = value, let time = try? IqamaTime(text) { rule.at = time }
                },
                rule("round", .integer(1...60, unit: "minutes"), .integer(10), "to this many minutes") {
                    $0.roundMinutes.map { .integer($0) }
                } set: { rule, value in
                    if case .integer(let minutes) = value { rule.roundMinutes = minutes }
                },
                rule(
                    "rounding", .oneOf(IqamaRule.Rounding.allCases.map(\.rawValue)), .text("nearest"),
                    "\"nearest\", \"up\" or \"down\""
                ) {
                    $0.rounding == .nearest ? nil : .text($0.rounding.rawValue)
                } set: { rule, value in
                    if case .text(let text) = value, let rounding = IqamaRule.Rounding(rawValue: text) {
                        rule.rounding = rounding
                    }
                },
                rule("weekly", .oneOf(weekdays), .text("sunday"), "computed that day, kept for the week") {
                    $0.weekly.map { .text(weekdays[$0 - 1]) }
                } set: { rule, value in
                    if case .text(let text) = value {
                        rule.weekly = weekdays.firstIndex(of: text).map { $0 + 1 }
                    }
                },
                limit("not-before", \.notBefore, "sunrise-60m"),
                limit("not-after", \.notAfter, "sunrise-20m"),
            ].map { key in
                ConfigKey<Config>(name: key.name, rule: key.rule, meaning: key.meaning, example: key.example)
                {
                    $0.iqama.rules[prayer].flatMap(key.get)
                } set: { config, value in
                    key.set(
                        &config.iqama.rules[prayer, default: IqamaRule(at: .after(nil, minutes: 0))], value)
                }
            }, shorthand: "at")
    }

    private static let iqamaExample: [Prayer: ConfigValue] = [
        .fajr: .text("sunrise-40m"), .dhuhr: .text("13:30"), .asr: .text("+15m"), .maghrib: .text("+5m"),
        .isha: .text("+10m"),
    ]

    private static let weekdays = Weekday.names

    private static func rule(
        _ name: String, _ rule: ValueRule, _ example: ConfigValue?, _ meaning: String,
        get: @escaping @Sendable (IqamaRule) -> ConfigValue?,
        set: @escaping @Sendable (inout IqamaRule, ConfigValue) -> Void
    ) -> ConfigKey<IqamaRule> {
        ConfigKey(name: name, rule: rule, meaning: meaning, example: example, get: get, set: set)
    }

    private static func limit(
        _ name: String, _ place: any WritableKeyPath<IqamaRule, IqamaTime?> & Sendable, _ example: String
    ) -> ConfigKey<IqamaRule> {
        .time(name, at, place, example: example, "a limit that no rounding breaks")
    }

    private static let change: [ConfigKey<IqamaSettings.Change>] =
        [
            ConfigKey(name: "from", rule: .date, meaning: "", example: .date(CivilDate(dayNumber: 20_905))) {
                .date($0.from)
            } set: { change, value in
                if case .date(let date) = value { change.from = date }
            },
            ConfigKey(name: "until", rule: .date, meaning: "", example: nil) {
                $0.until.map { .date($0) }
            } set: { change, value in
                if case .date(let date) = value { change.until = date }
            },
        ] + times(\.times)

    private static let changeFault: @Sendable ([String: ConfigValue]) -> (field: String, reason: String)? = {
        values in
        if case .date(let from)? = values["from"], case .date(let until)? = values["until"], until < from {
            return ("until", "is before from")
        }
        let named = Set(values.keys).subtracting(["from", "until"])
        return named.isEmpty ? ("from", "changes nothing; name a prayer beside it") : nil
    }

    private static let season: [ConfigKey<DatedTimes>] =
        [
            .bound("from", \.validity.from, seasonBound, example: "03-15"),
            .bound("until", \.validity.until, seasonBound, example: "10-15"),
        ] + times(\.times)

    private static let seasonFault: @Sendable ([String: ConfigValue]) -> (field: String, reason: String)? = {
        values in
        let (from, until) = (values["from"]?.dayBound, values["until"]?.dayBound)
        if from == nil, until == nil { return ("from", "is missing; say from when the season is") }
        if let fault = Validity.fault(from: from, until: until) { return fault }
        let named = Set(values.keys).subtracting(["from", "until"])
        return named.isEmpty ? ("from", "changes nothing; name a prayer beside it") : nil
    }

    /// `[ramadan.iqama]`
    static let ramadanIqama: [ConfigKey<Config>] = times(\.iqama.ramadan)

    /// A time for each prayer.
    private static func times<Root: Sendable>(
        _ place: any WritableKeyPath<Root, [Prayer: IqamaTime]> & Sendable
    ) -> [ConfigKey<Root>] {
        TimetableColumn.prayers.map { prayer in
            ConfigKey(
                name: prayer.rawValue, rule: .text(.iqama), meaning: "", example: iqamaExample[prayer]
            ) {
                $0[keyPath: place][prayer].map { .text($0.text) }
            } set: { root, value in
                if case .text(let text) = value { root[keyPath: place][prayer] = try? IqamaTime(text) }
            }
        }
    }
}

/// Times for a part of every year.
package struct DatedTimes: Sendable, Equatable {
    package var validity = Validity()
    package var times: [Prayer: IqamaTime] = [:]

    package init() {}
}

extension Config {
    /// The seasons in the file's form.
    var iqamaSeasons: [DatedTimes] {
        get {
            iqama.seasons.map { season in
                var dated = DatedTimes()
                dated.times = season.times
                switch season.season {
                case .winterTime: dated.validity.from = .winterTime
                case .summerTime: dated.validity.from = .summerTime
                case .days(let from, let until):
                    dated.validity = Validity(from: .everyYear(from), until: .everyYear(until))
                }
                return dated
            }
        }
        set {
            iqama.seasons = newValue.compactMap { dated in
                dated.validity.season.map { .init($0, times: dated.times) }
            }
        }
    }
}
