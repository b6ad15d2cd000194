import PrayerEngine

/// The keys of a mosque's own times.
extension ConfigSchema {
    static let timetable: [ConfigKey<Config>] = [
        .choice(
            "missing", \.missing,
            "days that the timetable does not have: \"compute\", or \"silent\" (not called at all)")
    ]

    // MARK: - Iqama

    static let iqama: [ConfigKey<Config>] = [
        .texts(
            "sound", .texts(.sound, orOne: true), \.iqamaAnnouncement.sound,
            "what announces the congregation"),
        .integer("volume", 0...100, "percent", \.iqamaAnnouncement.volume, "percent of perceived loudness"),
        .durations(
            "reminders", 1...21_600, \.iqamaAnnouncement.reminders, "before the iqama, such as [\"5m\"]"),
        .text("reminder-sound", .text(.sound), \.iqamaAnnouncement.reminderSound, "what a reminder plays"),
        .tables(
            "change", \.iqama.changes, of: change,
            blank: .init(from: CivilDate(dayNumber: 0), times: [:]), required: ["from"],
            "from this date until the next change",
            fault: { $0.count < 2 ? ("from", "changes nothing; name a prayer beside it") : nil }),
        .tables(
            "season", \.iqamaSeasons, of: season, blank: DatedTimes(), required: [],
            "every year; also \"winter-time\" and \"summer-time\"", fault: seasonFault),
    ]

    /// `[iqama.fajr]`, or `fajr = "+15m"`
    static let iqamaRules: [Schema<Config>.Section] = TableColumn.prayers.map { prayer in
        .init(
            path: ["iqama", prayer.rawValue],
            meaning: "when \(prayer.title)'s congregation stands up, unless the timetable says so",
            keys: [
                rule("at", at, iqamaExample[prayer], "after the adhan, a clock time, or by an event") {
                    .text($0.at.text)
                } set: { rule, value in
                    if case .text(let text) = value, let time = try? IqamaTime(text) { rule.at = time }
                },
                rule("round", .integer(1...60, unit: "minutes"), .integer(10), "to so many minutes") {
                    $0.round.map { .integer($0) }
                } set: { rule, value in
                    if case .integer(let minutes) = value { rule.round = minutes }
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

    private static let weekdays = [
        "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
    ]

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
            }
        ] + times(\.times)

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
        TableColumn.prayers.map { prayer in
            ConfigKey(
                name: prayer.rawValue, rule: .text(.iqama), meaning: "", example: iqamaExample[prayer]
            ) {
                $0[keyPath: place][prayer].map { .text($0.text) }
            } set: { root, value in
                if case .text(let text) = value { root[keyPath: place][prayer] = try? IqamaTime(text) }
            }
        }
    }

    // MARK: - Friday

    static let jumua: [ConfigKey<Config>] = [
        .flag(
            "replaces-dhuhr", \.jumua.replacesDhuhr, "whether Dhuhr is not called on a Friday with slots"),
        .texts(
            "khutba-sound", .texts(.sound, orOne: true), \.jumua.khutbaSound,
            "what is played when the imam begins"),
        .tables(
            "slot", \.jumua.slots, of: slot, blank: .init(), "a congregation of Friday, any number of times",
            fault: slotFault),
    ]

    private static let slot: [ConfigKey<JumuaSettings.Slot>] = [
        ConfigKey(
            name: "adhan", rule: .text(.slotAdhan),
            meaning: "\"dhuhr\", a clock time, \"khutba-10m\" or \"none\"", example: .text("dhuhr")
        ) {
            .text($0.adhan.text)
        } set: { slot, value in
            if case .text(let text) = value, let adhan = JumuaSettings.Slot.FirstAdhan(text) {
                slot.adhan = adhan
            }
        },
        .time("khutba", at, \.khutba, example: "13:10", "when the imam begins"),
        .time("prayer", at, \.prayer, example: "13:30", "when the congregation stands up"),
        ConfigKey(
            name: "sound", rule: .texts(.sound, orOne: true), meaning: "of its adhan",
            example: .text("standard")
        ) {
            $0.sound.map { ConfigValue.texts($0).concise }
        } set: { slot, value in
            switch value {
            case .texts(let texts): slot.sound = texts
            case .text(let text): slot.sound = [text]
            default: break
            }
        },
        .bound("from", \.validity.from, anyBound, example: "summer-time"),
        .bound("until", \.validity.until, anyBound, example: "winter-time"),
    ]

    private static let slotFault: @Sendable ([String: ConfigValue]) -> (field: String, reason: String)? = {
        values in
        if values["khutba"] == nil, values["prayer"] == nil {
            return ("khutba", "or prayer is needed: when the imam begins, or when the congregation stands up")
        }
        if values["khutba"] == nil, case .text(let adhan)? = values["adhan"], adhan.hasPrefix("khutba") {
            return ("adhan", "hangs on the khutba, which the slot does not have")
        }
        return Validity.fault(from: values["from"]?.dayBound, until: values["until"]?.dayBound)
    }

    // MARK: - Ramadan, the feasts and the months

    static let ramadan: [ConfigKey<Config>] = [
        ConfigKey(
            name: "wake", rule: .texts(.eventTime, orOne: true), meaning: "to eat, before fajr",
            example: .texts(["fajr-60m", "fajr-30m"])
        ) {
            $0.ramadan.wake.isEmpty ? nil : .texts($0.ramadan.wake.map(\.text))
        } set: { config, value in
            config.ramadan.wake = value.eventTimes
        },
        .texts("wake-sound", .texts(.sound, orOne: true), \.ramadan.wakeSound, ""),
        .time("imsak", .text(.eventTime), \.ramadan.imsak, example: "fajr-10m", "when to stop eating"),
        .texts("imsak-sound", .texts(.sound, orOne: true), \.ramadan.imsakSound, ""),
        .optionalTexts(
            "iftar-sound", .texts(.sound, orOne: true), \.ramadan.iftarSound, example: ["signal"],
            "at maghrib, before its adhan"),
        .time(
            "isha", .text(.eventTime), \.ramadan.isha, example: "maghrib+2h", "instead of the computed one"),
        .time("tarawih", .text(.eventTime), \.ramadan.tarawih, example: "isha+30m", "shown, without a sound"),
        .time(
            "qiyam", .text(.eventTime), \.ramadan.qiyam, example: "01:30", "in the last ten nights, likewise"),
        .integer("volume", 0...100, "percent", \.ramadan.volume, "of wake, imsak and iftar"),
    ]

    static let eid: [ConfigKey<Config>] = [
        ConfigKey(
            name: "prayers", rule: .texts(.clock, orOne: true), meaning: "clock times; no adhan and no iqama",
            example: .texts(["08:00", "09:30"])
        ) {
            $0.eid.prayers.isEmpty ? nil : .texts($0.eid.prayers.map(ClockText.format))
        } set: { config, value in
            config.eid.prayers = value.strings.compactMap { ClockText.parse($0) }.sorted()
        },
        .optionalTexts(
            "takbirat-sound", .texts(.sound, orOne: true), \.eid.takbiratSound,
            example: ["/srv/sounds/takbirat.mp3"], "a recording of the mosque's own"),
        ConfigKey(
            name: "takbirat", rule: .texts(.eventTime, orOne: true), meaning: "when it is played",
            example: nil
        ) {
            .texts($0.eid.takbirat.map(\.text))
        } set: { config, value in
            config.eid.takbirat = value.eventTimes
        },
        .integer("volume", 0...100, "percent", \.eid.volume, "of the takbirat"),
    ]

    static let hijri: [ConfigKey<Config>] = [
        .choice("day-begins", \.calculation.hijriDayBegins, "when a day of the Islamic calendar begins"),
        .entries(
            "month-start", .date, names: .hijriMonth,
            example: (name: "1448-09", value: .date(CivilDate(dayNumber: 20_857))),
            "first days of months, as decided",
            get: { config in
                Dictionary(
                    uniqueKeysWithValues: config.calculation.hijriPins.map { ($0.description, .date($1)) })
            },
            set: { config, entries in
                for case (let name, .date(let date)) in entries {
                    if let month = HijriMonth(name) { config.calculation.hijriPins[month] = date }
                }
            }),
    ]

    private static let at = ValueRule.text(.iqama)
    private static let seasonBound = TextKind.bound(
        allowed: "a day of every year such as \"03-15\", \"winter-time\" or \"summer-time\"", dates: false)
    private static let anyBound = TextKind.bound(
        allowed:
            "a date such as \"2027-03-28\", a day of every year such as \"03-15\", \"winter-time\" or \"summer-time\"",
        dates: true)

    // MARK: - What keys say together

    static func mosqueRelations(_ facts: SchemaFacts) -> [SchemaComplaint] {
        TableColumn.prayers.flatMap { prayer -> [SchemaComplaint] in
            let rule = ["iqama", prayer.rawValue]
            var complaints: [SchemaComplaint] = []
            if !facts.has(rule + ["at"]), facts.hasTable(rule) {
                complaints.append(
                    .init(rule, "iqama.\(prayer.rawValue) needs at: when the congregation stands up"))
            }
            return complaints
        }
    }

    /// An adhan that hangs on the iqama, and an iqama that hangs on the adhan, would chase each other.
    static func mosqueJudgement(_ config: Config) -> [SchemaComplaint] {
        var complaints: [SchemaComplaint] = []
        for prayer in TableColumn.prayers where config[prayer].beforeIqama != nil {
            let dated = config.iqama.changes.map(\.times) + config.iqama.seasons.map(\.times)
            let all =
                [config.iqama.rules[prayer]?.at, config.iqama.ramadan[prayer]].compactMap(\.self)
                + dated.compactMap { $0[prayer] }
            let isCircle = all.contains { if case .after(nil, _) = $0 { true } else { false } }
            guard isCircle else { continue }
            complaints.append(
                .init(
                    ["adhan", prayer.rawValue, "at"],
                    "adhan.\(prayer.rawValue).at hangs on the iqama, and the iqama on the adhan; give the iqama a clock "
                        + "time, or one by an event such as \"\(prayer.event.rawValue)+20m\""))
        }
        return complaints + pinComplaints(config.calculation)
    }

    private static func pinComplaints(_ settings: CalculationSettings) -> [SchemaComplaint] {
        do throws(HijriPinRefusal) {
            _ = try HijriCalendar(pins: settings.hijriPins, adjustment: settings.hijriAdjustment)
            return []
        } catch {
            let path = ["hijri", "month-start"]
            return [.init(path + [error.month.description], "hijri.month-start: \(error.message)")]
        }
    }
}

/// Times of a part of every year.
package struct DatedTimes: Sendable, Equatable {
    package var validity = Validity()
    package var times: [Prayer: IqamaTime] = [:]

    package init() {}
}

extension Config {
    /// The seasons as the file has them.
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
