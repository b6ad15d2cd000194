import BoxSupport
import LabSupport
import PrayerEngine
import StateFile
import Testing
import Texts

@testable import Announcements
@testable import Console
@testable import Daemon
@testable import Protocol
@testable import Settings
@testable import Times

extension SkipTests {
    @Test("Years ahead by a clock that nobody set forget nothing")
    func forgetting() throws {
        var box = try Box()
        _ = box.ask(skip("fajr", on: "2026-11-21"))
        box.handle(.clockHealth(ClockHealth(synchronized: false)))
        box.now = try instant("2036-11-20T13:00:00-05:00")
        box.handle(.clockStepped(bySeconds: 315_532_800))
        _ = box.ask(skip("isha", on: "2036-11-21"))
        #expect(box.state.saved.toggles.skips.count == 2)
        box.handle(.clockHealth(ClockHealth(synchronized: true)))
        _ = box.ask(skip("isha", on: "2036-11-22"))
        #expect(box.state.saved.toggles.skips.count == 2)
    }

    @Test("On a Friday Dhuhr is Jumu'ah")
    func friday() throws {
        var box = try Box("2026-11-20T08:00:00-05:00")
        #expect(
            box.ask(skip("dhuhr"))?.changeReply?.message
                == "Jumu'ah on Friday 20 November 2026 will not be called")
        #expect(box.state.status(at: box.now).prayers[1].state == .skipped)
        #expect(box.state.status(at: box.now).prayers[1].enabled)
        #expect(
            box.ask(unskip("dhuhr"))?.changeReply?.message.hasPrefix(
                "Jumu'ah on Friday 20 November 2026 will be")
                == true)
    }

    func friday(_ toml: String) throws -> DaemonInputs {
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
            box.handle(.inputsLoaded(worlds[after], .reload(nil)))
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
        let outputs = "[[output]]\nname = \"hall\"\ndevices = [\"hw:0\"]\n"
        let quiet = "[[quiet]]\nname = \"exams\"\nfrom = \"14:00\"\nuntil = \"16:00\"\nvolume = 0\n"
        func reload(_ toml: String) throws -> (inout Box) -> Void {
            let inputs = try Box.inputs(try ConfigLoader.load(text: toml, file: "adhand.toml"))
            return { $0.handle(.inputsLoaded(inputs, .reload(nil))) }
        }
        for (prepare, words) in [
            ({ _ = $0.ask(.disablePrayers(["asr"])) }, "it is switched off"),
            (
                { $0.handle(.inputsLoaded(try! Box.inputs(config), .reload(nil))) },
                "it is configured to make no sound"
            ),
            (try reload(quiet), "it will not be heard: quiet window \"exams\""),
            (try reload(outputs + quiet), "it will not be heard: quiet window \"exams\""),
            (try reload(outputs + "asr-volume = 0\n"), "it will not be heard: no output plays it"),
            ({ _ = $0.ask(.mute(MuteParameters())) }, "it is muted: \"adhanctl unmute\" ends the mute"),
        ] as [((inout Box) -> Void, String)] {
            var box = try Box("2026-11-20T14:00:00-05:00")
            _ = box.ask(skip("asr"))
            prepare(&box)
            let message = box.ask(unskip("asr", on: "2026-11-20"))?.changeReply?.message ?? ""
            #expect(message.contains("is no longer skipped, but \(words)"), "\(message)")
        }
        // An output's own volume is what is heard there.
        var loud = try Box("2026-11-20T14:00:00-05:00")
        _ = loud.ask(skip("asr"))
        try reload("[adhan.asr]\nvolume = 0\n" + outputs + "asr-volume = 40\n")(&loud)
        let called = loud.ask(unskip("asr", on: "2026-11-20"))?.changeReply?.message ?? ""
        #expect(called.contains("will be called at"), "\(called)")
        let plain = try Box.inputs(.default)
        let site = Site(
            name: plain.site.name, place: plain.site.place, approximate: true, isUnplaced: true,
            zone: plain.site.zone, calculation: plain.site.calculation)
        var box = try Box("2026-11-20T14:00:00-05:00")
        _ = box.ask(skip("asr"))
        box.handle(
            .inputsLoaded(
                DaemonInputs(
                    config: .default, configuration: "a test", site: site, user: 900, controlGroup: 901),
                .reload(nil)))
        let message = box.ask(unskip("asr", on: "2026-11-20"))?.changeReply?.message ?? ""
        #expect(message.contains("but nothing is called, because no place is set"), "\(message)")
    }

    @Test("By a clock that is not believed no day is near, and a year counts from what has surely passed")
    func unsetClock() throws {
        var box = try Box("1970-01-02T12:00:00-05:00", synchronized: false)
        #expect(!box.state.trust.trusted)
        #expect(
            box.ask(skip("fajr", on: "2026-11-24"))?.changeReply?.message.contains("24 November 2026") == true
        )
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
        #expect(
            box.ask(later)?.changeReply?.problems?.last?.contains("is skipped, and is not called") == true)
        try box.run(until: "2026-11-20T15:40:00-05:00")
        box.handle(.timerDue)
        #expect(box.history.contains { $0.id == "asr_20261120" && $0.outcome == .skipped })
        let again = ControlRequest.setException(
            ExceptionParameters(date: "2026-11-20", prayer: "asr", adhan: "16:00"))
        let problems = box.ask(again)?.changeReply?.problems ?? []
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
