import Testing

@testable import PrayerEngine

@Suite("High latitudes")
struct HighLatitudeTests {
    private func timetable(
        _ latitude: Double, _ rule: HighLatitudeRule, fajr: Double = 18, isha: Double = 17
    ) throws -> ComputedTimes {
        var calculation = Calculation(method: try .custom(fajr: fajr, isha: .angle(isha)))
        calculation.highLatitude = rule
        calculation.rounding = Rounding.none
        return ComputedTimes(
            place: try Place(latitude: latitude, longitude: 10.75), calculation: calculation, zone: .utc)
    }

    private let midsummer = CivilDate(dayNumber: 20_625)  // 2026-06-21

    private static let sharingRules: [(HighLatitudeRule, fajr: Double, isha: Double)] = [
        (.middleOfNight, 0.5, 0.5), (.oneThird, 1 / 3, 1 / 3), (.oneSeventh, 1 / 7, 1 / 7),
        (.twilightAngle, 18 / 60, 17 / 60),
        (.auto, 18 / 60, 17 / 60),
    ]

    @Test("The sharing rules give Fajr and Isha their share of the night", arguments: sharingRules)
    func shares(rule: HighLatitudeRule, fajrShare: Double, ishaShare: Double) throws {
        let timetable = try timetable(59.91, rule)
        let (day, next) = (timetable.day(midsummer), timetable.day(midsummer.adding(days: 1)))
        let (sunset, sunrise) = (try #require(day[.sunset]), try #require(next[.sunrise]))
        #expect(abs(try #require(day[.isha]) - sunset - (sunrise - sunset) * ishaShare) < 1e-4)
        #expect(abs(sunrise - (try #require(next[.fajr])) - (sunrise - sunset) * fajrShare) < 1e-4)
        let name = rule == .auto ? "twilight-angle" : rule.rawValue
        #expect(
            day.note(for: .isha) == "the sun does not reach 17° below the horizon; \(name) rule applied")
        #expect(
            day.note(for: .fajr) == "the sun does not reach 18° below the horizon; \(name) rule applied")
    }

    @Test("Without a rule, what never comes is missing and says why")
    func noRule() throws {
        let day = try timetable(59.91, .none).day(midsummer)
        #expect(day[.fajr] == nil && day[.isha] == nil && day[.imsak] == nil)
        #expect(
            day.note(for: .isha)
                == "the sun does not reach 17° below the horizon, and no rule replaces it")
        #expect(day[.sunset] != nil && day[.midnight] != nil && day.note(for: .midnight) == nil)
        // The last third is the same night's; where that ends at a Fajr that never comes, it is missing.
        #expect(day[.lastThird] != nil && day.note(for: .lastThird) == nil)
        var calculation = Calculation(method: try #require(Method.named("mwl")))
        calculation.highLatitude = HighLatitudeRule.none
        calculation.midnight = .jafari
        let jafari = ComputedTimes(
            place: try Place(latitude: 59.91, longitude: 10.75), calculation: calculation, zone: .utc
        ).day(midsummer)
        #expect(jafari[.lastThird] == nil)
        #expect(jafari.note(for: .lastThird) == "an event that it is counted from does not occur")
    }

    @Test(
        "Where the Sun reaches the angle in good time no rule touches it",
        arguments: HighLatitudeRule.allCases)
    func untouched(rule: HighLatitudeRule) throws {
        let plain = try timetable(52, .none).day(CivilDate(dayNumber: 20_770))  // 2026-11-13
        let ruled = try timetable(52, rule).day(CivilDate(dayNumber: 20_770))
        for event in DayEvent.allCases {
            #expect(ruled[event] == plain[event])
            #expect(ruled.note(for: event) == nil)
        }
    }

    @Test("An Isha that comes, but absurdly late, is held to its share")
    func absurdlyLate() throws {
        // At 52° N in the middle of May the Sun reaches 17° shortly before midnight.
        let date = CivilDate(dayNumber: 20_594)  // 2026-05-21
        let (plain, ruled) = (try timetable(52, .none).day(date), try timetable(52, .twilightAngle).day(date))
        #expect(try #require(plain[.isha]) - #require(ruled[.isha]) > 600)
        #expect(
            ruled.note(for: .isha)
                == "the sun reaches 17° below the horizon too late in the night; twilight-angle rule applied")
    }

    @Test(
        "The nearest latitude and the nearest day take over without a leap",
        arguments: [
            HighLatitudeRule.nearestLatitude, .nearestDay, .twilightAngle, .oneSeventh, .oneThird,
        ])
    func noLeap(rule: HighLatitudeRule) throws {
        let timetable = try timetable(57, rule)
        var previous: DayTimes?
        for day in timetable.days(from: CivilDate(dayNumber: 20_544), count: 180) {
            if let previous {
                for event in [DayEvent.fajr, .isha] {
                    let change = try #require(day[event]) - #require(previous[event]) - 86_400
                    #expect(abs(change) < 600, "\(day.date) \(event): \(change) s")
                }
            }
            previous = day
        }
    }

    @Test("The nearest latitude's night is one that the Sun makes dark, two degrees beyond the angle")
    func nearestLatitude() throws {
        let here = try timetable(59.91, .nearestLatitude)
        let (day, next) = (here.day(midsummer), here.day(midsummer.adding(days: 1)))
        // Declination 23.44°: 90 − 23.44 − 17 − 2.
        let there = try timetable(47.56, .none)
        let (lent, lentNext) = (there.day(midsummer), there.day(midsummer.adding(days: 1)))
        let own =
            (try #require(day[.isha]) - #require(day[.sunset]))
            / (try #require(next[.sunrise]) - #require(day[.sunset]))
        let other =
            (try #require(lent[.isha]) - #require(lent[.sunset]))
            / (try #require(lentNext[.sunrise]) - #require(lent[.sunset]))
        #expect(abs(own - other) < 0.001)
    }

    @Test(
        "Midnight sun: Dhuhr stays, a lending rule fills the day and says so, a sharing rule leaves gaps and says so"
    )
    func midnightSun() throws {
        let auto = try timetable(69.65, .auto).day(midsummer)
        for event in DayEvent.allCases { #expect(auto[event] != nil) }
        #expect(auto.note(for: .maghrib) == "the sun does not set; nearest-latitude rule applied")
        #expect(
            auto.note(for: .sunrise)
                == "the sun does not set, so it does not rise; nearest-latitude rule applied")
        #expect(auto.note(for: .dhuhr) == nil && auto.note(for: .asr) == nil)
        let shared = try timetable(69.65, .oneSeventh).day(midsummer)
        #expect(shared[.dhuhr] != nil && shared[.asr] != nil)
        for event in [DayEvent.sunrise, .sunset, .maghrib, .fajr, .isha] { #expect(shared[event] == nil) }
        #expect(shared.note(for: .maghrib) == "the sun does not set, and no rule replaces it")
        let nearest = try timetable(69.65, .nearestDay).day(midsummer)
        for event in PropertyTests.chain { #expect(nearest[event] != nil) }
        #expect(nearest.note(for: .sunset) == "the sun does not set; nearest-day rule applied")
    }

    @Test("Polar night: twilight is the Sun's own, sunrise and Asr are lent")
    func polarNight() throws {
        let date = CivilDate(dayNumber: 20_808)  // 2026-12-21
        let (auto, plain) = (try timetable(69.65, .auto).day(date), try timetable(69.65, .none).day(date))
        #expect(auto[.fajr] == plain[.fajr] && auto[.isha] == plain[.isha])
        #expect(auto.note(for: .fajr) == nil)
        #expect(plain[.sunrise] == nil && plain[.asr] == nil && plain[.maghrib] == nil)
        #expect(auto.note(for: .sunrise) == "the sun does not rise; nearest-latitude rule applied")
        #expect(
            auto.note(for: .asr) == "the sun is not above the horizon at noon; nearest-latitude rule applied")
        #expect(
            plain.note(for: .asr) == "the sun is not above the horizon at noon, and no rule replaces it")
    }

    @Test("The south has the same rules in its own summer")
    func south() throws {
        let date = CivilDate(dayNumber: 20_808)  // 2026-12-21
        let day = try timetable(-59.91, .auto).day(date)
        #expect(
            day.note(for: .isha)
                == "the sun does not reach 17° below the horizon; twilight-angle rule applied")
        #expect(try timetable(-59.91, .auto).day(midsummer).note(for: .isha) == nil)
    }

    @Test("Offsets that would put events out of order are withheld, with a note")
    func order() throws {
        var calculation = Calculation(method: try #require(Method.named("diyanet")))
        calculation.adjustments.asr = -60
        let timetable = ComputedTimes(
            place: try Place(latitude: 65.5, longitude: 10), calculation: calculation, zone: .utc)
        let day = timetable.day(CivilDate(dayNumber: 20_808))
        #expect(try #require(day[.dhuhr]) < #require(day[.asr]))
        #expect(
            day.note(for: .dhuhr)
                == "offsets and rounding withheld: they would put the day's events out of order")
    }

    @Test("Where only whole minutes would put events out of order, offsets stay")
    func offsetsStay() throws {
        let place = try Place(latitude: 65.5, longitude: 10)
        let midwinter = CivilDate(dayNumber: 20_808)
        var found = 0
        for date in (0..<20).map({ midwinter.adding(days: $0) }) {
            var calculation = Calculation(method: try #require(Method.named("diyanet")))
            calculation.rounding = Rounding.none
            let asDefined = ComputedTimes(place: place, calculation: calculation, zone: .utc).day(date)
            let gap = try #require(asDefined[.asr]) - #require(asDefined[.dhuhr])
            // Less than a minute is left between the two.
            calculation.adjustments.asr = -Int(gap / 60)
            let exact = ComputedTimes(place: place, calculation: calculation, zone: .utc).day(date)
            calculation.rounding = Rounding.nearest
            let day = ComputedTimes(place: place, calculation: calculation, zone: .utc).day(date)
            guard day.note(for: .dhuhr)?.hasPrefix("offsets and rounding withheld") == true else { continue }
            found += 1
            for event in [DayEvent.fajr, .sunrise, .dhuhr, .asr, .maghrib, .isha] {
                #expect(abs(try #require(day[event]) - #require(exact[event])) < 1e-6, "\(event) on \(date)")
            }
        }
        #expect(found > 0)
    }

    @Test("Interval methods do not carry Isha past the middle of a short night")
    func interval() throws {
        var calculation = Calculation(method: try #require(Method.named("gulf")))
        calculation.rounding = Rounding.none
        let place = try Place(latitude: 65.5, longitude: 10)
        let day = ComputedTimes(place: place, calculation: calculation, zone: .utc).day(midsummer)
        #expect(
            day.note(for: .isha)
                == "90 minutes after maghrib would pass the middle of the night; middle-of-night rule applied"
        )
        #expect(abs(try #require(day[.isha]) - #require(day[.midnight])) < 1e-4)
        calculation.highLatitude = HighLatitudeRule.none
        let plain = ComputedTimes(place: place, calculation: calculation, zone: .utc).day(midsummer)
        #expect(try #require(plain[.isha]) - #require(plain[.maghrib]) == 5400)
    }

    @Test("Where the Sun's own times move quickly from day to day, a note says by how much")
    func quickTimes() throws {
        let timetable = try timetable(69.65, .auto)
        let date = CivilDate(dayNumber: 20_584)  // 2026-05-11, a week before the midnight sun
        let (day, next) = (timetable.day(date), timetable.day(date.adding(days: 1)))
        let minutes = (try #require(next[.sunset]) - #require(day[.sunset]) - 86_400) / 60
        #expect(minutes > 8)
        let note = try #require(day.note(for: .sunset))
        let figures = note.split(separator: " ").compactMap { Double($0) }
        #expect(note.hasPrefix("the sun's path is flat here"))
        #expect(abs(try #require(figures.first) - minutes) < 2)
    }
}
