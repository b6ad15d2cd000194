import Testing

@testable import PrayerEngine

@Suite("Hijri dates and qibla")
struct CalendarTests {
    @Test("Every month of the published table begins on its day")
    func table() throws {
        let rows = try Fixture.rows("umm-al-qura")
        #expect(rows.count == 1740)
        for row in rows {
            let date = try #require(CivilDate(row[2]))
            let hijri = HijriDate(date)
            #expect(hijri.year == Int(row[0]) && hijri.month == Int(row[1]) && hijri.day == 1, "\(row)")
            #expect(!hijri.isArithmetic)
        }
    }

    @Test("From 1800 to 2200 every day follows the one before, across the table's ends too")
    func succession() throws {
        let first = try #require(CivilDate(year: 1800, month: 1, day: 1))
        var previous = HijriDate(first)
        for offset in 1...146_000 {
            let next = HijriDate(first.adding(days: offset))
            let isNextDay =
                next.day == previous.day + 1 && next.month == previous.month && next.year == previous.year
            let isNextMonth =
                next.day == 1 && (28...30).contains(previous.day)
                && (next.year * 12 + next.month) == (previous.year * 12 + previous.month) + 1
            #expect(isNextDay || isNextMonth, "\(previous.text) then \(next.text)")
            previous = next
        }
    }

    @Test(
        "Dates read as people write them",
        arguments: [
            ("2026-11-20", 0, "10 Jumada al-Akhirah 1448", false),
            ("2026-02-18", 0, "1 Ramadan 1447", false),
            ("2026-02-18", -1, "29 Sha'ban 1447", false),
            ("1937-03-13", 0, "30 Dhu al-Hijjah 1355", true),
            ("2077-11-16", 0, "30 Dhu al-Hijjah 1500", false),
            ("2077-11-17", 0, "1 Muharram 1501", true),
            ("2100-01-01", 0, "19 Shawwal 1523", true),
        ])
    func text(date: String, adjustment: Int, text: String, isArithmetic: Bool) throws {
        let hijri = HijriDate(try #require(CivilDate(date)), adjustment: adjustment)
        #expect(hijri.text == text)
        #expect(hijri.isArithmetic == isArithmetic)
    }

    /// C. F. F. Karney's geodesics (GeographicLib 2.0), WGS84.
    @Test(
        "The qibla is the ellipsoid's, near the antipode and at the pole too",
        arguments: [
            (40.7282, -73.7949, 58.5370, 10_307_821),
            (51.5074, -0.1278, 118.8684, 4_794_757),
            (-6.2088, 106.8456, 295.0247, 7_922_241),
            (-33.8688, 151.2093, 277.3188, 13_236_947),
            (61.2181, -149.9003, 350.8993, 10_802_830),
            (59.9139, 10.7522, 138.9429, 4_848_482),
            (-33.9249, 18.4241, 23.4673, 6_532_038),
            (24.4672, 39.6112, 176.2158, 337_902),
            (1.8721, -157.4278, 325.3356, 16_826_016),
            (-21.3, -140.3, 349.5390, 19_989_179),
            (90, 0, 140.1738, 7_632_111),
            (35.6892, 51.389, 218.5401, 1_940_837),
        ])
    func qibla(latitude: Double, longitude: Double, bearing: Double, distance: Double) throws {
        let qibla = Qibla(from: try Place(latitude: latitude, longitude: longitude))
        #expect(abs(qibla.bearing - bearing) < 0.0002)
        #expect(abs(qibla.distanceMetres - distance) < 1)
    }

    @Test("At the Ka'bah itself there is no distance, and every place has a bearing")
    func everywhere() throws {
        let there = Qibla(from: try Place(latitude: Qibla.latitude, longitude: Qibla.longitude))
        #expect(there.distanceMetres < 1e-6)
        for latitude in stride(from: -90.0, through: 90, by: 15) {
            for longitude in stride(from: -180.0, through: 180, by: 15) {
                let qibla = Qibla(from: try Place(latitude: latitude, longitude: longitude))
                #expect((0.0..<360).contains(qibla.bearing))
                #expect((0.0...20_004_000).contains(qibla.distanceMetres))
            }
        }
    }

    @Test("Places off the Earth are refused in a sentence")
    func places() {
        #expect(throws: EngineError.self) { try Place(latitude: 91, longitude: 0) }
        #expect(throws: EngineError.self) { try Place(latitude: .nan, longitude: 0) }
        #expect(throws: EngineError.self) { try Place(latitude: 0, longitude: 180.1) }
        #expect(throws: EngineError.self) { try Place(latitude: 0, longitude: 0, elevationMetres: -1) }
        #expect(
            EngineError.outOfRange(what: "latitude", value: 91, allowed: "-90 to 90 degrees").description
                == "latitude 91.0 is out of range: -90 to 90 degrees")
    }
}
