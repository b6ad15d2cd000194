// Makes page/languages/*.json: names of months and days and the order of a date from Foundation's ICU and CLDR, the rest from
// phrases.json. Run in this folder, on a machine with Swift:  swift generate.swift
// The display's programs have no ICU linked in, and browsers' own tables differ: so they are data.
import Foundation

struct Phrases: Codable {
    let prayers: [String: String]
    let phrases: [String: String]
    // The texts of adhan-companion for one person.
    let person: [String: String]
    // Those of the phone page.
    let remote: [String: String]
}

struct Language: Codable {
    let code: String, name: String, direction: String, digits: String
    let months: [String], weekdays: [String], hijriMonths: [String]
    let date: String, hijriDate: String
    // For countries in which the month stands first.
    var monthFirst: [String: String]? = nil
    var solar: Solar? = nil
    let prayers: [String: String], phrases: [String: String], person: [String: String], remote: [String: String]
}

struct Solar: Codable {
    let months: [String], firstYear: Int, newYears: String
}

// The civil calendar of Iran, by ICU: the day of March on which each year begins.
func solar(_ code: String) -> Solar? {
    guard code == "fa" else { return nil }
    var persian = Calendar(identifier: .persian)
    persian.timeZone = TimeZone(secondsFromGMT: 0)!
    var gregorian = Calendar(identifier: .gregorian)
    gregorian.timeZone = persian.timeZone
    let years = 1379...1500
    let days = years.map { year -> String in
        let first = persian.date(from: DateComponents(year: year, month: 1, day: 1))!
        let parts = gregorian.dateComponents([.year, .month, .day], from: first)
        guard parts.year == year + 621, parts.month == 3 else { fatalError("Nowruz of \(year)") }
        return String(parts.day!)
    }
    let names = formatter(Locale(identifier: code), .persian, "LLLL")
    return Solar(months: names.monthSymbols, firstYear: years.lowerBound, newYears: days.joined())
}

func formatter(_ locale: Locale, _ calendar: Calendar.Identifier, _ pattern: String) -> DateFormatter {
    let formatter = DateFormatter()
    formatter.locale = locale
    var own = Calendar(identifier: calendar)
    own.locale = locale
    own.timeZone = TimeZone(secondsFromGMT: 0)!
    formatter.calendar = own
    formatter.timeZone = own.timeZone
    formatter.dateFormat = pattern
    return formatter
}

// A date's pattern with the names that the page fills in. Eras are left out: Persian and Bengali would show the wrong ones.
func pattern(_ raw: String) -> String {
    var text = ""
    var run = Substring()
    var rest = Substring(raw)
    func field(_ run: Substring) -> String {
        switch run.first {
        case "E", "c": "{weekday}"
        case "d": "{day}"
        case "M", "L": "{month}"
        case "y", "r": "{year}"
        default: ""
        }
    }
    while let character = rest.first {
        if character == "'" {
            let quoted = rest.dropFirst().prefix { $0 != "'" }
            text += quoted
            rest = rest.dropFirst(quoted.count + 2)
        } else if character.isASCII, character.isLetter {
            run = rest.prefix { $0 == character }
            text += field(run)
            rest = rest.dropFirst(run.count)
        } else {
            text.append(character)
            rest = rest.dropFirst()
        }
    }
    return text.trimmingCharacters(in: .whitespaces)
}

// Where CLDR's names of the Hijri months are not those in use, or are English ones for want of a translation.
let hijriOverrides: [String: [String]] = [
    "bs": ["Muharrem", "Safer", "Rebiul-evvel", "Rebiul-ahir", "Džumadel-ula", "Džumadel-uhra", "Redžeb", "Šaban", "Ramazan", "Ševval", "Zul-kade", "Zul-hidže"],
    "sq": ["Muharrem", "Safer", "Rebiul-evel", "Rebiul-ahir", "Xhumadel-ula", "Xhumadel-uhra", "Rexheb", "Shaban", "Ramazan", "Sheval", "Dhulkade", "Dhulhixhe"],
    "uz": ["Muharram", "Safar", "Rabiulavval", "Rabiulsoni", "Jumodulavval", "Jumodulsoni", "Rajab", "Sha’bon", "Ramazon", "Shavvol", "Zulqa’da", "Zulhijja"],
    "so": ["Muxarram", "Safar", "Rabiicul Awal", "Rabiicul Aakhir", "Jumaadal Uulaa", "Jumaadal Aakhir", "Rajab", "Shacbaan", "Ramadaan", "Shawaal", "Dul Qacda", "Dul Xijja"],
    "sw": ["Muharram", "Safar", "Rabiul Awwal", "Rabiul Thani", "Jumadal Ula", "Jumadal Akhira", "Rajab", "Shaaban", "Ramadhani", "Shawwal", "Dhul Qaada", "Dhul Hijja"],
    "ha": ["Muharram", "Safar", "Rabi'ul Awwal", "Rabi'us Sani", "Jimada Ula", "Jimada Sani", "Rajab", "Sha'aban", "Ramadan", "Shawwal", "Zulki'ida", "Zulhijja"],
    "bn": ["মহররম", "সফর", "রবিউল আউয়াল", "রবিউস সানি", "জমাদিউল আউয়াল", "জমাদিউস সানি", "রজব", "শাবান", "রমজান", "শাওয়াল", "জিলকদ", "জিলহজ"],
    "id": ["Muharam", "Safar", "Rabiulawal", "Rabiulakhir", "Jumadilawal", "Jumadilakhir", "Rajab", "Syakban", "Ramadan", "Syawal", "Zulkaidah", "Zulhijah"],
    "ms": ["Muharam", "Safar", "Rabiulawal", "Rabiulakhir", "Jamadilawal", "Jamadilakhir", "Rejab", "Syaaban", "Ramadan", "Syawal", "Zulkaedah", "Zulhijah"],
    "ru": ["мухаррама", "сафара", "раби-уль-авваля", "раби-уль-ахира", "джумад-уль-авваля", "джумад-уль-ахира", "раджаба", "шаабана", "рамадана", "шавваля", "зуль-каады", "зуль-хиджжи"],
    "fr": ["mouharram", "safar", "rabia al awal", "rabia ath-thani", "joumada al oula", "joumada ath-thania", "rajab", "chaabane", "ramadan", "chawwal", "dhou al-qi'da", "dhou al-hijja"],
    "nl": ["Moeharram", "Safar", "Rabi al-awwal", "Rabi al-thani", "Joemada al-oela", "Joemada al-achira", "Rajab", "Sjaban", "Ramadan", "Sjawal", "Dhoel Qa'da", "Dhoel Hidja"],
    "de": ["Muharram", "Safar", "Rabi' al-auwal", "Rabi' al-achir", "Dschumada al-ula", "Dschumada al-achira", "Radschab", "Scha'ban", "Ramadan", "Schawwal", "Dhu l-Qa'da", "Dhu l-Hiddscha"],
    "es": ["muharram", "safar", "rabi al-awwal", "rabi al-thani", "jumada al-ula", "jumada al-thani", "rajab", "shaban", "ramadán", "shawwal", "dhul-qida", "dhul-hijja"],
    "it": ["Muharram", "Safar", "Rabi al-Awwal", "Rabi al-Thani", "Jumada al-Ula", "Jumada al-Thani", "Rajab", "Shaban", "Ramadan", "Shawwal", "Dhul-Qida", "Dhul-Hijja"],
    "pt": ["Muharram", "Safar", "Rabi al-Awwal", "Rabi al-Thani", "Jumada al-Ula", "Jumada al-Thani", "Rajab", "Shaban", "Ramadan", "Shawwal", "Dhul-Qida", "Dhul-Hijja"],
    "en": ["Muharram", "Safar", "Rabi al-Awwal", "Rabi al-Thani", "Jumada al-Ula", "Jumada al-Akhirah", "Rajab", "Sha'ban", "Ramadan", "Shawwal", "Dhu al-Qi'dah", "Dhu al-Hijjah"],
]
// Most countries in which English is read write the day first; for the others there is monthFirst.
let dateOverrides = ["fa": "{weekday} {day} {month} {year}", "ar": "{weekday}، {day} {month} {year}", "en": "{weekday} {day} {month} {year}"]
let hijriDateOverrides = ["ar": "{day} {month} {year}", "en": "{day} {month} {year}", "ru": "{day} {month} {year}"]
// The sign behind the year. Calendars in Turkish write nothing there.
let hijriEras = [
    "ar": "هـ", "bn": "হিজরি", "bs": "h. g.", "de": "AH", "en": "AH", "es": "AH", "fa": "قمری", "fr": "AH", "ha": "H", "id": "H", "it": "AH", "ms": "H", "nl": "AH",
    "pt": "AH", "ru": "г. х.", "so": "H", "sq": "h.", "sw": "H", "ur": "ھ", "uz": "hijriy",
]
func withEra(_ code: String, _ date: String) -> String { hijriEras[code].map { "\(date) \($0)" } ?? date }
// Where CLDR spells otherwise than the country does today, or than phrases.json does.
let monthOverrides = ["bn": [0: "জানুয়ারি", 1: "ফেব্রুয়ারি"]]
let weekdayOverrides = ["ha": [4: "Juma'a"], "so": [4: "Jimce"]]
let own: [String: String] = ["ar": "arabic", "fa": "persian", "ur": "persian", "bn": "bengali"]

let folder = URL(filePath: #filePath).deletingLastPathComponent()
let table = try JSONDecoder().decode(
    [String: Phrases].self, from: Data(contentsOf: folder.appending(path: "phrases.json")))
let encoder = JSONEncoder()
encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
for (code, phrases) in table.sorted(by: { $0.key < $1.key }) {
    let locale = Locale(identifier: code)
    let hijri = formatter(locale, .islamicUmmAlQura, "LLLL")
    let full = formatter(locale, .gregorian, "y")
    full.setLocalizedDateFormatFromTemplate("EEEEdMMMMy")
    let short = formatter(locale, .gregorian, "y")
    short.setLocalizedDateFormatFromTemplate("dMMMMy")
    // In a date a month may stand in another case than alone: "12 января".
    let inDate = formatter(locale, .gregorian, "MMMM")
    let days: [String] = inDate.weekdaySymbols
    func overridden(_ names: [String], _ own: [Int: String]?) -> [String] {
        names.enumerated().map { own?[$0.offset] ?? $0.element }
    }
    let language = Language(
        code: code,
        name: (locale.localizedString(forLanguageCode: code) ?? code).capitalized(with: locale),
        direction: Locale.Language(identifier: code).characterDirection == .rightToLeft ? "rtl" : "ltr",
        digits: own[code] ?? "latin",
        months: overridden(inDate.monthSymbols, monthOverrides[code]),
        weekdays: overridden(Array(days[1...] + days[..<1]), weekdayOverrides[code]),
        hijriMonths: hijriOverrides[code] ?? hijri.monthSymbols,
        date: dateOverrides[code] ?? pattern(full.dateFormat),
        hijriDate: withEra(code, hijriDateOverrides[code] ?? pattern(short.dateFormat)),
        monthFirst: code == "en" ? ["date": pattern(full.dateFormat), "hijriDate": withEra(code, pattern(short.dateFormat))] : nil,
        solar: solar(code), prayers: phrases.prayers, phrases: phrases.phrases, person: phrases.person, remote: phrases.remote)
    try encoder.encode(language).write(to: folder.appending(path: "page/languages/\(code).json"))
    print(code, language.name, language.direction, language.date, "|", language.hijriDate, language.months[0], language.weekdays[0], language.hijriMonths[8])
}
// The compiler does not see what an assembler's file lays in.
try FileManager.default.setAttributes(
    [.modificationDate: Date()], ofItemAtPath: folder.appending(path: "../../Sources/CLanguages/languages.S").standardizedFileURL.path)
