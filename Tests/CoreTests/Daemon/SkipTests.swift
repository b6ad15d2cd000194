import PrayerEngine
import Testing
import Texts

@testable import Console
@testable import Daemon
@testable import Protocol
@testable import Settings
@testable import Times

@Suite("Prayers of one day that are skipped")
struct SkipTests {
    private func skip(_ prayers: String..., on date: String? = nil) -> ControlRequest {
        .skipPrayers(SkipParameters(prayers: prayers, date: date))
    }

    private func unskip(_ prayers: String..., on date: String? = nil) -> ControlRequest {
        .unskipPrayers(SkipParameters(prayers: prayers, date: date))
    }

    private func states(_ box: inout Box, on date: String, _ prayer: String) throws -> [OccasionDocument] {
        guard case .document(let document)? = box.ask(.getAgenda(from: date, days: 1), as: 1234),
            let reply = document as? AgendaReply
        else { throw NotAnInstant(text: "no agenda") }
        return reply.occasions.filter { $0.prayer == prayer }
    }

    private func reason(_ reply: Reply?) -> String? {
        guard case .invalidTime(_, let reason)? = reply?.refusal else { return nil }
        return reason
    }

    @Test("Tomorrow's Fajr is not called, and is recorded as skipped; the day after it is called")
    func notTomorrow() throws {
        var box = try Box()
        let said = box.ask(skip("fajr", on: "2026-11-21"))?.said
        #expect(said?.message == "Fajr on Saturday 21 November 2026 will not be called")
        #expect(said?.problems == nil)
        #expect(
            box.notices.last { $0.kind == .toggleChanged }?.message.hasPrefix("Fajr on Saturday 21") == true)
        // On the disk before the answer leaves.
        #expect(box.disk?.toggles.skips.contains(.fajr, on: try #require(CivilDate("2026-11-21"))) == true)
        #expect(box.timers.allSatisfy { !$0.name.contains("fajr_20261121") })
        let occasions = try states(&box, on: "2026-11-21", "fajr")
        #expect(occasions.map(\.state) == ["skipped"] && occasions.allSatisfy { !$0.enabled })
        try box.run(until: "2026-11-21T08:00:00-05:00")
        box.take(.timerDue)
        let entry = try #require(box.history.first { $0.id == "fajr_20261121" })
        #expect(entry.outcome == .skipped && entry.reason == DaemonState.skippedByHand && !entry.isDue)
        #expect(!box.effects.cued.contains { $0.prayer == .fajr })
        #expect(box.state.status(at: box.now).prayers[0].state == .skipped)
        #expect(box.state.status(at: box.now).skips == nil)
        let start = box.effects.count
        try box.sleep(until: "2026-11-22T05:00:00-05:00")
        try box.run(until: "2026-11-22T08:00:00-05:00")
        #expect(
            box.effects[start...].contains {
                if case .cue(let order) = $0 { order.prayer == .fajr } else { false }
            })
    }

    @Test("Status tells what is skipped, and what is next is the one after it")
    func told() throws {
        var box = try Box("2026-11-20T22:00:00-05:00")
        #expect(box.state.status(at: box.now).next?.id == "fajr_20261121")
        _ = box.ask(skip("fajr"))
        let status = box.state.status(at: box.now)
        #expect(status.next?.id == "dhuhr_20261121")
        #expect(status.skips?.map(\.prayer) == ["fajr"] && status.skips?.map(\.date) == ["2026-11-21"])
        #expect(NextText.render(status, .plain).contains("(Fajr 05:"))
        #expect(NextText.render(status, .plain).hasSuffix(" is skipped)\n"))
        #expect(StatusText.render(status, .plain).contains("Fajr on Saturday 21 November 2026"))
        let facts = DoctorFacts(
            now: box.now, daemon: .answers(status), socketPath: "/run/adhand/control.sock",
            systemd: Patient.units(), configuration: .init(file: "/etc/adhand/adhand.toml", state: .valid),
            disk: .init(path: "/var/lib/adhand"))
        let silence = Doctor.silence(facts)
        #expect(silence.verdict == .warning)
        #expect(silence.message == "Fajr on Saturday 21 November 2026 will not be called: skipped by hand.")
        #expect(silence.fix?.hasSuffix("adhanctl unskip fajr 2026-11-21") == true)
        _ = box.ask(unskip("fajr"))
        #expect(box.state.status(at: box.now).next?.id == "fajr_20261121")
        #expect(box.state.status(at: box.now).skips == nil)
    }

    @Test("Skip, unskip, skip: the last word holds, and each is reported")
    func again() throws {
        var box = try Box()
        #expect(
            box.ask(unskip("fajr"))?.refusal?.sentence == "Fajr is not skipped on any day to come")
        _ = box.ask(skip("fajr"))
        #expect(
            box.ask(skip("fajr"))?.said?.message == "Fajr on Saturday 21 November 2026 was skipped already")
        #expect(
            box.ask(unskip("fajr"))?.said?.message.hasPrefix(
                "Fajr on Saturday 21 November 2026 will be called at 05:") == true)
        #expect(
            box.ask(unskip("fajr", on: "2026-11-21"))?.refusal?.sentence
                == "Fajr on Saturday 21 November 2026 is not skipped")
        _ = box.ask(skip("fajr"))
        try box.run(until: "2026-11-21T08:00:00-05:00")
        box.take(.timerDue)
        #expect(box.history.last { $0.prayer == "fajr" }?.outcome == .skipped)
        // Nor may it be had when its time is past.
        _ = box.ask(unskip("fajr", on: "2026-11-21"))
        #expect(!box.effects.cued.contains { $0.prayer == .fajr })
    }

    @Test("Several at once; all or none of them")
    func several() throws {
        var box = try Box()
        let said = box.ask(skip("fajr", "isha", on: "2026-11-21"))?.said?.message
        #expect(
            said == "Fajr on Saturday 21 November 2026, Isha on Saturday 21 November 2026 will not be called")
        #expect(box.ask(skip("asr", "fahr", on: "2026-11-21"))?.refusal == .unknownPrayer(prayer: "fahr"))
        #expect(box.ask(skip("asr", "jumua", on: "2026-11-21"))?.refusal != nil)
        #expect(box.state.saved.toggles.skips.count == 2)
        // Of each the next: Asr is today's.
        _ = box.ask(skip("asr", "dhuhr"))
        #expect(
            box.state.saved.toggles.skips.all.map { "\($0.prayer.rawValue) \($0.date)" } == [
                "asr 2026-11-20", "fajr 2026-11-21", "dhuhr 2026-11-21", "isha 2026-11-21",
            ])
    }

    @Test("What was called, is being called or is past is refused with a sentence")
    func refused() throws {
        var box = try Box("2026-11-20T14:00:00-05:00")
        #expect(reason(box.ask(skip("fajr", on: "2026-11-20")))?.hasSuffix("which is past") == true)
        #expect(reason(box.ask(skip("fajr", on: "2026-11-10")))?.hasSuffix("which is past") == true)
        #expect(reason(box.ask(skip("fajr", on: "2028-11-10"))) == "it is more than a year ahead")
        #expect(
            reason(box.ask(skip("jumua", on: "2026-11-21")))
                == "it is Saturday 21 November 2026, and Jumu'ah is on Fridays")
        box.run(until: try instant(try #require(box.state.status(at: box.now).next?.at)))
        let token = try #require(box.effects.started.last)
        box.begin(token: token)
        #expect(
            reason(box.ask(skip("asr", on: "2026-11-20")))
                == "Asr on Friday 20 November 2026 is being called now; \"adhanctl stop\" ends it")
        box.run(for: 10.8)
        box.end(token: token)
        #expect(reason(box.ask(skip("asr", on: "2026-11-20")))?.hasSuffix("already") == true)
        #expect(box.state.saved.toggles.skips.isEmpty)
        #expect(box.ask(skip("asr"), as: 1234)?.refusal == .notPermitted(needed: "adhan"))
        #expect(box.ask(unskip("asr"), as: 1234)?.refusal == .notPermitted(needed: "adhan"))
        #expect(box.ask(.getSkips, as: 1234)?.refusal == nil)
    }

    @Test("What is prepared is dropped, and comes back when it is unskipped in time")
    func prepared() throws {
        var box = try Box("2026-11-20T14:00:00-05:00")
        let asr = try instant(try #require(box.state.status(at: box.now).next?.at))
        box.run(until: asr - 5)
        let cued = try #require(box.effects.cued.last)
        let dropped = box.during { _ = $0.ask(skip("asr")) }
        #expect(dropped.stopped == [cued.token])
        let prepared = box.during { _ = $0.ask(unskip("asr")) }
        #expect(prepared.cued.map(\.prayer) == [.asr])
        box.run(until: asr)
        #expect(box.effects.started.last == prepared.cued.last?.token)
    }

    @Test("With it go its reminders and its congregation, as with a prayer that is switched off")
    func company() throws {
        let toml = """
            [adhan.asr]
            reminders = ["10m"]
            [iqama]
            asr = "+15m"
            sound = "signal"
            """
        let config = try ConfigLoader.load(text: toml, file: "adhand.toml")
        let plain = try Box.inputs(config)
        let site = Site(
            name: plain.site.name, place: plain.site.place, approximate: false, zone: plain.site.zone,
            calculation: plain.site.calculation, mosque: MosqueTimes(config, table: PublishedTimetable()))
        let inputs = DaemonInputs(
            config: config, configuration: "a test", site: site, user: 900, controlGroup: 901)
        var (skipped, off) = (try Box(inputs: inputs), try Box(inputs: inputs))
        #expect(skipped.timers.count { $0.name.contains("asr_20261120") } >= 3)
        _ = skipped.ask(skip("asr", on: "2026-11-20"))
        _ = off.ask(.disablePrayers(["asr"]))
        let names = { (box: Box) in box.timers.map(\.name).filter { $0.contains("asr_20261120") } }
        #expect(names(skipped) == names(off) && names(skipped).isEmpty)
        _ = skipped.ask(unskip("asr"))
        #expect(names(skipped).count >= 3)
    }

    @Test("It outlives a restart, a reload, an exception, and a clock that is set to and fro")
    func lasting() throws {
        var box = try Box()
        _ = box.ask(skip("fajr", on: "2026-11-21"))
        var again = try Box(
            "2026-11-20T13:00:00-05:00", disk: try SavedState(fileBytes: try #require(box.disk).fileBytes()))
        #expect(again.state.saved.toggles == box.state.saved.toggles)
        again.take(.inputsLoaded(try Box.inputs(.default), .reload(nil)))
        _ = again.ask(
            .setException(ExceptionParameters(date: "2026-11-21", prayer: "fajr", adhan: "05:40")))
        #expect(try states(&again, on: "2026-11-21", "fajr").map(\.state) == ["skipped"])
        // A clock that leaps over it takes it for past; set back, it is to come and still skipped.
        again.now = try instant("2026-11-21T09:00:00-05:00")
        again.take(.clockStepped(by: 72_000))
        #expect(
            again.state.saved.outcome(of: .adhan(.fajr, on: try #require(CivilDate("2026-11-21"))))
                == .skipped)
        again.now = try instant("2026-11-20T13:10:00-05:00")
        again.take(.clockStepped(by: -72_000))
        #expect(try states(&again, on: "2026-11-21", "fajr").map(\.state) == ["skipped"])
        #expect(
            again.ask(unskip("fajr"))?.said?.message
                == "Fajr on Saturday 21 November 2026 will be called at 05:40")
        #expect(try states(&again, on: "2026-11-21", "fajr").map(\.state) == ["upcoming"])
        // Nothing of the evening ends in this box: it sleeps until shortly before.
        try again.sleep(until: "2026-11-21T05:30:00-05:00")
        try again.run(until: "2026-11-21T05:40:00-05:00")
        #expect(again.effects.cued.last?.prayer == .fajr)
    }

    @Test("Years ahead by a clock that nobody set forget nothing")
    func forgetting() throws {
        var box = try Box()
        _ = box.ask(skip("fajr", on: "2026-11-21"))
        box.take(.clockHealth(ClockHealth(synchronized: false)))
        box.now = try instant("2036-11-20T13:00:00-05:00")
        box.take(.clockStepped(by: 315_532_800))
        _ = box.ask(skip("isha", on: "2036-11-21"))
        #expect(box.state.saved.toggles.skips.count == 2)
        box.take(.clockHealth(ClockHealth(synchronized: true)))
        _ = box.ask(skip("isha", on: "2036-11-22"))
        #expect(box.state.saved.toggles.skips.count == 2)
    }

    @Test("On a Friday Dhuhr is Jumu'ah")
    func friday() throws {
        var box = try Box("2026-11-20T08:00:00-05:00")
        #expect(
            box.ask(skip("dhuhr"))?.said?.message == "Jumu'ah on Friday 20 November 2026 will not be called")
        #expect(box.state.status(at: box.now).prayers[1].state == .skipped)
        #expect(box.state.status(at: box.now).prayers[1].enabled)
        #expect(
            box.ask(unskip("dhuhr"))?.said?.message.hasPrefix("Jumu'ah on Friday 20 November 2026 will be")
                == true)
    }

    private func friday(_ toml: String) throws -> DaemonInputs {
        let config = try ConfigLoader.load(text: toml, file: "adhand.toml")
        let plain = try Box.inputs(config)
        let site = Site(
            name: plain.site.name, place: plain.site.place, approximate: false, zone: plain.site.zone,
            calculation: plain.site.calculation, mosque: MosqueTimes(config, table: PublishedTimetable()))
        return DaemonInputs(config: config, configuration: "a test", site: site, user: 900, controlGroup: 901)
    }

    @Test("A Friday's skip outlives a reload that gives the day a Dhuhr of its own, or takes it away")
    func fridayReloaded() throws {
        let slots = "[[jumua.slot]]\nkhutba = \"13:15\"\nadhan = \"12:50\"\n"
        let alone = try friday("[jumua]\nreplaces-dhuhr = true\n" + slots)
        let beside = try friday("[jumua]\nreplaces-dhuhr = false\n" + slots)
        let plain = try friday("")
        let worlds = [alone, beside, plain]
        for (before, after) in [(0, 1), (1, 0), (2, 1), (1, 2)] {
            var box = try Box("2026-11-19T22:00:00-05:00", inputs: worlds[before])
            _ = box.ask(skip("dhuhr", on: "2026-11-20"))
            box.take(.inputsLoaded(worlds[after], .reload(nil)))
            let called = box.timers.filter { if case .announcement = $0.purpose { true } else { false } }
                .map(\.name)
            #expect(!called.contains("dhuhr_20261120"), "\(before) to \(after)")
            // Beside Jumu'ah, Dhuhr alone was meant.
            #expect(called.contains("jumua_20261120") == false, "\(before) to \(after)")
            let skips = box.state.status(at: box.now).skips?.map(\.prayer) ?? []
            #expect(skips == (after == 1 ? ["dhuhr", "jumua"] : ["jumua"]), "\(before) to \(after)")
            for name in skips { _ = box.ask(unskip(name, on: "2026-11-20")) }
            #expect(box.state.saved.toggles.skips.isEmpty)
        }
    }

    @Test("unskip says what will happen, and not that it will be called")
    func prospects() throws {
        var config = Config.default
        config[.asr].sound = [AdhanSettings.silent]
        for (prepare, words) in [
            ({ _ = $0.ask(.mute(MuteParameters())) }, "it is muted: \"adhanctl unmute\" ends the mute"),
            ({ _ = $0.ask(.disablePrayers(["asr"])) }, "it is switched off"),
            (
                { $0.take(.inputsLoaded(try! Box.inputs(config), .reload(nil))) },
                "it is configured to make no sound"
            ),
        ] as [((inout Box) -> Void, String)] {
            var box = try Box("2026-11-20T14:00:00-05:00")
            _ = box.ask(skip("asr"))
            prepare(&box)
            let said = box.ask(unskip("asr", on: "2026-11-20"))?.said?.message ?? ""
            #expect(said.contains("is no longer skipped, but \(words)"), "\(said)")
        }
        let plain = try Box.inputs(.default)
        let site = Site(
            name: plain.site.name, place: plain.site.place, approximate: true, isUnplaced: true,
            zone: plain.site.zone, calculation: plain.site.calculation)
        var box = try Box("2026-11-20T14:00:00-05:00")
        _ = box.ask(skip("asr"))
        box.take(
            .inputsLoaded(
                DaemonInputs(
                    config: .default, configuration: "a test", site: site, user: 900, controlGroup: 901),
                .reload(nil)))
        let said = box.ask(unskip("asr", on: "2026-11-20"))?.said?.message ?? ""
        #expect(said.contains("but nothing is called, because no place is set"), "\(said)")
    }

    @Test("By a clock that is not believed no day is near, and a year counts from what has surely passed")
    func unsetClock() throws {
        var box = try Box("1970-01-02T12:00:00-05:00", synchronized: false)
        #expect(!box.state.trust.trusted)
        #expect(box.ask(skip("fajr", on: "2026-11-24"))?.said?.message.contains("24 November 2026") == true)
        #expect(reason(box.ask(skip("fajr", on: "2027-11-24"))) == "it is more than a year ahead")
        #expect(reason(box.ask(skip("fajr")))?.contains("name the date, such as") == true)
        let refused: [ControlRequest] = [
            .mute(MuteParameters(until: "14:00")), .mute(MuteParameters(until: "isha")),
            .hijriSighted(date: nil), .hijriComplete(date: nil),
        ]
        for request in refused {
            #expect(reason(box.ask(request))?.contains("the clock is not set") == true, "\(request)")
        }
        #expect(box.ask(.mute(MuteParameters(duration: "2h")))?.refusal == nil)
        // A clock that was checked years later moves the limit.
        var saved = try #require(box.disk)
        saved.clock.confirm(try instant("2027-06-01T00:00:00Z"))
        var later = try Box("1970-01-02T12:00:00-05:00", disk: saved, synchronized: false)
        #expect(later.ask(skip("fajr", on: "2027-11-24"))?.refusal == nil)
        #expect(reason(later.ask(skip("fajr", on: "2028-11-24"))) == "it is more than a year ahead")
    }

    @Test("An exception of a prayer that is skipped says so, and not that it has been called")
    func exceptionOfSkipped() throws {
        var box = try Box("2026-11-20T14:00:00-05:00")
        _ = box.ask(skip("asr"))
        let later = ControlRequest.setException(
            ExceptionParameters(date: "2026-11-20", prayer: "asr", adhan: "15:30"))
        #expect(box.ask(later)?.said?.problems?.last?.contains("is skipped, and is not called") == true)
        try box.run(until: "2026-11-20T15:40:00-05:00")
        box.take(.timerDue)
        #expect(box.history.contains { $0.id == "asr_20261120" && $0.outcome == .skipped })
        let again = ControlRequest.setException(
            ExceptionParameters(date: "2026-11-20", prayer: "asr", adhan: "16:00"))
        let problems = box.ask(again)?.said?.problems ?? []
        #expect(problems.contains { $0.contains("is skipped, and is not called") })
        #expect(!problems.contains { $0.contains("has been called already") })
    }

    @Test("times shows a skip at its prayer, in the table and in JSON")
    func shownInTimes() throws {
        var box = try Box("2026-11-20T14:00:00-05:00")
        _ = box.ask(skip("fajr", on: "2026-11-21"))
        guard case .document(let document)? = box.ask(.getTimes(date: "2026-11-21", days: 2)),
            let times = (document as? TimesReply)?.times
        else { throw NotAnInstant(text: "no times") }
        #expect(times.days.map(\.skipped) == [["fajr"], nil] && times.days.allSatisfy { $0.off == nil })
        #expect(TimesTable.render(times, .plain).contains("Fajr is skipped"))
        // A prayer that is switched off anyway is reported as that.
        _ = box.ask(.disablePrayers(["fajr"]))
        guard case .document(let again)? = box.ask(.getTimes(date: "2026-11-21", days: 1)),
            let off = (again as? TimesReply)?.times.days.first
        else { throw NotAnInstant(text: "no times") }
        #expect(off.off == ["fajr"] && off.skipped == nil)
    }
}
