import PrayerEngine

/// The meanings of headers, in the spellings that occur in timetables.
enum HeaderWords {
    /// The content of a column.
    struct Meaning: Equatable {
        enum Role { case begins, iqama, jumua }

        var role: Role
        var event: DayEvent
        /// A number in the header: `asr_2`, `fajr1`, `jummah2`.
        var number: Int?
        var school: AsrSchool?
        /// Whether the header itself distinguishes the beginning from the congregation.
        var isExplicit = false
    }

    private static let events: [String: DayEvent] = spellings([
        (.imsak, "imsak imsaak imsyak suhoor suhur sahur sehri sahar الامساك امساك"),
        (.fajr, "fajr fajar fajir fadjr fajer fecr fagr subuh shubuh suboh subh sobh sabah الفجر فجر الصبح"),
        (
            .sunrise,
            "sunrise shuruk shuruq shurooq shurook shouruq shourouq chourouk chorouk syuruk syuruq shrooq sharooq gunes terbit tulu lever الشروق شروق"
        ),
        (
            .dhuhr,
            "dhuhr duhr zuhr zohr zohar zohor zuhur zuhar zuher dzuhur dhuhur dohr duhur dhohr thuhr dhuhar dhur ogle luhur lohor الظهر ظهر"
        ),
        (.asr, "asr asar ashr ashar ikindi aser العصر عصر"),
        (.maghrib, "maghrib magrib maghreb magreb moghrib moghreb mughrib aksam المغرب مغرب"),
        (.isha, "isha ishaa isya isyak esha icha eisha ishah yatsi العشاء عشاء"),
    ])

    /// The meaning of a folded word.
    static func event(named word: String) -> DayEvent? { events[word] }

    private static func spellings(_ lists: [(DayEvent, String)]) -> [String: DayEvent] {
        var words: [String: DayEvent] = [:]
        for (event, list) in lists {
            for word in list.split(separator: " ") { words[TextFolding.folded(word)] = event }
        }
        return words
    }

    private static func set(_ words: String) -> Set<String> {
        Set(words.split(separator: " ").map { TextFolding.folded($0) })
    }

    private static let begins = set(
        "begins begin beginning start starts adhan athan azan azaan ezan entry الاذان اذان")
    private static let iqamas = set(
        "iqama iqamah iqaamah iqamat ikamet kamet jamaat jamat jamaah jamah jamaa congregation الاقامه اقامه الاقامة"
    )
    private static let fridays = set(
        "jumua jumuah jummah jumah juma jumma jumaa jumuaa cuma friday khutba khutbah khutbahs الجمعه الجمعة")
    private static let fillers = set(
        "time times prayer salah salat namaz waqt waktu al mithl mithal the vakti")
    private static let hanafi = set("hanafi حنفي")
    private static let standard = set("shafi shafii shafiee standard maliki شافعي")

    /// Splits joined words: `fajrbegins`, `jamaahfajr`.
    private static func split(_ word: String) -> [String] {
        if isKnown(word) { return [word] }
        let letters = Array(word)
        for cut in 2..<max(2, letters.count - 1) {
            let (head, tail) = (String(letters[..<cut]), String(letters[cut...]))
            if isKnown(head), isKnown(tail) { return [head, tail] }
        }
        return [word]
    }

    private static func isKnown(_ word: String) -> Bool {
        events[word] != nil || begins.contains(word) || iqamas.contains(word) || fridays.contains(word)
            || fillers.contains(word) || hanafi.contains(word) || standard.contains(word)
    }

    /// The meaning of a header; `nil` if it names no time. `isIqama`: the table holds congregations.
    static func column(of header: String, isIqama: Bool) -> Meaning? {
        var event: DayEvent?
        var (isFriday, isBegins, congregates) = (false, false, false)
        var (number, school): (Int?, AsrSchool?) = (nil, nil)
        for word in TextFolding.words(spaced(header)).flatMap(split) {
            if let found = events[word] {
                guard event == nil else { return nil }
                event = found
            } else if begins.contains(word) {
                isBegins = true
            } else if iqamas.contains(word) {
                congregates = true
            } else if fridays.contains(word) {
                isFriday = true
            } else if hanafi.contains(word) {
                school = .hanafi
            } else if standard.contains(word) {
                school = .standard
            } else if let value = Int(word), (1...9).contains(value), number == nil {
                number = value
            } else if !fillers.contains(word) {
                return nil
            }
        }
        if isFriday {
            guard event == nil else { return nil }
            return Meaning(
                role: .jumua, event: .dhuhr, number: number, isExplicit: congregates || isIqama)
        }
        guard let event else { return nil }
        if congregates, event == .sunrise || event == .imsak { return nil }
        let role: Meaning.Role = (congregates || isIqama) && !isBegins ? .iqama : .begins
        return Meaning(
            role: role, event: event, number: number, school: school, isExplicit: congregates || isBegins)
    }

    /// Separates joined words by their capitals: `FajarBegins`.
    private static func spaced(_ header: String) -> String {
        var (text, wasLower) = ("", false)
        for character in header {
            if character.isUppercase, wasLower { text.append(" ") }
            wasLower = character.isLowercase
            text.append(character)
        }
        return text
    }

    /// The meanings of columns without times.
    enum Other { case date, day, month, year, weekday, hijri, ignored }

    private static let dates = set(
        "date ddate dateg gdate gregorian gregoriandate tanggal datum fecha miladitarihkisaiso8601 miladitarihkisa miladitarih tarih tarikh data التاريخ تاريخ"
    )
    private static let days = set("day d tag jour dia gun hari dayofmonth daterange يوم اليوم")
    private static let months = set("month m monat mois mes ay bulan شهر الشهر")
    private static let years = set("year y jahr annee ano yil tahun سنه")

    static func other(_ header: String) -> Other {
        let joined = TextFolding.words(header).joined()
        if joined.hasPrefix("hijri") || joined.hasPrefix("hicri") || joined == "dateh"
            || joined.contains("islamic")
        {
            return .hijri
        }
        if dates.contains(joined) { return .date }
        if days.contains(joined) { return .day }
        if months.contains(joined) { return .month }
        if years.contains(joined) { return .year }
        if ["weekday", "dow", "dayname", "dayofweek"].contains(joined) { return .weekday }
        return .ignored
    }
}
