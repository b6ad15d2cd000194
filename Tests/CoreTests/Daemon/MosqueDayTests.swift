import PrayerEngine
import Testing

@testable import Daemon
@testable import Protocol
@testable import Settings
@testable import Texts
@testable import Times

@Suite("A mosque's day in the daemon")
struct MosqueDayTests {
    private func box(_ clock: String, _ toml: String, table: PublishedTimetable = PublishedTimetable()) throws -> Box
    {
        let config = try ConfigLoader.load(text: toml, file: "adhand.toml")
        let plain = try Box.inputs(config)
        let site = Site(
            name: plain.site.name, place: plain.site.place, approximate: false, zone: plain.site.zone,
            calculation: try calculation(config), mosque: MosqueTimes(config, table: table))
        let inputs = DaemonInputs(
            config: config, configuration: "a test", site: site, user: 900, controlGroup: 901)
        return try Box(clock, inputs: inputs)
    }

    private func calculation(_ config: Config) throws -> Calculation {
        var calculation = try config.calculation.calculation()
        calculation.rounding = .nearest
        return calculation
    }

    private func occasions(_ box: inout Box, _ from: String, _ days: Int = 1) throws -> [OccasionDocument] {
        guard case .document(let document)? = box.ask(.getAgenda(from: from, days: days)) else { return [] }
        return try #require(document as? AgendaReply).occasions
    }

    @Test("An exception's adhan after the iqama of a rule is reported, also of a Friday's khutba")
    func iqamaLeftBehind() throws {
        var box = try box(
            "2026-11-20T12:30:00-05:00",
            """
            [iqama.isha]
            at = "18:05"
            [[jumua.slot]]
            khutba = "13:00"
            prayer = "13:20"
            """)
        func said(_ prayer: String, _ adhan: String, _ iqama: String? = nil) -> [String]? {
            box.ask(
                .setException(
                    ExceptionParameters(date: "2026-11-27", prayer: prayer, adhan: adhan, iqama: iqama)))?
                .said?.problems
        }
        #expect(
            said("isha", "18:10") == ["the iqama is at 18:05, before this adhan; set it as well with --iqama"]
        )
        #expect(said("isha", "18:10", "18:20") == nil && said("isha", "18:00", "18:20") == nil)
        #expect(
            said("jumua", "13:30") == [
                "the iqama is at 13:20, before this khutba; set it as well with --iqama"
            ])
    }

    private func at(_ box: Box, _ name: String) -> String? {
        box.timers.first { $0.name == name }.map { InstantText.minute($0.at, in: box.state.inputs.site.zone) }
    }

    private func table(_ rows: [String: [String: String]]) throws -> PublishedTimetable {
        var table = PublishedTimetable()
        for (date, cells) in rows {
            var row = PublishedTimetable.Row(cells: [:], sources: [])
            for (name, time) in cells {
                row.cells[try #require(TimetableColumn(name: name))] = ClockText.parse(time)
            }
            table.dated[try #require(CivilDate(date))] = row
        }
        return table
    }

    @Test("A Friday after Ramadan that is Eid has its prayer and Jumu'ah, and nothing of Ramadan any more")
    func fridayIsEid() throws {
        let toml = """
            [eid]
            prayers = ["08:00"]
            [ramadan]
            imsak = "fajr-10m"
            [[jumua.slot]]
            khutba = "13:20"
            """
        var box = try box("2026-03-18T12:00:00-04:00", toml)
        let days = try occasions(&box, "2026-03-19", 2).map { "\($0.at.prefix(16)) \($0.kind.rawValue)" }
        #expect(days.contains { $0.hasPrefix("2026-03-19") && $0.hasSuffix(" imsak") })
        #expect(!days.contains { $0.hasPrefix("2026-03-20") && $0.hasSuffix(" imsak") })
        #expect(days.contains("2026-03-20T08:00 eid"))
        #expect(days.contains("2026-03-20T13:20 khutba"))
    }

    // MARK: Iqama

    @Test("An iqama is not called hours late because the clock went ahead while its adhan sounded, and back")
    func clockLeapsDuringAdhan() throws {
        var box = try box("2026-11-19T14:00:00-05:00", "[iqama]\nasr = \"+20m\"\nsound = \"dua\"")
        let asr = try #require(box.timers.first { $0.name == "asr_20261119" }).at
        box.run(until: asr)
        let token = try #require(box.effects.started.last)
        box.begin(token: token)
        box.now = asr + 94_000
        box.take(.clockStepped(by: 94_000))
        box.now = box.now + 10
        box.end(token: token)
        box.now = asr + 9000
        let done = box.effects(of: .clockStepped(by: -94_000))
        #expect(done.started.isEmpty)
        #expect(box.state.saved.outcome(of: "iqama_asr_20261119") == .missed)
    }

    @Test(
        "An iqama is called like everything else, and while its adhan sounds it waits, however short its grace"
    )
    func waits() throws {
        var box = try box(
            "2026-11-19T14:00:00-05:00",
            "[adhan]\nlate-grace = \"0s\"\n[iqama]\nasr = \"+3m\"\nsound = \"dua\"\nreminders = [\"10m\"]")
        let asr = try #require(box.timers.first { $0.name == "asr_20261119" }).at
        #expect(box.timers.first { $0.name == "iqama_asr_20261119" }?.at == asr + 180)
        #expect(box.timers.first { $0.name == "iqama-reminder-10m_asr_20261119" }?.at == asr + 180 - 600)
        box.run(until: asr)
        let call = try #require(box.effects.started.last)
        box.begin(token: call)
        // Long enough to sound at the iqama's time.
        let during = box.during { $0.run(until: asr + 240) }
        #expect(during.cued.isEmpty && during.started.isEmpty && during.stopped.isEmpty)
        #expect(during.recorded.isEmpty)
        let after = box.during { $0.end(token: call) }
        #expect(after.cued.map(\.sounds) == [["dua"]] && after.started.count == 1)
        box.begin(token: after.started[0])
        box.run(for: 11)
        box.end(token: after.started[0])
        #expect(box.history.suffix(2).map(\.id) == ["asr_20261119", "iqama_asr_20261119"])
        #expect(box.history.last?.outcome == .played)
    }

    @Test("Adhan and iqama of one minute are called one after the other")
    func together() throws {
        var box = try box(
            "2026-11-19T16:00:00-05:00", "[iqama]\nmaghrib = \"+0m\"\nsound = \"dua\"")
        try box.run(until: "2026-11-19T16:40:00-05:00")
        let token = try #require(box.effects.started.last)
        #expect(box.state.jobs.map(\.announcement.id.description) == ["maghrib_20261119"])
        #expect(!box.history.contains { $0.id == "iqama_maghrib_20261119" })
        box.begin(token: token)
        box.run(for: 11)
        let after = box.during { $0.end(token: token) }
        #expect(after.cued.map(\.sounds) == [["dua"]])
    }

    @Test("A silent iqama is shown and not called, and an adhan may hang on it, but not before its time")
    func hung() throws {
        let text = """
            [adhan.dhuhr]
            at = "iqama-15m"
            [adhan.asr]
            at = "iqama-3h"
            [iqama]
            dhuhr = "12:30"
            asr = "15:00"
            """
        var box = try box("2026-11-19T08:00:00-05:00", text)
        #expect(at(box, "dhuhr_20261119") == "12:15")
        let day = box.state.inputs.site.times.day(try #require(CivilDate("2026-11-19")))
        #expect(box.timers.first { $0.name == "asr_20261119" }?.at == day[.asr])
        #expect(!box.timers.contains { $0.name.hasPrefix("iqama") })
        let shown = try occasions(&box, "2026-11-19").filter { $0.kind == .iqama }
        #expect(shown.map(\.id) == ["iqama_dhuhr_20261119", "iqama_asr_20261119"])
        #expect(shown.map { $0.at.dropFirst(11).prefix(5) } == ["12:30", "15:00"])
        #expect(shown.allSatisfy { $0.source == .rule && !$0.enabled && $0.state == "upcoming" })
        let dhuhr = try occasions(&box, "2026-11-19").first { $0.id == "dhuhr_20261119" }
        #expect(dhuhr?.source == .rule)
    }

    @Test(
        "A cell goes before the rule, a day set by hand before both, and the change of a date on the day of a clock change"
    )
    func order() throws {
        let text = """
            [iqama]
            sound = "dua"
            fajr = "06:00"
            isha = "+20m"
            [[iqama.change]]
            from = 2027-03-14
            fajr = "06:30"
            """
        let table = try table(["2027-03-13": ["fajr_iqama": "05:50", "isha": "20:00"]])
        var box = try box("2027-03-12T23:30:00-05:00", text, table: table)
        #expect(at(box, "iqama_fajr_20270313") == "05:50")
        #expect(at(box, "iqama_isha_20270313") == "20:20")
        box.ask(
            .setException(
                ExceptionParameters(date: "2027-03-13", prayer: "isha", adhan: "20:10", iqama: "20:45")))
        #expect(at(box, "isha_20270313") == "20:10")
        #expect(at(box, "iqama_isha_20270313") == "20:45")
        try box.run(until: "2027-03-13T23:30:00-05:00")
        #expect(at(box, "iqama_fajr_20270314") == "06:30")
        let iqama = try #require(box.timers.first { $0.name == "iqama_fajr_20270314" }).at
        #expect(try iqama == instant("2027-03-14T06:30:00-04:00"))
    }

    // MARK: The timetable's end

    @Test("After 31 December no row of another year is used: computed, or silent and said why")
    func newYear() throws {
        let rows = try table(["2026-12-31": ["fajr": "06:00"], "2026-01-01": ["fajr": "05:00"]])
        var box = try box("2026-12-31T20:00:00-05:00", "", table: rows)
        try box.run(until: "2027-01-01T00:30:00-05:00")
        let first = try #require(CivilDate("2027-01-01"))
        #expect(
            box.timers.first { $0.name == "fajr_20270101" }?.at
                == box.state.inputs.site.computedTimes.day(first)[.fajr])
        var silent = try self.box(
            "2026-12-31T20:00:00-05:00", "[timetable]\nmissing = \"silent\"", table: rows)
        try silent.run(until: "2027-01-01T12:00:00-05:00")
        // Nothing is armed for what is not called; it is accounted for when the next thing happens.
        silent.take(.timerDue)
        #expect(!silent.timers.contains { $0.name.hasPrefix("asr") })
        let fajr = silent.history.first { $0.id == "fajr_20270101" }
        #expect(fajr?.outcome == .disabled)
        #expect(
            fajr?.reason == "the timetable does not have this day, and timetable.missing is \"silent\"")
    }

    @Test("On a day that the timetable does not have, what was set by hand is called, and nothing else")
    func silentDayByHand() throws {
        let rows = try table(["2026-11-18": ["fajr": "05:30"]])
        var box = try box(
            "2026-11-19T08:00:00-05:00",
            "[timetable]\nmissing = \"silent\"\n[iqama]\nasr = \"+10m\"\nmaghrib = \"+5m\"\nsound = \"dua\"",
            table: rows)
        #expect(!box.timers.contains { $0.name.hasSuffix("20261119") })
        box.ask(
            .setException(
                ExceptionParameters(date: "2026-11-19", prayer: "maghrib", adhan: "16:45", iqama: nil)))
        #expect(at(box, "maghrib_20261119") == "16:45" && at(box, "iqama_maghrib_20261119") == "16:50")
        #expect(
            !box.timers.contains { $0.name.contains("asr_20261119") || $0.name.contains("isha_20261119") })
        let status = box.state.status(at: try instant("2026-11-19T08:00:01-05:00"))
        #expect(status.timetable?.isSilent == true)
        #expect(status.prayers.filter(\.enabled).map(\.prayer) == ["maghrib"])
        #expect(status.next?.source == .exception)
    }

    @Test("Status, next and history say who says when a prayer is")
    func sources() throws {
        let rows = try table(["2026-11-19": ["asr": "14:30", "maghrib": "16:35", "maghrib_iqama": "16:35"]])
        var box = try box(
            "2026-11-19T14:00:00-05:00", "[iqama]\nisha = \"+5m\"\nsound = \"dua\"", table: rows)
        let status = box.state.status(at: try instant("2026-11-19T14:00:00-05:00"))
        #expect(status.next?.source == .published)
        #expect(
            status.prayers.map(\.source) == [.computed, .computed, .published, .published, .computed])
        #expect(status.timetable?.published == ["asr", "maghrib"])
        try box.run(until: "2026-11-19T14:30:00-05:00")
        let token = try #require(box.effects.started.last)
        box.begin(token: token)
        box.run(for: 11)
        box.end(token: token)
        #expect(box.history.last?.id == "asr_20261119" && box.history.last?.source == .published)
        // Of one minute the adhan is the first.
        let evening = try occasions(&box, "2026-11-19").map(\.id).filter { $0.contains("maghrib") }
        #expect(evening == ["maghrib_20261119", "iqama_maghrib_20261119"])
    }

    // MARK: Friday

    @Test("Without congregations of its own Friday's Jumu'ah is Dhuhr, and so is what is set by hand for it")
    func plainFriday() throws {
        var box = try box("2026-11-20T08:00:00-05:00", "[iqama]\ndhuhr = \"13:15\"\nsound = \"dua\"")
        #expect(at(box, "iqama_jumua_20261120") == "13:15")
        let said = box.ask(
            .setException(
                ExceptionParameters(date: "2026-11-20", prayer: "jumua", adhan: "12:45", iqama: nil)))
        #expect(said?.said?.message == "Jumu'ah on Friday 20 November 2026: 12:45")
        #expect(at(box, "jumua_20261120") == "12:45" && at(box, "iqama_jumua_20261120") == "13:15")
        #expect(try !occasions(&box, "2026-11-20").contains { $0.kind == .khutba })
        box.ask(
            .setException(
                ExceptionParameters(date: "2026-11-20", prayer: "jumua", adhan: "12:45", iqama: "13:00")))
        #expect(at(box, "jumua_20261120") == "12:45" && at(box, "iqama_jumua_20261120") == "13:00")
    }

    private static let friday = """
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

    private static let ramadan = """
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

    private func problems(_ toml: String, _ adhanSeconds: Double? = nil) throws -> [String] {
        let box = try box("2026-11-20T08:00:00-05:00", toml)
        return box.state.inputs.site.mosqueProblems(
            from: try #require(CivilDate("2026-11-20")), adhanSeconds: { _ in adhanSeconds })
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
            always == ["asr's iqama is a clock time, and all year its adhan is later than this time"])
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
        let told = during.notices.filter { $0.kind == .timetableEnding }.map(\.message)
        #expect(told.count == 4, "\(told)")
        #expect(
            told.first
                == "the timetable ends in 14 days, on Saturday 5 December 2026; import the next one: adhanctl timetable import FILE"
        )
        #expect(told.last?.hasPrefix("the timetable ended on Saturday 5 December 2026") == true)
        #expect(!during.notices.contains { $0.kind == .timetableChanged })
    }
}
