import Console
import PrayerEngine
import Settings
import Testing
import Texts
import Times

@testable import TimetableImport

@Suite("Mistakes in timetables")
struct MistakeTests {
    let header = "date,fajr,sunrise,dhuhr,asr,maghrib,isha\n"

    private func date(_ month: Int, _ day: Int, _ year: Int = 2026) throws -> CivilDate {
        try #require(CivilDate(year: year, month: month, day: day))
    }

    private func findings(
        _ mosque: Mosque, _ kind: TimetableFinding.Kind, _ change: (inout ImportOptions) -> Void = { _ in }
    )
        throws -> [TimetableFinding]
    {
        try mosque.read(header + mosque.lines(date: \.description), change).findings.filter {
            $0.kind == kind
        }
    }

    @Test("A table as it should be has nothing to remark")
    func clean() throws {
        let mosque = try Mosque(40.7, -73.8, zone: "EST5EDT,M3.2.0,M11.1.0")
        #expect(try mosque.read(header + mosque.lines(date: \.description)).findings == [])
    }

    @Test("A table re-dated to another year is an hour off between the two years' changes of the clock")
    func redated() throws {
        let (old, mosque) = (try Mosque(year: 2025), try Mosque())
        var redated = mosque
        for day in mosque.dates { redated.times[day] = old.times[try date(day.month, day.day, 2025)] }
        let found = try findings(redated, .wrongClock)
        // In 2025 the clocks changed on 30 March and 26 October, in 2026 a day earlier.
        #expect(found.map(\.from) == [try date(3, 29), try date(10, 25)])
        #expect(found.map(\.until) == [try date(3, 29), try date(10, 25)])
        #expect(found.map { $0.text.contains("early") } == [true, false])
        #expect(found[0].events == ["fajr", "sunrise", "dhuhr", "asr", "maghrib", "isha"])
    }

    @Test(
        "A table by a clock that the machine's zone files do not know is right, and the machine is reported to be wrong"
    )
    func oldZoneFiles() throws {
        let right = try Mosque(33.6, -7.6, zone: "<+00>0")
        func table(_ name: String) throws -> Mosque {
            var table = try Mosque(33.6, -7.6, zone: "<+01>-1", named: name)
            for day in table.dates where day >= (try date(9, 20)) { table.times[day] = right.times[day] }
            return table
        }
        let morocco = try table("Africa/Casablanca")
        let found = try findings(morocco, .oldZoneFiles)
        #expect(found.map(\.from) == [try date(9, 20)])
        #expect(found.map(\.until) == [try date(12, 31)])
        #expect(found.first?.text.contains(ZoneFilesWarning.fix) == true)
        #expect(found.first?.text.contains("Morocco") == true)
        #expect(try findings(morocco, .wrongClock) == [])
        // Where no change is missing, or on days before it, it is the table's clock.
        #expect(try findings(try table("Africa/Lagos"), .wrongClock).count == 1)
        var early = morocco
        for day in early.dates where day >= (try date(3, 1)) { early.times[day] = right.times[day] }
        #expect(try findings(early, .wrongClock).count == 1)
        #expect(try findings(early, .oldZoneFiles) == [])
    }

    @Test("One column an hour late for two days")
    func column() throws {
        var mosque = try Mosque()
        for day in [try date(5, 3), try date(5, 4)] { mosque.times[day]?[.asr]? += 60 }
        let found = try findings(mosque, .wrongClock)
        #expect(found.count == 1)
        #expect(found.first?.events == ["asr"])
        #expect(found.first?.from == (try date(5, 3)))
        #expect(found.first?.until == (try date(5, 4)))
    }

    @Test("Winter time all year read as the wall's, and the reverse, by a flag that is wrong")
    func wrongFlag() throws {
        let mosque = try Mosque()
        var winter = mosque
        for day in mosque.dates {
            for event in Mosque.events { winter.times[day]?[event] = mosque.winter(day, event) }
        }
        let text =
            "day,month,year,fajr,sunrise,dhuhr,asr,maghrib,isha\n"
            + winter.lines(date: { "\($0.day),\($0.month),\($0.year)" })
        let guessed = try mosque.read(text)
        #expect(guessed.clock == .winter)
        #expect(mosque.differences(guessed.table) == [])
        let told = try mosque.read(text) { $0.clock = .local }.findings.filter { $0.kind == .wrongClock }
        #expect(told.map(\.from) == [try date(3, 29)])
        #expect(told.map(\.until) == [try date(10, 24)])
        let reverse = try mosque.read(header + mosque.lines(date: \.description)) { $0.clock = .winter }
        #expect(
            reverse.findings.contains {
                $0.kind == .wrongClock && $0.text.contains("late")
                    && $0.from == (CivilDate(year: 2026, month: 3, day: 29))
            })
    }

    @Test("A neighbouring town's table is one for here, and so is one by a wrong clock")
    func neighbours() throws {
        let here = try Mosque()
        let near = try Mosque(48.9, 0.2).lines(date: \.description)
        #expect(!(try here.read(header + near).findings.contains { $0.kind == .otherPlace }))
        let late = here.lines(date: \.description, style: { ClockText.format(($0 + 60) % 1440) })
        let findings = try here.read(header + late).findings
        #expect(!findings.contains { $0.kind == .otherPlace } && findings.contains { $0.kind == .wrongClock })
    }

    @Test("A table for another place is by the clock on the wall, however far it is off")
    func otherPlace() throws {
        let text =
            header + (try Mosque(38.9, -77.0, zone: "EST5EDT,M3.2.0,M11.1.0")).lines(date: \.description)
        // Some forty minutes west of it, in the same zone.
        let west = try Mosque(41.9, -87.6, zone: "EST5EDT,M3.2.0,M11.1.0")
        let result = try west.read(text)
        #expect(result.clock == .local)
        let finding = try #require(result.findings.first)
        #expect(finding.kind == .otherPlace && finding.text.contains("this is not a table for here"))
        #expect(result.findings.count == 1)
        #expect(
            TimetableText.findings(result.findings, .plain).contains("warning  this is not a table for here"))
        #expect(!result.remarks.contains { $0.contains("by the sun") })
        // Noon an hour off by chance, and sunrise and sunset by another season's day.
        let far = try Mosque(-33.9, 2.3).lines(
            date: \.description, style: { ClockText.format(($0 + 1380) % 1440) })
        #expect(try Mosque().read(header + far).clock == .local)
    }

    @Test(
        "Files in which there are no times to be read are reported by what they are",
        arguments: [
            ("%PDF-1.4\n%", "PDF"), ("<!DOCTYPE html><html>", "web page"), ("\n <HTML>", "web page"),
            ("GIF89a", "picture"), ("{\\rtf1", "text document"),
        ])
    func foreign(_ text: String, _ word: String) throws {
        let refusal = try Mosque().refusal(text)
        #expect(refusal?.reason.contains(word) == true, "\(refusal?.message ?? "read")")
    }

    @Test("A spreadsheet's own file says what to do, and a quotation mark without its other half where it is")
    func spreadsheet() throws {
        let mosque = try Mosque()
        func refusal(_ names: [String]) -> String? {
            let zip = Zip.archive(names.map { ImportFile(name: $0, bytes: Array("<x/>".utf8)) })
            do throws(ImportRefusal) {
                _ = try Importer.run(
                    [ImportFile(name: "t.xlsx", bytes: zip)], options: ImportOptions(), site: mosque.site,
                    today: mosque.today)
                return nil
            } catch {
                return error.mistake.reason
            }
        }
        #expect(
            refusal(["[Content_Types].xml", "xl/workbook.xml"])?.contains("save its sheet as CSV") == true)
        #expect(refusal(["mimetype", "content.xml"])?.contains("save its sheet as CSV") == true)
        #expect(refusal(["word/document.xml"])?.contains("text document") == true)
        let quoted = mosque.refusal("date,fajr,sunrise\n\"2026-02-01,05:30,07:40\n2026-02-02,05:30,07:40\n")
        #expect(quoted?.line == 2 && quoted?.reason.contains("\"") == true)
        let twice = mosque.refusal("date,fajr,fajr\n2026-02-01,05:30,05:31\n")
        #expect(twice?.reason.contains("is there 2 times; rename") == true)
    }

    @Test("Days missing, with how they are filled")
    func missing() throws {
        var mosque = try Mosque(year: 2028)
        for day in 26...30 { mosque.times[try date(6, day, 2028)] = nil }
        mosque.times[try date(2, 29, 2028)] = nil
        let rows = mosque.dates.filter { mosque.times[$0] != nil }.map { "\($0),\(mosque.row($0))\n" }
        let result = try mosque.read(header + rows.joined())
        #expect(
            result.missing == [
                DateSpan(try date(2, 29, 2028), try date(2, 29, 2028)),
                DateSpan(try date(6, 26, 2028), try date(6, 30, 2028)),
            ])
        #expect(result.findings.filter { $0.kind == .missingDays }.count == 2)
    }

    @Test("A perpetual table has its own summer time in every year, and a common year no 29 February")
    func everyYear() throws {
        let (source, later) = (try Mosque(year: 2024), try Mosque(year: 2030))
        let text =
            "month,day,fajr,sunrise,dhuhr,asr,maghrib,isha\n"
            + source.lines(date: { "\($0.month),\($0.day)" })
        let result = try source.read(text) { $0.year = .every }
        #expect(result.days == 366)
        #expect(result.findings.filter { $0.kind == .wrongClock } == [])
        let table = result.table
        let restored = try PublishedTimetable(csv: Array(table.csv().utf8), file: "t")
        #expect(restored == table)
        // Times move by a minute or two from year to year, but no day is an hour off.
        for day in later.dates {
            let published = try #require(restored.published(on: day, in: later.site.zone))
            for event in Mosque.events {
                let own = try #require(later.times[day]?[event])
                let cell = try #require(published.cells[.begins(event)])
                #expect(abs(SunReference.difference(cell, Double(own))) <= 4, "\(day) \(event)")
            }
        }
        #expect(table.published(on: try date(2, 29, 2028), in: source.site.zone) != nil)
        let common = try source.read(
            "month,day,fajr,sunrise,dhuhr,asr,maghrib,isha\n"
                + Mosque(year: 2025).lines(date: { "\($0.month),\($0.day)" })
        ) { $0.year = .every }
        #expect(common.table.published(on: try date(2, 29, 2028), in: source.site.zone) == nil)
        #expect(common.remarks.contains { $0.contains("29 February is computed") })
    }

    @Test("Cells without a time in the polar night")
    func polar() throws {
        let mosque = try Mosque(69.65, 18.96, highLatitude: .none)
        let rows = mosque.dates.map { "\"\($0.description.dropFirst(5))~~~~~\(mosque.row($0, "|"))\"\n" }
        let result = try mosque.read(rows.joined(), named: "wtimes.js")
        let day = try #require(result.table.published(on: try date(12, 20), in: mosque.site.zone))
        #expect(day.cells[.begins(.sunrise)] == nil)
        #expect(day.cells[.begins(.dhuhr)] != nil)
        #expect(mosque.differences(result.table) == [])
    }

    @Test("Fajr and isha at 23:50 on one day, and isha at 00:18")
    func midnight() throws {
        let mosque = try Mosque(69.65, 18.96)
        let text =
            header
            + "2026-04-01,23:50,04:40,12:50,16:00,20:00,23:50\n2026-04-02,02:10,04:40,12:50,16:00,20:00,00:18\n"
        let table = try mosque.read(text).table
        let first = try #require(table.published(on: try date(4, 1), in: mosque.site.zone))
        #expect(first.minutes(of: .fajr) == -10)
        #expect(first.minutes(of: .isha) == 23 * 60 + 50)
        let second = try #require(table.published(on: try date(4, 2), in: mosque.site.zone))
        #expect(second.minutes(of: .isha) == 24 * 60 + 18)
        let isha = try #require(second.instant(of: .isha, in: mosque.site.zone))
        #expect(mosque.site.zone.civilDate(of: isha) == (try date(4, 3)))
    }

    @Test("0:00 PM and 0:35 PM are around noon")
    func noon() {
        #expect(ClockReading("0:00 PM")?.minutes == 720)
        #expect(ClockReading("0:35 PM")?.minutes == 755)
        #expect(ClockReading("12:05 am")?.minutes == 5)
        #expect(ClockReading("24:10") == nil)
        #expect(ClockReading("5:60") == nil)
        #expect(ClockReading("5") == nil)
    }

    @Test("D twice in a header: the day and its weekday; row numbers are no days")
    func doubled() throws {
        let mosque = try Mosque()
        let names = ["Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"]
        let header = "M,D,D,Fajr,Sunrise,Dhuhr,Asr,Maghrib,Isha\n"
        let text = header + mosque.lines(date: { "\($0.month),\($0.day),\(names[$0.weekday - 1])" })
        #expect(mosque.differences(try mosque.read(text).table) == [])
        let numbered =
            "Day,Fajr,Sunrise,Dhuhr,Asr,Maghrib,Isha\n"
            + (1...40).map { "\($0),05:00,07:00,13:00,16:00,19:00,21:00\n" }.joined()
        let mistake = try #require(mosque.refusal(numbered, named: "march.csv"))
        #expect(mistake.line == 33)
        #expect(mistake.cell == "32")
        #expect(mistake.reason.contains("row numbers"))
    }

    @Test("Dates that could be two days are refused with the flag that settles them")
    func ambiguous() throws {
        let mosque = try Mosque()
        let text = header + (1...12).map { "\($0)/2/2026,05:00,07:00,13:00,16:00,19:00,21:00\n" }.joined()
        let mistake = try #require(mosque.refusal(text))
        #expect(mistake.reason.contains("--dates day-month or --dates month-day"))
        #expect(mistake.line == 2)
        #expect(mistake.cell == "1/2/2026")
        #expect(try mosque.read(text) { $0.dates = .dayMonth }.table.span?.upperBound == (try date(2, 12)))
        #expect(try mosque.read(text) { $0.dates = .monthDay }.table.span?.upperBound == (try date(12, 2)))
    }

    @Test("The weekday beside the date tells that it is another year's table")
    func weekday() throws {
        let mosque = try Mosque()
        let text =
            "Date,Day,Fajr,Sunrise,Dhuhr,Asr,Maghrib,Isha\n2026-11-20,Thu,06:00,07:30,12:40,14:45,17:00,18:30\n"
        let found = try mosque.read(text).findings.filter { $0.kind == .weekday }
        #expect(found.count == 1)
        #expect(found.first?.text.contains("Friday") == true)
    }

    @Test("The other school, a stable offset, one day out, a broken order, an early maghrib")
    func sun() throws {
        var mosque = try Mosque(asr: .standard)
        let hanafi = try Mosque(asr: .hanafi)
        for day in mosque.dates {
            mosque.times[day]?[.asr] = hanafi.times[day]?[.asr]
            mosque.times[day]?[.sunrise]? += 12
            mosque.times[day]?[.dhuhr]? += 5
        }
        mosque.times[try date(8, 8)]?[.maghrib]? -= 5
        mosque.times[try date(9, 9)]?[.asr] = 11 * 60
        #expect(try findings(mosque, .otherAsrSchool).count == 1)
        let offsets = try findings(mosque, .offset)
        #expect(offsets.map(\.events) == [["sunrise"], ["dhuhr"]])
        #expect(offsets.map(\.severity) == [.warning, .note])
        #expect(try findings(mosque, .earlyMaghrib).map(\.from) == [try date(8, 8)])
        #expect(try findings(mosque, .outlier).map(\.from) == [try date(8, 8), try date(9, 9)])
        #expect(try findings(mosque, .order).map(\.events) == [["dhuhr", "asr"]])
    }

    @Test("Fajr at an angle that nobody uses, and a leap")
    func angle() throws {
        var mosque = try Mosque(30, 31.2, zone: "EET-2")
        for day in mosque.dates where day.month == 5 { mosque.times[day]?[.fajr]? -= 40 }
        let found = try findings(mosque, .implausibleAngle)
        #expect(
            found.contains {
                $0.from == (CivilDate(year: 2026, month: 5, day: 1)) && $0.text.contains("below the horizon")
            })
        #expect(found.contains { $0.text.contains("leaps") })
    }

    @Test("Congregations before their adhan, after the next prayer, and cells that are no time")
    func iqama() throws {
        let mosque = try Mosque()
        func text(_ cell: String) -> String {
            "date,fajr,sunrise,dhuhr,dhuhr_iqama,asr,maghrib,isha\n2026-05-05,04:30,06:25,13:52,\(cell),17:55,21:15,23:15\n"
        }
        #expect(try mosque.read(text("13:30")).findings.contains { $0.kind == .iqamaBeforeAdhan })
        #expect(try mosque.read(text("18:00")).findings.contains { $0.kind == .iqamaTooLate })
        #expect(
            try !mosque.read(text("14:00")).findings.contains {
                $0.kind == .iqamaTooLate || $0.kind == .iqamaBeforeAdhan
            })
        for cell in ["+15", "Adhan+15", "15 minutes after adhan", "14:07"] {
            let table = try mosque.read(text(cell)).table
            #expect(
                table.published(on: try date(5, 5), in: mosque.site.zone)?.cells[.iqama(.dhuhr, slot: 1)]
                    == 14 * 60 + 7, "\(cell)")
        }
        for cell in ["13:55-14:05", "-10", "0", "soon"] {
            let result = try mosque.read(text(cell))
            let finding = try #require(result.findings.first { $0.kind == .unreadableCell }, "\(cell)")
            #expect(finding.cell?.text == cell && finding.cell?.line == 2)
            #expect(finding.text.contains("range of times") == cell.contains(":"))
            #expect(result.table.dated[try date(5, 5)]?.cells[.begins(.dhuhr)] == 13 * 60 + 52)
        }
        for cell in ["-", "*****", ""] {
            let table = try mosque.read(text(cell)).table
            #expect(
                table.published(on: try date(5, 5), in: mosque.site.zone)?.cells[.iqama(.dhuhr, slot: 1)]
                    == nil)
        }
    }

    @Test("Another year's times are not this year's")
    func years() throws {
        let mosque = try Mosque(year: 2025)
        let text = "d_date,fajr,sunrise,dhuhr,asr,maghrib,isha\n" + mosque.lines(date: \.description)
        #expect(mosque.refusal(text) { $0.year = .of(2026) }?.reason.contains("2025") == true)
        let today = try date(11, 21)
        let result = try Importer.run(
            [ImportFile(name: "t.csv", bytes: Array(text.utf8))], options: ImportOptions(), site: mosque.site,
            today: today)
        #expect(result.findings.contains { $0.kind == .otherYear })
    }

    @Test(
        "Negative summer time and Ramadan's clock: a table by the wall has nothing an hour off",
        arguments: [
            // Dublin as its file has it: standard time in summer, an hour less in winter.
            (53.35, -6.26, "IST-1GMT0,M10.5.0,M3.5.0/1"),
            (33.57, -7.59, "<+01>-1<+00>0,M2.3.0/3,M3.3.0/2"),
        ])
    func clocks(latitude: Double, longitude: Double, zone: String) throws {
        let mosque = try Mosque(latitude, longitude, zone: zone)
        #expect(try findings(mosque, .wrongClock) == [])
        #expect(
            try mosque.read(header.replacing("date", with: "Datum") + mosque.lines(date: \.description)).clock
                == .local)
    }

    @Test("An archive that unpacks without end, one that is damaged, noise, and a table without end")
    func hostile() throws {
        let mosque = try Mosque()
        func refusal(_ bytes: [UInt8]) -> TimetableError? {
            do {
                _ = try mosque.read([ImportFile(name: "t.zip", bytes: bytes)])
                return nil
            } catch {
                return (error as? ImportRefusal)?.mistake
            }
        }
        let file = ImportFile(name: "a.csv", bytes: Array(header.utf8))
        #expect(refusal(Zip.archive([file], claimedSize: 4_000_000_000))?.reason.contains("24 MB") == true)
        #expect(refusal(Zip.archive([file], claimedSize: 1_000_000))?.reason.contains("100 times") == true)
        #expect(refusal(Zip.archive([file], count: 60_000))?.reason.contains("400") == true)
        #expect(refusal(Zip.archive([file], claimedSize: 50))?.reason.contains("damaged") == true)
        #expect(refusal(Array(Zip.archive([file]).dropLast(30)))?.reason.contains("damaged") == true)
        var seed: UInt64 = 7
        let noise = (0..<100_000).map { _ in
            seed = seed &* 6_364_136_223_846_793_005 &+ 1
            return UInt8(truncatingIfNeeded: seed >> 33)
        }
        #expect(refusal(noise)?.reason.contains("not text") == true)
        let long =
            header + String(repeating: "2026-01-01,05:00,07:00,13:00,16:00,19:00,21:00\n", count: 100_000)
        #expect(mosque.refusal(long)?.reason.contains("40000 lines") == true)
        #expect(
            mosque.refusal("[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[")?.reason.contains("nested")
                == true)
        #expect(mosque.refusal("") != nil)
        #expect(mosque.refusal("\"") != nil)
        #expect(mosque.refusal("{\"a\":") != nil)
    }

    @Test("Damaged files are refused or read, and nothing else")
    func damage() throws {
        let mosque = try Mosque()
        let csv =
            "Date,Day,Subuh,Syuruk,Zohor,Asar,Maghrib,Isyak\n"
            + mosque.dates.prefix(20).map {
                "\($0.day)/\($0.month)/2026,Fri,\(mosque.row($0, style: Style.blank))\n"
            }.joined()
        let json =
            "{\"data\": {\"salah\": [{\"date\": \"2026-01-01\", \"fajr\": \"5:00\", \"asr\": \"3:00\", \"isha\": \"\\u00e9\"}]}}"
        var seed: UInt64 = 11
        func random(_ count: Int) -> Int {
            seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(seed >> 33) % count
        }
        let zip = Zip.archive([ImportFile(name: "a.csv", bytes: Array(csv.utf8))])
        for original in [Array(csv.utf8), Array(json.utf8), zip] {
            for _ in 0..<150 {
                var bytes = original
                for _ in 0...random(4) { bytes[random(bytes.count)] = UInt8(random(256)) }
                if random(3) == 0 { bytes.removeLast(random(bytes.count)) }
                do {
                    _ = try mosque.read([ImportFile(name: "t", bytes: bytes)])
                } catch let refusal as ImportRefusal {
                    #expect(!refusal.mistake.message.isEmpty)
                }
            }
        }
    }
}
