import Testing

@testable import PrayerEngine

@Suite("Rules that an authority has for itself")
struct AuthorityRuleTests {
    private func timetable(
        _ name: String, _ latitude: Double, _ longitude: Double, height: Double = 0,
        _ change: (inout Calculation) -> Void = { _ in }
    ) throws -> ComputedTimes {
        var calculation = Calculation(method: try #require(Method.named(name)))
        calculation.rounding = Rounding.none
        change(&calculation)
        return ComputedTimes(
            place: try Place(latitude: latitude, longitude: longitude, townElevationMetres: height),
            calculation: calculation, zone: .utc)
    }

    private func date(_ text: String) throws -> CivilDate { try #require(CivilDate(text)) }

    @Test(
        "Tatarstan: two hours before sunrise and ninety minutes after sunset, from the first night without 18° to the last"
    )
    func tatarstan() throws {
        let kazan = try timetable("tatarstan", 55.7887, 49.1221)
        for (text, isShort) in [
            ("2023-05-04", false), ("2023-05-05", true), ("2023-06-21", true), ("2023-08-07", true),
            ("2023-08-08", false),
        ] {
            let evening = try date(text)
            let (today, tomorrow) = (kazan.day(evening), kazan.day(evening.adding(days: 1)))
            let isha = try #require(today[.isha]) - #require(today[.maghrib])
            let fajr = try #require(tomorrow[.sunrise]) - #require(tomorrow[.fajr])
            #expect((abs(isha - 5400) < 0.01) == isShort, "\(text): \(isha)")
            #expect((abs(fajr - 7200) < 0.01) == isShort, "\(text): \(fajr)")
            #expect(today.hasNote(for: .isha) == isShort)
        }
        let asked = try timetable("tatarstan", 55.7887, 49.1221) { $0.highLatitude = .oneSeventh }
        let note = asked.day(try date("2023-06-21")).note(for: .isha)
        #expect(note?.hasSuffix("one-seventh rule applied") == true)
    }

    @Test(
        "Diyanet: 17° at home; abroad 16°, and from 45° its own short nights unless another rule is asked for"
    )
    func diyanet() throws {
        let (summer, winter) = (try date("2024-06-21"), try date("2024-01-10"))
        #expect(try timetable("diyanet", 41.01, 28.95).plan.isha == .angle(17))
        #expect(try timetable("diyanet", 41.33, 19.82).plan.isha == .angle(16))
        #expect(try timetable("diyanet", 41.33, 19.82).plan.shortNights == nil)
        let malmo = try timetable("diyanet", 55.6059, 13.0007)
        #expect(!malmo.day(winter).hasNote(for: .isha))
        #expect(
            malmo.day(summer).note(for: .isha)
                == "the night is short: the authority's own rule for such nights")
        let asked = try timetable("diyanet", 55.6059, 13.0007) { $0.highLatitude = .oneThird }
        #expect(asked.plan.shortNights == nil && asked.plan.isha == .angle(16))
    }

    /// Malmö's Isha moves by the same minutes every day from 10 April, the last by its angle, to 6 May, the first without 18°.
    @Test("Diyanet abroad: between the angle and the share of the night Fajr and Isha follow a straight line")
    func lines() throws {
        let malmo = try timetable("diyanet", 55.6059, 13.0007)
        func step(_ event: DayEvent, _ text: String) throws -> Double {
            let date = try date(text)
            return try #require(malmo.day(date)[event]) - #require(malmo.day(date.adding(days: -1))[event])
                - 86_400
        }
        for event in [DayEvent.isha, .fajr] {
            let first = try step(event, "2024-04-11")
            for text in ["2024-04-20", "2024-04-28", "2024-05-05"] {
                #expect(abs(try step(event, text) - first) < 0.01, "\(event) \(text)")
            }
            let before = try step(event, "2024-04-08")
            #expect(abs(first) < 60 && abs(before) > 120)
        }
    }

    @Test("Diyanet abroad: no day is longer or shorter than what it prints, and a note says so")
    func dayLimits() throws {
        let kiruna = try timetable("diyanet", 67.8557, 20.2253)
        for (text, hours) in [("2024-06-21", 19.0), ("2024-12-21", 5.0)] {
            let day = kiruna.day(try date(text))
            let length = try #require(day[.maghrib]) - #require(day[.sunrise])
            #expect(abs(length / 3600 - hours) < 0.1, "\(length / 3600)")
            #expect(day.note(for: .sunrise)?.hasPrefix("the authority prints no day") == true)
        }
    }

    @Test(
        "Algeria: a wilaya has its centre's rounded minutes and whole ones more, the same for a Hijri month")
    func algeria() throws {
        let own = { (calculation: inout Calculation) in calculation.rounding = nil }
        let centre = try timetable("algeria", 36.77, 3.06, own)
        let oran = try timetable("algeria", 35.6991, -0.6359, own)
        #expect(oran.plan.centre?.name == "Algiers" && centre.plan.centre == nil)
        // 1 to 30 Rajab 1447.
        var shifts: [DayEvent: Set<Double>] = [:]
        for day in 0..<30 {
            let date = try date("2025-12-21").adding(days: day)
            for event in [DayEvent.fajr, .sunrise, .dhuhr, .asr, .maghrib, .isha] {
                let minutes = try #require(oran.day(date)[event]) - #require(centre.day(date)[event])
                shifts[event, default: []].insert(minutes / 60)
            }
        }
        #expect(shifts[.dhuhr] == [15])
        #expect(shifts.values.allSatisfy { $0.count == 1 && $0.allSatisfy { $0 == $0.rounded() } })
        let steps = oran.explain(.maghrib, on: try date("2026-01-05"))
        #expect(steps.contains { $0.rule.hasPrefix("the table of Algiers") })
        #expect(steps.last?.at == oran.day(try date("2026-01-05"))[.maghrib])
        // Beyond the country there are no wilayas.
        #expect(try timetable("algeria", 48.85, 2.35, own).plan.centre == nil)
    }

    @Test("Algeria: one's own minutes are added to the table, once")
    func adjusted() throws {
        let plain = try timetable("algeria", 35.6991, -0.6359) { $0.rounding = nil }
        let moved = try timetable("algeria", 35.6991, -0.6359) {
            $0.rounding = nil
            $0.adjustments.maghrib = 4
        }
        let date = try date("2026-03-01")
        #expect(try #require(moved.day(date)[.maghrib]) - #require(plain.day(date)[.maghrib]) == 240)
        #expect(moved.day(date)[.fajr] == plain.day(date)[.fajr])
    }

    @Test("A town's height lowers the horizon for authorities that consider it, and for nobody else")
    func height() throws {
        let date = try date("2026-09-28")
        func earlier(_ name: String) throws -> Double {
            let flat = try timetable(name, 30.9202, -6.9109).day(date)
            let high = try timetable(name, 30.9202, -6.9109, height: 1113).day(date)
            return try #require(high[.maghrib]) - #require(flat[.maghrib])
        }
        #expect(try (200...330).contains(earlier("morocco")))
        #expect(try (200...330).contains(earlier("tunisia")))
        for name in ["mwl", "kemenag", "algeria", "umm-al-qura"] {
            #expect(try earlier(name) == 0, "\(name)")
        }
        // Where the user gives a height it is that one.
        let place = try Place(latitude: 31, longitude: -7, elevationMetres: 50, townElevationMetres: 1113)
        let method = try #require(Method.named("morocco"))
        #expect(CalculationPlan(place: place, calculation: Calculation(method: method)).elevationMetres == 50)
    }

    @Test("Indonesia's highlands have the horizon a degree lower, the lowland next to them has not")
    func highlands() throws {
        for (latitude, longitude, degrees) in [
            (-0.3091, 100.3706, 2.0), (-6.5944, 106.7892, 2), (-6.4817, 106.854, 1), (-7.9797, 112.6304, 1),
        ] {
            let plan = try timetable("kemenag", latitude, longitude).plan
            #expect(abs(plan.observer.sunsetDepressionDegrees - degrees) < 0.001, "\(latitude)")
        }
    }

    @Test("JAKIM's states changed Fajr's angle on their own dates")
    func states() throws {
        for (zone, text) in [
            ("WLY01", "2020-01-01"), ("KDH01", "2020-03-01"), ("KTN01", "2021-01-01"),
            ("SBH07", "2021-01-01"),
            ("PLS01", "2021-01-01"),
        ] {
            let plan = try timetable("jakim", 3, 101) { $0.zone = zone }.plan
            #expect(plan.fajrAngle(on: try date(text).adding(days: -1)) == 20, "\(zone)")
            #expect(plan.fajrAngle(on: try date(text)) == 18, "\(zone)")
        }
    }

    @Test("Umm al-Qura's dawn has the Sun of noon, but not where another hour's Sun may miss the angle")
    func dawn() throws {
        #expect(try timetable("umm-al-qura", 21.4, 39.8).plan.dawnEphemeris == .fixed(hour: 12))
        #expect(try timetable("umm-al-qura", 59.9, 10.7).plan.dawnEphemeris == nil)
    }

    @Test("A perpetual table with a Sun that moves is the same in every year but for the time of day")
    func perpetual() throws {
        let manama = try timetable("bahrain", 26.2279, 50.5856)
        let (one, other) = (manama.day(try date("2026-03-10")), manama.day(try date("2029-03-10")))
        for event in [DayEvent.fajr, .dhuhr, .asr, .maghrib, .isha] {
            let days = Double(try date("2029-03-10").dayNumber - (try date("2026-03-10").dayNumber))
            let drift = try #require(other[event]) - #require(one[event]) - days * 86_400
            // The rest is the Earth's rotation, told since 1972.
            #expect(abs(drift) < 1, "\(event) \(drift)")
        }
    }
}
