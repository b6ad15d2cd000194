import PrayerEngine
import Testing

@testable import Console
@testable import Protocol
@testable import Settings
@testable import Texts
@testable import Times

@Suite("Times as a table, a spreadsheet and a calendar")
struct TimesRenderTests {
    private static func site(
        _ name: String = "Queens, New York", latitude: Double = 40.7282, longitude: Double = -73.7949,
        zone posix: String = "EST5EDT,M3.2.0,M11.1.0", rounding: Rounding? = nil,
        rule: HighLatitudeRule = .auto
    ) throws -> Site {
        var calculation = Calculation()
        calculation.rounding = rounding
        calculation.highLatitude = rule
        return Site(
            name: name, place: try Place(latitude: latitude, longitude: longitude), approximate: false,
            zone: try Zone(name: "Test/Zone", posix: posix), calculation: calculation)
    }

    private static func days(_ first: String, _ count: Int) throws -> [CivilDate] {
        let first = try #require(CivilDate(first))
        return (0..<count).map { first.adding(days: $0) }
    }

    /// Tromsø in June: the sun does not set.
    private static func polar(_ rule: HighLatitudeRule) throws -> TimesDocument {
        let site = try site(
            "Tromsø", latitude: 69.65, longitude: 18.96, zone: "CET-1CEST,M3.5.0,M10.5.0/3", rule: rule)
        return TimesDocument(site: site, dates: try days("2026-06-21", 2))
    }

    @Test("A time set by hand has a mark in the table of days")
    func byHand() throws {
        let dates = try Self.days("2026-11-19", 3)
        let site = try Self.site().applying(
            exceptions: DayExceptions([DayException(date: dates[1], prayer: .asr, adhanMinutes: 15 * 60)]))
        let text = TimesTable.render(TimesDocument(site: site, dates: dates), .plain)
        #expect(text.contains("15:00 a") && text.contains("a  Asr: set by hand"), "\(text)")
    }

    @Test("Every time in the table is one of the document")
    func table() throws {
        let site = try Self.site()
        let times = TimesDocument(site: site, dates: try Self.days("2026-11-19", 3))
        let lines = TimesTable.render(times, .plain).split(separator: "\n").map(String.init)
        #expect(lines[0] == "Queens, New York (40.7282, -73.7949), Test/Zone")
        #expect(lines[2] == "Hijri calendar: Umm al-Qura")
        #expect(lines[3] == "Date             Hijri       Fajr   Sunrise  Dhuhr  Asr    Maghrib  Isha")
        for (line, day) in zip(lines.dropFirst(4), times.days) {
            let expected = [DayEvent.fajr, .sunrise, .dhuhr, .asr, .maghrib, .isha].map {
                LocalText.minute(day.events[$0.rawValue]?.wrappedValue ?? "")
            }
            #expect(line.split(separator: " ").suffix(6).map(String.init) == expected)
            #expect(line.hasPrefix(day.date))
        }
        #expect(lines.count == 7)
    }

    @Test("A note stands once, with the events that it is about, and a letter at every time")
    func footnotes() throws {
        let text = TimesTable.render(try Self.polar(.none), .plain)
        let lines = text.split(separator: "\n").map(String.init)
        let notes = lines.filter { $0.hasPrefix("a  ") || $0.hasPrefix("b  ") || $0.hasPrefix("c  ") }
        let shown: Set = ["fajr", "sunrise", "dhuhr", "asr", "maghrib", "isha"]
        let texts = try Self.polar(.none).days.flatMap { $0.notes.filter { shown.contains($0.key) }.values }
        #expect(notes.count == Set(texts).count)
        #expect(notes[0].hasPrefix("a  Fajr, Isha: the sun does not reach 15°"))
        #expect(lines.filter { $0.hasPrefix("2026-06") }.allSatisfy { $0.contains("- a") })
        #expect(lines.allSatisfy { $0.count <= 80 })
    }

    @Test("What falls on the next civil day is marked")
    func nextDay() throws {
        let oslo = try Self.site(latitude: 59.91, longitude: 10.75, zone: "CET-1CEST,M3.5.0,M10.5.0/3")
        let times = TimesDocument(site: oslo, dates: try Self.days("2026-06-21", 1))
        let isha = times.days[0].events["isha"]?.wrappedValue ?? ""
        #expect(isha.hasPrefix("2026-06-22T00:"))
        #expect(TimesTable.render(times, .plain).contains("  Isha        \(LocalText.minute(isha))+1"))
    }

    @Test("Seconds are shown when nothing is rounded")
    func exact() throws {
        let times = TimesDocument(
            site: try Self.site(rounding: Rounding.none), dates: try Self.days("2026-11-20", 2))
        let asr = times.days[0].events["asr"]?.wrappedValue ?? ""
        #expect(asr.contains("."))
        #expect(TimesTable.render(times, .plain).contains(" \(LocalText.second(asr)) "))
        #expect(TimesCSV.render(times).contains(",\(LocalText.second(asr)),"))
    }

    @Test("A spreadsheet has as many fields in every row, quoted where they must be")
    func csv() throws {
        let rows = TimesCSV.render(try Self.polar(.none)).split(separator: "\r\n").map(String.init)
        #expect(rows.count == 3)
        #expect(
            rows[0]
                == "date,hijri,imsak,fajr,sunrise,dhuhr,asr,sunset,maghrib,isha,midnight,lastThird,notes")
        #expect(rows[1].hasPrefix("2026-06-21,6 Muharram 1448,,,,12:46,"))
        // The notes have commas in them, so the last field is quoted, and it is the only one.
        #expect(rows[1].filter { $0 == "\"" }.count == 2)
        #expect(rows[1].hasSuffix("\""))
        let unquoted = rows[1].prefix { $0 != "\"" }
        #expect(unquoted.filter { $0 == "," }.count == 12)
    }

    @Test("A prayer that does not occur has no event in the calendar")
    func calendar() throws {
        let text = TimesCalendar(made: Instant(unixSeconds: 1.7e9)).render(try Self.polar(.none))
        #expect(text.contains("SUMMARY:Dhuhr\r\n"))
        #expect(!text.contains("SUMMARY:Isha\r\n"))
        #expect(text.contains("LOCATION:Tromsø\r\n"))
    }

    @Test("A calendar says when it was made, a later one has later revisions, and all else is the same")
    func revisions() throws {
        let times = TimesDocument(site: try Self.site(), dates: try Self.days("2026-11-20", 2))
        func lines(_ seconds: Double) -> [Substring] {
            TimesCalendar(made: Instant(unixSeconds: seconds)).render(times).split(separator: "\r\n")
        }
        let (first, later) = (lines(1_795_000_000), lines(1_795_000_060))
        #expect(
            first.contains("DTSTAMP:20261118T110640Z") && first.contains("LAST-MODIFIED:20261118T110640Z"))
        #expect(first.contains("SEQUENCE:3619386") && later.contains("SEQUENCE:3619387"))
        let changing = ["DTSTAMP:", "LAST-MODIFIED:", "SEQUENCE:"]
        func rest(_ lines: [Substring]) -> [Substring] {
            lines.filter { line in !changing.contains { line.hasPrefix($0) } }
        }
        #expect(rest(first) == rest(later))
    }

    @Test("Sunrise, imsak and alarms are there when they are asked for")
    func alarms() throws {
        let times = TimesDocument(site: try Self.site(), dates: try Self.days("2026-11-20", 1))
        let made = Instant(unixSeconds: 1.7e9)
        let text = TimesCalendar(made: made, besides: [.sunrise, .imsak], alarmSeconds: 5430).render(times)
        #expect(text.contains("UID:imsak_20261120_") && text.contains("SUMMARY:Sunrise\r\n"))
        let lines = text.split(separator: "\r\n")
        #expect(lines.count { $0 == "BEGIN:VALARM" } == 7 && lines.count { $0 == "TRIGGER:-PT1H30M30S" } == 7)
        #expect(TimesCalendar(made: made, alarmSeconds: 0).render(times).contains("TRIGGER:PT0S\r\n"))
        #expect(!TimesCalendar(made: made).render(times).contains("SUMMARY:Sunrise"))
    }

    @Test("Instants before 1970 are written as what they are")
    func before1970() throws {
        let times = TimesDocument(site: try Self.site(), dates: try Self.days("1960-01-01", 1))
        let dhuhr = try #require(times.days[0].events["dhuhr"]?.wrappedValue)
        // 1 January 1960 is a Friday; the zone is five hours behind.
        let hour = try #require(Int(LocalText.minute(dhuhr).prefix(2))) + 5
        let stamp = "19600101T\(hour)\(LocalText.minute(dhuhr).suffix(2))00Z"
        #expect(
            TimesCalendar(made: Instant(unixSeconds: 1.7e9)).render(times).contains("UID:jumua_19600101_"))
        #expect(
            TimesCalendar(made: Instant(unixSeconds: 1.7e9)).render(times).contains("DTSTART:\(stamp)\r\n"))
    }

    @Test(
        "A mosque's own times are reported in JSON, CSV, the table and the calendar; without one nothing is added"
    )
    func mosque() throws {
        let plain = TimesDocument(site: try Self.site(), dates: try Self.days("2027-03-19", 2))
        #expect(plain.days[0].published == nil && plain.days[0].iqama == nil && plain.days[0].jumua == nil)
        let friday = try #require(CivilDate("2027-03-19"))
        let cells: [TimetableColumn: Int] = [
            .begins(.fajr): 345, .begins(.isha): 1220, .iqama(.isha, slot: 1): 1245, .khutba(slot: 1): 795,
            .jumuaIqama(slot: 1): 825, .jumuaIqama(slot: 2): 870,
        ]
        let table = PublishedTimetable(dated: [friday: .init(cellMinutes: cells, sources: [])])
        let set = DayExceptions([DayException(date: friday, prayer: .asr, adhanMinutes: 1041)])
        let site = try Self.site().applying(table: table, exceptions: set)
        let times = TimesDocument(site: site, dates: try Self.days("2027-03-19", 2))
        // Imsak goes with the printed Fajr, and is printed nowhere.
        #expect(times.days[0].published == ["fajr", "isha"] && times.days[0].exceptions == ["asr"])
        #expect(times.days[0].iqama?["isha"]?.contains("T20:45:00") == true)
        #expect(times.days[0].jumua?.map(\.slot) == [1, 2] && times.days[0].jumua?[1].khutba == nil)
        #expect(times.days[1].published == [] && times.days[1].jumua == [])
        let rows = TimesCSV.render(times).split(separator: "\r\n")
        #expect(rows[0].hasSuffix("lastThird,isha_iqama,jumua,jumua_iqama,jumua_iqama_2,notes"))
        #expect(rows[1].contains(",20:45,13:15,13:45,14:30,") && rows[2].contains(",,,,"))
        let one = TimesTable.render(
            TimesDocument(site: site, dates: [friday]), .plain)
        #expect(one.contains("20:20         20:45  published") && one.contains("set by hand"), "\(one)")
        #expect(one.contains("Jumu'ah 2"))
        let several = TimesTable.render(times, .plain)
        #expect(
            several.contains("Asr: set by hand") && several.contains("days are in the mosque's timetable"))
        let calendar = TimesCalendar(made: Instant(unixSeconds: 0)).render(times)
        // The first slot has Dhuhr's adhan; of the second only the prayer is known.
        #expect(calendar.contains("UID:jumua-2_20270319_") && calendar.contains("SUMMARY:Khutba"))
        #expect(!calendar.contains("UID:iqama_jumua-2_20270319_"))
    }

    @Test(
        "Friday's events begin with each slot's adhan, or else its khutba; Dhuhr is there where it is prayed beside them",
        arguments: [true, false])
    func fridayCalendar(replaces: Bool) throws {
        let friday = try #require(CivilDate("2027-03-19"))
        let config = try ConfigLoader.load(
            text: """
                [jumua]
                replaces-dhuhr = \(replaces)
                [[jumua.slot]]
                adhan = "khutba-10m"
                khutba = "13:20"
                prayer = "13:45"
                [[jumua.slot]]
                adhan = "none"
                khutba = "14:30"
                """, file: "adhand.toml")
        var site = try Self.site()
        site = Site(
            name: site.name, place: site.place, approximate: false, zone: site.zone,
            calculation: site.calculation, mosque: MosqueTimes(config))
        let times = TimesDocument(site: site, dates: [friday])
        #expect(times.days[0].jumua?.map { $0.adhan.map(LocalText.minute) } == ["13:10", nil])
        let calendar = TimesCalendar(made: Instant(unixSeconds: 0)).render(times)
        func starts(_ name: String) -> String? {
            let lines = calendar.split(separator: "\r\n").map(String.init)
            guard let index = lines.firstIndex(where: { $0.hasPrefix("UID:\(name)_2027") }) else {
                return nil
            }
            return lines[index...].first { $0.hasPrefix("DTSTART:") }
        }
        // New York is four hours behind.
        #expect(
            starts("jumua") == "DTSTART:20270319T171000Z" && starts("jumua-2") == "DTSTART:20270319T183000Z")
        #expect(starts("khutba") == "DTSTART:20270319T172000Z" && starts("khutba-2") == nil)
        #expect(starts("iqama_jumua") == "DTSTART:20270319T174500Z")
        #expect((starts("dhuhr") != nil) == !replaces)
        #expect(starts("asr") != nil)
    }
}

@Suite("Pieces of text")
struct TextPieceTests {
    @Test(
        "Durations are said in their two greatest units",
        arguments: [
            (0.0, "0 s"), (-5, "0 s"), (.nan, "0 s"), (.infinity, "0 s"), (59.9, "59 s"), (60, "1 min"),
            (3599, "59 min"), (3600, "1 h"), (5027.5, "1 h 23 min"), (86_400, "1 d"), (90_000, "1 d 1 h"),
        ])
    func spans(seconds: Double, text: String) {
        #expect(LocalText.span(seconds) == text)
    }

    @Test("Columns stand under each other whatever is in them, and no line ends in a space")
    func columns() {
        var table = TextTable([.left, .right, .left], indent: 1)
        table.add(["a", "1", "x"])
        table.add(["Größe", "22", ""])
        table.add(["b"])
        #expect(table.rendered(.plain) == " a       1  x\n Größe  22\n b\n")
    }

    @Test("Long sentences break at spaces")
    func wrapping() {
        let lines = Wrapping.lines(String(repeating: "word ", count: 40), indent: 10)
        #expect(lines.allSatisfy { $0.count <= Wrapping.width - 10 })
        #expect(lines.joined(separator: " ").split(separator: " ").count == 40)
        let long = String(repeating: "x", count: 100)
        #expect(Wrapping.lines("a \(long) b", indent: 0) == ["a", long, "b"])
    }

    @Test("Odd documents of an odd daemon do not break a table")
    func odd() throws {
        let document = """
            {"days": 7, "due": 0, "played": 0, "announcements": [{"id": "", "prayer": "", "scheduled": "soon",
             "outcome": "played", "sound": [], "framesDecoded": 0, "framesPlayed": 1, "rate": 0, "dropouts": 0}]}
            """
        let history = try JSON.decode(HistoryDocument.self, from: document.utf8)
        #expect(HistoryText.render(history, .plain).contains("no adhan was due in the last 7 days"))
        #expect(LocalText.minute("") == "")
        #expect(LocalText.spoken("?", now: "?") == "")
    }
}
