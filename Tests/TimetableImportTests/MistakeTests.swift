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

    func date(_ month: Int, _ day: Int, _ year: Int = 2026) throws -> CivilDate {
        try #require(CivilDate(year: year, month: month, day: day))
    }

    func findings(
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
        let wrongClocks = try mosque.read(text) { $0.clock = .local }.findings.filter {
            $0.kind == .wrongClock
        }
        #expect(wrongClocks.map(\.from) == [try date(3, 29)])
        #expect(wrongClocks.map(\.until) == [try date(10, 24)])
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
                let cell = try #require(published.cellMinutes[.begins(event)])
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
        #expect(day.cellMinutes[.begins(.sunrise)] == nil)
        #expect(day.cellMinutes[.begins(.dhuhr)] != nil)
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
}
