import PrayerEngine
import Settings
import Testing
import Texts
import Times

@testable import TimetableImport

@Suite("Formats of timetables")
struct FormatTests {
    let mosque: Mosque

    init() throws { mosque = try Mosque() }

    private func expect(
        _ result: ImportResult, _ format: FileFormat, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(result.format == format, sourceLocation: sourceLocation)
        #expect(result.days == 365, sourceLocation: sourceLocation)
        #expect(mosque.differences(result.table) == [], sourceLocation: sourceLocation)
    }

    @Test("The strict table reads what it writes")
    func strict() throws {
        let header = "date,fajr,sunrise,dhuhr,asr,maghrib,isha\n"
        let result = try mosque.read(header + mosque.lines(date: \.description))
        expect(result, .adhand)
        let again = try PublishedTimetable(csv: Array(result.table.csv().utf8), file: "again")
        #expect(again == result.table)
        #expect(try mosque.read(result.table.csv()).table == result.table)
    }

    @Test("Twelve files with winter time all year, as files, with semicolons, and in a zip")
    func mawaqit() throws {
        for separator in [",", ";"] {
            let files = (1...12).map { month in
                let head = ["Day", "Fajr", "Shuruk", "Duhr", "Asr", "Maghrib", "Isha"].joined(
                    separator: separator)
                let rows = mosque.dates.filter { $0.month == month }.map { date in
                    "\(date.day)" + separator
                        + Mosque.events.map { mosque.winter(date, $0).map(ClockText.format) ?? "" }
                        .joined(separator: separator)
                }
                return ImportFile(
                    name: "cal/\(InstantText.padded(month, 2)).csv",
                    bytes: Array(([head] + rows).joined(separator: "\r\n").utf8))
            }
            let result = try mosque.read(files)
            expect(result, .mawaqit)
            #expect(result.clock == .winter)
            let zipped = ImportFile(name: "cal.zip", bytes: Zip.archive(files))
            #expect(try mosque.read([zipped]).table == result.table)
        }
    }

    @Test("A year with a byte order mark, blank rows, rows twice, and 12 hours without am and pm")
    func mawaqitYear() throws {
        let header = "\u{FEFF}Month,Day,Fajr,Shuruk,Duhr,Asr,Maghrib,Isha\n"
        let rows = mosque.lines(date: { "\($0.month),\($0.day)" }, style: Style.bare)
        let result = try mosque.read(header + ",,,,,,,\n\n" + rows + rows)
        expect(result, .mawaqitYear)
        #expect(result.hours == 12)
        #expect(!result.findings.contains { $0.kind == .duplicateDay })
    }

    @Test("Calendars of a program, with congregations in minutes after the adhan and Friday's time")
    func mawaqitJSON() throws {
        func month(_ month: Int, _ row: (CivilDate) -> String) -> String {
            "{"
                + mosque.dates.filter { $0.month == month }.map { "\"\($0.day)\": [\(row($0))]" }
                .joined(separator: ",") + "}"
        }
        let calendar = (1...12).map { number in
            month(number) { date in
                Mosque.events.map { "\"\(ClockText.format(mosque.times[date]?[$0] ?? 0))\"" }.joined(
                    separator: ",")
            }
        }
        let iqama = (1...12).map { number in month(number) { _ in "\"06:45\",\"+7\",\"+10\",\"+5\",\"+10\"" }
        }
        let text =
            "{\"jumua\": \"13:00\", \"jumua2\": null, \"calendar\": [\(calendar.joined(separator: ","))], "
            + "\"iqamaCalendar\": [\(iqama.joined(separator: ","))]}"
        let result = try mosque.read(text, named: "mosque.json")
        expect(result, .mawaqitJSON)
        let friday = try #require(CivilDate(year: 2026, month: 7, day: 3))
        let day = try #require(result.table.published(on: friday, in: mosque.site.zone))
        #expect(day.cellMinutes[.iqama(.fajr, slot: 1)] == 6 * 60 + 45)
        #expect(day.cellMinutes[.iqama(.dhuhr, slot: 1)] == (mosque.times[friday]?[.dhuhr] ?? 0) + 7)
        #expect(day.cellMinutes[.khutba(slot: 1)] == 13 * 60)
        #expect(
            result.table.published(on: friday.adding(days: 1), in: mosque.site.zone)?.cellMinutes[
                .khutba(slot: 1)]
                == nil)
    }

    @Test("Two Asr columns: the configured school's, unless told")
    func dailyPrayerTime() throws {
        let hanafi = try Mosque(asr: .hanafi)
        let header =
            "d_date,fajr_begins,fajr_jamah,sunrise,zuhr_begins,zuhr_jamah,asr_mithl_1,asr_mithl_2,asr_jamah,"
            + "maghrib_begins,maghrib_jamah,isha_begins,isha_jamah,is_ramadan,hijri_date\n"
        let rows = mosque.dates.map { date in
            let times = Mosque.events.map { ClockText.format(mosque.times[date]?[$0] ?? 0) }
            let late = ClockText.format(hanafi.times[date]?[.asr] ?? 0)
            return
                "\(date.description.dropFirst(2)),\(times[0]),06:45,\(times[1]),\(times[2]),13:30,\(times[3]),\(late),19:00,"
                + "\(times[4]),\(times[4]),\(times[5]),23:50,0,0\n"
        }
        let text = header + rows.joined()
        let result = try mosque.read(text)
        expect(result, .dailyPrayerTime)
        #expect(result.asr == .standard)
        #expect(result.columns["asr"] == "asr_mithl_1")
        #expect(try hanafi.read(text).columns["asr"] == "asr_mithl_2")
        #expect(try mosque.read(text) { $0.asr = .hanafi }.columns["asr"] == "asr_mithl_2")
    }

    @Test("Tawkit's JavaScript")
    func tawkit() throws {
        let rows = mosque.dates.map { "\"\($0.description.dropFirst(5))~~~~~\(mosque.row($0, "|"))\",\r\n" }
        let result = try mosque.read(
            "var JS_TIMES = \r\n[\r\n\"-----(1)-----\",\r\n" + rows.joined() + "];", named: "wtimes.js")
        expect(result, .tawkit)
        #expect(result.year == .of(2026))
    }

    @Test("Singapore's, with a blank for the colon, with and without a header")
    func muis() throws {
        let names = ["Mon", "Tues", "Wed", "Thurs", "Fri", "Sat", "Sun"]
        let rows = mosque.lines(
            date: { "\($0.day)/\($0.month)/\($0.year),\(names[$0.weekday - 1])" }, style: Style.blank)
        expect(try mosque.read("Date,Day,Subuh,Syuruk,Zohor,Asar,Maghrib,Isyak\n" + rows), .muis)
        expect(try mosque.read(rows), .muis)
    }

    @Test("Malay and Indonesian authorities' JSON")
    func jakimAndKemenag() throws {
        let months = ["Jan", "Feb", "Mac", "Apr", "Mei", "Jun", "Jul", "Ogos", "Sep", "Okt", "Nov", "Dis"]
        let days = mosque.json(
            ["fajr", "syuruk", "dhuhr", "asr", "maghrib", "isha"],
            date: { date in
                "\"hijri\": \"1447-07-11\", \"day\": \"x\", \"date\": \"\(InstantText.padded(date.day, 2))-\(months[date.month - 1])-\(date.year)\""
            }, style: Style.seconds)
        expect(try mosque.read("{\"prayerTime\": \(days), \"status\": \"OK!\"}", named: "e.json"), .jakim)
        let indonesian = mosque.json(
            ["shubuh", "terbit", "dzuhur", "ashr", "magrib", "isya"],
            date: { "\"tanggal\": \"\($0)\", \"dhuha\": \"06:18\"" })
        expect(try mosque.read(indonesian, named: "j.json"), .kemenag)
    }

    @Test("Diyanet's imsak is when Fajr begins, and its time stamps are not believed")
    func diyanet() throws {
        let days = mosque.json(
            ["Imsak", "Gunes", "Ogle", "Ikindi", "Aksam", "Yatsi"],
            date: { date in
                "\"HicriTarihKisa\": \"22.12.1447\", \"GunesBatis\": \"20:35\", \"MiladiTarihKisa\": \"\(InstantText.padded(date.day, 2)).\(InstantText.padded(date.month, 2)).\(date.year)\""
            })
        expect(try mosque.read(days, named: "v.json"), .diyanet)
    }

    @Test("Masjidal's two lists, and its CSV with the month first")
    func masjidal() throws {
        let keys = ["fajr", "sunrise", "zuhr", "asr", "maghrib", "isha"]
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        func long(_ date: CivilDate) -> String {
            "\"date\": \"Day, \(months[date.month - 1]) \(date.day), \(date.year)\""
        }
        let salah = mosque.json(keys, date: { long($0).replacing("Day, ", with: "") }, style: Style.twelve)
        let iqama = mosque.dates.map {
            "{\(long($0).replacing("Day, ", with: "")), \"fajr\": \"6:45AM\", \"jummah1\": \"1:25 PM\", \"jummah2\": \"-\", \"zuhr\": \"1:30PM\"}"
        }
        let result = try mosque.read(
            "{\"data\": {\"salah\": \(salah), \"iqamah\": [\(iqama.joined(separator: ","))]}}",
            named: "m.json")
        expect(result, .masjidal)
        let friday = try #require(CivilDate(year: 2026, month: 7, day: 3))
        let day = try #require(result.table.published(on: friday, in: mosque.site.zone))
        #expect(day.cellMinutes[.jumuaIqama(slot: 1)] == 13 * 60 + 25)
        #expect(day.cellMinutes[.iqama(.dhuhr, slot: 1)] == 13 * 60 + 30)
        #expect(day.cellMinutes[.jumuaIqama(slot: 2)] == nil)
        // Of one day, with the congregations' Friday in the object of the congregations: no khutba, and no second one.
        let single = try mosque.read(
            "{\"data\": {\"date\": \"2026-07-03\", \"salah\": {\"fajr\": \"4:10 AM\", \"sunrise\": \"5:52 AM\", \"zuhr\": \"1:56 PM\"}, "
                + "\"iqama\": {\"fajr\": \"5:00 AM\", \"zuhr\": \"2:10 PM\", \"jummah1\": \"2:15 PM\", \"jummah2\": \"-\"}}}",
            named: "today.json")
        let fridays = single.columns.filter { $0.key.hasPrefix("jumua") }
        #expect(fridays == ["jumua_iqama": "jummah1"])
        #expect(single.table.dated[friday]?.cellMinutes[.jumuaIqama(slot: 1)] == 14 * 60 + 15)
        let csv =
            "Date,Fajr,Sunrise,Zuhr,Asr,Maghrib,Isha\n"
            + mosque.lines(date: { "\($0.month)/\($0.day)/\($0.year)" }, style: Style.twelve)
        expect(try mosque.read(csv), .masjidal)
    }

    @Test("Winter time in rows of day and month, congregations with them")
    func myMasjid() throws {
        let rows = mosque.dates.map { date in
            let times = zip(["fajr", "shouruq", "zuhr", "asr", "maghrib", "isha"], Mosque.events).map {
                "\"\($0)\": \"\(ClockText.format(mosque.winter(date, $1) ?? 0))\""
            }
            let iqama = ClockText.format((mosque.winter(date, .asr) ?? 0) + 20)
            return
                "{\"day\": \(date.day), \"month\": \(date.month), \(times.joined(separator: ", ")), \"iqamah_Asr\": \"\(iqama)\", \"asr_start_1\": null}"
        }
        let result = try mosque.read(
            "{\"model\": {\"salahTimings\": [\(rows.joined(separator: ","))]}}", named: "m.json")
        expect(result, .myMasjid)
        let date = try #require(CivilDate(year: 2026, month: 7, day: 3))
        #expect(
            result.table.published(on: date, in: mosque.site.zone)?.cellMinutes[.iqama(.asr, slot: 1)]
                == (mosque.times[date]?[.asr] ?? 0) + 20)
    }

    @Test("London's: dates as keys, curly apostrophes, 12 hours")
    func london() throws {
        let rows = mosque.dates.map { date in
            let keys = [
                "Fajr Begins", "Sunrise", "Zuhr Begins", "Asr Mithl 1", "Maghrib Begins", "Isha Begins",
            ]
            let times = zip(keys, Mosque.events).map {
                "\"\($0)\": \"\(Style.bare(mosque.times[date]?[$1] ?? 0))\""
            }
            return
                "\"\(InstantText.padded(date.day, 2))/\(InstantText.padded(date.month, 2))/\(date.year)\": {\(times.joined(separator: ", ")), \"Fajr Jama‘ah\": \"6:56\"}"
        }
        let result = try mosque.read("{\(rows.joined(separator: ",\n"))}", named: "l.json")
        expect(result, .london)
        #expect(result.columns["fajr_iqama"] == "Fajr Jama‘ah")
    }

    @Test(
        "Anything else: delimiters, digits and spellings",
        arguments: [
            ("Date;Fajir;Shurooq;Dhohr;Asar;Magreb;Esha\n", ";"),
            ("TARİH\tFajr\tGüneş\tÖğle\tİkindi\tAkşam\tYatsı\n", "\t"),
            ("التاريخ,الفجر,الشروق,الظهر,العصر,المغرب,العشاء\n", ","),
            ("date,fajr_adhan,sunrise,dhuhr_adhan,asr_adhan,maghrib_adhan,isha_adhan\n", ","),
        ])
    func spellings(header: String, separator: String) throws {
        let styles: [(Int) -> String] = [
            ClockText.format, Style.dot, Style.seconds, Style.twelve, Style.arabic,
        ]
        for style in styles {
            let rows = mosque.lines(separator, date: { "\($0.day)/\($0.month)/\($0.year)" }, style: style)
            #expect(mosque.differences(try mosque.read(header + rows).table) == [])
        }
    }

    @Test("Other encodings")
    func encodings() throws {
        let text =
            "Date,Fajr,Chourouk,Dohr,Asr,Maghrib,Icha,Mosqu\u{E9}e\n" + mosque.lines(date: \.description)
        var latin: [UInt8] = []
        for scalar in text.unicodeScalars { latin.append(UInt8(scalar.value)) }
        let units = Array(text.utf16)
        var little: [UInt8] = [0xFF, 0xFE]
        for unit in units { little += [UInt8(unit & 0xFF), UInt8(unit >> 8)] }
        var unmarked: [UInt8] = []
        for unit in units { unmarked += [UInt8(unit >> 8), UInt8(unit & 0xFF)] }
        for bytes in [latin, little, unmarked] {
            let result = try mosque.read([ImportFile(name: "t.csv", bytes: bytes)])
            #expect(mosque.differences(result.table) == [])
        }
    }

    @Test("Months by name beside the list, and ranges of days for the congregations")
    func months() throws {
        let july = mosque.dates.filter { $0.month == 7 }.map { date in
            let keys = ["fajr", "shurooq", "dhuhr", "asr", "maghrib", "isha"]
            let times = zip(keys, Mosque.events).map {
                "\"\($0)\": \"\(ClockText.format(mosque.times[date]?[$1] ?? 0))\""
            }
            return "{\"date\": \(date.day), \(times.joined(separator: ", "))}"
        }
        let iqama =
            "{\"date_range\": \"1-30\", \"fajr\": \"05:00\", \"dhuhr\": \"14:00\", \"maghrib\": \"sunset\"},"
            + "{\"date_range\": \"31\", \"fajr\": \"05:15\", \"dhuhr\": \"14:00/14:45\", \"maghrib\": \"Adhan+10\"}"
        let text =
            "{\"month\": \"JULY\", \"prayer_times\": [\(july.joined(separator: ","))], \"iqamah_times\": [\(iqama)], \"jummah_iqamah\": \"13:15\"}"
        let result = try mosque.read(text, named: "m.json")
        #expect(result.days == 31)
        let last = try #require(CivilDate(year: 2026, month: 7, day: 31))
        let cells = try #require(result.table.published(on: last, in: mosque.site.zone)).cellMinutes
        #expect(cells[.iqama(.fajr, slot: 1)] == 315)
        #expect(cells[.iqama(.dhuhr, slot: 2)] == 14 * 60 + 45)
        #expect(cells[.iqama(.maghrib, slot: 1)] == (mosque.times[last]?[.maghrib] ?? 0) + 10)
        #expect(cells[.jumuaIqama(slot: 1)] == 13 * 60 + 15)
        let first = try #require(result.table.published(on: last.adding(days: -30), in: mosque.site.zone))
        #expect(first.cellMinutes[.iqama(.maghrib, slot: 1)] == first.cellMinutes[.begins(.maghrib)])
    }
}
