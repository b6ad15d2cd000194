import Announcements
import BoxSupport
import Daemon
import LabSupport
import PrayerEngine
import Protocol
import Settings
import StateFile
import Testing
import Texts
import Times

@Suite("Where times come from")
struct TimesSourceTests {
    private let friday = CivilDate(dayNumber: 20_777)

    /// Queens, where a mosque prints Asr of this Friday as 14:45.
    private func site() throws -> (site: Site, printed: Instant) {
        let inputs = try Box.inputs(.default)
        let printed = try instant("2026-11-20T14:45:00-05:00")
        let source = PublishedTimetable.Source(
            id: 1, name: "the mosque", file: "2026.csv", sha256: "", imported: "2026-11-01", format: "csv",
            clock: "local")
        let table = PublishedTimetable(
            sources: [source],
            dated: [friday: .init(cellMinutes: [.begins(.asr): 14 * 60 + 45], sources: [1])])
        let plain = inputs.site
        return (plain.applying(table: table), printed)
    }

    @Test("What is published goes before what is computed, event by event, and both are known")
    func beside() throws {
        let (site, printed) = try site()
        let day = site.times.day(friday)
        #expect(day[.asr] == printed)
        #expect(day.origin(of: .asr) == .published)
        #expect(day.computed[.asr] != printed)
        #expect(day[.maghrib] == day.computed[.maghrib])
        #expect(day.origin(of: .maghrib) == .computed)
        let row = site.times.days(from: friday.adding(days: -1), count: 3).map { $0.origin(of: .asr) }
        #expect(row == [.computed, .published, .computed])
    }

    @Test("The daemon calls at the published instant, and every document says the same")
    func wholePath() throws {
        let (site, printed) = try site()
        var config = Config.default
        config[.asr].reminderSeconds = [600]
        let inputs = DaemonInputs(
            config: config, configuration: "a test", site: site, user: 900, controlGroup: 901)
        let now = try instant("2026-11-20T12:30:00-05:00")
        var state = DaemonState(inputs: inputs, saved: nil, recorded: [], now: now)
        _ = state.handle(.started, at: now)
        #expect(state.armed.first { $0.name == "asr_20261120" }?.at == printed)
        #expect(state.armed.first { $0.name == "reminder-10m_asr_20261120" }?.at == printed - 600)
        let text = "2026-11-20T14:45:00"
        #expect(state.status(at: now).prayers.first { $0.prayer == "asr" }?.at.hasPrefix(text) == true)
        let times = TimesDocument(site: site, dates: [friday])
        #expect(times.days[0].events["asr"]?.wrappedValue?.hasPrefix(text) == true)
        let explained = ExplainDocument(.asr, named: "asr", on: friday, site: site)
        #expect(explained.result?.hasPrefix(text) == true)
        #expect(
            explained.steps.last?.source == "the timetable \"the mosque\" (2026.csv, imported 2026-11-01)")
        #expect(explained.steps.count > 1)
    }

    @Test("What was set by hand goes before both, and imsak goes with the fajr that is called")
    func byHand() throws {
        let (site, _) = try site()
        let set = DayExceptions([
            DayException(date: friday, prayer: .asr, adhanMinutes: 14 * 60 + 50, reason: "exams"),
            DayException(date: friday, prayer: .fajr, adhanMinutes: 5 * 60 + 45),
            DayException(date: friday, prayer: .isha, adhanMinutes: 18),
        ])
        let day = site.applying(exceptions: set).times.day(friday)
        #expect(try day[.asr] == instant("2026-11-20T14:50:00-05:00") && day.origin(of: .asr) == .exception)
        #expect(try #require(day[.fajr]) - #require(day[.imsak]) == 600)
        // Eighteen past midnight ends the same day.
        #expect(try day[.isha] == instant("2026-11-21T00:18:00-05:00"))
        let explained = ExplainDocument(.asr, named: "asr", on: friday, site: site.applying(exceptions: set))
        #expect(explained.steps.suffix(2).map(\.rule) == ["published time", "set by hand for this day"])
        #expect(explained.steps.last?.source == "exams")
    }

    @Test("An imsak that is printed at or after its Fajr is not used, and explained")
    func imsak() throws {
        let (site, _) = try site()
        func day(imsak: Int?, fajr: Int?) -> (SiteDay, ExplainDocument) {
            var table = PublishedTimetable()
            var cells: [TimetableColumn: Int] = [:]
            cells[.begins(.imsak)] = imsak
            cells[.begins(.fajr)] = fajr
            table.dated[friday] = .init(cellMinutes: cells, sources: [])
            let site = site.applying(table: table)
            return (site.times.day(friday), ExplainDocument(.imsak, named: "imsak", on: friday, site: site))
        }
        // Fajr is computed at 05:21.
        for (imsak, fajr) in [(310, 310), (315, 300), (nil, 300), (1439, 300)] as [(Int?, Int)] {
            let (day, explained) = day(imsak: imsak, fajr: fajr)
            let isUsed = imsak == 1439
            #expect(day.imsakFollowsFajr != isUsed)
            let expected = isUsed ? (fajr + 1) * 60 : 600
            #expect(try Int(#require(day[.fajr]) - #require(day[.imsak])) == expected)
            #expect(day.published == (isUsed ? [.imsak, .fajr] : [.fajr]))
            let rules = explained.steps.map(\.rule)
            #expect(rules.last == (isUsed ? "published time" : "10 min before it"))
            #expect(rules.contains("published Fajr") != isUsed)
            #expect(rules.contains { $0.contains("is not used") } == (imsak != nil && !isUsed))
        }
        let (alone, explained) = day(imsak: 6 * 60, fajr: nil)
        #expect(alone[.imsak] == alone.computed[.imsak] && alone.published.isEmpty)
        #expect(explained.steps.last?.rule.contains("is not used") == true)
    }

    @Test("A year that is exported has the imsak of the published Fajr, and is imported as it is")
    func exported() throws {
        let (site, _) = try site()
        var table = PublishedTimetable()
        let first = try #require(CivilDate(year: 2026, month: 1, day: 1))
        for date in (0..<365).map({ first.adding(days: $0) }) {
            let fajr = try #require(site.computedTimes.day(date)[.fajr])
            let minutes = Int(SunReference.minutes(of: fajr, after: date, in: site.zone).rounded())
            table.dated[date] = .init(cellMinutes: [.begins(.fajr): minutes - 12], sources: [])
        }
        let year = ComputedYear.table(2026, published: table, site: site)
        #expect(year.dated.count == 365)
        for (_, row) in year.dated {
            let (imsak, fajr) = (
                try #require(row.cellMinutes[.begins(.imsak)]), try #require(row.cellMinutes[.begins(.fajr)])
            )
            #expect(fajr - imsak == 10)
        }
        #expect(try PublishedTimetable(csv: Array(year.csv().utf8), file: "export.csv").dated == year.dated)
    }

    @Test("A table that comes takes effect at once and repeats nothing; one that is broken changes nothing")
    func arrives() throws {
        var box = try Box("2026-11-20T14:30:00-05:00")
        let table = try site().site.times.table
        let id = RequestID(serial: 7)
        let asked = box.effects(of: .request(id, .reloadTimetable, from: Peer(user: 0, groups: [])))
        let isRead = asked.contains { if case .readTimetable(id) = $0 { true } else { false } }
        #expect(isRead)
        let done = box.effects(of: .timetableRead(.table(table), for: id))
        let message = Box.reply(to: id, in: done)?.changeReply?.message ?? ""
        #expect(
            message.hasPrefix("the timetable has 1 days from 2026-11-20 to 2026-11-20; next is Asr 14:45"),
            "\(message)")
        let printed = try instant("2026-11-20T14:45:00-05:00")
        #expect(box.timers.first { $0.name == "asr_20261120" }?.at == printed)
        let broken = box.effects(of: .timetableRead(.unusable("line 3"), for: id))
        #expect(Box.reply(to: id, in: broken)?.refusal == .timetableInvalid(reason: "line 3"))
        #expect(box.timers.first { $0.name == "asr_20261120" }?.at == printed)
        try box.run(until: "2026-11-20T14:46:00-05:00")
        #expect(box.state.saved.outcome(of: .adhan(.asr, on: friday)) != nil)
        let later = box.effects(of: .timetableRead(.table(PublishedTimetable()), for: nil))
        #expect(later.cued.isEmpty && later.started.isEmpty)
        #expect(!box.timers.contains { $0.name == "asr_20261120" })
    }
}
