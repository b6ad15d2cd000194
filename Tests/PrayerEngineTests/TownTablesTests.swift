import Testing

@testable import PrayerEngine

/// Tables of towns, two dozen days of each, `Fixtures/towns.csv`: those of ministries, and with `bahrain` and the methods whose names
/// end in `printed` what displays of mosques carry.
@Suite("What towns have printed", .enabled(if: Fixture.hasZones, "this machine has no time zone files"))
struct TownTablesTests {
    static let days = PrintedDay.load("towns")

    /// The least shares, in percent, of times with the very minute and of times within one.
    @Test(
        "The printed minute, by authority",
        arguments: [
            ("algeria", 81, 93), ("morocco", 78, 100), ("sri-lanka", 80, 100), ("maldives", 75, 99),
            ("tatarstan", 90, 99), ("tunisia", 82, 100), ("diyanet", 88, 99), ("kemenag", 90, 100),
            ("umm-al-qura", 81, 99), ("bahrain", 80, 100), ("uae-printed", 78, 99),
            ("oman-printed", 75, 99), ("jordan-printed", 88, 100), ("palestine-printed", 62, 98),
            ("iraq-printed", 91, 100), ("libya-printed", 72, 99),
        ])
    func printed(method: String, same: Int, near: Int) throws {
        let differences = try PrintedDay.differences(try #require(Self.days[method])).map(\.minutes)
        #expect(differences.count > 100)
        let exact = differences.count { $0 == 0 } * 100
        let close = differences.count { abs($0) <= 1 } * 100
        #expect(exact >= same * differences.count, "\(method): \(exact / differences.count) %")
        #expect(close >= near * differences.count, "\(method): \(close / differences.count) %")
    }

    /// A month that begins a day later there than in Umm al-Qura's calendar accounts for the rest.
    @Test("A fast begins and ends with the table: in two hundred days one is out by more than a minute")
    func fast() throws {
        let differences = try PrintedDay.differences(Self.days.values.flatMap { $0 })
        let (fajr, maghrib) = (
            differences.filter { $0.event == .fajr }, differences.filter { $0.event == .maghrib }
        )
        #expect(fajr.count > 1000 && maghrib.count > 1000)
        #expect(fajr.count { $0.minutes < -1 } * 200 <= fajr.count)
        #expect(maghrib.count { $0.minutes > 1 } * 200 <= maghrib.count)
    }
}
