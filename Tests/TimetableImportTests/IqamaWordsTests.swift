import Daemon
import PrayerEngine
import Settings
import Testing
import Texts
import Times

@testable import TimetableImport

/// Congregations that are printed as words.
@Suite("Iqamas in words")
struct IqamaWordsTests {
    /// Minutes after the event of the column, or after another one, negative before it.
    static let understood: [(String, DayEvent, DayEvent?, Int)] = [
        ("Entry Time", .asr, nil, 0), ("At Adhan", .asr, nil, 0), ("at the athan", .isha, nil, 0),
        ("Straight after Isha", .isha, nil, 0), ("Immediately", .maghrib, nil, 0),
        ("sunset", .maghrib, nil, 0),
        ("Start Time", .dhuhr, nil, 0), ("Straight after Adhan", .maghrib, nil, 0),
        ("Maghrib", .maghrib, nil, 0),
        ("15 min after", .fajr, nil, 15), ("15 minutes after adhan", .dhuhr, nil, 15), ("+10", .asr, nil, 10),
        ("+ 5 mins", .maghrib, nil, 5), ("Adhan+10", .maghrib, nil, 10), ("Maghrib + 7", .maghrib, nil, 7),
        ("10'", .asr, nil, 10), ("5 mins after sunset", .maghrib, nil, 5),
        ("Adhan - 10 min after", .asr, nil, 10),
        ("20 min after Maghrib", .isha, .maghrib, 20), ("30 min before sunrise", .fajr, .sunrise, -30),
        ("Sunrise - 30", .fajr, .sunrise, -30), ("sunset + 90", .isha, .maghrib, 90),
        ("sofort nach dem Adhan", .isha, nil, 0), ("10 Minuten nach dem Adhan", .asr, nil, 10),
        ("40 Min. vor Sonnenaufgang", .fajr, .sunrise, -40), ("Sonnenuntergang", .maghrib, nil, 0),
        ("10 min après l'adhan", .dhuhr, nil, 10), ("immédiatement après l’adhan", .maghrib, nil, 0),
        ("coucher du soleil", .maghrib, nil, 0), ("30 min avant le lever du soleil", .fajr, .sunrise, -30),
        ("ezandan 10 dk sonra", .asr, nil, 10), ("ezandan hemen sonra", .maghrib, nil, 0),
        ("güneşten 30 dk önce", .fajr, .sunrise, -30), ("10 minit selepas azan", .isha, nil, 10),
        ("sejurus selepas azan", .maghrib, nil, 0), ("15 menit setelah adzan", .dhuhr, nil, 15),
        ("10 minuti dopo l'adhan", .asr, nil, 10), ("10 minutos después del adhan", .asr, nil, 10),
        ("10 minuten na de adhan", .asr, nil, 10), ("بعد الأذان ١٥ دقيقة", .dhuhr, nil, 15),
        ("بعد الأذان مباشرة", .maghrib, nil, 0), ("غروب", .maghrib, nil, 0), ("عند الأذان", .isha, nil, 0),
    ]

    @Test("What is meant, in the importer's languages", arguments: understood)
    func meanings(text: String, own: DayEvent, event: DayEvent?, minutes: Int) throws {
        #expect(try IqamaCell.read(text, of: own).get() == [.after(event, minutes)], "\(text)")
    }

    @Test(
        "What may mean something else is not guessed",
        arguments: [
            ("After Maghrib", DayEvent.isha), ("sunset", .asr), ("soon", .dhuhr), ("15", .dhuhr),
            ("-10", .asr),
            ("10 min before adhan", .asr), ("5-10 min after", .asr), ("after", .asr),
            ("15 min after prayer", .asr),
            ("-5 min after", .asr), ("Adhan -5 min after", .asr), ("−5 mins after sunset", .maghrib),
            ("adhan fajr asr", .asr), ("10 min before after adhan", .asr), ("300 min after adhan", .isha),
        ])
    func others(text: String, own: DayEvent) {
        #expect(throws: IqamaCell.CellError.self, "\(text)") { try IqamaCell.read(text, of: own).get() }
    }

    @Test("A table with words in it is taken; a cell that nobody understands is named and left out")
    func table() throws {
        let mosque = try Mosque()
        let may = mosque.dates.filter { $0.month == 5 }
        func cells(_ day: Int) -> (asr: String, isha: String) {
            switch day {
            case 5, 6: ("Entry Time", "Straight after Isha")
            case 7: ("ask the imam", "20 min after Maghrib")
            case 8, 9: ("After the match", "+10")
            default: ("18:30", "23:45")
            }
        }
        let header = "date,fajr,sunrise,dhuhr,asr,maghrib,isha,Asr Iqama,Isha Jamaat\n"
        let rows = may.map { "\($0),\(mosque.row($0)),\(cells($0.day).asr),\(cells($0.day).isha)\n" }
        let result = try mosque.read(header + rows.joined())
        func cell(_ day: Int, _ column: TimetableColumn) -> Int? {
            result.table.dated[may[day - 1]]?.cellMinutes[column]
        }
        let (asr, isha) = (TimetableColumn.iqama(.asr, slot: 1), TimetableColumn.iqama(.isha, slot: 1))
        #expect(result.days == 31)
        #expect(cell(5, asr) == cell(5, .begins(.asr)))
        #expect(cell(6, isha) == cell(6, .begins(.isha)))
        #expect(cell(7, isha) == (cell(7, .begins(.maghrib)) ?? 0) + 20)
        #expect(cell(8, isha) == ((cell(8, .begins(.isha)) ?? 0) + 10) % 1440)
        #expect(cell(10, asr) == 18 * 60 + 30)
        #expect([7, 8, 9].allSatisfy { cell($0, asr) == nil && cell($0, .begins(.asr)) != nil })

        let found = result.findings.filter { $0.kind == .unreadableCell }
        #expect(found.map(\.cell?.text) == ["ask the imam", "After the match"])
        #expect(found.map(\.cell?.line) == [8, 9])
        #expect(found.map(\.from) == [may[6], may[7]] && found.map(\.until) == [may[6], may[8]])
        #expect(found.allSatisfy { $0.events == ["asr_iqama"] && $0.text.contains("column \"Asr Iqama\"") })

        // An exported log is imported again as it is.
        let again = try mosque.read(result.table.csv(), named: "export.csv")
        #expect(again.format == .adhand)
        #expect(again.table.dated == result.table.dated)
    }

    @Test(
        "A time in the wrong half of the day is read as the other one; one that cannot be is named with its cell",
        arguments: [
            ("1:30", 13 * 60 + 30), ("0:55", 12 * 60 + 55), ("13:30", 13 * 60 + 30), ("1:30 AM", nil),
            ("8:30", nil), ("23:10", nil),
        ] as [(String, Int?)])
    func halves(text: String, minutes: Int?) throws {
        let mosque = try Mosque()
        let january = mosque.dates.filter { $0.month == 1 }
        let rows = january.map { "\($0),\(mosque.row($0)),\($0.day == 9 ? text : "13:15")\n" }
        let result = try mosque.read(
            "date,fajr,sunrise,dhuhr,asr,maghrib,isha,Dhuhr Iqama\n" + rows.joined())
        let column = TimetableColumn.iqama(.dhuhr, slot: 1)
        #expect(result.table.dated[january[8]]?.cellMinutes[column] == minutes, "\(text)")
        #expect(result.table.dated[january[9]]?.cellMinutes[column] == 13 * 60 + 15)
        let found = result.findings.filter { $0.kind == .unreadableCell }
        #expect(found.count == (minutes == nil ? 1 : 0), "\(result.findings)")
        #expect(found.allSatisfy { $0.cell?.line == 10 && $0.text.contains("cannot be when") })
        #expect(result.remarks.contains { $0.contains("line 10") } == (minutes != nil && text != "13:30"))
    }

    @Test(
        "A time on twelve hours is the same half of the day in a table, in Friday's line and from a person",
        arguments: [
            ("1:30", 810), ("4:59", 1019), ("6:30", 390), ("9:30", 570), ("11:45", 705), ("12:30", 750),
            ("13:15", 795),
        ])
    func oneBorder(text: String, minutes: Int) throws {
        let reading = try #require(PrintedTime(text))
        #expect(TwelveHourTimes.minutes(reading, of: .dhuhr) == minutes)
        #expect(try IqamaReading(text, for: .jumua).time == .clock(minutes: minutes))
        let mosque = try Mosque()
        let months = (1...12).map { month in
            let days = mosque.dates.filter { $0.month == month }.map { date in
                let times = Mosque.events.map { "\"\(ClockText.format(mosque.times[date]?[$0] ?? 0))\"" }
                return "\"\(date.day)\": [\(times.joined(separator: ","))]"
            }
            return "{\(days.joined(separator: ","))}"
        }
        let table = try mosque.read(
            "{\"jumua\": \"\(text)\", \"calendar\": [\(months.joined(separator: ","))]}",
            named: "mosque.json"
        ).table
        let friday = try #require(mosque.dates.first { $0.isFriday })
        #expect(table.dated[friday]?.cellMinutes[.khutba(slot: 1)] == minutes)
    }

    @Test("Isha after midnight stays there in a table of twelve hours")
    func lateIsha() throws {
        for (text, minutes) in [("1:15", 75), ("12:15", 15), ("9:30", 1290), ("1:15 pm", 795)] {
            #expect(TwelveHourTimes.minutes(try #require(PrintedTime(text)), of: .isha) == minutes)
        }
    }

    @Test("A column that is something else is counted, not shown cell by cell")
    func wrongColumn() throws {
        let mosque = try Mosque()
        let may = mosque.dates.filter { $0.month == 5 }
        let rows = may.map { "\($0),\(mosque.row($0)),lesson \($0.day)\n" }
        let result = try mosque.read(
            "date,fajr,sunrise,dhuhr,asr,maghrib,isha,Asr Iqama\n" + rows.joined())
        let found = result.findings.filter { $0.kind == .unreadableCell }
        #expect(found.count == 6)
        #expect(found.contains { $0.text.contains("26 more texts are not understood") })
    }
}
