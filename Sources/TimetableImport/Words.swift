/// Reduces text to a form without differences of spelling: case, accents, apostrophes, foreign digits.
enum TextFolding {
    private static let letters: [Unicode.Scalar: String] = [
        "ğ": "g", "ü": "u", "ö": "o", "ı": "i", "ş": "s", "ç": "c", "é": "e", "è": "e", "ê": "e", "ë": "e",
        "â": "a", "à": "a", "á": "a", "ä": "a", "ā": "a", "î": "i", "ï": "i", "í": "i", "ī": "i", "ô": "o",
        "ó": "o", "û": "u", "ù": "u", "ú": "u", "ū": "u", "ñ": "n", "ṣ": "s", "ḥ": "h", "ẓ": "z", "ḍ": "d",
        "ṭ": "t", "ž": "z", "š": "s", "č": "c", "ć": "c",
        // Unify the several shapes of one Arabic letter.
        "أ": "ا", "إ": "ا", "آ": "ا", "ى": "ي", "ة": "ه", "ک": "ك", "ی": "ي",
    ]
    private static let dropped: Set<Unicode.Scalar> = [
        "'", "’", "‘", "`", "´", "ʿ", "ʾ", "ʻ", "ʼ", "\u{0307}", "\u{0301}", "\u{0300}", "\u{200E}",
        "\u{200F}",
        "\u{FEFF}", "\u{0640}",
    ]

    static func folded(_ text: some StringProtocol) -> String {
        var folded = ""
        for scalar in text.lowercased().unicodeScalars where !dropped.contains(scalar) {
            if let plain = letters[scalar] {
                folded += plain
            } else {
                folded.unicodeScalars.append(digit(scalar))
            }
        }
        return folded
    }

    /// Arabic-Indic and Persian digits as Latin digits.
    private static func digit(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        switch scalar.value {
        case 0x0660...0x0669: Unicode.Scalar(scalar.value - 0x0660 + 0x30) ?? scalar
        case 0x06F0...0x06F9: Unicode.Scalar(scalar.value - 0x06F0 + 0x30) ?? scalar
        case 0x00A0, 0x202F, 0x2009: " "
        default: scalar
        }
    }

    /// Splits a text into runs of letters and runs of digits.
    static func words(_ text: some StringProtocol) -> [String] {
        var words: [String] = []
        var (current, isNumber) = ("", false)
        for scalar in folded(text).unicodeScalars {
            let digit = scalar.value &- 0x30 < 10
            guard digit || scalar.properties.isAlphabetic else {
                if !current.isEmpty { words.append(current) }
                current = ""
                continue
            }
            if !current.isEmpty, digit != isNumber {
                words.append(current)
                current = ""
            }
            isNumber = digit
            current.unicodeScalars.append(scalar)
        }
        if !current.isEmpty { words.append(current) }
        return words
    }
}

/// The names of months in the languages in which timetables are printed.
enum MonthNames {
    private static let names: [String: Int] = {
        let lists = [
            "january february march april may june july august september october november december",
            "jan feb mar apr may jun jul aug sep oct nov dec",
            "januari februari mac april mei jun julai ogos september oktober november disember",
            "jan feb mac apr mei jun jul ogo sep okt nov dis",
            "januari februari maret april mei juni juli agustus september oktober november desember",
            "jan feb mar apr mei jun jul agu sept okt nop des",
            "janvier fevrier mars avril mai juin juillet aout septembre octobre novembre decembre",
            "janv fevr mars avr mai juin juil aout sept oct nov dec",
            "januar februar marz april mai juni juli august september oktober november dezember",
            "jan feb mrz apr mai jun jul aug sep okt nov dez",
            "ocak subat mart nisan mayis haziran temmuz agustos eylul ekim kasim aralik",
            "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
            "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
            "januari februari maart april mei juni juli augustus september oktober november december",
            "janeiro fevereiro marco abril maio junho julho agosto setembro outubro novembro dezembro",
            "يناير فبراير مارس ابريل مايو يونيو يوليو اغسطس سبتمبر اكتوبر نوفمبر ديسمبر",
        ]
        var names: [String: Int] = [:]
        for list in lists {
            for (index, name) in list.split(separator: " ").enumerated() where names[String(name)] == nil {
                names[String(name)] = index + 1
            }
        }
        return names
    }()

    /// The number of the month that a folded word names.
    static func month(_ word: String) -> Int? { names[word] }

    /// Finds the month in `MARCH`, `3`, `March 2026`
    static func month(in text: String) -> Int? {
        let words = TextFolding.words(text)
        if let month = words.compactMap({ names[$0] }).first { return month }
        guard words.count == 1, let number = Int(words[0]), (1...12).contains(number) else { return nil }
        return number
    }

    /// Finds the month in `03.csv`, `march.json`, `calendar_03.csv`
    static func month(ofFile name: String) -> Int? {
        let stem = name.split(separator: ".").first.map(String.init) ?? name
        let words = TextFolding.words(stem)
        if let month = words.compactMap({ names[$0] }).first { return month }
        // A month's number is separate from other letters: `03`, `calendar_03`, but not `imsak7`.
        let parts = stem.split { "-_ .".contains($0) }
        let numbers = parts.filter { $0.utf8.count <= 2 }.compactMap { Int($0) }
        guard numbers.count == 1, words.compactMap({ Int($0) }).count == 1, (1...12).contains(numbers[0])
        else { return nil }
        return numbers[0]
    }
}

/// The days of the week in the forms printed beside dates.
enum WeekdayNames {
    private static let names: [String: Int] = {
        let lists = [
            "monday tuesday wednesday thursday friday saturday sunday", "mon tue wed thu fri sat sun",
            "mo tues wednes thur fr sa su", "montag dienstag mittwoch donnerstag freitag samstag sonntag",
            "lundi mardi mercredi jeudi vendredi samedi dimanche", "lun mar mer jeu ven sam dim",
            "isnin selasa rabu khamis jumaat sabtu ahad", "senin selasa rabu kamis jumat sabtu minggu",
            "pazartesi sali carsamba persembe cuma cumartesi pazar", "m tu w thurs f s x",
            "الاثنين الثلاثاء الاربعاء الخميس الجمعه السبت الاحد", "al thu rab thursd jum sab ahd",
            "lunes martes miercoles jueves viernes sabado domingo",
        ]
        var names: [String: Int] = [:]
        for list in lists {
            for (index, name) in list.split(separator: " ").enumerated() where names[String(name)] == nil {
                names[String(name)] = index + 1
            }
        }
        return names
    }()

    /// 1 = Monday … 7 = Sunday.
    static func weekday(_ text: some StringProtocol) -> Int? {
        let words = TextFolding.words(text)
        return words.count == 1 ? names[words[0]] : nil
    }

    static func title(_ weekday: Int) -> String {
        ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"][(weekday + 6) % 7]
    }
}
