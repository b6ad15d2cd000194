package import PrayerEngine
package import Texts

/// Translates people's spellings on a command line into adhand's words: one place for all commands. The configuration is
/// stricter: a file that many people read has one spelling, and an error names it.
package enum Spelling {
    private static let prayers: [Prayer: [String]] = [
        .fajr: ["fajar", "fajir", "fajer", "subh", "subuh", "sobh", "sabah"],
        .dhuhr: [
            "zuhr", "zohr", "zuhur", "dzuhur", "duhr", "dhur", "dhohr", "dohr", "thuhr", "zohar", "ogle",
        ],
        .asr: ["asar", "ashar", "asir", "ikindi"],
        .maghrib: ["magrib", "maghreb", "magreb", "mughrib", "aksam"],
        .isha: ["ishaa", "esha", "isya", "isyak", "yatsi"],
        .jumua: ["jumuah", "jummah", "jumma", "jumah", "juma", "jumat", "jumaat", "friday", "cuma"],
    ]

    private static let events: [DayEvent: [String]] = [
        .sunrise: ["shuruq", "shurooq", "syuruk"], .imsak: ["imsaak", "imsek"],
        .lastThird: ["lastthird", "tahajjud"],
    ]

    private static let methods: [String: String] = [
        "makkah": "umm-al-qura", "mecca": "umm-al-qura", "saudi": "umm-al-qura", "egypt": "egyptian",
        "muslimworldleague": "mwl", "northamerica": "isna", "turkey": "diyanet", "france": "uoif",
        "malaysia": "jakim", "indonesia": "kemenag", "pakistan": "karachi", "iran": "tehran",
        "shia": "jafari",
    ]

    package static func prayer(_ text: String) -> Prayer? {
        let word = letters(text)
        return Prayer(rawValue: word) ?? prayers.first { $0.value.contains(word) }?.key
    }

    /// The event of a prayer's name or another event's.
    package static func event(_ text: String) -> DayEvent? {
        let word = letters(text)
        return DayEvent.allCases.first { $0.rawValue.lowercased() == word }
            ?? events.first { $0.value.contains(word) }?.key
    }

    /// A school of Asr; another word is returned unchanged, and the caller refuses it.
    package static func school(_ text: String) -> String {
        switch letters(text) {
        case "shafi", "shafii", "shafei", "maliki", "hanbali", "jafari", "standard":
            AsrSchool.standard.rawValue
        case "hanafi", "hanafy", "hanefi": AsrSchool.hanafi.rawValue
        default: text
        }
    }

    /// A method; another word is returned unchanged, and the caller refuses it.
    package static func method(_ text: String) -> String {
        let word = text.lowercased().filter { $0.isLetter || $0.isNumber }
        return MethodNames.all.first { $0.filter { $0 != "-" } == word } ?? methods[word] ?? text
    }

    /// `9pm`, `9:30 p.m.`, `21.30`, `21:30:15` as `21:00`, `21:30` …; `nil` when it is not a time of day, or is ambiguous.
    package static func timeOfDay(_ text: String) -> String? {
        var word = text.lowercased().filter { $0 != " " }
        let half: Int? =
            word.hasSuffix("m") || word.hasSuffix("m.")
            ? letters(word) == "pm" ? 12 : letters(word) == "am" ? 0 : nil : nil
        if half != nil { word = String(word.prefix { $0.isNumber || $0 == ":" || $0 == "." }) }
        var parts = word.split(whereSeparator: { $0 == ":" || $0 == "." }).map { Int($0) ?? -1 }
        if let half {
            guard let hour = parts.first, (1...12).contains(hour) else { return nil }
            parts[0] = hour % 12 + half
            if parts.count == 1 { parts.append(0) }
        }
        let time = parts.map { InstantText.padded($0, 2) }.joined(separator: ":")
        return ClockText.secondOfDay(time) == nil ? nil : time
    }

    private static let units: [(names: [String], seconds: Double)] = [
        (["d", "day", "days"], 86_400), (["h", "hr", "hrs", "hour", "hours"], 3600),
        (["m", "min", "mins", "minute", "minutes"], 60), (["s", "sec", "secs", "second", "seconds"], 1),
    ]

    /// `2h`, `90 minutes`, `1.5 hours`, `1d`, `1 hour and 30 min` as `2h`, `1h30m` …; `nil` when it is not a duration. A bare
    /// number is not: its unit is unknown.
    package static func duration(_ text: String) -> String? {
        var seconds = 0.0
        var rest = text.lowercased().replacing(" and ", with: " ").filter { $0 != " " && $0 != "," }[...]
        guard !rest.isEmpty else { return nil }
        while !rest.isEmpty {
            let number = rest.prefix { $0.isASCII && $0.isNumber || $0 == "." }
            rest = rest.dropFirst(number.count)
            let unit = rest.prefix { $0.isLetter }
            rest = rest.dropFirst(unit.count)
            guard let count = Double(number),
                let found = units.first(where: { $0.names.contains(String(unit)) })
            else { return nil }
            seconds += count * found.seconds
        }
        guard (1...DurationText.longestSeconds).contains(seconds) else { return nil }
        return DurationText.format(seconds)
    }

    /// The lower-case letters of a text: `Jumu'ah`, `last-third`.
    private static func letters(_ text: String) -> String {
        text.lowercased().filter { $0.isASCII && $0.isLetter }
    }
}
