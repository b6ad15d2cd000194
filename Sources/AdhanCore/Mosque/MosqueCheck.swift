package import PrayerEngine

extension Site {
    /// What is wrong with a mosque's own times in the year from a day on, in sentences that name the weeks.
    /// - Parameter adhanSeconds: how long each adhan is, where that is known.
    package func mosqueProblems(
        from first: CivilDate, days: Int = 366, adhanSeconds: (Prayer) -> Double? = { _ in nil }
    ) -> [String] {
        guard !times.mosque.isPlain else { return [] }
        let year = times.days(from: first, count: days)
        return iqamaProblems(from: first, days: days, adhanSeconds) + Self.slotProblems(year)
    }

    private func iqamaProblems(
        from first: CivilDate, days: Int, _ adhanSeconds: (Prayer) -> Double?
    ) -> [String] {
        guard !times.mosque.iqama.isEmpty || !times.mosque.table.isEmpty else { return [] }
        let calendar = times.iqamaCalendar(from: first, count: days)
        return calendar.problems(from: first, days: days, adhanSeconds: adhanSeconds).map(\.text)
    }

    /// Some schools pray Jumua before noon, and some timetables print it after Asr: possible, and seldom meant.
    private static func slotProblems(_ year: [SiteDay]) -> [String] {
        var (early, late) = ([Int: [CivilDate]](), [Int: [CivilDate]]())
        for day in year {
            for slot in day.slots {
                if let begins = slot.khutba?.at ?? slot.prayer?.at, let noon = day[.dhuhr], begins < noon {
                    early[slot.number, default: []].append(day.date)
                }
                if let ends = slot.prayer?.at ?? slot.khutba?.at, let asr = day[.asr], asr <= ends {
                    late[slot.number, default: []].append(day.date)
                }
            }
        }
        func sentences(_ found: [Int: [CivilDate]], _ what: String) -> [String] {
            found.sorted { $0.key < $1.key }.map { number, dates in
                let when = DateSpan.runs(dates, gap: 7).map { span in
                    span.from == span.until ? "on \(span.from)" : "from \(span.from) to \(span.until)"
                }
                return "Friday's congregation \(number) is \(what) \(when.joined(separator: ", "))"
            }
        }
        return sentences(early, "before dhuhr") + sentences(late, "not before asr")
    }
}
