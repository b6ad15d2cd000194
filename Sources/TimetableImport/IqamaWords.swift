import PrayerEngine

/// Phrases that give the beginning of a congregation instead of a clock time: `Entry Time`, `Straight after Isha`,
/// `15 min after`, `sunrise - 30`, `hemen`, `sofort nach dem Adhan`.
enum IqamaWords {
    /// Reads minutes after or before an event. `own` is the column's event, which applies if the text names none.
    static func read(_ cell: String, own: DayEvent) -> IqamaCell? {
        var statement = Statement()
        for word in TextFolding.words(cell) where !statement.add(word) { return nil }
        return statement.meaning(own: own, sign: Sign(cell))
    }

    /// A plus or a minus before a number. A hyphen between words does not count.
    private enum Sign {
        case none, plus
        /// `isOwn`: whether the sign belongs to the number, as in `-5` and `Adhan -5`. Otherwise it may be a dash.
        case minus(leads: Bool, isOwn: Bool)

        init(_ cell: String) {
            self = .none
            let scalars = Array(cell.unicodeScalars)
            for (index, scalar) in scalars.enumerated() {
                let next = scalars[(index + 1)...].first { !$0.properties.isWhitespace }
                guard let next, next.value &- 0x30 < 10 else { continue }
                if scalar == "+" {
                    self = .plus
                    return
                }
                if "-–—\u{2212}".unicodeScalars.contains(scalar) {
                    let isApart = index == 0 || scalars[index - 1].properties.isWhitespace
                    let isJoined = scalars[index + 1].value &- 0x30 < 10
                    self = .minus(
                        leads: scalars[..<index].allSatisfy(\.properties.isWhitespace),
                        isOwn: isApart && isJoined)
                    return
                }
            }
        }
    }

    /// The statements that a cell's words make.
    private struct Statement {
        var number: Int?
        var event: DayEvent?
        var (hasAdhan, isNow, hasMinutes, isAfter, isBefore) = (false, false, false, false, false)

        /// Adds a word; false if it means nothing here or contradicts an earlier one.
        mutating func add(_ word: String) -> Bool {
            if let value = Int(word) {
                guard number == nil, (0...240).contains(value) else { return false }
                number = value
            } else if adhan.contains(word) {
                hasAdhan = true
            } else if let named = IqamaWords.event(word) {
                guard event == nil || event == named else { return false }
                event = named
            } else if minutes.contains(word) {
                hasMinutes = true
            } else if after.contains(word) {
                isAfter = true
            } else if before.contains(word) {
                isBefore = true
            } else if now.contains(word) {
                isNow = true
            } else {
                return fillers.contains(word)
            }
            return true
        }

        func meaning(own: DayEvent, sign: Sign) -> IqamaCell? {
            guard !(isAfter && isBefore) else { return nil }
            let isOther = event != nil && event != own
            guard let number else {
                // "After Maghrib" for Isha means after the prayer, whose end is unknown.
                guard !isOther, !isBefore, !hasMinutes, hasAdhan || isNow || event == own else { return nil }
                return .after(nil, 0)
            }
            guard isInMinutes(sign) else { return nil }
            var isEarlier = isBefore
            if case .minus(let leads, let isOwn) = sign {
                // Minutes that may be before or after leave the meaning open.
                guard !leads, !(isAfter && isOwn) else { return nil }
                if !isAfter { isEarlier = true }
            }
            // No congregation begins before the adhan.
            guard !isEarlier || isOther else { return nil }
            return .after(isOther ? event : nil, isEarlier ? -number : number)
        }

        /// Whether the number means minutes: a bare one may be an hour.
        private func isInMinutes(_ sign: Sign) -> Bool {
            if case .none = sign { return hasMinutes || isAfter || isBefore || hasAdhan }
            return true
        }
    }

    private static func event(_ word: String) -> DayEvent? {
        if sunset.contains(word) { return .maghrib }
        return sunrise.contains(word) ? .sunrise : HeaderWords.event(named: word)
    }

    private static func set(_ words: String) -> Set<String> {
        Set(words.split(separator: " ").map { TextFolding.folded($0) })
    }

    /// Words for the adhan, and for the beginning of the time at which it is called.
    private static let adhan = set(
        """
        adhan athan azan azaan ezan ezani ezanda ezandan ezaninda adzan ladhan begins begin beginning start starts entry onset \
        entrance beginn eintritt gebetsruf entree debut entrada inicio ingresso inizio aanvang girisi girince vaktinde masuk \
        الاذان اذان دخول
        """)
    private static let sunset = set(
        "sunset sundown coucher sonnenuntergang zonsondergang tramonto puesta ghurub batimi terbenam الغروب غروب"
    )
    private static let sunrise = set(
        "sonnenaufgang zonsopgang alba amanecer amanhecer gunesten gundogumu gundogumundan")
    private static let minutes = set(
        """
        min mins minute minutes minuten minutos minuto minuti minuut mn m minit menit dakika dk dak dakka \
        دقيقه دقائق دقايق دقيقة د
        """)
    private static let after = set(
        "after past post nach apres suivant sonra na despues depois dopo selepas setelah sesudah lepas بعد")
    private static let before = set("before vor avant once oncesi antes prima voor sebelum قبل")
    /// Words for "at once", which means at the adhan unless another event is named.
    private static let now = set(
        """
        immediately straight directly direkt sofort unmittelbar gleich directement immediatement aussitot hemen sejurus segera \
        terus direct meteen inmediatamente imediatamente subito logo مباشره مباشرة فورا
        """)
    private static let fillers = set(
        """
        time times the at with of right just on away its a de du des des la le les a au avec lheure heure soleil dem der beim \
        zum zur mit um zeit het bij de del el al con hora do da ao com o il lo alla allo orario ile birlikte vakti vakit \
        saat saati gun waktu pada dengan matahari في عند مع وقت ال
        """)
}
