import BoxSupport
import LabSupport
import PrayerEngine
import Testing

@testable import Announcements
@testable import Daemon
@testable import Protocol
@testable import Settings
@testable import Texts
@testable import Times

extension MosqueDayTests {
    // MARK: Friday

    @Test("Without congregations of its own Friday's Jumu'ah is Dhuhr, and so is what is set by hand for it")
    func plainFriday() throws {
        var box = try box("2026-11-20T08:00:00-05:00", "[iqama]\ndhuhr = \"13:15\"\nsound = \"dua\"")
        #expect(at(box, "iqama_jumua_20261120") == "13:15")
        let reply = box.ask(
            .setException(
                ExceptionParameters(date: "2026-11-20", prayer: "jumua", adhan: "12:45", iqama: nil)))
        #expect(reply?.changeReply?.message == "Jumu'ah on Friday 20 November 2026: 12:45")
        #expect(at(box, "jumua_20261120") == "12:45" && at(box, "iqama_jumua_20261120") == "13:15")
        #expect(try !occasions(&box, "2026-11-20").contains { $0.kind == .khutba })
        box.ask(
            .setException(
                ExceptionParameters(date: "2026-11-20", prayer: "jumua", adhan: "12:45", iqama: "13:00")))
        #expect(at(box, "jumua_20261120") == "12:45" && at(box, "iqama_jumua_20261120") == "13:00")
    }

    static let friday = """
        [adhan.jumua]
        sound = "madinah"
        [jumua]
        khutba-sound = "signal"
        [[jumua.slot]]
        khutba = "12:40"
        prayer = "+20m"
        [[jumua.slot]]
        adhan = "khutba-10m"
        khutba = "14:00"
        prayer = "14:15"
        sound = "dua"
        [[jumua.slot]]
        khutba = "15:00"
        from = "summer-time"
        [iqama]
        sound = "signal"
        dhuhr = "12:20"
        """

    @Test("Friday has its congregations instead of Dhuhr, each with its own adhan, khutba and prayer")
    func slots() throws {
        var box = try box("2026-11-20T08:00:00-05:00", Self.friday)
        let today = try occasions(&box, "2026-11-20").filter { $0.prayer == "jumua" }
        let friday = box.state.inputs.site.times.day(try #require(CivilDate("2026-11-20")))
        let begins = friday[.dhuhr]
        #expect(friday.congregations[.dhuhr] == nil, "nobody is called to stand up for it")
        #expect(
            today.map(\.id) == [
                "jumua_20261120", "khutba_20261120", "iqama_jumua_20261120", "jumua-2_20261120",
                "khutba-2_20261120", "iqama_jumua-2_20261120",
            ])
        #expect(box.timers.first { $0.name == "jumua_20261120" }?.at == begins)
        #expect(
            today.dropFirst().map { $0.at.dropFirst(11).prefix(5) } == [
                "12:40", "13:00", "13:50", "14:00", "14:15",
            ])
        #expect(today.map(\.slot) == [1, 1, 1, 2, 2, 2])
        #expect(today[0].sounds == ["madinah"] && today[3].sounds == ["dua"])
        #expect(!box.timers.contains { $0.name.contains("dhuhr_20261120") })
        // A day set by hand is Friday's first khutba, and Saturday has its Dhuhr.
        box.ask(
            .setException(
                ExceptionParameters(date: "2026-11-20", prayer: "jumua", adhan: "12:50", iqama: nil)))
        #expect(at(box, "khutba_20261120") == "12:50" && at(box, "iqama_jumua_20261120") == "13:10")
        #expect(box.timers.contains { $0.name == "iqama_dhuhr_20261121" } == false)
        let saturday = try occasions(&box, "2026-11-21").filter { $0.prayer == "dhuhr" }
        #expect(saturday.map(\.id) == ["dhuhr_20261121", "iqama_dhuhr_20261121"])
    }

    @Test("At home Dhuhr stays beside them, and a table's khutba alone changes no adhan")
    func beside() throws {
        var box = try box(
            "2026-11-20T08:00:00-05:00",
            Self.friday.replacing("[jumua]", with: "[jumua]\nreplaces-dhuhr = false"))
        #expect(box.timers.contains { $0.name == "dhuhr_20261120" })
        #expect(at(box, "iqama_dhuhr_20261120") == "12:20" && at(box, "jumua-2_20261120") == "13:50")
        let cells = try table(["2026-11-20": ["jumua": "13:00", "jumua_iqama": "13:20", "jumua_2": "14:00"]])
        box = try self.box("2026-11-20T08:00:00-05:00", "", table: cells)
        let today = try occasions(&box, "2026-11-20").filter { $0.prayer == "jumua" }
        #expect(
            today.map(\.id) == [
                "jumua_20261120", "khutba_20261120", "iqama_jumua_20261120", "khutba-2_20261120",
            ])
        #expect(today.dropFirst().allSatisfy { $0.source == .published })
        #expect(box.timers.filter { $0.name.hasPrefix("jumua") }.map(\.name) == ["jumua_20261120"])
    }

    // MARK: Ramadan and the feasts

    static let ramadan = """
        [iqama]
        isha = "+10m"
        [ramadan]
        wake = ["fajr-60m"]
        imsak = "fajr-10m"
        iftar-sound = "dua"
        isha = "maghrib+2h"
        tarawih = "isha+30m"
        qiyam = "01:30"
        [ramadan.iqama]
        isha = "+30m"
        [eid]
        prayers = ["08:00"]
        takbirat-sound = "signal"
        takbirat = ["maghrib+20m", "fajr+20m", "dhuhr+20m"]
        [hijri.month-start]
        "1448-09" = 2027-02-08
        """

    @Test("Ramadan begins at the maghrib before its first day, and ends at that of its last")
    func profile() throws {
        var box = try box("2027-02-07T12:00:00-05:00", Self.ramadan)
        func times(_ date: String) throws -> SiteDay {
            box.state.inputs.site.times.day(try #require(CivilDate(date)))
        }
        let (before, eve, first) = (try times("2027-02-06"), try times("2027-02-07"), try times("2027-02-08"))
        #expect(before.origin(of: .isha) == .computed && eve.origin(of: .isha) == .rule)
        #expect(try #require(eve[.isha]) - #require(eve[.maghrib]) == 7200)
        #expect(try #require(eve.congregations[.isha]?.at) - #require(eve[.isha]) == 1800)
        #expect(!eve.observances.isFasting && eve.observances.wake.isEmpty && eve.observances.tarawih != nil)
        #expect(first.observances.isFasting)
        #expect(try #require(first[.fajr]) - #require(first.observances.imsak?.at) == 600)
        // Asked for after Isha, the next imsak is tomorrow's.
        try box.run(until: "2027-02-07T21:00:00-05:00")
        let next = try occasions(&box, "2027-02-07", 2).first { $0.kind == .imsak && $0.state == "upcoming" }
        #expect(next?.id == "imsak_20270208")
        #expect(box.timers.contains { $0.name == "wake_20270208" })
        let iftar = try occasions(&box, "2027-02-08").first { $0.kind == .iftar }
        #expect(iftar?.sounds == ["dua"] && iftar?.id == "iftar_20270208")
        let maghrib = try occasions(&box, "2027-02-07", 2).filter { $0.id.hasPrefix("maghrib") }
        #expect(maghrib.map(\.sounds) == [["standard"], ["dua", "standard"]])
        #expect(try times("2027-02-26").observances.qiyam == nil)
        #expect(try times("2027-02-27").observances.qiyam == instant("2027-02-28T01:30:00-05:00"))
    }

    @Test("A month that is sighted after maghrib changes the very night, and withdrawn it is as before")
    func sighted() throws {
        var box = try box(
            "2027-02-06T18:00:00-05:00",
            Self.ramadan.split(separator: "\n").dropLast(2).joined(separator: "\n"))
        let before = at(box, "isha_20270206")
        box.ask(.hijriSighted(date: nil))
        let eve = try #require(CivilDate("2027-02-06"))
        let maghrib = try #require(box.state.inputs.site.times.day(eve)[.maghrib])
        #expect(box.timers.first { $0.name == "isha_20270206" }?.at == maghrib + 7200)
        #expect(box.timers.contains { $0.name == "imsak_20270207" })
        box.ask(.removeHijriPin(month: "1448-09"))
        #expect(at(box, "isha_20270206") == before)
        #expect(!box.timers.contains { $0.name.hasPrefix("imsak") })
    }

    @Test("A Friday that is the feast: its prayer without an adhan, takbirat until then, and Jumu'ah as ever")
    func feast() throws {
        let text = Self.ramadan.replacing("\"1448-09\" = 2027-02-08", with: "\"1449-10\" = 2028-02-25")
        var box = try box("2028-02-24T12:00:00-05:00", text)
        let feast = try occasions(&box, "2028-02-25")
        #expect(feast.first { $0.kind == .eid }?.at.dropFirst(11).prefix(5) == "08:00")
        #expect(!feast.contains { $0.kind == .imsak || $0.kind == .wake || $0.kind == .iftar })
        #expect(feast.contains { $0.id == "jumua_20280225" })
        #expect(feast.filter { $0.kind == .takbirat }.count == 1)
        let eve = try occasions(&box, "2028-02-24")
        #expect(eve.contains { $0.kind == .iftar } && !eve.contains { $0.kind == .tarawih })
        #expect(eve.filter { $0.kind == .takbirat }.map(\.id) == ["takbirat_20280224"])
        #expect(box.timers.contains { $0.name == "takbirat_20280224" })
        // Al-Adha: from the 9th's Fajr to the 13th's Asr.
        let adha = try #require(HijriMonth("1449-12"))
        let first = box.state.inputs.site.calculation.hijri.firstDay(of: adha)
        let days = (8...13).map { box.state.inputs.site.times.day(first.adding(days: $0 - 1)) }
        #expect(days.map(\.observances.takbirat.count) == [0, 3, 3, 3, 3, 2])
        #expect(days[2].observances.eidPrayers.count == 1)
    }

    // MARK: The year and its timetable

    func problems(_ toml: String, _ adhanSeconds: Double? = nil) throws -> [String] {
        let box = try box("2026-11-20T08:00:00-05:00", toml)
        let found = box.state.inputs.site.mosqueProblems(
            from: try #require(CivilDate("2026-11-20")), adhanSeconds: { _ in adhanSeconds })
        #expect(Set(found).count == found.count, "two of them are one: \(found)")
        return found.map(\.sentence)
    }

    @Test("What cannot be meant of a year is reported, and what can be is not")
    func year() throws {
        #expect(try problems("[iqama]\nasr = \"+15m\"\ndhuhr = \"13:30\"") == [])
        let soon = try problems("[iqama]\nasr = \"+3m\"", 214)
        #expect(soon.count == 1 && soon[0].hasPrefix("asr's adhan, of 3 min 34 s, still sounds at its iqama"))
        #expect(try problems("[iqama]\nasr = \"+4m\"", 214) == [])
        let nothing = try problems("[adhan.dhuhr]\nat = \"iqama-15m\"\n[iqama]\nasr = \"+15m\"")
        #expect(nothing.count == 1 && nothing[0].contains("nothing says when dhuhr's iqama is"))
        // Nor is it plain where that is the only rule.
        let alone = try problems("[adhan.isha]\nat = \"iqama-15m\"")
        #expect(alone.count == 1 && alone[0].contains("nothing says when isha's iqama is"), "\(alone)")
        let always = try problems("[iqama]\nasr = \"12:30\"")
        #expect(
            always == [
                "asr's iqama is a clock time, and all year its adhan is later than this time; write minutes after the adhan, such as +15m, or let the time end before"
            ])
        let hung = "[adhan.dhuhr]\nat = \"iqama-2m\"\n[iqama]\ndhuhr = \"13:30\""
        #expect(try problems(hung) == [])
        #expect(
            try problems(hung, 214) == ["dhuhr's adhan, of 3 min 34 s, is called only 2 min before its iqama"]
        )
        let hasty = try problems("[[jumua.slot]]\nkhutba = \"13:30\"\nprayer = \"13:00\"")
        #expect(hasty.count == 1 && hasty[0].contains("prays before its khutba all year"))
        let late = try problems(
            "[ramadan]\nwake = [\"fajr+10m\"]\nimsak = \"sunrise\"\nisha = \"maghrib+5m\"")
        #expect(late.count == 3)
        #expect(late[0].hasPrefix("a wake-up of Ramadan comes after fajr from 2027-02-08 to 2027-03-08"))
        #expect(late[1].hasPrefix("imsak comes after fajr"))
        #expect(late[2].hasPrefix("ramadan.isha is before the computed isha from 2027-02-07"))
        #expect(try problems(Self.ramadan) == [])
    }

    @Test("Minutes after an adhan are as long in the night in which the clock is set")
    func clockChange() throws {
        // At 02:00 on 1 November clocks go back an hour; Isha of the day before is printed after midnight.
        let rows = try table(["2026-10-31": ["isha": "00:50"], "2027-03-13": ["isha": "01:50"]])
        let box = try box("2026-10-31T08:00:00-04:00", "[iqama]\nisha = \"+90m\"", table: rows)
        func stands(_ date: String) throws -> Instant? {
            box.state.inputs.site.times.day(try #require(CivilDate(date))).congregations[.isha]?.at
        }
        #expect(try stands("2026-10-31") == instant("2026-11-01T01:20:00-05:00"))
        #expect(try stands("2027-03-13") == instant("2027-03-14T04:20:00-04:00"))
    }

    @Test("The end of a timetable has a kind of its own in the journal, once a week and not every day")
    func ending() throws {
        let first = try #require(CivilDate("2026-11-19"))
        let days = (0..<17).map { first.adding(days: $0).description }
        let rows = try table(Dictionary(uniqueKeysWithValues: days.map { ($0, ["asr": "14:30"]) }))
        var box = try box("2026-11-19T08:00:00-05:00", "", table: rows)
        let during = try box.during { box in
            for day in 1...25 { try box.sleep(until: "\(first.adding(days: day))T00:30:00-05:00") }
        }
        let messages = during.notices.filter { $0.kind == .timetableEnding }.map(\.message)
        #expect(messages.count == 4, "\(messages)")
        #expect(
            messages.first
                == "the timetable ends in 14 days, on Saturday 5 December 2026; import the next one: adhanctl timetable import FILE"
        )
        #expect(messages.last?.hasPrefix("the timetable ended on Saturday 5 December 2026") == true)
        #expect(!during.notices.contains { $0.kind == .timetableChanged })
    }
}
