import AdhanCore
import PrayerEngine
import Testing

@Suite("Where times come from")
struct TimesSourceTests {
    private let friday = CivilDate(dayNumber: 20_777)

    /// Queens, where a mosque prints Asr of this Friday as 14:45.
    private func site() throws -> (site: Site, printed: Instant) {
        let world = try Box.world(.default)
        let printed = try instant("2026-11-20T14:45:00-05:00")
        let published = PublishedTimes(name: "the timetable of the mosque", days: [friday: [.asr: printed]])
        let plain = world.site
        let site = Site(
            name: plain.name, place: plain.place, approximate: false, zone: plain.zone,
            calculation: plain.calculation, published: published)
        return (site, printed)
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
        config[.asr].reminders = [600]
        let world = World(config: config, configuration: "a test", site: site, user: 900, controlGroup: 901)
        let now = try instant("2026-11-20T12:30:00-05:00")
        var state = DaemonState(world: world, saved: nil, recorded: [], now: now)
        _ = state.handle(.started, at: now)
        #expect(state.armed.first { $0.name == "asr_20261120" }?.at == printed)
        #expect(state.armed.first { $0.name == "reminder-10m_asr_20261120" }?.at == printed - 600)
        let text = "2026-11-20T14:45:00"
        #expect(state.status(at: now).prayers.first { $0.prayer == "asr" }?.at.hasPrefix(text) == true)
        let times = TimesDocument(site: site, dates: [friday])
        #expect(times.days[0].events["asr"]?.wrappedValue?.hasPrefix(text) == true)
        let explained = ExplainDocument(.asr, named: "asr", on: friday, site: site)
        #expect(explained.result?.hasPrefix(text) == true)
        #expect(explained.steps.last?.source == "the timetable of the mosque")
        #expect(explained.steps.count > 1)
    }
}
