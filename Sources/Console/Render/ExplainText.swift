import PrayerEngine
package import Protocol
package import Texts
package import Times

/// `adhanctl explain` for people: the steps in order, each with its resulting instant.
package enum ExplainText {
    /// Wide enough for `22:33:14+1`.
    private static let column = 14

    package static func render(_ document: ExplainDocument, site: Site, _ style: Style) -> String {
        let place =
            PlaceText.describe(site.name, site.place.latitude, site.place.longitude) + ", \(site.zone.name)"
        let title = Prayer(rawValue: document.prayer)?.title ?? eventTitle(document.prayer)
        let date = CivilDate(document.date).map(LocalText.long) ?? document.date
        var text = style("\(title) on \(date)", .heading) + "\n" + place + "\n"
        if let warning = document.zoneWarning {
            text += Wrapping.lines(warning.caution, indent: 0).map { style($0, .alarm) + "\n" }.joined()
        }
        let how = [
            MethodText.line(document.calculation.basics),
            MethodText.advice(document.calculation.basics, typing: "--method NAME"),
        ]
        for line in how.compactMap(\.self) {
            text += Wrapping.lines(line, indent: 0).map { style($0, .faint) + "\n" }.joined()
        }
        if let note = document.note { text += Wrapping.lines(note, indent: 0).map { $0 + "\n" }.joined() }
        text += "\n"
        for step in document.steps {
            text += row(time(step.at, on: document.date), step.rule, .plain, style)
            if let source = step.source { text += row("", "Source: \(source)", .faint, style) }
        }
        let verdict = document.result == nil ? "\(title) does not occur" : title
        text += "\n" + row(time(document.result, on: document.date), verdict, .heading, style)
        return text
    }

    private static func row(_ time: String, _ sentence: String, _ tone: Style.Tone, _ style: Style) -> String
    {
        let lines = Wrapping.lines(sentence, indent: column)
        return lines.enumerated().map { index, line in
            let head = index == 0 ? time : ""
            return "  " + head + String(repeating: " ", count: max(1, column - 2 - head.count))
                + style(line, tone) + "\n"
        }.joined()
    }

    private static func time(_ instant: String?, on day: String) -> String {
        guard let instant else { return "-" }
        let local = LocalText.second(instant)
        guard let own = CivilDate(day), let date = CivilDate(LocalText.date(instant)), own != date else {
            return local
        }
        let days = date.dayNumber - own.dayNumber
        return "\(local)\(days > 0 ? "+" : "")\(days)"
    }

    private static func eventTitle(_ name: String) -> String {
        DayEvent(rawValue: name).map { $0.title } ?? name
    }
}

/// `adhanctl methods` for people.
package enum MethodsText {
    package static func render(_ document: MethodsDocument, _ style: Style) -> String {
        var text = ""
        for method in document.methods {
            text +=
                style(method.name, .heading) + (method.id.map { " (\($0))" } ?? "")
                + "  \(method.title); \(method.region)\n"
            text += indented(rules(method).joined(separator: ", "), .plain, style)
            text += indented("Source: \(method.source)", .faint, style)
        }
        text += style("custom", .heading) + "  Your own angles\n"
        text += indented(
            "--method custom with --fajr-angle, and --isha-angle or --isha-minutes; in the configuration under "
                + "[calculation.angles]", .plain, style)
        return text
    }

    private static func indented(_ sentence: String, _ tone: Style.Tone, _ style: Style) -> String {
        Wrapping.lines(sentence, indent: 4).map { "    " + style($0, tone) + "\n" }.joined()
    }

    private static func rules(_ method: MethodsDocument.Entry) -> [String] {
        // For a town with a table of the seasons, the angles are irrelevant.
        let isTable = Method.named(method.name)?.followsTable ?? false
        var rules = isTable ? ["Fajr and Isha by season"] : ["Fajr \(degrees(method.fajrAngle))"]
        if let angle = method.ishaAngle, !isTable { rules.append("Isha \(degrees(angle))") }
        if let minutes = method.ishaMinutes {
            var rule = "Isha \(number(minutes)) min after Maghrib"
            if let ramadan = method.ishaMinutesInRamadan, ramadan != minutes {
                rule += " (\(number(ramadan)) in Ramadan)"
            }
            rules.append(rule)
        }
        if method.maghribAngle > 0 { rules.append("Maghrib \(degrees(method.maghribAngle))") }
        if method.seasonal, !isTable { rules.append("Fajr and Isha by season and latitude") }
        for event in DayEvent.allCases {
            guard let minutes = method.offsets[event.rawValue] else { continue }
            rules.append("\(event.title) \(minutes > 0 ? "+" : "")\(number(minutes)) min")
        }
        if method.rounding != Rounding.nearest.rawValue { rules.append("rounding \(method.rounding)") }
        rules.append("Asr \(method.asr)")
        if method.midnight != MidnightRule.standard.rawValue { rules.append("midnight \(method.midnight)") }
        return rules
    }

    private static func degrees(_ value: Double) -> String { number(value) + "°" }

    private static func number(_ value: Double) -> String {
        value == value.rounded() ? NumberText.decimals(value, 0) : NumberText.decimals(value, 1)
    }
}
