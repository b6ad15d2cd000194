import Foundation
import Testing

@testable import PrayerEngine

/// Days as eleven authorities printed them, two dozen of each town: `Fixtures/published.csv`.
@Suite("What authorities published", .enabled(if: Fixture.hasZones, "this machine has no time zone files"))
struct PublishedTests {
    static let days = PrintedDay.load("published")

    /// The least shares, in percent, of times with the very minute and of times within one minute. Kosovo's and Bosnia's
    /// tables were smoothed by hand.
    @Test(
        "The printed minute, by authority",
        arguments: [
            ("kemenag", 97, 100), ("jakim", 84, 99), ("diyanet", 88, 100), ("tunisia", 90, 100),
            ("singapore", 91, 98),
            ("qatar", 85, 100), ("brunei", 90, 98), ("albania", 93, 100), ("macedonia", 90, 98),
            ("bosnia", 82, 100), ("london", 80, 100), ("kosovo", 78, 99),
        ])
    func printed(method: String, same: Int, near: Int) throws {
        let differences = try PrintedDay.differences(try #require(Self.days[method])).map(\.minutes)
        #expect(differences.count > 100)
        let exact = differences.count { $0 == 0 } * 100
        let close = differences.count { abs($0) <= 1 } * 100
        #expect(exact >= same * differences.count, "\(method): \(exact / differences.count) %")
        #expect(close >= near * differences.count, "\(method): \(close / differences.count) %")
    }

    @Test("All together: nine of ten have the printed minute, 99 of 100 are within one")
    func together() throws {
        let differences = try PrintedDay.differences(Self.days.values.flatMap { $0 }).map(\.minutes)
        #expect(differences.count > 3000)
        #expect(differences.count { $0 == 0 } * 10 >= differences.count * 9)
        #expect(differences.count { abs($0) <= 1 } * 100 >= differences.count * 99)
    }

    @Test("Maghrib and Fajr never come earlier than printed by more than a minute")
    func notEarly() throws {
        for (event, minutes) in try PrintedDay.differences(Self.days.values.flatMap { $0 })
        where event == .fajr || event == .maghrib {
            #expect(minutes <= 1, "\(event) \(minutes)")
        }
    }
}

@Suite("Models of authorities")
struct AuthorityTests {
    private func timetable(_ name: String, _ latitude: Double, _ longitude: Double, zone: String? = nil)
        throws
        -> ComputedTimes
    {
        var calculation = Calculation(method: try #require(Method.named(name)))
        calculation.rounding = Rounding.none
        calculation.zone = zone
        return ComputedTimes(
            place: try Place(latitude: latitude, longitude: longitude), calculation: calculation, zone: .utc)
    }

    @Test("A place takes the zone of the nearest town, a code its own zone, and far away nothing")
    func zones() throws {
        #expect(try timetable("jakim", 3.14, 101.69).plan.reference?.code == "WLY01")
        #expect(try timetable("jakim", 3.07, 101.52).plan.reference?.code == "SGR01")
        #expect(try timetable("jakim", 1.55, 110.36).plan.reference?.code == "SWK08")
        #expect(try timetable("jakim", 51.5, 0).plan.reference == nil)
        let byCode = try timetable("jakim", 51.5, 0, zone: "JHR02")
        #expect(byCode.plan.reference?.code == "JHR02")
        let date = CivilDate(dayNumber: 20_000)
        #expect(byCode.day(date)[.maghrib] == (try timetable("jakim", 1.4927, 103.7414)).day(date)[.maghrib])
        let steps = byCode.explain(.maghrib, on: date)
        #expect(steps.first?.rule.hasPrefix("computed for JHR02, Johor Bahru") == true)
        let codes = Method.all.flatMap { $0.places.all.map(\.code) }
        #expect(Set(codes).count == codes.count)
        #expect(Method.named("jakim")?.places.all.count == 60)
    }

    @Test("A place that is far from a country's zones is reported so, once, and computed for itself")
    func outside() throws {
        let date = CivilDate(dayNumber: 20_000)
        for (name, country) in [("jakim", "Malaysia"), ("singapore", "Singapore")] {
            let far = try timetable(name, 51.5, 0)
            #expect(far.calculation.countryMissed(at: far.place) == country)
            let notes = far.explain(.maghrib, on: date).filter {
                $0.rule.contains("those of \(country): computed for")
            }
            #expect(notes.count == 1)
        }
        // A code says which zone is meant; Kemenag and Tunisia compute for every town of their own.
        let byCode = try timetable("jakim", 51.5, 0, zone: "JHR02")
        #expect(byCode.calculation.countryMissed(at: byCode.place) == nil)
        for name in ["kemenag", "tunisia", "mwl"] {
            let other = try timetable(name, 51.5, 0)
            #expect(other.calculation.countryMissed(at: other.place) == nil, "\(name)")
        }
        let near = try timetable("jakim", 3.14, 101.69)
        #expect(near.calculation.countryMissed(at: near.place) == nil)
    }

    @Test("Kinabalu's summit sees the sun nearly eight minutes longer than the land around it")
    func kinabalu() throws {
        let (summit, around) = (
            try timetable("jakim", 6.075, 116.558, zone: "SBH06"),
            try timetable("jakim", 6.075, 116.558, zone: "SBH08")
        )
        let date = try #require(CivilDate("2026-06-21"))
        let (high, low) = (summit.day(date), around.day(date))
        #expect(try #require(high[.maghrib]) - #require(low[.maghrib]) > 300)
        #expect(try #require(high[.isha]) - #require(low[.isha]) < 120)
    }

    @Test("A zone of two points takes the later one's times, and tells so")
    func twoPoints() throws {
        let timetable = try timetable("jakim", 3.14, 101.69)
        for month in [1, 6] {
            let date = try #require(CivilDate(year: 2026, month: month, day: 15))
            let day = timetable.day(date)
            for event in DayEvent.allCases {
                #expect(timetable.explain(event, on: date).last?.at == day[event], "\(event)")
            }
            let steps = timetable.explain(.maghrib, on: date)
            #expect(steps.first?.rule.hasSuffix("and at 2.44, 101.81, the later of both") == true, "\(steps)")
            let (north, south) = (
                CalculationPlan(place: timetable.place, calculation: timetable.calculation),
                CalculationPlan(place: timetable.place, calculation: timetable.calculation, isFurther: true)
            )
            var track = SunTrack()
            let sunsets = [north, south].map { plan in
                let solar = SolarDay(index: date.dayNumber, longitude: plan.longitude, track: &track)
                return solar.instant(
                    solar.crossing(plan.observer.sunsetTarget, .evening, at: plan.observer).x
                ).unixSeconds
            }
            // The sun sets later in the north in summer, in the south in winter.
            #expect((sunsets[0] > sunsets[1]) == (month == 6))
            #expect(abs(try #require(day[.maghrib]).unixSeconds - sunsets.max()! - 60) < 1e-3)
        }
    }

    @Test("Sabah's points of 2023 give way to those of 2024 on the first of January")
    func eras() throws {
        let timetable = try timetable("jakim", 5.97, 116.07)
        let last = timetable.day(ReferencePlace.pointsSince.adding(days: -1))
        let first = timetable.day(ReferencePlace.pointsSince)
        let leap = try #require(first[.dhuhr]) - #require(last[.dhuhr])
        // From 115.68° to 116.06°: a minute and a half earlier, less the half minute that noon moves by in a day.
        #expect((86_400 - 95.0...86_400 - 40).contains(leap), "\(leap)")
    }

    @Test("A perpetual table is the same every year, leap years included")
    func perpetual() throws {
        let timetable = try timetable("albania", 41.3275, 19.8189)
        for (month, day) in [(1, 5), (2, 28), (3, 1), (9, 23)] {
            let seconds = try [2016, 2017, 2031].map { year in
                let date = try #require(CivilDate(year: year, month: month, day: day))
                return try #require(timetable.day(date)[.maghrib]).unixSeconds - Double(date.dayNumber)
                    * 86_400
            }
            // UT1 − UTC differs by parts of a second.
            #expect(seconds.max()! - seconds.min()! < 1, "\(month)-\(day)")
        }
    }

    @Test("Highlands: Kemenag lowers the horizon, Tunisia dawn and nightfall too")
    func heights() throws {
        for (name, moved) in [("kemenag", false), ("tunisia", true)] {
            var calculation = Calculation(method: try #require(Method.named(name)))
            calculation.rounding = Rounding.none
            let day = { (height: Double) in
                ComputedTimes(
                    place: try Place(latitude: 10, longitude: 0, elevationMetres: height),
                    calculation: calculation,
                    zone: .utc
                ).day(CivilDate(dayNumber: 20_000))
            }
            let (low, high) = (try day(0), try day(800))
            #expect(try #require(high[.maghrib]) - #require(low[.maghrib]) > 180)
            #expect((try #require(high[.isha]) - #require(low[.isha]) > 180) == moved)
        }
    }

    @Test("Ramadan's minute of Singapore's maghrib")
    func ramadan() throws {
        let timetable = try timetable("singapore", 1.35, 103.82)
        let (before, after) = (
            timetable.day(try #require(CivilDate("2024-03-10"))),
            timetable.day(try #require(CivilDate("2024-03-11")))
        )
        let step = try #require(after[.maghrib]) - #require(before[.maghrib]) - 86_400
        #expect((40.0...70).contains(step), "\(step)")
    }

    @Test("The school is the authority's; ISNA's and one's own angles stay hanafi")
    func schools() throws {
        for name in ["isna", "karachi", "bangladesh", "uzbekistan", "kazakhstan"] {
            #expect(Calculation(method: try #require(Method.named(name))).asr == .hanafi)
        }
        for name in ["umm-al-qura", "mwl", "diyanet", "jakim", "kemenag", "tehran"] {
            #expect(Calculation(method: try #require(Method.named(name))).asr == .standard)
        }
        #expect(Calculation(method: try .custom(fajr: 18, isha: .angle(17))).asr == .hanafi)
    }
}

@Suite("Whole minutes")
struct RoundingTests {
    private func day(_ change: (inout Calculation) -> Void) throws -> DayTimes {
        var calculation = Calculation(method: try #require(Method.named("mwl")))
        change(&calculation)
        return ComputedTimes(
            place: try Place(latitude: 40.73, longitude: -73.79), calculation: calculation, zone: .utc
        ).day(CivilDate(dayNumber: 20_777))
    }

    @Test("Up never rounds sunrise up; safe rounds imsak down as well")
    func directions() throws {
        let exact = try day { $0.rounding = Rounding.none }
        for (rounding, down) in [(Rounding.up, [DayEvent.sunrise]), (.safe, [.sunrise, .imsak])] {
            let day = try day { $0.rounding = rounding }
            for event in DayEvent.allCases {
                let minutes = try #require(exact[event]).unixSeconds / 60
                let whole = minutes.rounded(down.contains(event) ? .down : .up) * 60
                #expect(day[event]?.unixSeconds == whole, "\(rounding) \(event)")
            }
        }
    }

    @Test("A rounding of one event goes before that of all, and imsak follows Fajr's")
    func byEvent() throws {
        let exact = try day { $0.rounding = Rounding.none }
        let own = try day {
            $0.rounding = .up
            $0.roundingByEvent.fajr = .down
            $0.roundingByEvent.sunrise = .up
        }
        let expected: [(DayEvent, FloatingPointRoundingRule)] = [
            (.fajr, .down), (.imsak, .down), (.sunrise, .up), (.dhuhr, .up),
        ]
        for (event, rule) in expected {
            #expect(
                own[event]?.unixSeconds == (try #require(exact[event]).unixSeconds / 60).rounded(rule) * 60)
        }
    }

    @Test("The last third comes after midnight on every day of the year, in Oslo too")
    func lastThird() throws {
        for midnight in MidnightRule.allCases {
            var calculation = Calculation(method: try #require(Method.named("mwl")))
            calculation.midnight = midnight
            let timetable = ComputedTimes(
                place: try Place(latitude: 59.91, longitude: 10.75), calculation: calculation, zone: .utc)
            for day in timetable.days(from: CivilDate(dayNumber: 20_454), count: 366) {
                #expect(try #require(day[.lastThird]) > #require(day[.midnight]), "\(day.date)")
            }
        }
    }
}

@Suite("Days that come twice, and leap years of the south")
struct CalendarEdgeTests {
    @Test("The southern season begins on 21 June in leap years as in others")
    func southernLeapYear() throws {
        for year in [2023, 2024, 2025] {
            let solstice = try #require(CivilDate(year: year, month: 6, day: 21))
            let season = MoonsightingSeason(date: solstice, latitude: -44)
            // Day 0 of the season: 75 + 28.65 · 44/55 to the digit.
            #expect(abs(season.morning - (75 + 28.65 * 0.8)) < 1e-9, "\(year)")
        }
    }

    /// Kwajalein went from the eastern side of the date line to the western on 30 September 1969, and had that day twice.
    @Test(
        "Of a date with two noons the first counts",
        .enabled(if: Fixture.hasZones, "this machine has no time zone files"))
    func twoNoons() throws {
        let zone = try Fixture.zone("Pacific/Kwajalein")
        let timetable = ComputedTimes(
            place: try Place(latitude: 8.72, longitude: 167.73), calculation: Calculation(), zone: zone)
        let date = try #require(CivilDate("1969-09-30"))
        let noon = try #require(timetable.day(date)[.dhuhr])
        let next = noon + 86_400
        #expect(zone.civilDate(of: noon) == date && zone.civilDate(of: next) == date)
        #expect(zone.civilDate(of: noon - 86_400) == date.adding(days: -1))
    }

    /// Alaska changed sides on 19 October 1867. There the second of the two noons is the one that is looked at first.
    @Test(
        "Of a date with two noons the first counts, east of the date line too",
        .enabled(if: Fixture.hasZones, "this machine has no time zone files"))
    func twoNoonsInSitka() throws {
        let zone = try Fixture.zone("America/Sitka")
        let timetable = ComputedTimes(
            place: try Place(latitude: 57.05, longitude: -135.33), calculation: Calculation(), zone: zone)
        let date = try #require(CivilDate("1867-10-19"))
        let noon = try #require(timetable.day(date)[.dhuhr])
        #expect(zone.civilDate(of: noon) == date && zone.civilDate(of: noon + 86_400) == date)
        #expect(zone.civilDate(of: noon - 86_400) == date.adding(days: -1))
    }
}
