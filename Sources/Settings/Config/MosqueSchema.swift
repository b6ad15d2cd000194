import PrayerEngine
import Texts

/// The keys of a mosque's own times.
extension ConfigSchema {
    static let timetable: [ConfigKey<Config>] = [
        .choice(
            "missing", \.missing,
            "days that the timetable does not have: \"compute\", or \"silent\" (not called at all)")
    ]

    // MARK: - Friday

    static let jumua: [ConfigKey<Config>] = [
        .flag(
            "replaces-dhuhr", \.jumua.replacesDhuhr, "whether Dhuhr is not called on a Friday with slots"),
        .sounds(
            "khutba-sound", \.jumua.khutbaSound,
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
            $0.sound?.value
        } set: { slot, value in
            slot.sound = RotatingSound(value)
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
            return ("adhan", "depends on the khutba, which the slot does not have")
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
        .sounds("wake-sound", \.ramadan.wakeSound, ""),
        .time("imsak", .text(.eventTime), \.ramadan.imsak, example: "fajr-10m", "when to stop eating"),
        .sounds("imsak-sound", \.ramadan.imsakSound, ""),
        .optionalSounds(
            "iftar-sound", \.ramadan.iftarSound, example: ["signal"],
            "at maghrib, before its adhan"),
        .time(
            "isha", .text(.eventTime), \.ramadan.isha, example: "maghrib+2h", "instead of the computed one"),
        .time("tarawih", .text(.eventTime), \.ramadan.tarawih, example: "isha+30m", "shown, without a sound"),
        .time(
            "qiyam", .text(.eventTime), \.ramadan.qiyam, example: "01:30", "in the last ten nights, likewise"),
        .integer("volume", 0...100, "percent", \.ramadan.volumePercent, "of wake, imsak and iftar"),
    ]

    static let eid: [ConfigKey<Config>] = [
        ConfigKey(
            name: "prayers", rule: .texts(.clock, orOne: true), meaning: "clock times; no adhan and no iqama",
            example: .texts(["08:00", "09:30"])
        ) {
            $0.eid.prayerMinutes.isEmpty ? nil : .texts($0.eid.prayerMinutes.map(ClockText.format))
        } set: { config, value in
            config.eid.prayerMinutes = value.strings.compactMap { ClockText.parse($0) }.sorted()
        },
        .optionalSounds(
            "takbirat-sound", \.eid.takbiratSound,
            example: ["/srv/sounds/takbirat.mp3"], "a recording of the mosque's own"),
        ConfigKey(
            name: "takbirat", rule: .texts(.eventTime, orOne: true), meaning: "when it is played",
            example: nil
        ) {
            .texts($0.eid.takbirat.map(\.text))
        } set: { config, value in
            config.eid.takbirat = value.eventTimes
        },
        .integer("volume", 0...100, "percent", \.eid.volumePercent, "of the takbirat"),
    ]

    static let hijri: [ConfigKey<Config>] = [
        ConfigKey(
            name: "calendar",
            rule: .oneOf([CalculationSettings.automatic] + HijriRule.allCases.map(\.rawValue)),
            meaning: "whose months they are; \"auto\" is the one of the place's country"
        ) {
            .text($0.calculation.hijriRule?.rawValue ?? CalculationSettings.automatic)
        } set: { config, value in
            if case .text(let name) = value { config.calculation.hijriRule = HijriRule(rawValue: name) }
        },
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

    static let at = ValueRule.text(.iqama)
    static let seasonBound = TextKind.bound(
        allowed: "a day of every year such as \"03-15\", \"winter-time\" or \"summer-time\"", dates: false)
    static let anyBound = TextKind.bound(
        allowed:
            "a date such as \"2027-03-28\", a day of every year such as \"03-15\", \"winter-time\" or \"summer-time\"",
        dates: true)

    // MARK: - Rules for several keys

    static func mosqueRelations(_ facts: SchemaFacts) -> [SchemaComplaint] {
        TimetableColumn.prayers.flatMap { prayer -> [SchemaComplaint] in
            let rule = ["iqama", prayer.rawValue]
            var complaints: [SchemaComplaint] = []
            if !facts.has(rule + ["at"]), facts.hasTable(rule) {
                complaints.append(
                    .init(rule, "iqama.\(prayer.rawValue) needs at: when the congregation stands up"))
            }
            return complaints
        }
    }

    /// Complaints about several keys: an adhan anchored to the iqama and an iqama that follows the adhan would depend on each
    /// other.
    static func mosqueComplaints(_ config: Config) -> [SchemaComplaint] {
        var complaints: [SchemaComplaint] = []
        for prayer in TimetableColumn.prayers where config[prayer].beforeIqamaSeconds != nil {
            let dated = config.iqama.changes.map(\.times) + config.iqama.seasons.map(\.times)
            let all =
                [config.iqama.rules[prayer]?.at, config.iqama.ramadan[prayer]].compactMap(\.self)
                + dated.compactMap { $0[prayer] }
            let isCircle = all.contains { if case .after(nil, _) = $0 { true } else { false } }
            guard isCircle else { continue }
            complaints.append(
                .init(
                    ["adhan", prayer.rawValue, "at"],
                    "adhan.\(prayer.rawValue).at depends on the iqama, and the iqama depends on the adhan; give the iqama a clock "
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
