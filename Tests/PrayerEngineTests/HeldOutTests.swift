import Testing

@testable import PrayerEngine

/// Days that no figure of a method was fitted to, `Fixtures/held-out.csv`: a town of every zone of JAKIM on four days of 2026,
/// seventy-seven capitals of Turkish provinces in the spring of 2026 at their gazetteer's coordinates, Singapore in 2024.
@Suite(
    "Printed days that nothing was fitted to",
    .enabled(if: Fixture.hasZones, "this machine has no time zone files"))
struct HeldOutTests {
    static let days = PrintedDay.load("held-out")

    @Test(
        "The printed minute, by authority",
        arguments: [("jakim", 86, 99, 230), ("diyanet", 91, 100, 70), ("singapore", 94, 100, 20)])
    func printed(method: String, same: Int, near: Int, count: Int) throws {
        let days = try #require(Self.days[method])
        #expect(days.count >= count)
        let differences = try PrintedDay.differences(days).map(\.minutes)
        let exact = differences.count { $0 == 0 } * 100
        let close = differences.count { abs($0) <= 1 } * 100
        #expect(exact >= same * differences.count, "\(method): \(exact / differences.count) %")
        #expect(close >= near * differences.count, "\(method): \(close / differences.count) %")
    }

    @Test("Maghrib and Fajr never come earlier than printed by more than a minute")
    func notEarly() throws {
        for (method, days) in Self.days {
            for (event, minutes) in try PrintedDay.differences(days)
            where event == .fajr || event == .maghrib {
                #expect(minutes <= 1, "\(method) \(event) \(minutes)")
            }
        }
    }
}
