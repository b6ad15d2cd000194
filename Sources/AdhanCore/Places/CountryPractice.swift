package import PrayerEngine

/// How prayer times are usually calculated in a country: what `setup` proposes, with the reason that it gives.
package struct CountryPractice: Sendable, Equatable {
    /// A name of ``Method/all``.
    package let method: String
    package let asr: AsrSchool
    /// A clause that completes "… because …" of the method, with its source.
    package let methodReason: String
    package let asrReason: String

    /// `code` is ISO 3166-1 alpha-2, `country` its English name.
    package init(code: String, country: String) {
        if let (name, clause) = Self.methods[code] {
            method = name
            // What the table says of a method is its source's; more than that is not known here.
            let source = Method.named(name)?.source ?? ""
            methodReason = "\(clause) (\(source))"
        } else if Self.muslimWorldLeague.contains(code) {
            method = "mwl"
            methodReason = "much used in Europe; mosques in \(country) differ, ask yours"
        } else {
            method = "mwl"
            methodReason =
                "no method of \(country)'s own is known here, and this one is used most widely; ask your mosque"
        }
        if let (school, clause) = Self.schools[code] {
            (asr, asrReason) = (school, clause)
        } else {
            (asr, asrReason) = (.standard, "three of the four Sunni schools and the Ja'fari; ask your mosque")
        }
    }

    /// Whether an authority of this country, or for it, publishes the method.
    package static func isKnown(_ code: String) -> Bool { methods[code] != nil }

    /// Countries with a method of their own: the regions of the methods' table. docs/METHODS.md has the same list.
    static let methods: [String: (method: String, reason: String)] = [
        "SA": ("umm-al-qura", "the official calendar of Saudi Arabia"),
        "AE": ("dubai", "the method of Dubai"),
        "KW": ("kuwait", "the method of Kuwait"),
        "QA": ("qatar", "the method of Qatar"),
        "BH": ("gulf", "the timetables of the Gulf states"),
        "OM": ("gulf", "the timetables of the Gulf states"),
        "JO": ("jordan", "the method of Jordan's ministry"),
        "EG": ("egyptian", "the method of Egypt's survey authority"),
        "SD": ("egyptian", "commonly used in Sudan"),
        "IR": ("tehran", "the method of Iran's national timetable"),
        "PK": ("karachi", "common practice in Pakistan"),
        "IN": ("karachi", "common practice in India"),
        "BD": ("karachi", "common practice in Bangladesh"),
        "AF": ("karachi", "common practice in Afghanistan"),
        "SG": ("singapore", "the official timetable of Singapore"),
        "MY": ("jakim", "the official method of Malaysia"),
        "ID": ("kemenag", "the official method of Indonesia"),
        "TR": ("diyanet", "the official method of Türkiye"),
        "TN": ("tunisia", "the method of Tunisia's ministry"),
        "DZ": ("algeria", "the method of Algeria's ministry"),
        "MA": ("morocco", "the method of Morocco's ministry"),
        "US": ("isna", "common practice in North America"),
        "CA": ("isna", "common practice in North America"),
        "GB": ("moonsighting", "much used in Britain, where mosques differ; ask yours"),
        "FR": ("uoif", "common practice in France, where mosques differ; ask yours"),
        "PT": ("portugal", "the method of the community of Lisbon"),
        "RU": ("russia", "the method of the Spiritual Administration"),
    ]

    /// Europe's others, for which the Muslim World League's method is listed.
    static let muslimWorldLeague: Set<String> = [
        "AD", "AL", "AT", "BA", "BE", "BG", "BY", "CH", "CY", "CZ", "DE", "DK", "EE", "ES", "FI", "GI", "GR",
        "HR",
        "HU", "IE", "IS", "IT", "LI", "LT", "LU", "LV", "MC", "MD", "ME", "MK", "MT", "NL", "NO", "PL", "RO",
        "RS",
        "SE", "SI", "SK", "SM", "UA", "VA", "XK",
    ]

    private static let hanafi: (AsrSchool, String) = (.hanafi, "the Hanafi school is the usual one there")
    /// Where another school than the majority's is usual, or timetables follow another.
    static let schools: [String: (AsrSchool, String)] = [
        "PK": hanafi, "IN": hanafi, "BD": hanafi, "AF": hanafi, "UZ": hanafi, "KZ": hanafi, "KG": hanafi,
        "TJ": hanafi, "TM": hanafi,
        "TR": (
            .standard, "Diyanet's timetables show the earlier Asr, though the Hanafi school is the usual one"
        ),
        "US": (.hanafi, "mosques in North America follow either; hanafi is the later one, ask yours"),
        "CA": (.hanafi, "mosques in North America follow either; hanafi is the later one, ask yours"),
        "IR": (.standard, "the Ja'fari school's"),
        "SA": (.standard, "the official timetable's"),
        "MY": (.standard, "the Shafi'i school is the usual one there"),
        "ID": (.standard, "the Shafi'i school is the usual one there"),
        "SG": (.standard, "the Shafi'i school is the usual one there"),
        "MA": (.standard, "the Maliki school is the usual one there"),
        "DZ": (.standard, "the Maliki school is the usual one there"),
        "TN": (.standard, "the Maliki school is the usual one there"),
    ]
}
