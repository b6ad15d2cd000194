package import PrayerEngine

/// A country's usual calculation: `setup` proposes it, with the reason.
package struct CountryPractice: Sendable, Equatable {
    /// A name of ``Method/all``.
    package let method: String
    package let asr: AsrSchool
    /// A clause that gives the reason for the method, with its source; it follows "because".
    package let methodReason: String
    package let asrReason: String
    /// The rule that replaces twilight in the summers of the north, with the reason if it is not `auto`.
    package let highLatitude: HighLatitudeRule
    package let highLatitudeReason: String?

    /// `code` is ISO 3166-1 alpha-2, `country` its English name, `near` latitude and longitude of the place.
    package init(code: String, country: String, near place: (Double, Double)? = nil) {
        let local = place.flatMap { place in Self.local.first { $0.code == code && $0.contains(place) } }
        if let (name, clause) = local.map({ ($0.method, $0.reason) }) ?? Self.methods[code] {
            method = name
            // The table's text about a method comes from its source, and no more is known here.
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
        } else if let own = Method.named(method), own.asr == .hanafi {
            (asr, asrReason) = (.hanafi, "the school of \(own.title)'s timetables")
        } else {
            (asr, asrReason) = (.standard, "three of the four Sunni schools and the Ja'fari; ask your mosque")
        }
        let rule = Self.highLatitudes[code]
        // Rules that divide a night cannot be applied where the Sun does not set; there "auto" uses another place's times.
        if let rule, abs(place?.0 ?? 0) < Self.midnightSunDegrees {
            (highLatitude, highLatitudeReason) = (rule.rule, rule.reason)
        } else {
            (highLatitude, highLatitudeReason) = (.auto, nil)
        }
    }

    /// Cities and regions with an authority of their own.
    static let local = [
        Local(
            code: "GB", region: "London", example: london, method: "london",
            reason: "the unified timetable that many of London's mosques print; ask yours"
        ) { GreatCircle.kilometres(from: $0, to: london) < londonReach },
        Local(
            code: "RU", region: "Tatarstan", example: Tatarstan.kazan, method: "tatarstan",
            reason: "the official timetable of Tatarstan's Spiritual Administration",
            contains: Tatarstan.contains),
    ]

    /// The centre of London in latitude and longitude, and the approximate radius of Greater London in kilometres.
    private static let london = (51.5074, -0.1278)
    private static let londonReach = 30.0

    struct Local: Sendable {
        let code: String
        let region: String
        /// A place in the region.
        let example: (Double, Double)
        let method: String
        let reason: String
        let contains: @Sendable ((Double, Double)) -> Bool
    }

    /// The latitude from which, on some day of the year, the Sun does not set: 90° − 23.44° − 50′.
    private static let midnightSunDegrees = 65.7

    /// Whether an authority of this country, or for it, publishes the method.
    package static func isKnown(_ code: String) -> Bool { methods[code] != nil }

    /// The country to which a method with zones belongs.
    static func country(of method: Method) -> String? {
        methods.first { $0.value.method == method.name }?.key
    }

    /// Countries with a method of their own, from the regions in the methods' table. docs/METHODS.md has the same list.
    static let methods: [String: (method: String, reason: String)] = [
        "SA": ("umm-al-qura", "the official calendar of Saudi Arabia"),
        "AE": ("uae-printed", "what towns of the Emirates print"),
        "KW": ("kuwait", "the method of Kuwait"),
        "QA": ("qatar", "the official timetable of Qatar"),
        "BH": ("bahrain", "what Manama prints"),
        "OM": ("oman-printed", "what towns of Oman print"),
        "YE": ("yemen", "common practice in Yemen"),
        "JO": ("jordan-printed", "what Amman prints"),
        "PS": ("palestine-printed", "what Gaza prints"),
        "LB": ("lebanon", "common practice in Lebanon"),
        "SY": ("syria", "common practice in Syria"),
        "IQ": ("iraq-printed", "what Baghdad prints"),
        "IR": ("tehran", "the method of Iran's national timetable"),
        "EG": ("egyptian", "the method of Egypt's survey authority"),
        "SD": ("sudan", "common practice in Sudan"),
        "LY": ("libya-printed", "what towns of Libya print"),
        "TN": ("tunisia", "the official timetable of Tunisia"),
        "DZ": ("algeria", "the official timetable of Algeria"),
        "MA": ("morocco", "the official timetable of Morocco"),
        "NG": ("nigeria", "common practice in Nigeria"),
        "SN": ("senegal", "common practice in Senegal"),
        "SO": ("somalia", "common practice in Somalia"),
        "PK": ("karachi", "common practice in Pakistan"),
        "IN": ("karachi", "common practice in India"),
        "AF": ("karachi", "common practice in Afghanistan"),
        "BD": ("bangladesh", "the official rule of Bangladesh"),
        "LK": ("sri-lanka", "the timetable of Sri Lanka's Jamiyyathul Ulama"),
        "MV": ("maldives", "the official timetable of the Maldives"),
        "UZ": ("uzbekistan", "common practice in Uzbekistan"),
        "KZ": ("kazakhstan", "common practice in Kazakhstan"),
        "AZ": ("azerbaijan", "common practice in Azerbaijan"),
        "SG": ("singapore", "the official timetable of Singapore"),
        "MY": ("jakim", "the official timetable of Malaysia"),
        "BN": ("brunei", "the official timetable of Brunei"),
        "ID": ("kemenag", "the official timetable of Indonesia"),
        "TR": ("diyanet", "the official timetable of Türkiye"),
        "BA": ("bosnia", "the official timetable of Bosnia's Islamic Community"),
        "XK": ("kosovo", "the official timetable of Kosovo's Islamic Community"),
        "AL": ("albania", "the official timetable of Albania's Muslim Community"),
        "MK": ("macedonia", "the official timetable of North Macedonia's Islamic Community"),
        "US": ("isna", "common practice in North America"),
        "CA": ("isna", "common practice in North America"),
        "GB": ("moonsighting", "much used in Britain, where mosques differ; ask yours"),
        "FR": ("uoif", "common practice in France, where mosques differ; ask yours"),
        "PT": ("portugal", "the method of the community of Lisbon"),
        "RU": ("russia", "the method of the Spiritual Administration"),
    ]

    /// The other countries of Europe, for which the Muslim World League's method is listed.
    static let muslimWorldLeague: Set<String> = [
        "AD", "AT", "BE", "BG", "BY", "CH", "CY", "CZ", "DE", "DK", "EE", "ES", "FI", "GI", "GR",
        "HR",
        "HU", "IE", "IS", "IT", "LI", "LT", "LU", "LV", "MC", "MD", "ME", "MT", "NL", "NO", "PL", "RO",
        "RS",
        "SE", "SI", "SK", "SM", "UA", "VA",
    ]

    /// Countries so far north that a high-latitude rule of their own is usual.
    static let highLatitudes: [String: (rule: HighLatitudeRule, reason: String)] = [
        "NO": (
            .oneSeventh,
            "the committee of imams of Islamsk Råd Norge, 11 May 2014; some mosques freeze the times instead, ask yours"
        ),
        "SE": (
            .oneThird,
            "the principle of thirds that Sweden's imams agreed on, 10 October 2021; mosques differ, ask yours"
        ),
    ]

    private static let hanafi: (AsrSchool, String) = (.hanafi, "the Hanafi school is the usual one there")
    /// Countries where a school other than the majority's is usual, or where timetables follow another.
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
