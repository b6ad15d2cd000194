import BoxSupport
import PrayerEngine
import Protocol
import StateFile
import Testing
import Texts
import Times

@testable import Announcements
@testable import Console
@testable import Daemon
@testable import Settings

@Suite("A box with calls")
struct CallLifeTests {
    /// Queens on Friday 2026-11-20 after Asr: Maghrib 16:33.
    private func box(
        _ calls: String, clock: String = "2026-11-20T15:30:00-05:00", disk: SavedState? = nil,
        more: (inout Config) -> Void = { _ in }
    ) throws -> Box {
        try Box(text: calls, clock: clock, disk: disk, more: more)
    }

    private func call(_ name: String, _ at: String, _ more: String = "") -> String {
        "[[call]]\nname = \"\(name)\"\nat = \"\(at)\"\n\(more)\n"
    }

    private func occasions(_ box: inout Box, _ date: String) throws -> [OccasionDocument] {
        guard case .document(let document)? = box.ask(.getAgenda(from: date, days: 1)) else { return [] }
        return try #require(document as? AgendaReply).occasions
    }

    private func record(_ box: Box, _ id: String) -> HistoryEntry? { box.history.last { $0.id == id } }

    @Test("It sounds at its time, as its own kind, of no prayer, and is not due")
    func sounds() throws {
        var box = try box(
            call("tea", "16:00", "sound = \"dua\"\nvolume = 30\nfade-in = \"5s\"\nfor = \"90s\""))
        let planned = try #require(try occasions(&box, "2026-11-20").first { $0.id == "call_tea_20261120" })
        #expect(planned.kind == .call && planned.prayer == nil && planned.slot == nil && planned.enabled)
        #expect(planned.sounds == ["dua"] && planned.source == .rule && planned.state == "upcoming")
        try box.run(until: "2026-11-20T16:00:00-05:00")
        let order = try #require(box.effects.cued.last)
        #expect(order.sounds == ["dua"] && order.volumePercent == 30 && order.fadeInSeconds == 5)
        #expect(order.limitSeconds == 90)
        let notices = try box.during { box in
            box.begin(token: order.token)
            try box.run(until: "2026-11-20T16:01:00-05:00")
        }.notices
        let status = box.state.status(at: box.now)
        #expect(status.playback.id == "call_tea_20261120" && status.playback.prayer == nil)
        #expect(StatusFacts.playback(status.playback).hasPrefix("playing call tea (dua)"))
        #expect(
            notices.contains {
                $0.kind == .prayerStarted && $0.fields.prayer == nil
                    && $0.message.hasPrefix("call tea: started")
            })
        box.end(token: order.token)
        let entry = try #require(record(box, "call_tea_20261120"))
        #expect(entry.outcome == .played && entry.prayer == "none" && !entry.isDue)
        #expect(HistoryDocument(days: 1, entries: box.history, now: box.now).due == 0)
    }

    @Test("While anything sounds it is skipped, and the record says for what")
    func skipped() throws {
        var box = try box(call("late", "maghrib+1m"))
        try box.run(until: "2026-11-20T16:33:00-05:00")
        box.begin(token: try #require(box.effects.cued.last).token)
        let effects = try box.during { try $0.run(until: "2026-11-20T16:35:00-05:00") }
        #expect(effects.cued.isEmpty && effects.stopped.isEmpty)
        let entry = try #require(effects.recorded.first { $0.id == "call_late_20261120" })
        #expect(
            entry.outcome == .skipped && entry.cause == .announcement && entry.gaveWayTo == "maghrib_20261120"
        )
        #expect(entry.reason == "Maghrib was sounding")
    }

    @Test("At the instant of an adhan, or within its lead, it is skipped, and that one is heard")
    func together() throws {
        for (at, preroll) in [("maghrib", 0.0), ("16:33", 0), ("maghrib-1m", 60)] {
            var box = try box(call("x", at)) { $0.prerollSeconds = preroll }
            let effects = try box.during { try $0.run(until: "2026-11-20T16:33:01-05:00") }
            #expect(effects.recorded.first { $0.id == "call_x_20261120" }?.outcome == .skipped, "\(at)")
            #expect(effects.cued.last?.prayer == .maghrib)
            // With a minute of silence first it is prepared before the adhan is near, and dropped before its instant.
            let dropped = effects.cued.filter { $0.sounds != ["standard"] }.map(\.token)
            #expect(dropped.allSatisfy { effects.stopped.contains($0) && !effects.started.contains($0) })
        }
    }

    @Test("What comes while it sounds ends it before its instant: an adhan, and a reminder, too")
    func interrupted() throws {
        for (at, until, by, reminders) in [
            ("16:30", "2026-11-20T16:33:00-05:00", "maghrib_20261120", []),
            ("16:20", "2026-11-20T16:23:00-05:00", "reminder-10m_maghrib_20261120", [600.0]),
        ] {
            var box = try box(call("x", at)) { $0[.maghrib].reminderSeconds = reminders }
            try box.run(until: "2026-11-20T\(at):00-05:00")
            let token = try #require(box.effects.cued.last).token
            box.begin(token: token)
            let effects = try box.during { try $0.run(until: until) }
            #expect(effects.stopped.contains(token), "\(by)")
            box.end(token: token, .stopped)
            let entry = try #require(record(box, "call_x_20261120"))
            #expect(entry.outcome == .interrupted && entry.endedBy == by && entry.cause == .announcement)
            #expect(box.state.jobs.contains { $0.announcement.id.description == by })
        }
    }

    @Test("A call ends for nothing that makes no sound, and of two at once the first written sounds")
    func order() throws {
        var box = try box(call("zikr", "maghrib") + call("adhkar", "maghrib")) {
            $0[.maghrib].sound = "silent"
        }
        try box.run(until: "2026-11-20T16:33:01-05:00")
        #expect(box.state.jobs.map(\.announcement.id.description) == ["call_zikr_20261120"])
        #expect(record(box, "maghrib_20261120")?.outcome == .silent)
        let other = try #require(record(box, "call_adhkar_20261120"))
        #expect(other.outcome == .skipped && other.gaveWayTo == "call_zikr_20261120")
    }

    @Test("A mute of everything silences it; a mute of the next adhan, a switch and a skip do not concern it")
    func mutes() throws {
        func outcome(_ change: (inout Box) -> Void) throws -> Outcome? {
            var box = try box(call("x", "16:00"), clock: "2026-11-20T15:30:00-05:00")
            change(&box)
            try box.run(until: "2026-11-20T16:00:01-05:00")
            return box.state.saved.outcome(of: .call("x", on: box.state.zone.civilDate(of: box.now)))
        }
        #expect(try outcome { $0.ask(.mute(MuteParameters())) } == .muted)
        var next = MuteParameters()
        next.next = true
        #expect(try outcome { $0.ask(.mute(next)) } == .playing)
        #expect(try outcome { $0.ask(.disablePrayers(["dhuhr", "maghrib", "jumua"])) } == .playing)
        #expect(try outcome { $0.ask(.skipPrayers(SkipParameters(prayers: ["maghrib"]))) } == .playing)
    }

    @Test("A switch of Dhuhr and a skip end no call that sounds")
    func switched() throws {
        var box = try box(call("x", "12:40"), clock: "2026-11-23T12:30:00-05:00")
        try box.run(until: "2026-11-23T12:40:00-05:00")
        box.begin(token: try #require(box.effects.cued.last).token)
        let effects = box.during { _ = $0.ask(.disablePrayers(["dhuhr"])) }
        #expect(effects.stopped.isEmpty)
    }

    @Test("Quiet windows know calls as a kind")
    func quiet() throws {
        let window = "[[quiet]]\nname = \"nap\"\nfrom = \"15:00\"\nuntil = \"17:00\"\nkinds = [\"call\"]\n"
        var box = try box(call("x", "16:00") + window)
        try box.run(until: "2026-11-20T16:33:00-05:00")
        let entry = try #require(record(box, "call_x_20261120"))
        #expect(entry.outcome == .quiet && entry.quiet == "nap" && box.effects.cued.last?.volumePercent == 80)
    }

    @Test("Its grace is its own, and after a restart it goes on for what is left of its time")
    func late() throws {
        var slept = try box(call("x", "16:00", "late-grace = \"10m\"") + call("y", "16:01"))
        try slept.run(until: "2026-11-20T15:50:00-05:00")
        try slept.sleep(until: "2026-11-20T16:06:00-05:00")
        #expect(slept.state.jobs.map(\.announcement.id.description) == ["call_x_20261120"])
        #expect(record(slept, "call_y_20261120")?.outcome == .missed)

        var killed = try box(call("x", "16:00", "for = \"5m\""))
        try killed.run(until: "2026-11-20T16:00:00-05:00")
        let token = try #require(killed.effects.cued.last).token
        killed.handle(.playback(token: token, .cued(device: "default", durationSeconds: 300)))
        killed.handle(.playback(token: token, .began(at: killed.now, device: "default")))
        killed.run(for: 55)
        let disk = try SavedState(fileBytes: try #require(killed.disk).fileBytes())
        let again = try box(
            call("x", "16:00", "for = \"5m\""), clock: "2026-11-20T16:01:05-05:00", disk: disk)
        let order = try #require(again.effects.cued.last)
        #expect(abs(order.positionSeconds - 65) < 0.1 && abs((order.limitSeconds ?? 0) - 235) < 0.1)
    }

    // MARK: Days

    private func instants(_ text: String, _ from: String, _ count: Int) throws -> [String] {
        let config = try ConfigLoader.load(text: text, file: "test")
        let site = try Box.inputs(config).site.applying(hijri: config.calculation.hijri(by: .ummAlQura))
        let first = try #require(CivilDate(from))
        return site.times.days(from: first, count: count).flatMap {
            DayPlan.announcements(on: $0, site: site, config: config, toggles: Toggles())
        }.filter(\.announcement.isCall).map {
            "\($0.announcement.id) \(InstantText.rfc3339($0.announcement.at, in: site.zone))"
        }
    }

    @Test("Every event has calls, as the row of the times has them, up to half a day away")
    func events() throws {
        let names = [
            "imsak", "fajr", "sunrise", "dhuhr", "asr", "sunset", "maghrib", "isha", "midnight", "last-third",
        ]
        let text = names.enumerated().map { call("e\($0)", "\($1)-12h") + call("f\($0)", "\($1)+90m") }
            .joined()
        let config = try ConfigLoader.load(text: text, file: "test")
        let site = try Box.inputs(config).site
        for date in ["2026-11-20", "2027-03-14", "2027-06-21"] {
            let day = site.times.day(try #require(CivilDate(date)))
            let all = DayPlan.announcements(on: day, site: site, config: config, toggles: Toggles()).map(
                \.announcement)
            for (index, event) in DayEvent.allCases.enumerated() {
                let at = try #require(day[event])
                #expect(all.first { $0.id == .call("e\(index)", on: day.date) }?.at == at - 43_200)
                #expect(all.first { $0.id == .call("f\(index)", on: day.date) }?.at == at + 5400)
            }
            // Whatever day it falls on, the plan of any stretch of time has it.
            for announcement in all where announcement.isCall {
                let plan = DayPlan(
                    site: site, config: config, toggles: Toggles(), after: announcement.at - 1,
                    through: announcement.at)
                #expect(plan.entries.contains { $0.announcement == announcement }, "\(announcement.id)")
            }
        }
    }

    @Test(
        "Conditions hold at the instant at which it sounds: weekday, day of the Islamic year, part of the year"
    )
    func conditions() throws {
        #expect(
            try instants(call("kahf", "13:00", "days = \"friday\""), "2026-11-18", 14) == [
                "call_kahf_20261120 2026-11-20T13:00:00-05:00",
                "call_kahf_20261127 2026-11-27T13:00:00-05:00",
            ])
        // The last third of Thursday's night is on Friday.
        #expect(
            try instants(call("x", "last-third", "days = \"friday\""), "2026-11-18", 7).map { $0.prefix(26) }
                == ["call_x_20261119 2026-11-20"])
        // 1 Ramadan 1448 is 2027-02-08: it begins at the maghrib before, and ends with the one of its 29th or 30th.
        let evenings = try instants(call("r", "isha", "hijri = \"ramadan\""), "2027-02-05", 40).map {
            $0.prefix(15)
        }
        let mornings = try instants(call("r", "imsak-45m", "hijri = \"09\""), "2027-02-05", 40).map {
            $0.prefix(15)
        }
        #expect(evenings.first == "call_r_20270207" && mornings.first == "call_r_20270208")
        #expect(evenings.count == mornings.count && (29...30).contains(mornings.count))
        let midnight = try instants(
            call("r", "isha", "hijri = \"ramadan\"") + "[hijri]\nday-begins = \"midnight\"\n", "2027-02-05", 6
        )
        #expect(midnight.first?.prefix(15) == "call_r_20270208")
        #expect(
            try instants(call("s", "12:00", "from = \"11-22\"\nuntil = \"11-23\""), "2026-11-20", 6).map {
                $0.prefix(15)
            }
                == ["call_s_20261122", "call_s_20261123"])
        #expect(
            try instants(call("s", "12:00", "from = \"summer-time\""), "2027-03-12", 4).map { $0.prefix(15) }
                == ["call_s_20270314", "call_s_20270315"])
        #expect(try instants(call("s", "12:00", "enabled = false"), "2027-03-12", 4).isEmpty)
    }

    @Test("A year ahead: which days do not have a call's event, and which call never comes")
    func year() throws {
        let text = """
            \(call("up", "fajr-20m"))
            \(call("never", "12:00", "hijri = \"09\"\ndays = \"friday\"\nfrom = \"2026-12-01\"\nuntil = \"2026-12-02\""))
            """
        let config = try ConfigLoader.load(text: text, file: "test")
        let zone = try Zone(name: "Oslo", posix: "CET-1CEST,M3.5.0,M10.5.0/3")
        var calculation = Calculation()
        calculation.highLatitude = HighLatitudeRule.none
        let site = Site(
            name: "Tromsø", place: try Place(latitude: 69.65, longitude: 18.96, elevationMetres: 0),
            approximate: false,
            zone: zone, calculation: calculation)
        let year = CallYear(site: site, config: config, from: try #require(CivilDate("2026-11-20")))
        let missing = site.times.days(from: try #require(CivilDate("2026-11-20")), count: 365).filter {
            $0[.fajr] == nil
        }
        #expect(year.never == ["never"])
        let gap = try #require(year.gaps.first)
        #expect(
            gap.days == missing.count && gap.first == missing.first?.date && gap.last == missing.last?.date)
        #expect(
            gap.sentence.hasPrefix(
                "the call \"up\" does not sound on \(gap.days) days of the coming year, from "))
        #expect(gap.sentence.hasSuffix(": there is no fajr"))
    }
}
