import BoxSupport
import LabSupport
import PrayerEngine
import StateFile
import Testing

@testable import Announcements
@testable import Daemon
@testable import Protocol
@testable import Settings
@testable import Texts
@testable import Times

@Suite("A mosque's day in the daemon")
struct MosqueDayTests {
    func box(_ clock: String, _ toml: String, table: PublishedTimetable = PublishedTimetable()) throws -> Box
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

    func calculation(_ config: Config) throws -> Calculation {
        var calculation = try config.calculation.calculation()
        calculation.rounding = .nearest
        return calculation
    }

    func occasions(_ box: inout Box, _ from: String, _ days: Int = 1) throws -> [OccasionDocument] {
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
        func problems(_ prayer: String, _ adhan: String, _ iqama: String? = nil) -> [String]? {
            box.ask(
                .setException(
                    ExceptionParameters(date: "2026-11-27", prayer: prayer, adhan: adhan, iqama: iqama)))?
                .changeReply?.problems
        }
        #expect(
            problems("isha", "18:10") == [
                "the iqama is at 18:05, before this adhan; set it as well with --iqama"
            ]
        )
        #expect(problems("isha", "18:10", "18:20") == nil && problems("isha", "18:00", "18:20") == nil)
        #expect(
            problems("jumua", "13:30") == [
                "the iqama is at 13:20, before this khutba; set it as well with --iqama"
            ])
    }

    func at(_ box: Box, _ name: String) -> String? {
        box.timers.first { $0.name == name }.map { InstantText.minute($0.at, in: box.state.inputs.site.zone) }
    }

    func table(_ rows: [String: [String: String]]) throws -> PublishedTimetable {
        var table = PublishedTimetable()
        for (date, cells) in rows {
            var row = PublishedTimetable.Row(cellMinutes: [:], sources: [])
            for (name, time) in cells {
                row.cellMinutes[try #require(TimetableColumn(name: name))] = ClockText.parse(time)
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
        box.handle(.clockStepped(bySeconds: 94_000))
        box.now = box.now + 10
        box.end(token: token)
        box.now = asr + 9000
        let done = box.effects(of: .clockStepped(bySeconds: -94_000))
        #expect(done.started.isEmpty)
        #expect(box.state.saved.outcome(of: "iqama_asr_20261119") == .missed)
    }

    @Test("What follows a muted adhan within seconds is prepared as soon as that one has passed")
    func followsMuted() throws {
        var box = try box(
            "2026-11-19T14:00:00-05:00",
            "[iqama]\nasr = \"+2m\"\nsound = \"dua\"\nreminders = [\"1m55s\"]")
        box.ask(.mute(MuteParameters(next: true)))
        let asr = try #require(box.timers.first { $0.name == "asr_20261119" }).at
        box.run(until: asr)
        #expect(box.history.map(\.outcome) == [.muted] && box.state.saved.mute == nil)
        #expect(box.state.jobs.map(\.announcement.id) == ["iqama-reminder-1m55s_asr_20261119"])
        #expect(box.state.jobs.map(\.phase) == [.cued])
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
        silent.handle(.timerDue)
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
        // The adhan comes first in its minute.
        let evening = try occasions(&box, "2026-11-19").map(\.id).filter { $0.contains("maghrib") }
        #expect(evening == ["maghrib_20261119", "iqama_maghrib_20261119"])
    }
}
