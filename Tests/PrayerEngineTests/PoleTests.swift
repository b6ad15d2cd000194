import Testing

@testable import PrayerEngine

/// At the poles hour angles mean nothing and rates have no bound: nothing may end the program there, and the day stays in
/// order.
@Suite("At the poles and next to them")
struct PoleTests {
    static let latitudes: [Double] = [
        90, (90.0).nextDown, 89.999_999_999, 89.999, 89.9, 89, 84, 68, 66.57, 66.56,
    ].flatMap { [$0, -$0] }

    static let dates: [CivilDate] = {
        // Both equinoxes day by day, when a pole's Sun rises or sets for half a year, and the first and last years there are.
        let equinoxes = [20_530, 20_717].flatMap { middle in (-6...6).map { middle + $0 * 2 } }
        let solstices = [20_624, 20_808]
        let ends = [-719_162, -719_161, 2_932_894, 2_932_896]
        return (equinoxes + solstices + ends).map(CivilDate.init(dayNumber:))
    }()

    @Test(
        "Every method, rule and date has times in order and sentences for what is missing",
        arguments: latitudes.indices)
    func swept(_ start: Int) throws {
        let latitude = Self.latitudes[start]
        var turn = start
        for method in Method.all {
            for rule in HighLatitudeRule.allCases {
                // Every pair meets the ends of time and other days of the list in turn. Looking for the day that lends its
                // times costs a year of suns: each method asks for that at some of the latitudes.
                turn += 1
                let some = (0..<5).map { Self.dates[(turn + $0 * 7) % Self.dates.count] }
                let isCostly = rule == .nearestDay || rule == .frozen
                if isCostly, turn % 4 != 0 { continue }
                let dates = isCostly ? [some[0]] : some + Self.dates.suffix(1)
                var calculation = Calculation(method: method)
                calculation.highLatitude = rule
                let timetable = ComputedTimes(
                    place: try Place(latitude: latitude, longitude: 37.5), calculation: calculation,
                    zone: .utc)
                for date in dates { Self.check(timetable, date) }
            }
        }
    }

    private static func check(_ timetable: ComputedTimes, _ date: CivilDate) {
        let day = timetable.day(date)
        let name = "\(timetable.calculation.method.name) \(timetable.place.latitude) \(date)"
        var last = -Double.infinity
        for event in DayEvent.allCases {
            let note = day.note(for: event)
            guard let instant = day[event] else {
                #expect(note != nil, "\(name): \(event) is missing without a word")
                continue
            }
            #expect(instant.unixSeconds.isFinite, "\(name): \(event)")
            if PropertyTests.chain.contains(event) {
                #expect(instant.unixSeconds > last, "\(name): \(event) is out of order")
                last = instant.unixSeconds
            }
        }
    }

    @Test("Explaining every event of such a day ends in its time", arguments: latitudes)
    func explained(_ latitude: Double) throws {
        for name in ["isna", "umm-al-qura", "moonsighting", "jafari"] {
            let method = try #require(Method.named(name))
            let timetable = ComputedTimes(
                place: try Place(latitude: latitude, longitude: -120),
                calculation: Calculation(method: method), zone: .utc)
            for date in [Self.dates[6], Self.dates[13], Self.dates[26]] {
                for event in DayEvent.allCases {
                    #expect(timetable.explain(event, on: date).last?.at == timetable.day(date)[event])
                }
            }
        }
    }

    @Test("A whole number of a value is always one")
    func whole() {
        #expect(Int(total: .nan) == 0)
        #expect(Int(total: .infinity) == 1_000_000_000_000_000)
        #expect(Int(total: -.greatestFiniteMagnitude) == -1_000_000_000_000_000)
        #expect(Int(total: -2.5) == -3)
        #expect((-0.005).shortText == "-0.01")
        #expect(Double.nan.shortText == "0")
        let note = EventNote(reason: .grazing, value: .infinity)
        #expect(note.text(for: .fajr, exists: true)?.contains("hours a day") == true)
    }
}
