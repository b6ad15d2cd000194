import Console
import PrayerEngine
import Settings
import Testing
import Texts
import Times

@testable import TimetableImport

extension MistakeTests {
    @Test("0:00 PM and 0:35 PM are around noon")
    func noon() {
        #expect(PrintedTime("0:00 PM")?.minutes == 720)
        #expect(PrintedTime("0:35 PM")?.minutes == 755)
        #expect(PrintedTime("12:05 am")?.minutes == 5)
        #expect(PrintedTime("24:10") == nil)
        #expect(PrintedTime("5:60") == nil)
        #expect(PrintedTime("5") == nil)
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
        #expect(try mosque.read(text) { $0.dates = .dayFirst }.table.span?.upperBound == (try date(2, 12)))
        #expect(try mosque.read(text) { $0.dates = .monthFirst }.table.span?.upperBound == (try date(12, 2)))
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
                table.published(on: try date(5, 5), in: mosque.site.zone)?.cellMinutes[
                    .iqama(.dhuhr, slot: 1)]
                    == 14 * 60 + 7, "\(cell)")
        }
        for cell in ["13:55-14:05", "-10", "0", "soon"] {
            let result = try mosque.read(text(cell))
            let finding = try #require(result.findings.first { $0.kind == .unreadableCell }, "\(cell)")
            #expect(finding.cell?.text == cell && finding.cell?.line == 2)
            #expect(finding.text.contains("range of times") == cell.contains(":"))
            #expect(result.table.dated[try date(5, 5)]?.cellMinutes[.begins(.dhuhr)] == 13 * 60 + 52)
        }
        for cell in ["-", "*****", ""] {
            let table = try mosque.read(text(cell)).table
            #expect(
                table.published(on: try date(5, 5), in: mosque.site.zone)?.cellMinutes[
                    .iqama(.dhuhr, slot: 1)]
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
