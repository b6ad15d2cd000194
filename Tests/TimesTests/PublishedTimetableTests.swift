import LabSupport
import PrayerEngine
import Settings
import Testing
import Texts
import Times

@Suite("The strict table")
struct PublishedTableTests {
    private func read(_ text: String) throws -> PublishedTimetable {
        try PublishedTimetable(csv: Array(text.utf8), file: "t.csv")
    }

    private func mistakes(_ text: String) -> [TimetableError] {
        do throws(TimetableErrors) {
            _ = try PublishedTimetable(csv: Array(text.utf8), file: "t.csv")
            return []
        } catch {
            return error.mistakes
        }
    }

    private func date(_ text: String) throws -> CivilDate { try #require(CivilDate(text)) }

    @Test("Columns in any order, empty cells, congregations with slots, comments and line ends")
    func reading() throws {
        let table = try read(
            "\u{FEFF}# ours\r\nisha,date,fajr,isha_iqama_2,jumua,jumua_iqama\r\n\r\n00:18, 2027-06-04 ,03:10,00:40,13:00,13:30\r\n,2027-06-05,03:09,,,\r\n"
        )
        let day = try #require(table.published(on: try date("2027-06-04"), in: .utc))
        #expect(
            day.cellMinutes == [
                .begins(.isha): 18, .begins(.fajr): 190, .iqama(.isha, slot: 2): 40, .khutba(slot: 1): 780,
                .jumuaIqama(slot: 1): 810,
            ])
        #expect(day.minutes(of: .isha) == 1458)
        #expect(day.minutes(of: .iqama(.isha, slot: 2), adhan: 1458) == 1480)
        #expect(table.published(on: try date("2027-06-05"), in: .utc)?.cellMinutes == [.begins(.fajr): 189])
        #expect(table.published(on: try date("2027-06-06"), in: .utc) == nil)
        #expect(table.published(on: try date("2028-06-04"), in: .utc) == nil)
    }

    @Test(
        "Each mistake is named with its line and cell",
        arguments: [
            ("date,fajr\n2027-01-01,25:10", 2, "25:10", "00:00 to 23:59"),
            ("date,fajr\n2027-01-01,5:10", 2, "5:10", "HH:MM"),
            ("date,fajr\n2027-02-29,05:10", 2, "2027-02-29", "calendar"),
            ("date,fajr\n1/2/2027,05:10", 2, "1/2/2027", "YYYY-MM-DD"),
            ("date,fajer\n", 1, "fajer", "did you mean fajr?"),
            ("date,fajr,fajr\n", 1, "fajr", "twice"),
            ("fajr,dhuhr\n", 1, nil, "no column date"),
            ("date,fajr\n2027-01-01,05:10\n2027-01-01,05:10", 3, "2027-01-01", "line 2"),
            ("date,fajr\n2027-01-01,05:10,06:00", 2, nil, "3 cells"),
            ("", nil, nil, "no header"),
        ] as [(String, Int?, String?, String)])
    func mistake(text: String, line: Int?, cell: String?, part: String) throws {
        let mistake = try #require(mistakes(text).first)
        #expect(mistake.line == line)
        #expect(mistake.cell == cell)
        #expect(mistake.message.contains(part), "\(mistake.message)")
        #expect(mistake.message.hasPrefix("\"t.csv\""))
    }

    @Test("All mistakes are reported, but not without end, and too much is refused fast")
    func bounds() {
        let rows = (1...28).map { "2027-01-\(InstantText.padded($0, 2)),x" }
        #expect(mistakes("date,fajr\n" + rows.joined(separator: "\n")).count == 20)
        let many = "date,fajr\n" + String(repeating: "\n", count: PublishedTimetable.mostLines)
        #expect(mistakes(many).first?.reason.contains("lines") == true)
        let large = [UInt8](repeating: 0x20, count: PublishedTimetable.mostBytes + 1)
        #expect((try? PublishedTimetable(csv: large, file: "t")) == nil)
    }

    @Test("An import replaces the dates and columns that it has, and nothing else")
    func merging() throws {
        func source(_ name: String) -> PublishedTimetable.Source {
            .init(
                id: 1, name: name, file: "f", sha256: "0", imported: "2026-11-21", format: "csv",
                clock: "local")
        }
        func labelled(_ text: String, _ name: String) throws -> PublishedTimetable {
            var table = try read(text)
            table.label(source(name))
            return table
        }
        var table = try labelled("date,fajr,dhuhr\n2026-12-31,06:00,12:30\n2027-01-01,06:01,12:31", "main")
        table.merge(try labelled("date,fajr\n2027-01-01,06:05\n2027-01-02,06:06", "next"))
        table.merge(try labelled("date,fajr_iqama\n2027-01-02,06:30", "iqama"))
        func cells(_ text: String) throws -> [TimetableColumn: Int]? {
            table.published(on: try date(text), in: .utc)?.cellMinutes
        }
        #expect(try cells("2026-12-31") == [.begins(.fajr): 360, .begins(.dhuhr): 750])
        #expect(try cells("2027-01-01") == [.begins(.fajr): 365, .begins(.dhuhr): 751])
        #expect(try cells("2027-01-02") == [.begins(.fajr): 366, .iqama(.fajr, slot: 1): 390])
        #expect(try read(table.csv()) == table)
        #expect(
            table.published(on: try date("2027-01-02"), in: .utc)?.sources.map(\.name) == ["next", "iqama"])
        func origin(_ text: String, _ event: DayEvent) throws -> String? {
            table.published(on: try date(text), in: .utc)?.source(of: event)?.name
        }
        #expect(try origin("2027-01-01", .fajr) == "next" && origin("2027-01-01", .dhuhr) == "main")
        #expect(try origin("2027-01-02", .fajr) == "next")
        table.remove(named: "main")
        #expect(try cells("2026-12-31") == nil)
        #expect(try cells("2027-01-01") == [.begins(.fajr): 365])
        #expect(Set(table.sources.map(\.name)) == ["next", "iqama"])
    }

    @Test("Congregations that were imported beside the times are removed, shown and replaced without them")
    func besides() throws {
        func labelled(_ text: String, _ name: String) throws -> PublishedTimetable {
            var table = try read(text)
            table.label(
                .init(
                    id: 1, name: name, file: name, sha256: "0", imported: "2026-11-21", format: "csv",
                    clock: "local"))
            return table
        }
        let times = try labelled("date,fajr,isha\n2027-01-01,06:01,18:00\n2027-01-02,06:02,", "main")
        let congregations = try labelled("date,fajr_iqama\n2027-01-01,06:30\n2027-01-02,06:31", "iqama")
        var table = times
        table.merge(congregations)
        #expect(
            table.only(named: "iqama").dated
                == congregations.dated.mapValues {
                    .init(cellMinutes: $0.cellMinutes, sources: [2])
                })
        #expect(table.only(named: "main").dated == times.dated)
        var rest = try read(table.csv())
        rest.remove(named: "iqama")
        #expect(rest == times)
        // Of what is imported once more nothing older is left, and nothing names it.
        table.merge(times)
        #expect(table.sources.map(\.name) == ["iqama", "main"])
    }

    @Test("A row for every year gives way to a date's own, and follows the clock of its year")
    func everyYear() throws {
        let zone = try Zone(name: "Berlin", posix: "CET-1CEST,M3.5.0,M10.5.0/3")
        let table = try read("date,fajr,dhuhr\n03-28,04:30,12:30\n2027-03-28,05:40,\n")
        func dhuhr(_ text: String) throws -> Int? {
            table.published(on: try date(text), in: zone)?.minutes(of: .dhuhr)
        }
        // Clocks change on 29 March 2026, 28 March 2027 and 26 March 2028.
        #expect(try dhuhr("2026-03-28") == 750)
        #expect(try dhuhr("2028-03-28") == 810)
        #expect(table.published(on: try date("2027-03-28"), in: zone)?.cellMinutes == [.begins(.fajr): 340])
    }

    @Test("Published instants at the change of the clock")
    func instants() throws {
        let zone = try Zone(name: "Berlin", posix: "CET-1CEST,M3.5.0,M10.5.0/3")
        let table = try read("date,fajr,isha\n2026-03-29,05:12,21:04\n2026-03-28,04:15,00:10\n")
        let day = try #require(table.published(on: try date("2026-03-29"), in: zone))
        let fajr = try #require(day.instant(of: .fajr, in: zone))
        #expect(InstantText.rfc3339(fajr, in: zone) == "2026-03-29T05:12:00+02:00")
        let eve = try #require(table.published(on: try date("2026-03-28"), in: zone))
        #expect(
            InstantText.rfc3339(try #require(eve.instant(of: .isha, in: zone)), in: zone)
                == "2026-03-29T00:10:00+01:00")
    }

    @Test("A table that ends is reported thirty days before, and one that has ended")
    func ending() throws {
        let table = try read("date,fajr\n2026-12-30,06:00\n2026-12-31,06:00\n")
        func kinds(_ today: String) throws -> [TimetableFinding.Kind] {
            TimetableCheck.dateFindings(table, today: try date(today), missing: .compute).map(\.kind)
        }
        #expect(try kinds("2026-12-01") == [])
        #expect(try kinds("2026-12-02") == [.endsSoon])
        #expect(try kinds("2027-01-01") == [.otherYear])
    }

    @Test("The digest of files is SHA-256's (FIPS 180-4 examples)")
    func digest() {
        #expect(
            SHA256.hex(Array("abc".utf8))
                == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        #expect(SHA256.hex([]) == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
        let long = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"
        #expect(
            SHA256.hex(Array(long.utf8)) == "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        )
        #expect(
            SHA256.hex([UInt8](repeating: 0x61, count: 1_000_000))
                == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
    }
}
