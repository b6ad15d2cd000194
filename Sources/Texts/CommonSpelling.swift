/// Common alternatives to the configuration's words. The configuration does not accept them, so that every file has one reading,
/// but the error names the intended word.
package enum CommonSpelling {
    /// The word of `candidates` for which `text` is another spelling or another name.
    package static func of(_ text: String, among candidates: some Collection<String>) -> String? {
        let plain = text.lowercased().filter { $0.isLetter || $0.isNumber }
        // A key of one prayer begins with its name: subuh-volume.
        let parts = text.lowercased().split(separator: "-", maxSplits: 1).map(String.init)
        let beginning = parts.count < 2 ? nil : word(parts[0]).map { "\($0)-\(parts[1])" }
        return [word(plain), beginning].compactMap(\.self).first { candidates.contains($0) }
            ?? candidates.first { $0.filter(\.isLetter) == plain && !plain.isEmpty }
    }

    private static func word(_ plain: String) -> String? { words.first { $0.value.contains(plain) }?.key }

    private static let words: [String: Set<String>] = [
        "fajr": ["subh", "sobh", "subuh", "sabah", "fajar", "fajer", "fager", "imsak", "dawn"],
        "sunrise": ["shuruq", "shurooq", "shorouk", "syuruk", "ishraq", "tulu", "gunes"],
        "dhuhr": [
            "zuhr", "zuhur", "zuhar", "zohr", "zohar", "duhr", "duhur", "dhuhur", "dhur", "thuhr", "thohr",
            "dzuhur",
            "zhuhr", "luhur", "ogle", "noon",
        ],
        "asr": ["asar", "aser", "asir", "ashar", "ikindi"],
        "maghrib": ["magrib", "maghreb", "magreb", "moghreb", "aksam", "sunset"],
        "isha": ["ishaa", "isya", "isyak", "esha", "eisha", "icha", "yatsi"],
        "jumua": [
            "jumuah", "jummah", "jumma", "jumah", "juma", "jumuha", "jomaa", "djumua", "djouma", "jumat",
            "cuma",
            "friday",
        ],
        "standard": [
            "shafi", "shafii", "shafei", "shafie", "shafai", "shaafi", "maliki", "malikee", "hanbali",
            "majority", "1",
        ],
        "hanafi": ["hanafy", "hanafee", "hanafite", "2"],
        "umm-al-qura": ["makkah", "mecca", "makka", "saudi", "saudiarabia", "ummulqura", "ummqura"],
        "mwl": ["muslimworldleague", "worldleague"],
        "isna": ["northamerica", "usa", "america"],
        "egyptian": ["egypt", "egas"],
        "karachi": ["pakistan", "india"],
        "diyanet": ["turkey", "turkiye"],
        "uoif": ["france"],
        "kemenag": ["indonesia"],
        "jakim": ["malaysia"],
        "moonsighting": ["mcc", "moonsightingcommittee"],
        "location": ["place", "city", "coordinates"],
        "devices": ["output", "card", "speaker"],
        "one-third": ["third", "thirdofthenight", "onethirdofthenight"],
        "frozen": ["freeze", "lastday", "lastnormalday"],
        "one-seventh": ["seventh", "seventhofthenight", "oneseventhofthenight"],
        "middle-of-night": ["midnight", "middleofthenight"],
        "twilight-angle": ["angle", "anglebased"],
    ]
}
