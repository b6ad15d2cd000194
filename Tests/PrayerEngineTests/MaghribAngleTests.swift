import Testing

@testable import PrayerEngine

/// Where a method has an angle for Maghrib, a rule that shares out the night gives Maghrib the part of Isha's share that its
/// angle is of Isha's.
@Suite("Maghrib by its angle, in short nights and in the polar night")
struct MaghribAngleTests {
    private func timetable(_ rule: HighLatitudeRule, _ latitude: Double) throws -> ComputedTimes {
        var calculation = Calculation(method: try #require(Method.named("tehran")))
        calculation.highLatitude = rule
        calculation.rounding = Rounding.none
        return ComputedTimes(
            place: try Place(latitude: latitude, longitude: 10.75), calculation: calculation, zone: .utc)
    }

    /// In Oslo at midsummer the Sun passes 4.5° more than half an hour after sunset, and never comes near 14°.
    @Test(
        "Its share is to Isha's as 4.5° to 14°",
        arguments: [(HighLatitudeRule.oneSeventh, 1.0 / 7), (.twilightAngle, 14.0 / 60)])
    func share(rule: HighLatitudeRule, share: Double) throws {
        let timetable = try timetable(rule, 59.91)
        let date = try #require(CivilDate("2026-06-21"))
        let (day, next) = (timetable.day(date), timetable.day(date.adding(days: 1)))
        let sunset = try #require(day[.sunset])
        let night = try #require(next[.sunrise]) - sunset
        #expect(abs(try #require(day[.isha]) - sunset - night * share) < 1e-3)
        #expect(abs(try #require(day[.maghrib]) - sunset - night * share * 4.5 / 14) < 1e-3)
        #expect(day.note(for: .maghrib)?.contains("\(rule.rawValue) rule applied") == true)
    }

    /// There the Sun is far down before the sunset of another latitude: where the rule puts Maghrib after the Sun's own 14°, it
    /// gives Isha its share, too.
    @Test(
        "In the polar night Isha comes after a Maghrib that the rule put there",
        arguments: [70.0, 72, 74, 75, 76, 78, 80])
    func polarNight(latitude: Double) throws {
        let timetable = try timetable(.auto, latitude)
        for day in timetable.days(from: try #require(CivilDate("2026-12-01")), count: 45) {
            let (maghrib, isha) = (try #require(day[.maghrib]), try #require(day[.isha]))
            #expect(isha > maghrib, "\(day.date)")
        }
    }
}
