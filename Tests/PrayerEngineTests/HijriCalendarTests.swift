import Testing

@testable import PrayerEngine

@Suite("Hijri months that somebody decides")
struct HijriCalendarTests {
    /// The texts of this file are dates.
    private func day(_ text: String) -> CivilDate { CivilDate(text) ?? CivilDate(dayNumber: 0) }

    private func month(_ text: String) -> HijriMonth { HijriMonth(text) ?? HijriMonth(index: 0) }

    private func pins(_ texts: [String: String]) throws -> [HijriMonth: CivilDate] {
        var pins: [HijriMonth: CivilDate] = [:]
        for (month, date) in texts { pins[try #require(HijriMonth(month))] = day(date) }
        return pins
    }

    private func calendar(_ texts: [String: String], adjustment: Int = 0) throws -> HijriCalendar {
        try HijriCalendar(pins: pins(texts), adjustment: adjustment)
    }

    @Test(
        "Months are read as they are written, and nothing else is",
        arguments: [
            "1448-13", "1448-00", "1448-9", "448-09", "+448-09", "2027-02", "1448-09-01", "1448", "",
        ])
    func months(text: String) throws {
        #expect(HijriMonth(text) == nil)
        let ramadan = month("1448-09")
        #expect(ramadan.description == "1448-09" && ramadan.text == "Ramadan 1448")
        #expect(month("1448-12").next == HijriMonth("1449-01"))
        #expect(month("1448-01").previous == HijriMonth("1447-12"))
    }

    @Test("Without pins every day is Umm al-Qura's, shifted")
    func withoutPins() throws {
        let first = day("1930-01-01")
        for adjustment in [-2, 0, 1] {
            let calendar = HijriCalendar(adjustment: adjustment)
            for offset in stride(from: 0, to: 60_000, by: 17) {
                let date = first.adding(days: offset)
                #expect(calendar.date(date) == HijriDate(date, adjustment: adjustment))
            }
        }
    }

    @Test("The first day of every month is the one that its dates begin with, across the table's ends too")
    func firstDays() throws {
        let calendar = HijriCalendar()
        for year in HijriMonth.years {
            for number in 1...12 {
                let month = try #require(HijriMonth(year: year, month: number))
                let first = calendar.date(calendar.firstDay(of: month))
                #expect(first.year == year && first.month == number && first.day == 1, "\(month)")
            }
        }
    }

    @Test(
        "A pinned month begins on its day, and the others stay where they are as far as months of 29 or 30 days allow"
    )
    func pinned() throws {
        // Umm al-Qura: 1 Ramadan 1448 is 2027-02-08, 1 Shawwal 2027-03-09.
        let calendar = try calendar(["1448-09": "2027-02-09"])
        #expect(calendar.date(day("2027-02-08")).text == "30 Sha'ban 1448")
        #expect(calendar.date(day("2027-02-09")).text == "1 Ramadan 1448")
        #expect(calendar.date(day("2027-03-09")).text == "29 Ramadan 1448")
        #expect(calendar.date(day("2027-03-10")).text == "1 Shawwal 1448")
        for far in ["2026-06-20", "2028-06-20"] {
            #expect(calendar.date(day(far)) == HijriDate(day(far)))
        }
    }

    @Test("However it is pinned, no month has other than 29 or 30 days, and every day follows the one before")
    func lengths() throws {
        let base = month("1448-09")
        for shift in -2...2 {
            for gap in [1, 2, 3, 14] {
                for adjustment in -2...2 {
                    for other in -2...2 {
                        let end = HijriMonth(index: base.index + gap)
                        let pins = [
                            base: CivilDate(dayNumber: HijriDate.start(of: base) + shift),
                            end: CivilDate(dayNumber: HijriDate.start(of: end) + other),
                        ]
                        guard let calendar = try? HijriCalendar(pins: pins, adjustment: adjustment) else {
                            #expect(HijriPinRefusal.first(in: pins) != nil)
                            continue
                        }
                        let first = day("2026-01-01")
                        var previous = calendar.date(first)
                        for offset in 1...1200 {
                            let next = calendar.date(first.adding(days: offset))
                            let follows =
                                next.day == previous.day + 1 && HijriMonth(next) == HijriMonth(previous)
                                || next.day == 1 && (29...30).contains(previous.day)
                                    && HijriMonth(next) == HijriMonth(previous).next
                            #expect(follows, "\(previous.text) then \(next.text), \(pins), \(adjustment)")
                            previous = next
                        }
                        #expect(
                            calendar.firstDay(of: base) == pins[base]
                                && calendar.firstDay(of: end) == pins[end])
                    }
                }
            }
        }
    }

    @Test("A pin more than two days from Umm al-Qura is refused, whatever the adjustment")
    func farPin() throws {
        let expected =
            "1 Ramadan 1448 cannot be 2027-02-11, 3 days after 2027-02-08 of Umm al-Qura; 2 days are possible"
        for adjustment in -2...2 {
            let refusal = #expect(throws: HijriPinRefusal.self) {
                try calendar(["1448-09": "2027-02-11"], adjustment: adjustment)
            }
            #expect(refusal?.message == expected)
            _ = try calendar(["1448-09": "2027-02-10"], adjustment: adjustment)
            _ = try calendar(["1448-09": "2027-02-06"], adjustment: adjustment)
        }
        #expect(throws: HijriPinRefusal.self) { try calendar(["1448-09": "2026-02-18"]) }
    }

    @Test("A month of other than 29 or 30 days is refused, between neighbours and over several months")
    func impossibleMonths() throws {
        let long = #expect(throws: HijriPinRefusal.self) {
            try calendar(["1448-09": "2027-02-07", "1448-10": "2027-03-10"])
        }
        #expect(
            long?.message
                == "Ramadan 1448 would have 31 days, from 2027-02-07 to the 2027-03-10 on which Shawwal 1448 begins; a month has 29 or 30"
        )
        #expect(throws: HijriPinRefusal.self) {
            try calendar(["1448-09": "2027-02-10", "1448-10": "2027-03-10"])
        }
        let far = #expect(throws: HijriPinRefusal.self) {
            try calendar(["1448-08": "2027-01-11", "1448-10": "2027-03-07"])
        }
        #expect(far?.message.contains("2 months have 58 to 60") == true)
    }

    @Test("A Hijri day begins at maghrib, or at midnight where that is written")
    func dayBegins() throws {
        var calendar = try calendar(["1448-09": "2027-02-08"])
        let eve = day("2027-02-07")
        #expect(!calendar.date(of: .asr, on: eve).isRamadan)
        for event in [DayEvent.maghrib, .isha, .midnight] {
            #expect(calendar.date(of: event, on: eve).isRamadan)
        }
        let last = day("2027-03-08")
        #expect(calendar.date(of: .fajr, on: last).isRamadan && !calendar.evening(of: last).isRamadan)
        calendar.dayBegins = .midnight
        #expect(!calendar.date(of: .isha, on: eve).isRamadan && calendar.date(of: .isha, on: last).isRamadan)
    }

    @Test("Sighted after maghrib on the 29th, withdrawn, completed instead")
    func decisions() throws {
        let plain = HijriCalendar()
        // 29 Ramadan 1448 by Umm al-Qura; its evening is the first of Shawwal there.
        let eve = day("2027-03-08")
        let sighted = try #require(plain.sighted(onEveningOf: eve))
        #expect(sighted == .init(month: month("1448-10"), date: day("2027-03-09")))
        let complete = plain.completed(on: eve)
        #expect(complete == .init(month: month("1448-10"), date: day("2027-03-10")))
        // Word of it on the next morning, when Umm al-Qura has begun the month already.
        #expect(plain.completed(on: day("2027-03-09")) == complete)
        let corrected = try plain.pinning(sighted.month, to: sighted.date).pinning(
            complete.month, to: complete.date)
        #expect(corrected.pins.count == 1 && corrected.evening(of: eve).isRamadan)
        #expect(corrected.evening(of: eve.adding(days: 1)).eid == .fitr)
        // A committee a day ahead of Umm al-Qura, and one two behind; in the middle of a month nothing was sighted.
        #expect(plain.sighted(onEveningOf: eve.adding(days: -1))?.month == sighted.month)
        #expect(plain.sighted(onEveningOf: eve.adding(days: 2))?.month == sighted.month)
        #expect(plain.sighted(onEveningOf: eve.adding(days: 3)) == nil)
        #expect(plain.sighted(onEveningOf: eve.adding(days: -12)) == nil)
    }

    @Test("Of two sets of pins the first has its way, and what does not go with it is reported")
    func merged() throws {
        var calendar = try calendar(["1448-09": "2027-02-09"])
        let refused = calendar.add(
            try pins(["1448-09": "2027-02-08", "1448-10": "2027-03-09", "1448-11": "2027-04-08"]))
        #expect(refused.map(\.month) == [HijriMonth("1448-10")])
        #expect(
            calendar.pins.count == 2
                && calendar.firstDay(of: month("1448-09")) == day("2027-02-09"))
        #expect(calendar.firstDay(of: month("1448-11")) == day("2027-04-08"))
    }

    @Test("Eids, the last ten nights and the days of tashriq follow the pins")
    func days() throws {
        let calendar = try calendar(["1448-09": "2027-02-09", "1448-12": "2027-05-08"])
        #expect(calendar.date(day("2027-03-10")).eid == .fitr)
        #expect(calendar.date(day("2027-05-17")).eid == .adha)
        #expect(calendar.date(day("2027-05-16")).eid == nil)
        let tashriq = (10...25).map { calendar.date(day("2027-05-\($0)")).isTashriq }
        #expect(tashriq.filter { $0 }.count == 5 && tashriq[6] && !tashriq[5])
        #expect(!calendar.evening(of: day("2027-02-27")).isInLastTenNights)
        #expect(calendar.evening(of: day("2027-02-28")).isInLastTenNights)
        #expect(calendar.evening(of: day("2027-03-08")).isInLastTenNights)
        #expect(!calendar.evening(of: day("2027-03-09")).isInLastTenNights)
    }

    @Test("A method's own rule for Ramadan follows the pins")
    func method() throws {
        var calculation = Calculation(method: try #require(Method.named("umm-al-qura")))
        calculation.hijri = try calendar(["1448-09": "2027-02-09"])
        let timetable = ComputedTimes(
            place: try Place(latitude: 21.4225, longitude: 39.8262), calculation: calculation,
            zone: .utc)
        #expect(timetable.day(day("2027-02-08")).note(for: .isha) == nil)
        #expect(
            timetable.day(day("2027-02-09")).note(for: .isha) == "in Ramadan 120 minutes after maghrib")
        #expect(timetable.day(day("2027-03-09")).note(for: .isha) != nil)
    }
}
