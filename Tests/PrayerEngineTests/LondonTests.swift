import Testing

@testable import PrayerEngine

@Suite("London's minutes in the far north")
struct LondonTests {
    /// At 64° the nights of June are shorter than London's two twilights together.
    @Test("They never take more than half of the night")
    func halfOfTheNight() throws {
        var calculation = Calculation(method: try #require(Method.named("london")))
        calculation.rounding = Rounding.none
        let timetable = ComputedTimes(
            place: try Place(latitude: 64, longitude: 0), calculation: calculation, zone: .utc)
        let date = try #require(CivilDate("2026-06-19"))
        let (day, next) = (timetable.day(date), timetable.day(date.adding(days: 1)))
        // The table's own three minutes around the Sun's sunrise are not the night's.
        let (sunset, sunrise) = (try #require(day[.sunset]), try #require(next[.sunrise]) + 180)
        let middle = sunset + (sunrise - sunset) / 2
        #expect(sunrise - sunset < 2 * 120 * 60)
        #expect(abs(try #require(next[.fajr]) - middle) < 1)
        #expect(try #require(day[.isha]) < middle + 1)
    }
}
