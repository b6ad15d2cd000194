internal import Languages
internal import PrayerEngine
internal import Protocol
internal import Settings
internal import Texts

/// Translates settings: the names of keys and the meanings of their values.
extension PageMaker {
    /// The values that were set, each with the previous one, or after an undo the values that are in force again. Keys without
    /// a translated name are only shown if no other was set.
    func steps(of notice: PageContext.Notice) -> [HTML] {
        let known = notice.steps.filter { fullName(of: $0.key) != nil }
        let isUndone = notice.content == .done(.undone)
        return (known.isEmpty ? notice.steps : known).prefix(Self.mostSteps).map { step in
            let values = isUndone ? [number(value(step.after, of: step.key))] : change(step)
            let start = isUndone ? [HTML.text("\(context.text("now-in-force")): ")] : []
            return .element("p", [], start + [name(ofKey: step.key), .text(": ")] + values)
        }
    }

    /// The most steps shown in the notice above a page.
    private static var mostSteps: Int { 6 }

    /// A line such as `Isha · Iqama: None → Adhan + 20 min`.
    func line(_ step: SettingsFacts.Step) -> HTML {
        .element("p", [], [name(ofKey: step.key), .text(": ")] + change(step))
    }

    private func change(_ step: SettingsFacts.Step) -> [HTML] {
        let arrow = context.language.direction == "rtl" ? " ← " : " → "
        return [
            number(value(step.before, of: step.key)), .text(arrow), number(value(step.after, of: step.key)),
        ]
    }

    /// The full name of a key: translated, or else as it is written.
    func name(ofKey key: String) -> HTML { fullName(of: key).map { .text($0) } ?? code(key) }

    /// The translated full name of a key.
    func fullName(of key: String) -> String? {
        let parts = key.split(separator: ".").map(String.init)
        func of(_ subject: String?, _ word: String) -> String? { subject.map { "\($0) · \(word)" } }
        let iqama = context.language.phrase("iqama")
        switch (parts.first, parts.last, parts.count) {
        case ("adhan", "volume", 2): return of(context.text("all-prayers"), context.text("setup-volume"))
        case ("adhan", "sound", 2): return of(context.text("all-prayers"), context.text("sound"))
        case ("adhan", "volume", 3):
            return of(context.language.prayers[parts[1]], context.text("setup-volume"))
        case ("adhan", "sound", 3): return of(context.language.prayers[parts[1]], context.text("sound"))
        case ("iqama", "at", 3): return of(context.language.prayers[parts[1]], iqama)
        case ("iqama", "volume", 2): return of(iqama, context.text("setup-volume"))
        case ("iqama", "sound", 2): return of(iqama, context.text("sound"))
        case ("iqama", "change", 2): return iqama
        case ("jumua", "slot", 2): return prayer("jumua")
        case ("display", "announcement", 2): return context.text("announcements")
        case ("location", "name", 2): return context.text("health-location")
        case ("timezone", _, 1): return context.text("health-timezone")
        case ("calculation", "method", 2): return context.text("setup-method")
        case ("calculation", "asr", 2): return context.text("setup-asr")
        case ("audio", "devices", 2): return context.text("setup-loudspeaker")
        case ("display", "languages", 2): return context.text("screen-language")
        case ("ramadan", _, 3): return words(ofKey: key).map { "\(ramadanName) · \($0)" }
        default: return words(ofKey: key)
        }
    }

    /// - Parameter toml: empty if there is no value, `nil` if nothing was set by command.
    func value(_ toml: String?, of key: String) -> String {
        toml.map { plain(PlainValue.text($0), of: key) } ?? "–"
    }

    /// - Parameter text: a value without its quotes, or a list of tables.
    func plain(_ text: String, of key: String) -> String {
        if text.hasPrefix("["), let list = TableList(text), !list.rows.isEmpty {
            return short(list.rows.map(words).joined(separator: "; "))
        }
        switch text {
        case "", "[]", "none": return context.text("none")
        case "true": return context.text("yes")
        case "false": return context.text("no")
        case "silent" where key.hasSuffix("sound"): return outcome(.silent)
        case "midnight" where key == "hijri.day-begins": return "00:00"
        case "auto" where key == "calculation.method": return context.text("as-usual-there")
        case _ where key == "calculation.method": return SetupFacts.methodName(text)
        case _ where key == "audio.devices" || key == "display.languages": return names(text, of: key)
        case _ where key == "timezone": return Self.town(of: text)
        case "standard", "hanafi": if key == "calculation.asr" { return context.text("asr-\(text)") }
        case "maghrib": return prayer(text)
        default: break
        }
        if key.hasSuffix("volume"), Int(text) != nil { return "\(text) %" }
        if let seconds = Self.secondsBeforeKhutba(text) {
            return "\(context.language.phrase("khutba")) − \(span(seconds))"
        }
        if !key.hasSuffix("sound"), text.contains(where: { "+-:".contains($0) }),
            let time = try? IqamaTime(text)
        {
            return words(of: time)
        }
        return short(text)
    }

    /// A list, or a single value in place of one: loudspeakers by the system's descriptions, languages by their own names.
    private func names(_ text: String, of key: String) -> String {
        let all = text.hasPrefix("[") ? PlainValue.texts(text) : [text]
        let names = all.map { one in
            key == "audio.devices"
                ? context.deviceTexts[one] ?? one
                : Language.names.first { $0.code == one }?.name ?? one
        }
        return short(names.joined(separator: ", "))
    }

    /// The town of a zone: `New York` for `America/New_York`.
    private static func town(of zone: String) -> String {
        (zone.split(separator: "/").last.map(String.init) ?? zone).replacing("_", with: " ")
    }

    /// The seconds in a value like `khutba-10m`, which a Friday's adhan may have; `nil` for anything else.
    private static func secondsBeforeKhutba(_ text: String) -> Double? {
        text.hasPrefix("khutba-") ? DurationText.parse(text.dropFirst("khutba-".count)) : nil
    }

    /// The time in words: `Adhan + 20 min`, `Sunrise − 40 min`, `20:15`.
    private func words(of time: IqamaTime) -> String {
        switch time {
        case .clock(let minutes): return ClockText.format(minutes)
        case .after(let event, let minutes):
            let start = event.map { name(of: $0) } ?? context.language.phrase("adhan")
            return minutes == 0
                ? start : "\(start) \(minutes < 0 ? "−" : "+") \(span(Double(abs(minutes)) * 60))"
        }
    }

    private func name(of event: DayEvent) -> String {
        context.language.prayers[event.rawValue] ?? context.language.phrases[event.rawValue]
            ?? event.rawValue
    }

    private func words(_ row: TableList.Row) -> String {
        row.fields.map { field in
            let text = PlainValue.text(field.toml)
            switch field.name {
            case "text": return short(text)
            case "from" where CivilDate(text) != nil: return "\(context.text("from")) \(date(text))"
            case "until": return "\(context.text("until")) \(date(text))"
            case "show", "picture", "days", "between", "seconds": return ""
            default: return "\(rowWord(field.name)) \(plain(text, of: field.name))"
            }
        }.filter { !$0.isEmpty }.joined(separator: " · ")
    }

    private func short(_ text: String) -> String { text.count > 120 ? text.prefix(117) + "…" : text }
}
