import PrayerEngine
package import Settings
package import Texts

/// `adhanctl check` and `adhand --check` for people: the result of the file. Problems are reported separately, on
/// standard error.
package enum CheckText {
    package static func render(_ document: CheckDocument, _ style: Style) -> String {
        guard let place = document.location, let how = document.calculation else { return "" }
        let verdict = document.usable ? style("valid", .good) : style("valid, but not usable here", .alarm)
        var text = "\(document.file): \(verdict)\n"
        text += "\(PlaceText.describe(place.name, place.latitude, place.longitude)), \(place.timezone)\n"
        if place.approximate {
            let advice =
                PlaceText.caution(place.name) + " Set latitude and longitude under [location]."
            text += Wrapping.lines(advice, indent: 0).map { style($0, .caution) + "\n" }.joined()
        }
        text += "\(MethodText.line(how.basics))\n"
        if let advice = MethodText.advice(how.basics) { text += style(advice, .faint) + "\n" }
        if how.methodChosenBy != .place, how.asr == AsrSchool.standard.rawValue,
            !document.settings.contains(where: { $0.key == "calculation.asr" })
        {
            let followed =
                "Asr is the standard one, as \(how.method)'s timetables have it, because no school is written. Mosques that "
                + "pray it later set asr = \"hanafi\" under [calculation]."
            text += Wrapping.lines(followed, indent: 0).map { style($0, .faint) + "\n" }.joined()
        }
        if let far = farFromZones(document, place, how) {
            text += Wrapping.lines(far, indent: 0).map { style($0, .caution) + "\n" }.joined()
        }
        if let tried = tried(document) {
            text += Wrapping.lines(tried, indent: 0).map { $0 + "\n" }.joined()
        }
        return text + dropIns(of: document.file, files: document.files, settings: document.settings)
    }

    private static func farFromZones(
        _ document: CheckDocument, _ place: StatusDocument.Location, _ how: StatusDocument.Calculation
    ) -> String? {
        guard let method = Method.named(how.method),
            !document.settings.contains(where: { $0.key == "calculation.zone" }),
            let point = try? Place(latitude: place.latitude, longitude: place.longitude)
        else { return nil }
        return ZoneText.farFromZones(Calculation(method: method), at: point).map { $0 + "." }
    }

    /// The keys that drop-ins set, and which files they override; empty where there are none.
    package static func dropIns(of main: String, files: [String], settings: [ConfigSetting]) -> String {
        var text = ""
        for file in files where file != main {
            text += "drop-in \(file):\n"
            let won = settings.filter { $0.file == file }
            if won.isEmpty { text += "  sets nothing that counts\n" }
            for setting in won {
                let over = setting.overridden.map { "\(name($0.file)):\($0.line)" }.joined(separator: ", ")
                text +=
                    "  \(setting.key) = \(setting.value)" + (over.isEmpty ? "" : "  (over \(over))") + "\n"
            }
        }
        let set = settings.filter { $0.by != nil }
        if !set.isEmpty { text += "set by command:\n" }
        for setting in set {
            let over = setting.overridden.map { "\(name($0.file)):\($0.line)" }.joined(separator: ", ")
            text +=
                "  \(setting.key) = \(setting.value)  (\(SettingText.author(setting.by ?? "", setting.at ?? ""))"
            text += (over.isEmpty ? "" : ", over \(over)") + ")\n"
        }
        return text
    }

    private static func name(_ file: String) -> Substring {
        file.split(separator: "/").last ?? file[...]
    }

    /// `Tried as the user adhand: standard can be played, "default" opens.`
    private static func tried(_ document: CheckDocument) -> String? {
        guard document.view != .text else { return nil }
        var parts: [String] = []
        let good = document.sounds.filter { $0.outcome.seconds != nil }.map(\.name)
        parts += Set(good).sorted().map { "\($0) can be played" }
        // Only the first device of an output that opens is used.
        let isNamed = document.settings.contains { $0.key == "output" || $0.key.hasPrefix("output.") }
        parts += document.devices.filter { $0.outcome == .opens }.prefix(isNamed ? .max : 1).map {
            "\"\($0.name)\" opens"
        }
        if let untried = document.untried { parts.append("no device was tried: \(untried)") }
        guard !parts.isEmpty else { return nil }
        let who = document.view == .own ? "as you" : "as the user \(document.user)"
        return "Tried \(who): " + parts.joined(separator: ", ") + "."
    }

    /// A finding on one line: place, problem, reason, and the command to type.
    package static func sentence(_ problem: CheckProblem) -> String {
        let mark = problem.severity == .warning ? "warning: " : ""
        return mark + problem.sentence + (problem.fix.map { "; try: \($0)" } ?? "")
    }
}
