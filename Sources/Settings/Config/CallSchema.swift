import PrayerEngine
import Texts

/// The keys of `[[call]]`.
extension ConfigSchema {
    static let calls: ConfigKey<Config> = .tables(
        "call", \.calls, of: call, blank: CallSettings(), required: ["name", "at"],
        "sounds at a time of the clock or an event of the day, any number of times",
        fault: { Validity.fault(from: $0["from"]?.dayBound, until: $0["until"]?.dayBound) })

    private static let call: [ConfigKey<CallSettings>] = [
        ConfigKey(
            name: "name", rule: .text(.outputName), meaning: "what status and history call it",
            example: .text("tahajjud")
        ) {
            .text($0.name)
        } set: { call, value in
            if case .text(let text) = value { call.name = text }
        },
        ConfigKey(
            name: "at", rule: .text(.callTime), meaning: "a clock time, or an event with + or - up to 12h",
            example: .text("last-third")
        ) {
            .text($0.at.text)
        } set: { call, value in
            if case .text(let text) = value, let time = try? CallTime(text) { call.at = time }
        },
        .sounds("sound", \.sound, "default: \"signal\""),
        .integer("volume", 0...100, "percent", \.volumePercent, "percent of perceived loudness"),
        .duration("fade-in", 0...300, \.fadeInSeconds, "from silence to the volume"),
        .duration("late-grace", 0...21_600, \.lateGraceSeconds, "how late it may still sound"),
        .optionalDuration(
            "for", 1...21_600, \.limitSeconds, example: 1080, "at most this long, faded out"),
        .flag("enabled", \.enabled, "false: as if it were not there"),
        .outputs(\.outputs),
        .weekdays("days", \.days, example: .text("friday"), "of the week; default: all"),
        ConfigKey(
            name: "hijri", rule: .texts(.hijriSpan, orOne: true),
            meaning: "months, days or ranges of the Islamic year; default: all",
            example: .texts(["ramadan", "12-01/12-09"])
        ) {
            $0.hijri.isEmpty ? nil : ConfigValue.texts($0.hijri.map(\.text)).concise
        } set: { call, value in
            call.hijri = value.strings.compactMap { HijriSpan($0) }
        },
        .bound("from", \.validity.from, anyBound, example: "summer-time"),
        .bound("until", \.validity.until, anyBound, example: "winter-time"),
    ].map { key in
        // A displayed table shows the defaults, too.
        ConfigKey(
            name: key.name, rule: key.rule, meaning: key.meaning,
            example: key.example ?? key.get(CallSettings()), get: key.get, set: key.set)
    }

    /// Rules over all calls.
    static func callComplaints(_ config: Config) -> [SchemaComplaint] {
        let calls = config.calls
        guard calls.count <= CallSettings.most else {
            return [.init(["call"], "call has \(calls.count) calls, allowed are \(CallSettings.most)")]
        }
        return twins(calls.map(\.name), "call", "calls")
    }
}

extension TextKind {
    static let callTime = TextKind.other(
        .init(
            allowed:
                "a clock time such as \"02:30\", or an event of the day such as \"last-third\" or \"fajr-20m\"",
            fault: { text in
                do throws(IqamaError) {
                    _ = try CallTime(text)
                    return nil
                } catch {
                    let near = error.near.map {
                        $0.replacing(DayEvent.lastThird.rawValue, with: CallTime.lastThird)
                    }
                    // Minutes alone follow an adhan elsewhere, and here they follow nothing.
                    let isBare =
                        near?.hasPrefix("+") ?? false || text.hasPrefix("-")
                        || text.lowercased().hasPrefix("adhan")
                    return Fault(
                        because: isBare
                            ? "it does not say after what; write an event, such as \"isha+15m\""
                            : error.because,
                        hint: isBare ? nil : near.map(TOMLEscapes.quote))
                }
            }))

    static let hijriSpan = TextKind.other(
        .init(
            allowed:
                "a month of the Islamic year such as \"ramadan\" or \"09\", a day such as \"12-09\", or days such as \"12-01/12-09\"",
            plural: "such months and days",
            fault: { text in
                if HijriSpan(text) != nil { return nil }
                let plain = text.lowercased().replacing("'", with: "").replacing(" ", with: "-")
                let meant =
                    HijriSpan.months.contains(plain) ? plain : NearestName.of(plain, among: HijriSpan.months)
                return Fault(hint: meant.map(TOMLEscapes.quote))
            }))
}
