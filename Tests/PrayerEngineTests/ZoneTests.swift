import Foundation
import SeededRandom
import Testing

@testable import PrayerEngine

@Suite("Time zones")
struct ZoneTests {
    private func instant(_ text: String) throws -> Instant {
        Instant(unixSeconds: try Date(text, strategy: .iso8601).timeIntervalSince1970)
    }

    private func posix(_ text: String) throws -> Zone { try Zone(name: text, posix: text) }

    @Test(
        "POSIX rules give the offset and the abbreviation of the season",
        arguments: [
            ("UTC0", "2026-07-01T00:00:00Z", 0, "UTC"),
            ("<+0545>-5:45", "2026-07-01T00:00:00Z", 20_700, "+0545"),
            ("EST5EDT,M3.2.0,M11.1.0", "2026-03-08T06:59:59Z", -18_000, "EST"),
            ("EST5EDT,M3.2.0,M11.1.0", "2026-03-08T07:00:00Z", -14_400, "EDT"),
            ("EST5EDT", "2026-11-01T05:59:59Z", -14_400, "EDT"),
            ("EST5EDT", "2026-11-01T06:00:00Z", -18_000, "EST"),
            // Chatham, half-hour daylight time on Lord Howe, Ireland's winter time as the exception.
            ("<+1245>-12:45<+1345>,M9.5.0/2:45,M4.1.0/3:45", "2026-01-01T00:00:00Z", 49_500, "+1345"),
            ("<+1030>-10:30<+11>-11,M10.1.0,M4.1.0", "2026-01-01T00:00:00Z", 39_600, "+11"),
            ("<+1030>-10:30<+11>-11,M10.1.0,M4.1.0", "2026-06-01T00:00:00Z", 37_800, "+1030"),
            ("IST-1GMT0,M10.5.0,M3.5.0/1", "2026-01-01T00:00:00Z", 0, "GMT"),
            ("IST-1GMT0,M10.5.0,M3.5.0/1", "2026-07-01T00:00:00Z", 3600, "IST"),
            // Hours before midnight and beyond a day; days counted without and with 29 February.
            ("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", "2026-03-29T00:59:59Z", -7200, "-02"),
            ("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", "2026-03-29T01:00:00Z", -3600, "-01"),
            ("IST-2IDT,M3.4.4/26,M10.5.0", "2026-03-27T00:00:00Z", 10_800, "IDT"),
            ("AAA0BBB,J60/0,J61/0", "2028-03-01T12:00:00Z", 3600, "BBB"),
            ("AAA0BBB,59/0,60/0", "2028-02-29T12:00:00Z", 3600, "BBB"),
            // Daylight time all year round, as RFC 9636 writes it.
            ("XXX3EDT4,0/0,J365/23", "2026-01-01T00:00:00Z", -14_400, "EDT"),
            ("XXX3EDT4,0/0,J365/23", "2026-12-31T23:59:59Z", -14_400, "EDT"),
        ])
    func rules(rule: String, at: String, offset: Int, abbreviation: String) throws {
        let zone = try posix(rule)
        #expect(zone.offset(at: try instant(at)) == offset)
        #expect(zone.abbreviation(at: try instant(at)) == abbreviation)
    }

    @Test(
        "What is not a POSIX rule is refused",
        arguments: [
            "", "E5", "EST", "EST5EDT,", "EST5EDT,M3.2.0", "EST5EDT,M13.2.0,M11.1.0",
            "EST5EDT,M3.6.0,M11.1.0",
            "EST25", "<EST5", "EST5EDT,M3.2.0,M11.1.0x", "EST5EDT,J0,J365", "EST5EDT,366,0", "EST5:60",
            "EST5EDT M3",
            "Europe/London", "EST99999999999999999999",
        ])
    func badRules(rule: String) {
        #expect(throws: ZoneError.badRule(zone: "test", text: rule)) { try Zone(name: "test", posix: rule) }
    }

    @Test("A reading that the clock skips is the jump, one that comes twice is the first")
    func gapAndOverlap() throws {
        let zone = try posix("EST5EDT,M3.2.0,M11.1.0")
        let (spring, autumn) = (try #require(CivilDate("2026-03-08")), try #require(CivilDate("2026-11-01")))
        #expect(zone.instant(of: spring, secondOfDay: 9000) == (try instant("2026-03-08T07:00:00Z")))
        #expect(zone.instant(of: spring, secondOfDay: 7199) == (try instant("2026-03-08T06:59:59Z")))
        #expect(zone.instant(of: spring, secondOfDay: 10_800) == (try instant("2026-03-08T07:00:00Z")))
        #expect(zone.instant(of: autumn, secondOfDay: 5400) == (try instant("2026-11-01T05:30:00Z")))
        #expect(zone.instant(of: autumn, secondOfDay: 7200) == (try instant("2026-11-01T07:00:00Z")))
        #expect(zone.startOfDay(autumn) == (try instant("2026-11-01T04:00:00Z")))
        #expect(zone.nextTransition(after: zone.startOfDay(spring)) == (try instant("2026-03-08T07:00:00Z")))
        #expect(Zone.utc.nextTransition(after: zone.startOfDay(spring)) == nil)
        let clock = zone.clock(of: try instant("2026-11-01T06:30:00Z"))
        #expect(clock == LocalClock(date: autumn, secondOfDay: 5400, offset: -18_000))
    }

    /// A zone file of version 2 with one change, from −10 to +14 h at 2011-12-30T10:00Z: Apia's lost day.
    private static let lostDay: [UInt8] = {
        func integer(_ value: Int64, _ size: Int) -> [UInt8] {
            (0..<size).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * Int64($0))) }
        }
        func block(_ size: Int) -> [UInt8] {
            var bytes = Array("TZif2".utf8) + [UInt8](repeating: 0, count: 15)
            for count in [0, 0, 0, 1, 2, 8] { bytes += integer(Int64(count), 4) }
            bytes += integer(1_325_239_200, size) + [1]
            bytes += integer(-36_000, 4) + [0, 0] + integer(50_400, 4) + [0, 4]
            return bytes + Array("-10\0+14\0".utf8)
        }
        return block(4) + block(8) + Array("\n<+14>-14\n".utf8)
    }()

    @Test("Where a zone skipped a day, that day has no times and says so, and its neighbours do")
    func skippedDay() throws {
        let zone = try Zone(name: "Apia", tzif: Self.lostDay)
        let timetable = ComputedTimes(
            place: try Place(latitude: -13.83, longitude: -171.77), calculation: Calculation(), zone: zone)
        let skipped = try #require(CivilDate("2011-12-30"))
        #expect(zone.startOfDay(skipped) == (try instant("2011-12-30T10:00:00Z")))
        #expect(zone.civilDate(of: try instant("2011-12-30T09:59:59Z")) == skipped.adding(days: -1))
        #expect(zone.civilDate(of: try instant("2011-12-30T10:00:00Z")) == skipped.adding(days: 1))
        let day = timetable.day(skipped)
        for event in DayEvent.allCases {
            #expect(day[event] == nil)
            #expect(day.note(for: event) == "the time zone has no such date")
        }
        let before = try #require(timetable.day(skipped.adding(days: -1))[.dhuhr])
        let after = try #require(timetable.day(skipped.adding(days: 1))[.dhuhr])
        #expect(abs(after - before - 86_400) < 61)
        #expect(
            Array(timetable.days(from: skipped.adding(days: -1), count: 3)).map { $0[.dhuhr] } == [
                before, nil, after,
            ])
    }

    @Test("A zone file cut short or damaged is an error in words, never a trap")
    func damagedFiles() throws {
        let whole = Self.lostDay
        for length in 0..<whole.count {
            #expect(throws: ZoneError.self) { try Zone(name: "cut", tzif: Array(whole[..<length])) }
        }
        var random = SplitMix64(seed: 7)
        for _ in 0..<3000 {
            var bytes = whole
            for _ in 0..<3 {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
            }
            if let zone = try? Zone(name: "damaged", tzif: bytes) {
                _ = zone.clock(of: Instant(unixSeconds: 1.3e9))
                _ = zone.nextTransition(after: Instant(unixSeconds: 1.3e9))
            }
        }
        #expect(throws: ZoneError.notTZif(zone: "text")) { try Zone(name: "text", tzif: Array("hello".utf8)) }
    }

    @Test(
        "Every zone of this machine agrees with zdump from 1950 to 2040",
        .enabled(
            if: Fixture.hasZones && FileManager.default.isExecutableFile(atPath: "/usr/bin/zdump"),
            "this machine has no zdump or no time zone files"))
    func zdump() throws {
        let root = "/usr/share/zoneinfo"
        let names = try FileManager.default.subpathsOfDirectory(atPath: root)
        // Links repeat another zone's bytes; one of each is enough.
        var files: [Data: String] = [:]
        for name in names.sorted() where !name.hasPrefix("right/") && !name.hasPrefix("posix/") {
            guard let data = FileManager.default.contents(atPath: "\(root)/\(name)"),
                data.starts(with: Array("TZif".utf8)), files[data] == nil
            else { continue }
            files[data] = name
        }
        let zones = try Dictionary(
            uniqueKeysWithValues: files.map { ($1, try Zone(name: $1, tzif: [UInt8]($0))) })
        var checked = 0
        for line in try Self.zdump(zones.keys.sorted()) {
            guard let line = ZdumpLine(line), let zone = zones[line.zone] else { continue }
            let span = zone.span(at: line.instant)
            checked += 1
            if span.kind.offset != line.offset || span.kind.abbreviation != line.abbreviation {
                Issue.record(
                    "\(line.zone) at \(line.instant.unixSeconds): \(span.kind), zdump \(line.offset)")
            }
        }
        #expect(zones.isEmpty || checked > 20 * zones.count)
        print("zdump: \(checked) instants of \(zones.count) zones agree")
    }

    private static func zdump(_ names: [String]) throws -> [ArraySlice<UInt8>] {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/zdump")
        process.arguments = ["-v", "-c", "1950,2040"] + names
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let bytes = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return [UInt8](bytes).split(separator: UInt8(ascii: "\n"))
    }
}

/// `Zone  Sun Mar  8 06:59:59 2026 UT = Sun Mar  8 01:59:59 2026 EST isdst=0 gmtoff=-18000`
private struct ZdumpLine {
    let zone: String
    let instant: Instant
    let offset: Int
    let abbreviation: String

    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    init?(_ line: ArraySlice<UInt8>) {
        let word = line.split(separator: UInt8(ascii: " "))
        guard word.count == 16,
            let month = Self.months.firstIndex(of: String(decoding: word[2], as: UTF8.self)),
            let day = Self.number(word[3]), let year = Self.number(word[5]),
            let date = CivilDate(year: year, month: month + 1, day: day),
            let offset = Self.number(word[15].dropFirst("gmtoff=".utf8.count))
        else { return nil }
        let time = word[4].split(separator: UInt8(ascii: ":")).compactMap(Self.number)
        guard time.count == 3 else { return nil }
        zone = String(decoding: word[0], as: UTF8.self)
        instant = Instant(
            unixSeconds: Double(date.dayNumber * 86_400 + time[0] * 3600 + time[1] * 60 + time[2]))
        abbreviation = String(decoding: word[13], as: UTF8.self)
        self.offset = offset
    }

    private static func number(_ text: ArraySlice<UInt8>) -> Int? {
        Int(String(decoding: text, as: UTF8.self))
    }
}
