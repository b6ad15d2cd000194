import Testing

@testable import PrayerEngine

/// The last night that got dark lends its clock until the next one does.
@Suite("Frozen times")
struct FrozenTests {
    private func days(_ latitude: Double, _ rule: HighLatitudeRule = .frozen, method: String = "mwl") throws
        -> [DayTimes]
    {
        var calculation = Calculation(method: try #require(Method.named(method)))
        calculation.highLatitude = rule
        calculation.rounding = Rounding.none
        let timetable = ComputedTimes(
            place: try Place(latitude: latitude, longitude: 10.75), calculation: calculation, zone: .utc)
        // 2026-01-01 to 2027-02-04
        return Array(timetable.days(from: CivilDate(dayNumber: 20_454), count: 400))
    }

    private func clock(_ instant: Instant?, on date: CivilDate) throws -> Double {
        try #require(instant).unixSeconds - Double(date.dayNumber) * 86_400
    }

    @Test("Oslo keeps the clock of the last night in April that got dark until August")
    func oslo() throws {
        let (frozen, plain) = (try days(59.91), try days(59.91, .none))
        for event in [DayEvent.fajr, .isha] {
            let missing = plain.indices.filter { plain[$0][event] == nil }
            let (first, last) = (try #require(missing.first), try #require(missing.last))
            #expect(last - first == missing.count - 1 && (110...130).contains(missing.count))
            let kept = try clock(plain[first - 1][event], on: plain[first - 1].date)
            for index in missing {
                // UT1 − UTC moves by milliseconds.
                #expect(abs(try clock(frozen[index][event], on: frozen[index].date) - kept) < 0.1)
                #expect(
                    frozen[index].note(for: event)
                        == "the sun does not reach \(event == .fajr ? 18 : 17)° below the horizon; frozen rule applied"
                )
            }
            for index in plain.indices where plain[index][event] != nil {
                #expect(frozen[index][event] == plain[index][event])
            }
        }
    }

    @Test(
        "Fajr and Isha stay on their sides of the middle of the night, off sunset and sunrise, without a leap where it begins",
        arguments: [49, 52, 57, 60, 63, 65, -57, -65])
    func bounds(latitude: Double) throws {
        let days = try days(latitude)
        var previous = days[0]
        for (day, next) in zip(days.dropFirst(), days.dropFirst(2)) {
            let (sunset, sunrise) = (try #require(day[.sunset]), try #require(next[.sunrise]))
            let night = sunrise - sunset
            let isha = try #require(day[.isha]) - sunset
            let fajr = sunrise - (try #require(next[.fajr]))
            if day.isFrozen(.isha) { #expect(isha >= night / 7 - 1e-3 && isha <= night / 2 + 1e-3) }
            if next.isFrozen(.fajr) { #expect(fajr >= night / 7 - 1e-3 && fajr <= night / 2 + 1e-3) }
            for event in [DayEvent.fajr, .isha] {
                let step = abs(try #require(day[event]) - #require(previous[event]) - 86_400)
                if day.isFrozen(event) {
                    #expect(step < 420, "\(day.date) \(event): \(step) s")
                } else if previous.isFrozen(event) {
                    // The first dark night after the summer need not be as dark as the last one before it.
                    #expect(step < 2700, "\(day.date) \(event): \(step) s")
                }
            }
            previous = day
        }
    }

    @Test("Where the Sun does not set the nearest latitude lends the day, and the night in it stays in order")
    func midnightSun() throws {
        for latitude in [66.5, 69.65, 78.2, -70] {
            for day in try days(latitude) {
                for event in PropertyTests.chain { #expect(day[event] != nil, "\(day.date) \(event)") }
            }
        }
        let midsummer = try #require(try days(69.65).first { $0.date == CivilDate(dayNumber: 20_625) })
        #expect(midsummer.note(for: .sunset) == "the sun does not set; nearest-latitude rule applied")
        #expect(midsummer.note(for: .isha)?.hasSuffix("frozen rule applied") == true)
    }

    @Test("A Maghrib by its angle has its part of Isha's share, and comes before it")
    func maghrib() throws {
        for day in try days(60, method: "tehran") {
            #expect(try #require(day[.maghrib]) < #require(day[.isha]), "\(day.date)")
            #expect(try #require(day[.sunset]) <= #require(day[.maghrib]), "\(day.date)")
        }
    }
}

extension DayTimes {
    fileprivate func isFrozen(_ event: DayEvent) -> Bool {
        note(for: event)?.hasSuffix("frozen rule applied") == true
    }
}
