package import PrayerEngine
import Settings
package import Texts

extension Site {
    /// The problems of a mosque's own times in the year from a day on; their sentences name the weeks.
    /// - Parameter adhanSeconds: the length of each adhan, where known.
    package func mosqueProblems(
        from first: CivilDate, days: Int = 366, adhanSeconds: (Prayer) -> Double? = { _ in nil }
    ) -> [InputsProblem] {
        guard !times.mosque.isPlain || !times.mosque.beforeIqamaSeconds.isEmpty else { return [] }
        let year = times.days(from: first, count: days)
        return iqamaProblems(from: first, days: days, adhanSeconds) + anchorProblems(year, adhanSeconds)
            + Self.slotProblems(year) + Self.ramadanProblems(year) + placeProblems(from: first)
            + times.mosque.iqama.wrongHalves.map { prayer, minutes, sentence in
                InputsProblem(.iqamaAtNight, of: prayer.rawValue, extent: "\(minutes)", sentence)
            }
    }

    /// Problems of an adhan that is anchored to a congregation: it needs one, and enough time before it.
    private func anchorProblems(_ year: [SiteDay], _ adhanSeconds: (Prayer) -> Double?)
        -> [InputsProblem]
    {
        let before = times.mosque.beforeIqamaSeconds
        // Jumua has Dhuhr's time, unless it is configured.
        let own = before.filter { $0.key != .jumua || $0.value != before[.dhuhr] }
        return own.sorted { $0.key.rawValue < $1.key.rawValue }.compactMap { prayer, before in
            let congregation = prayer == .jumua ? Prayer.dhuhr : prayer
            if !year.contains(where: { $0.congregations[congregation] != nil }) {
                return InputsProblem(
                    .anchorMissing, of: prayer.rawValue, extent: DurationText.format(before),
                    "adhan.\(prayer.rawValue).at is \"iqama-\(DurationText.format(before))\", and nothing says when \(congregation.rawValue)'s iqama is; it is called at the prayer's time"
                )
            }
            guard let seconds = adhanSeconds(prayer), before < seconds else { return nil }
            return InputsProblem(
                .anchorTooShort, of: prayer.rawValue,
                extent: "\(DurationText.format(before)) \(seconds.rounded())",
                "\(prayer.rawValue)'s adhan, of \(LocalText.exactSpan(seconds.rounded())), is called only \(LocalText.exactSpan(before)) before its iqama"
            )
        }
    }

    /// Problems of an announcement before the fast begins, and of Isha in Ramadan before its time.
    private static func ramadanProblems(_ year: [SiteDay]) -> [InputsProblem] {
        var found: [(code: InputsProblem.Code, what: String, dates: [CivilDate])] = [
            (.wakeAfterFajr, "a wake-up of Ramadan comes after fajr", []),
            (.imsakAfterFajr, "imsak comes after fajr", []),
            (.ishaBeforeItsTime, "ramadan.isha is before the computed isha", []),
        ]
        for day in year {
            if let fajr = day[.fajr] {
                if day.observances.wake.contains(where: { fajr <= $0 }) { found[0].dates.append(day.date) }
                if let imsak = day.observances.imsak, fajr < imsak.at { found[1].dates.append(day.date) }
            }
            if day.origin(of: .isha) == .rule, let isha = day[.isha], let sky = day.computed[.isha],
                isha < sky - 60
            {
                found[2].dates.append(day.date)
            }
        }
        return found.filter { !$0.dates.isEmpty }.map { problem($0.code, of: "ramadan", $0.what, $0.dates) }
    }

    private static func problem(
        _ code: InputsProblem.Code, of subject: String, _ what: String, _ dates: [CivilDate]
    ) -> InputsProblem {
        let spans = DateSpan.runs(dates, gap: 7)
        return InputsProblem(
            code, of: subject, on: spans, "\(what) \(spans.map(\.when).joined(separator: ", "))")
    }

    private func iqamaProblems(
        from first: CivilDate, days: Int, _ adhanSeconds: (Prayer) -> Double?
    ) -> [InputsProblem] {
        guard !times.mosque.iqama.isEmpty || !times.mosque.table.isEmpty else { return [] }
        let calendar = times.iqamaCalendar(from: first, count: days)
        return calendar.problems(from: first, days: days, adhanSeconds: adhanSeconds).map { found in
            InputsProblem(found.kind.code, of: found.prayer.rawValue, on: found.spans, found.text)
        }
    }

    /// Doubtful Jumua times: some schools pray it before noon, and some timetables print it after Asr, but it is seldom intended.
    private static func slotProblems(_ year: [SiteDay]) -> [InputsProblem] {
        var (early, late, hasty) = ([Int: [CivilDate]](), [Int: [CivilDate]](), [Int: [CivilDate]]())
        for day in year {
            for slot in day.slots {
                if let begins = slot.khutba?.at ?? slot.prayer?.at, let noon = day[.dhuhr], begins < noon {
                    early[slot.number, default: []].append(day.date)
                }
                if let khutba = slot.khutba?.at, let prayer = slot.prayer?.at, prayer < khutba {
                    hasty[slot.number, default: []].append(day.date)
                }
                if let ends = slot.prayer?.at ?? slot.khutba?.at, let asr = day[.asr], asr <= ends {
                    late[slot.number, default: []].append(day.date)
                }
            }
        }
        func problems(
            _ found: [Int: [CivilDate]], _ code: InputsProblem.Code, _ what: String
        ) -> [InputsProblem] {
            found.sorted { $0.key < $1.key }.map { number, dates in
                problem(code, of: "\(number)", "Friday's congregation \(number) \(what)", dates)
            }
        }
        return problems(early, .slotBeforeDhuhr, "is before Dhuhr")
            + problems(late, .slotAfterAsr, "would come after Asr")
            + problems(hasty, .slotBeforeKhutba, "prays before its khutba")
    }
}

extension IqamaProblem.Kind {
    fileprivate var code: InputsProblem.Code {
        switch self {
        case .beforeAdhan: .iqamaBeforeAdhan
        case .tooLate: .iqamaTooLate
        case .tooSoon: .iqamaTooSoon
        }
    }
}
