import PrayerEngine
import SeededRandom
import Testing

@testable import PrayerLog

struct ExchangeTests {
    private let today = Fixture.today("2026-11-20", 16)

    private func read(_ text: String) throws -> [Mark] {
        try LogImport(today: today, offset: -18_000).marks(in: Array(text.utf8), file: "log.csv")
    }

    private func refusal(_ text: String) -> String {
        do {
            return "\(try read(text).count) entries"
        } catch {
            return (error as? LogRefusal)?.message ?? "\(error)"
        }
    }

    private func summary(_ text: String) throws -> [String] {
        try read(text).map { "\($0.slot.date) \($0.slot.prayer.name) \($0.status.name)" }
    }

    @Test("Files of other trackers are read in their own layouts")
    func readsTheShapesOfOtherTrackers() throws {
        let expected = ["2026-11-18 fajr prayed", "2026-11-18 dhuhr missed", "2026-11-18 isha made-up"]
        #expect(
            try summary(
                "date,prayer,status\n2026-11-18,fajr,prayed\n2026-11-18,dhuhr,missed\n2026-11-18,isha,made-up\n"
            )
                == expected)
        #expect(
            try summary(
                "\u{FEFF}Date;Salah;State\r\n2026/11/18;Fajr;On Time\r\n2026/11/18;Zuhr;no\r\n2026/11/18;Isha;Qada\r\n"
            )
                == expected)
        #expect(try summary("Date,Fajr,Dhuhr,Asr,Maghrib,Isha\n2026-11-18,1,0,,-,qaza\n") == expected)
        #expect(try summary("date\tsubuh\tdzuhur\tisya\n2026-11-18 06:00\t✓\t✗\t\"made up\"\n") == expected)
        #expect(
            try summary(
                #"[{"date":"2026-11-18","prayer":"fajr","status":"prayed"},{"date":"2026-11-18","prayer":"dhuhr","status":"missed"},{"date":"2026-11-18","prayer":"isha","status":"made-up"}]"#
            ) == expected)
    }

    @Test("A file with a wrong line is refused as a whole, with the line")
    func refusesByTheLineAndTakesNothing() {
        let header = "date,prayer,status\n2026-11-18,fajr,prayed\n"
        #expect(
            refusal(header + "2026-11-21,fajr,prayed\n")
                == "log.csv, line 3: fajr of 2026-11-21 is in the future")
        #expect(
            refusal(header + "2026-11-20,maghrib,prayed\n")
                == "log.csv, line 3: maghrib of 2026-11-20 is in the future")
        #expect(
            refusal(header + "2026-11-20,asr,missed\n")
                == "log.csv, line 3: asr of 2026-11-20 is not missed yet: its time is now")
        #expect(
            refusal(header + "9999-12-31,fajr,prayed\n")
                == "log.csv, line 3: fajr of 9999-12-31 is in the future")
        #expect(
            refusal(header + "1800-01-01,fajr,prayed\n") == "log.csv, line 3: the year 1800 lies before 1900")
        #expect(
            refusal(header + "2026-02-30,fajr,prayed\n")
                == "log.csv, line 3: \"2026-02-30\" is not a day that exists, written YYYY-MM-DD")
        #expect(
            refusal(header + "2026-11-18,farj,prayed\n")
                == "log.csv, line 3: \"farj\" is not a prayer; did you mean \"fajr\"?")
        #expect(
            refusal(header + "2026-11-18,asr,maybe\n")
                == "log.csv, line 3: \"maybe\" is none of prayed, late, made-up, missed, excused")
        #expect(
            refusal(header + "\n2026-11-18,fajr,late\n")
                == "log.csv, line 4: fajr of 2026-11-18 is \"prayed\" in line 2 and \"late\" here")
        #expect(
            refusal("when,what\n")
                == "log.csv, line 1: the header names no date; expected are date,prayer,status or date,fajr,dhuhr,asr,maghrib,isha"
        )
        #expect(refusal("") == "log.csv is empty")
        #expect(refusal("date,prayer,status\n") == "log.csv has no entries")
        #expect(
            refusal("date,prayer,status\n2026-11-18,\"fajr,prayed\n")
                == "log.csv, line 2: a quotation mark is not closed")
        #expect(refusal("{\"a\": 1}").hasPrefix("log.csv is not a log: expected is"))
        #expect(throws: LogRefusal.self) {
            try LogImport(today: today, offset: 0).marks(in: [0xFF, 0xFE, 0x00], file: "x")
        }
    }

    @Test("An excuse of today may include prayers to come")
    func anExcuseOfTodayIsNoFuture() throws {
        #expect(try summary("date,prayer,status\n2026-11-20,isha,excused\n") == ["2026-11-20 isha excused"])
    }

    /// Random logs in odd zones come out of CSV and JSON as they went in, and the second export is the first to the byte.
    @Test("Random logs are imported as they were exported, and export to the same bytes")
    func whatIsExportedComesInTheSame() throws {
        var random = SplitMix64(seed: 7)
        for _ in 0..<200 {
            var marks: [Mark] = []
            for index in 0..<Int.random(in: 1...40, using: &random) {
                let date = Fixture.date("2026-09-01").adding(days: index)
                for prayer in DailyPrayer.allCases where Int.random(in: 0...3, using: &random) > 0 {
                    let offset = [0, -18_000, 20_700, 45_900, -12_600].randomElement(using: &random) ?? 0
                    let window = Fixture.windows(date)[prayer]
                    let at = window.start + Double(Int.random(in: 0...5_000_000, using: &random)) / 1000
                    marks.append(
                        Mark(
                            slot: PrayerSlot(date, prayer),
                            status: MarkStatus.allCases.randomElement(using: &random) ?? .prayed,
                            at: Bool.random(using: &random) ? at : nil,
                            source: [.command, .notification, .imported].randomElement(using: &random)
                                ?? .command,
                            markedAt: at + 0.25,
                            offset: offset, window: Bool.random(using: &random) ? window : nil))
                }
            }
            guard !marks.isEmpty else { continue }
            let documents = LogExport.documents(marks, Logbook(marks, today: today))
            let csv = LogExport.csv(documents)
            let again = try read(csv)
            #expect(again == marks)
            #expect(LogExport.csv(LogExport.documents(again, Logbook(again, today: today))) == csv)
            let json = try LogImport(today: today, offset: -18_000).marks(
                in: try LogExport.json(documents), file: "x")
            #expect(json == again)
        }
    }

    @Test("Damaged text is read or refused, and never ends the program")
    func damagedTextNeverTraps() {
        var random = SplitMix64(seed: 3)
        let good = Array(
            "date,prayer,status,at\n2026-11-18,fajr,prayed,2026-11-18T05:30:00Z\n\"2026-11-19\",asr,late,\n"
                .utf8)
        for _ in 0..<5000 {
            var bytes = good
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                let index = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0...2, using: &random) {
                case 0: bytes[index] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes.remove(at: index)
                default: bytes.insert(bytes[index], at: index)
                }
            }
            // Whatever comes of it: entries that are not of the future, or a sentence.
            if let marks = try? LogImport(today: today, offset: 0).marks(in: bytes, file: "x") {
                #expect(marks.allSatisfy { today.phase($0.slot) != .upcoming || $0.status == .excused })
            }
        }
    }
}
