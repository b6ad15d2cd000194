import Testing

@testable import PrayerEngine

@Suite("Methods")
struct MethodTests {
    static let contract = [
        "isna", "mwl", "umm-al-qura", "egyptian", "karachi", "tehran", "jafari", "gulf", "kuwait", "qatar",
        "uae",
        "singapore", "jakim", "kemenag", "diyanet", "uoif", "russia", "tunisia", "algeria", "morocco",
        "portugal",
        "jordan", "moonsighting", "london", "brunei", "bosnia", "kosovo", "albania", "macedonia",
        "bangladesh", "oman",
        "nigeria",
        "iraq", "uzbekistan", "yemen", "syria", "kazakhstan", "azerbaijan", "libya", "palestine", "lebanon",
        "somalia",
        "senegal", "sri-lanka", "sudan", "maldives", "tatarstan", "bahrain", "uae-printed", "oman-printed",
        "jordan-printed", "palestine-printed", "iraq-printed", "libya-printed",
    ]

    @Test("All of the contract's names are there, with distinct numbers, sources and regions")
    func names() {
        #expect(Set(Method.all.map(\.name)) == Set(Self.contract))
        let numbers = Method.all.compactMap(\.number)
        #expect(Set(numbers).count == numbers.count)
        #expect(Method.named("dubai")?.name == "uae" && Method.named("16")?.name == "uae")
        // "Inferred" is said of what nobody published, in these words.
        let known = Method.all.filter { !$0.source.contains("inferred:") }
        #expect(known.allSatisfy { $0.source.contains(/[A-Z0-9]/) })
        #expect(Method.all.allSatisfy { !$0.source.isEmpty && !$0.region.isEmpty && !$0.title.isEmpty })
        #expect(Method.named("2")?.name == "isna")
        #expect(Method.named("0")?.name == "jafari")
        #expect(Method.named("99") == nil)
        #expect(Method.named("ISNA") == nil)
    }

    @Test("Custom angles outside their ranges, or Isha before Maghrib, are refused")
    func custom() throws {
        #expect(try Method.custom(fajr: 18, isha: .angle(17)).fajrAngle == 18)
        #expect(throws: EngineError.self) { try Method.custom(fajr: 0, isha: .angle(17)) }
        #expect(throws: EngineError.self) { try Method.custom(fajr: .nan, isha: .angle(17)) }
        #expect(throws: EngineError.self) { try Method.custom(fajr: 18, isha: .angle(31)) }
        #expect(throws: EngineError.self) { try Method.custom(fajr: 18, isha: .minutes(0, ramadan: 0)) }
        #expect(throws: EngineError.self) { try Method.custom(fajr: 18, isha: .angle(10), maghrib: 10) }
        #expect(throws: EngineError.self) {
            try Method.custom(fajr: 18, isha: .minutes(90, ramadan: 90), maghrib: -1)
        }
    }

    /// Makkah, UTC+3.
    private func makkah(_ change: (inout Calculation) -> Void = { _ in }) throws -> ComputedTimes {
        var calculation = Calculation(method: try #require(Method.named("umm-al-qura")))
        calculation.asr = .standard
        change(&calculation)
        return ComputedTimes(
            place: try Place(latitude: 21.4225, longitude: 39.8262), calculation: calculation,
            zone: try Zone(name: "+03", posix: "<+03>-3"))
    }

    @Test("Umm al-Qura: Isha 90 minutes after Maghrib, 120 in Ramadan and then with a note")
    func ummAlQuraIsha() throws {
        let timetable = try makkah()
        let usual = timetable.day(try #require(CivilDate("2026-02-17")))
        let ramadan = timetable.day(try #require(CivilDate("2026-02-18")))
        #expect(try #require(usual[.isha]) - #require(usual[.maghrib]) == 5400)
        #expect(try #require(ramadan[.isha]) - #require(ramadan[.maghrib]) == 7200)
        #expect(usual.note(for: .isha) == nil)
        #expect(ramadan.note(for: .isha) == "in Ramadan 120 minutes after maghrib")
        let later = try makkah { $0.hijri.adjustment = -1 }.day(try #require(CivilDate("2026-02-18")))
        #expect(later.note(for: .isha) == nil)
    }

    @Test("Umm al-Qura rounds up and sunrise down, unless the configuration rounds otherwise")
    func ummAlQuraRounding() throws {
        let date = try #require(CivilDate("2026-11-20"))
        let exact = try makkah { $0.rounding = Rounding.none }.day(date)
        let own = try makkah().day(date)
        let nearest = try makkah { $0.rounding = .nearest }.day(date)
        for event in [DayEvent.fajr, .sunrise, .dhuhr, .asr, .maghrib] {
            let seconds = try #require(exact[event]).unixSeconds
            let up = (seconds / 60).rounded(event == .sunrise ? .down : .up) * 60
            #expect(own[event]?.unixSeconds == up)
            #expect(nearest[event]?.unixSeconds == (seconds / 60).rounded() * 60)
        }
    }

    @Test("Fajr's older angles hold before the day they changed", arguments: ["umm-al-qura", "jakim"])
    func earlierAngles(name: String) throws {
        let method = try #require(Method.named(name))
        let earlier = try #require(method.earlierFajr)
        var calculation = Calculation(method: method)
        calculation.rounding = Rounding.none
        let timetable = ComputedTimes(
            place: try Place(latitude: 21.4, longitude: 39.8), calculation: calculation, zone: .utc)
        calculation.method = try .custom(fajr: earlier.angle, isha: .angle(18))
        calculation.method.offsets = method.offsets
        calculation.method.dawnEphemeris = method.dawnEphemeris
        let old = ComputedTimes(place: timetable.place, calculation: calculation, zone: .utc)
        let before = earlier.until.adding(days: -1)
        #expect(timetable.day(before)[.fajr] == old.day(before)[.fajr])
        #expect(timetable.day(before).hasNote(for: .fajr))
        let change =
            try #require(timetable.day(earlier.until)[.fajr]) - #require(old.day(earlier.until)[.fajr])
        #expect(change > 100)
        #expect(!timetable.day(earlier.until).hasNote(for: .fajr))
    }

    @Test(
        "Published offsets are added, in minutes",
        arguments: [
            ("diyanet", EventOffsets(sunrise: -7, dhuhr: 5, asr: 4, maghrib: 7)),
            ("dubai", EventOffsets(sunrise: -3, dhuhr: 3, asr: 3, maghrib: 3)),
            ("moonsighting", EventOffsets(dhuhr: 5, maghrib: 3)),
            ("jordan", EventOffsets(maghrib: 5)),
            ("isna", EventOffsets()), ("mwl", EventOffsets()), ("karachi", EventOffsets()),
        ])
    func offsets(name: String, offsets: EventOffsets) throws {
        var calculation = Calculation(method: try #require(Method.named(name)))
        #expect(calculation.method.offsets == offsets)
        calculation.rounding = Rounding.none
        let place = try Place(latitude: 30, longitude: 35)
        let date = try #require(CivilDate("2026-05-01"))
        let day = ComputedTimes(place: place, calculation: calculation, zone: .utc).day(date)
        calculation.method = try .custom(fajr: 18, isha: .angle(17))
        calculation.method.ephemeris = Method.named(name)?.ephemeris ?? .exact
        calculation.asr = Method.named(name)?.asr ?? .standard
        let same = ComputedTimes(place: place, calculation: calculation, zone: .utc).day(date)
        for event in [DayEvent.sunrise, .dhuhr, .asr, .maghrib] {
            #expect(abs(try #require(day[event]) - #require(same[event]) - offsets[event] * 60) < 1e-6)
        }
        #expect(day[.sunset] == same[.sunset])
    }

    @Test("Tehran: Maghrib at 4.5°, after sunset, and midnight before Fajr's half of the night")
    func tehran() throws {
        var calculation = Calculation(method: try #require(Method.named("tehran")))
        calculation.rounding = Rounding.none
        let place = try Place(latitude: 35.69, longitude: 51.39)
        let date = try #require(CivilDate("2026-03-21"))
        let timetable = ComputedTimes(place: place, calculation: calculation, zone: .utc)
        let day = timetable.day(date)
        let next = timetable.day(date.adding(days: 1))
        let (sunset, midnight) = (try #require(day[.sunset]), try #require(day[.midnight]))
        let wait = try #require(day[.maghrib]) - sunset
        #expect((900.0...1200).contains(wait))
        #expect(abs((try #require(next[.fajr]) - midnight) - (midnight - sunset)) < 1e-5)
        calculation.midnight = .standard
        let standard = ComputedTimes(place: place, calculation: calculation, zone: .utc).day(date)
        #expect(try #require(standard[.midnight]) > midnight)
    }

    /// Published at moonsighting.com for these days, standard time: Raleigh (Asr standard) and Oslo (Asr
    /// Hanafi).
    @Test(
        "Moonsighting Committee: its own published days, within a minute",
        arguments: [
            (
                35.775, -78.6336, -5, AsrSchool.standard, "2016-01-31",
                ["5:48", "7:16", "12:33", "15:20", "17:43", "19:05"]
            ),
            (
                59.9094, 10.7349, 1, .hanafi, "2016-01-01",
                ["7:34", "9:19", "12:25", "13:36", "15:25", "17:02"]
            ),
        ])
    func moonsighting(
        latitude: Double, longitude: Double, hours: Int, asr: AsrSchool, date: String, times: [String]
    ) throws {
        var calculation = Calculation(method: try #require(Method.named("moonsighting")))
        calculation.asr = asr
        let date = try #require(CivilDate(date))
        let day = ComputedTimes(
            place: try Place(latitude: latitude, longitude: longitude), calculation: calculation, zone: .utc
        ).day(date)
        for (event, text) in zip([DayEvent.fajr, .sunrise, .dhuhr, .asr, .maghrib, .isha], times) {
            let parts = text.split(separator: ":").compactMap { Int($0) }
            let expected = Double(date.dayNumber * 86_400 + (parts[0] - hours) * 3600 + parts[1] * 60)
            #expect(abs(try #require(day[event]).unixSeconds - expected) <= 60, "\(event)")
        }
    }

    @Test("Moonsighting Committee: a seventh of the night from 55°, south as north, and shades of twilight")
    func moonsightingNight() throws {
        var calculation = Calculation(method: try #require(Method.named("moonsighting")))
        calculation.rounding = Rounding.none
        for (latitude, date) in [(57.0, "2026-06-21"), (-57.0, "2026-12-21")] {
            let timetable = ComputedTimes(
                place: try Place(latitude: latitude, longitude: 0), calculation: calculation, zone: .utc)
            let date = try #require(CivilDate(date))
            let (day, next) = (timetable.day(date), timetable.day(date.adding(days: 1)))
            let (sunset, sunrise) = (try #require(day[.sunset]), try #require(next[.sunrise]))
            #expect(abs((try #require(day[.isha]) - sunset) - (sunrise - sunset) / 7) < 0.001)
            #expect(abs((sunrise - (try #require(next[.fajr]))) - (sunrise - sunset) / 7) < 0.001)
            #expect(day.note(for: .isha) == "from 55° of latitude the method takes one seventh of the night")
        }
        // At 51.5° N on the longest day: general 75 + 6.14·51.5/55 = 80.7 minutes, ahmer 62 + 19.44·51.5/55 =
        // 80.2, abyad 75 + 81.84·51.5/55 = 151.6.
        for (shafaq, minutes) in [(Shafaq.general, 80.75), (.ahmer, 80.2), (.abyad, 151.63)] {
            calculation.shafaq = shafaq
            let timetable = ComputedTimes(
                place: try Place(latitude: 51.5, longitude: 0), calculation: calculation, zone: .utc)
            let day = timetable.day(try #require(CivilDate("2026-06-22")))
            let wait = try #require(day[.isha]) - #require(day[.sunset])
            #expect(abs(wait / 60 - minutes) < 1, "\(shafaq): \(wait / 60)")
        }
    }
}
