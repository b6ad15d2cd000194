import Foundation
import Testing

@testable import PrayerEngine

/// One row of the reference instants: an ephemeris's answer to one question.
struct ReferenceRow: Sendable {
    let place: String
    let latitude: Double
    let longitude: Double
    let zone: String
    let date: CivilDate
    let event: String
    let parameter: String
    let instant: Instant?
}

enum Fixture {
    static func rows(_ name: String) throws -> [[String]] {
        let url = try #require(
            Bundle.module.url(forResource: name, withExtension: "csv", subdirectory: "Fixtures"))
        return try String(contentsOf: url, encoding: .utf8).split(separator: "\n").dropFirst()
            .map { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) }
    }

    static func reference() throws -> [ReferenceRow] {
        let format = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        return try rows("solar-instants").map { field in
            ReferenceRow(
                place: field[0], latitude: try #require(Double(field[1])),
                longitude: try #require(Double(field[2])),
                zone: field[3], date: try #require(CivilDate(field[4])), event: field[5], parameter: field[6],
                instant: field[7] == "none"
                    ? nil : Instant(unixSeconds: try format.parse(field[7]).timeIntervalSince1970))
        }
    }

    /// Whether tzdata is installed: tests that need it are skipped without, and say so.
    static let hasZones = FileManager.default.fileExists(atPath: "/usr/share/zoneinfo/Europe/Oslo")

    /// The machine's zone file.
    static func zone(_ name: String) throws -> Zone {
        let data = try #require(
            FileManager.default.contents(atPath: "/usr/share/zoneinfo/" + name), "\(name)")
        return try Zone(name: name, tzif: [UInt8](data))
    }
}

@Suite("Against the instants of an ephemeris")
struct ReferenceTests {
    /// The engine's answer to a row's question, no rule applied.
    static func answer(_ row: ReferenceRow, zone: Zone) throws -> Instant? {
        var fajr = 18.0
        var isha = 17.0
        var maghrib = 0.0
        let angle = Double(row.parameter)
        if row.event == "fajr" { fajr = try #require(angle) }
        if row.event == "isha" { isha = try #require(angle) }
        if row.event == "maghrib" { maghrib = try #require(angle) }
        var calculation = Calculation(
            method: try .custom(fajr: fajr, isha: .angle(isha), maghrib: maghrib))
        calculation.highLatitude = .none
        calculation.rounding = Rounding.none
        calculation.asr = row.event == "asr" && row.parameter == "1" ? .standard : .hanafi
        calculation.midnight = row.parameter == "fajr18" ? .jafari : .standard
        let timetable = ComputedTimes(
            place: try Place(latitude: row.latitude, longitude: row.longitude), calculation: calculation,
            zone: zone)
        let event = try #require(DayEvent(rawValue: row.event == "lastthird" ? "lastThird" : row.event))
        return timetable.day(row.date)[event]
    }

    @Test(
        "Every reference row is met within a second, half of them within 0.15 s",
        .enabled(if: Fixture.hasZones, "this machine has no time zone files"))
    func reference() throws {
        let rows = try Fixture.reference()
        #expect(rows.count == 3592)
        var errors: [Double] = []
        var zones: [String: Zone] = [:]
        for row in rows {
            if zones[row.zone] == nil { zones[row.zone] = try Fixture.zone(row.zone) }
            let zone = try #require(zones[row.zone])
            let answer = try Self.answer(row, zone: zone)
            let label = "\(row.place) \(row.date) \(row.event) \(row.parameter)"
            #expect((answer == nil) == (row.instant == nil), "\(label): presence")
            guard let answer, let instant = row.instant else { continue }
            let error = abs(answer - instant)
            #expect(error <= 1, "\(label): \(answer - instant) s")
            errors.append(error)
        }
        errors.sort()
        try #require(!errors.isEmpty)
        #expect(errors[errors.count / 2] <= 0.15)
        print(
            "reference rows: median \(errors[errors.count / 2]) s,",
            "p99 \(errors[errors.count * 99 / 100]) s, worst \(errors[errors.count - 1]) s")
    }
}
