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

@Suite("A box with quiet windows")
struct QuietLifeTests {
    /// Queens on Friday 2026-11-20: Asr 14:14, Maghrib 16:33.
    private func box(
        _ windows: String, clock: String = "2026-11-20T12:30:00-05:00", disk: SavedState? = nil,
        more: (inout Config) -> Void = { _ in }
    ) throws -> Box {
        try Box(text: windows, clock: clock, disk: disk, more: more)
    }

    private func window(_ name: String, _ from: String, _ until: String, _ more: String = "") -> String {
        "[[quiet]]\nname = \"\(name)\"\nfrom = \"\(from)\"\nuntil = \"\(until)\"\n\(more)\n"
    }

    private let maghrib = "maghrib_20261120"

    @Test("Silenced by a window it is not prepared, and the history says by which")
    func silenced() throws {
        var box = try box(window("night-law", "16:00", "06:00"))
        let effects = try box.during { try $0.run(until: "2026-11-20T16:40:00-05:00") }
        #expect(effects.cued.allSatisfy { $0.prayer != .maghrib })
        let entry = try #require(effects.recorded.first { $0.id == maghrib })
        #expect(entry.outcome == .quiet && entry.quiet == "night-law")
        #expect(
            entry.reason == "quiet window \"night-law\" until 06:00" && !entry.isDue && entry.started == nil)
        let notice = try #require(
            effects.notices.first { $0.fields.id == maghrib && $0.kind == .prayerSkipped })
        #expect(notice.message == "Maghrib 16:33:00 was not called: quiet window \"night-law\" until 06:00")
        #expect(box.state.saved.outcome(of: try #require(AnnouncementID(maghrib))) == .quiet)
        #expect(
            effects.allSatisfy {
                if case .preflight(let id, _) = $0 { id.description != maghrib } else { true }
            })
    }

    @Test("A window's first minute belongs to it, the one at which it ends does not")
    func edges() throws {
        for (from, until, outcome) in [
            ("16:33", "16:34", Outcome.quiet), ("16:00", "16:33", .playing), ("16:34", "16:40", .playing),
        ] {
            var box = try box(window("w", from, until))
            try box.run(until: "2026-11-20T16:33:01-05:00")
            #expect(box.state.saved.outcome(of: try #require(AnnouncementID(maghrib))) == outcome, "\(from)")
        }
    }

    @Test("Made quieter it plays, is shown so beforehand, and begun it ends as it began")
    func quieter() throws {
        var box = try box(window("nap", "13:00", "16:34", "volume = 20"))
        let planned = try #require(box.state.status(at: box.now).prayers.first { $0.id == maghrib })
        #expect(
            planned.volume == 80 && planned.outputs == [OutputPlan(name: "main", volume: 20, quiet: "nap")])
        let fajr = try #require(box.state.status(at: box.now).prayers.first { $0.prayer == "fajr" })
        #expect(fajr.outputs == [OutputPlan(name: "main", volume: 80)])
        try box.run(until: "2026-11-20T16:33:00-05:00")
        let order = try #require(box.effects.cued.last)
        #expect(order.volumePercent == 20 && order.prayer == .maghrib)
        box.begin(token: order.token)
        let later = try box.during { try $0.run(until: "2026-11-20T16:35:00-05:00") }
        #expect(later.stopped.isEmpty)
        box.end(token: order.token)
        #expect(box.history.last?.outcome == .played && box.history.last?.quiet == "nap")
    }

    @Test("The agenda tells it for any day, of announcements alone")
    func agenda() throws {
        var box = try box(window("night-law", "16:00", "06:00"))
        guard case .document(let document)? = box.ask(.getAgenda(from: "2026-12-01", days: 1)) else {
            Issue.record("no agenda")
            return
        }
        let occasions = try #require(document as? AgendaReply).occasions
        func outputs(_ id: String) -> [OutputPlan]? { occasions.first { $0.id == id }?.outputs }
        #expect(outputs("isha_20261201") == [OutputPlan(name: "main", volume: 0, quiet: "night-law")])
        #expect(outputs("asr_20261201") == [OutputPlan(name: "main", volume: 80)])
        #expect(outputs("sunrise_20261201") == nil && occasions.contains { $0.id == "sunrise_20261201" })
    }

    @Test("The order of reasons: disabled, muted, quiet, silent")
    func reasons() throws {
        func outcome(_ change: (inout Box) -> Void, sound: String = "standard") throws -> Outcome? {
            var box = try box(window("w", "16:00", "17:00")) { $0[.maghrib].sound = [sound] }
            change(&box)
            try box.run(until: "2026-11-20T16:34:00-05:00")
            // For one that is switched off no timer fires.
            box.handle(.timerDue)
            return box.history.first { $0.id == maghrib }?.outcome
        }
        #expect(try outcome({ _ in }) == .quiet)
        #expect(try outcome({ _ in }, sound: "silent") == .quiet)
        #expect(try outcome({ $0.ask(.mute(MuteParameters())) }) == .muted)
        #expect(
            try outcome({
                $0.ask(.mute(MuteParameters()))
                $0.ask(.disablePrayers(["maghrib"]))
            }) == .disabled)
    }

    @Test("What is called late has the volume of when it is called")
    func late() throws {
        let text = window("w", "16:00", "16:34") + "[adhan]\nlate-grace = \"10m\"\n"
        var slept = try box(text)
        try slept.run(until: "2026-11-20T16:20:00-05:00")
        try slept.sleep(until: "2026-11-20T16:36:00-05:00")
        #expect(slept.effects.cued.last?.volumePercent == 80 && slept.effects.cued.last?.prayer == .maghrib)
        var other = try box(window("w", "16:35", "16:50") + "[adhan]\nlate-grace = \"10m\"\n")
        try other.run(until: "2026-11-20T16:20:00-05:00")
        try other.sleep(until: "2026-11-20T16:36:00-05:00")
        #expect(other.history.last?.outcome == .quiet && other.history.last?.quiet == "w")
    }

    @Test("What comes too late for any call is quiet if its own time was, and missed if not")
    func tooLate() throws {
        for (from, until, outcome) in [("16:00", "16:34", Outcome.quiet), ("16:34", "18:00", .missed)] {
            var box = try box(window("w", from, until))
            try box.run(until: "2026-11-20T16:20:00-05:00")
            try box.sleep(until: "2026-11-20T17:00:00-05:00")
            #expect(box.history.first { $0.id == maghrib }?.outcome == outcome)
        }
    }

    @Test("After a restart it goes on as loud as it began, whatever windows say by then")
    func restart() throws {
        var killed = try box(window("nap", "16:00", "16:34", "volume = 20"))
        try killed.run(until: "2026-11-20T16:33:00-05:00")
        let token = try #require(killed.effects.cued.last).token
        killed.handle(.playback(token: token, .cued(device: "default", durationSeconds: 200)))
        killed.handle(.playback(token: token, .began(at: killed.now, device: "default")))
        killed.run(for: 55)
        let disk = try SavedState(fileBytes: try #require(killed.disk).fileBytes())
        let again = try box(window("late", "16:34", "17:00"), clock: "2026-11-20T16:34:05-05:00", disk: disk)
        let order = try #require(again.effects.cued.last)
        #expect(order.volumePercent == 20 && abs(order.positionSeconds - 65) < 0.1)
    }

    @Test("Tonight is in the status, in next and in doctor's words, before it matters")
    func shown() throws {
        let box = try box(
            window("night-law", "16:00", "06:00") + window("nap", "12:00", "15:00", "volume = 20"),
            clock: "2026-11-20T19:00:00-05:00")
        let status = box.state.status(at: box.now)
        let next = try #require(status.next)
        #expect(next.prayer == "fajr" && next.outputs?.silencedBy == "night-law")
        #expect(NextText.render(status, .plain).contains(" (silent: quiet window \"night-law\")"))
        let noon = try self.box(
            window("night-law", "16:00", "06:00") + window("nap", "12:00", "15:00", "volume = 20"))
        let text = StatusText.render(noon.state.status(at: noon.now), .plain)
        #expect(
            text.contains("20 % (nap)") && text.contains("silent (night-law)") && text.contains("volume 80"))
        var facts = DoctorFacts(
            now: box.now, daemon: .answers(status), socketPath: "/run/adhand/control.sock",
            systemd: Patient.units(), configuration: .init(file: "/etc/adhand/adhand.toml", state: .valid),
            disk: .init(path: "/var/lib/adhand"))
        #expect(
            Doctor.silence(facts).message
                == "Fajr will be silent tomorrow because of the quiet window \"night-law\" of the configuration."
        )
        facts.agenda = box.state.agenda(around: box.now)
        #expect(
            Doctor.silence(facts).message
                == "Fajr, Maghrib and Isha will be silent tomorrow because of the quiet window \"night-law\" of the configuration."
        )
    }

    @Test(
        "A silence is known the day before, also that of a later prayer, of reminders and of calls")
    func dayBefore() throws {
        let box = try box(
            window("nap", "11:00", "13:00", "days = [\"saturday\"]")
                + "[[call]]\nname = \"tea\"\nat = \"12:00\"\n", clock: "2026-11-20T19:00:00-05:00"
        ) { $0[.dhuhr].reminderSeconds = [600, 300] }
        let status = box.state.status(at: box.now)
        #expect(status.next?.prayer == "fajr" && status.next?.outputs?.silencedBy == nil)
        let agenda = try #require(box.state.agenda(around: box.now))
        var facts = DoctorFacts(
            now: box.now, daemon: .answers(status), socketPath: "", systemd: Patient.units(),
            configuration: .init(file: "f", state: .valid), disk: .init(path: "/"))
        #expect(Doctor.silence(facts).message == "Nothing is muted, skipped or switched off.")
        facts.agenda = agenda
        let check = Doctor.silence(facts)
        #expect(check.verdict == .ok && check.fix == nil)
        #expect(
            check.message
                == "Reminders of Dhuhr, Dhuhr and the call \"tea\" will be silent tomorrow because of the quiet window \"nap\" of the configuration."
        )
        let text = StatusText.render(status, agenda: agenda, .plain)
        #expect(
            text.contains("Silent    reminders of Dhuhr, Dhuhr and the call \"tea\" tomorrow (nap)\n"),
            "\(text)")
        #expect(!StatusText.render(status, .plain).contains("Silent"))
        // Neither the day after tomorrow nor a time that is over is mentioned.
        let thursday = try self.box(
            window("nap", "11:00", "13:00", "days = [\"saturday\", \"thursday\"]"),
            clock: "2026-11-19T19:00:00-05:00")
        facts.daemon = .answers(thursday.state.status(at: thursday.now))
        facts.agenda = thursday.state.agenda(around: thursday.now)
        #expect(Doctor.silence(facts).message == "Nothing is muted, skipped or switched off.")
        #expect(try Box().state.agenda(around: box.now) == nil)
    }

    @Test("Prayers of today are in the table of status already")
    func today() throws {
        let box = try box(window("night-law", "16:00", "23:00"))
        let status = box.state.status(at: box.now)
        let agenda = try #require(box.state.agenda(around: box.now))
        let text = StatusText.render(status, agenda: agenda, .plain)
        #expect(text.contains("Silent    Maghrib and Isha tomorrow (night-law)\n"), "\(text)")
    }

    @Test("A state without windows has no word of them")
    func plain() throws {
        var box = try box("")
        try box.run(until: "2026-11-20T16:33:00-05:00")
        box.begin(token: try #require(box.effects.cued.last).token)
        let bytes = String(decoding: try #require(box.disk).fileBytes(), as: UTF8.self)
        #expect(!bytes.contains("quiet") && !bytes.contains("\"volume\""))
        let status = String(decoding: try JSON.encode(box.state.status(at: box.now)), as: UTF8.self)
        #expect(!status.contains("quiet") && !status.contains("outputs"))
        for entry in box.history {
            let line = String(decoding: try JSON.encode(entry), as: UTF8.self)
            #expect(!line.contains("quiet"))
        }
    }

    // MARK: Tests of sounds

    @Test("A test is refused while a window silences it, unless the caller says otherwise and may")
    func tests() throws {
        var box = try box(window("night-law", "12:00", "13:00"))
        let refused = box.ask(.testPlay(prayer: "asr", seconds: nil))
        #expect(refused?.refusal == .quiet(window: "night-law", until: "2026-11-20T13:00:00.000-05:00"))
        #expect(
            refused?.refusal?.sentence
                == "the quiet window \"night-law\" silences it until 13:00 on 2026-11-20; \"--despite-quiet\" plays it all the same"
        )
        #expect(box.ask(.playSound(name: "dua"))?.refusal != nil && box.effects.cued.isEmpty)
        let phone = Peer(user: 0, groups: [], claim: CallerClaim(actor: "phone", role: .household))
        let tapped = box.effects(
            of: .request(
                RequestID(serial: 99), .testPlay(prayer: "asr", seconds: nil, despiteQuiet: true), from: phone
            ))
        #expect(Box.reply(to: RequestID(serial: 99), in: tapped)?.refusal != nil && tapped.cued.isEmpty)
        box.ask(.testPlay(prayer: "asr", seconds: nil, despiteQuiet: true))
        #expect(box.effects.cued.map(\.volumePercent) == [80])
    }

    @Test("A test is no louder than a window lets an adhan be, and of other kinds it knows nothing")
    func cappedTest() throws {
        var box = try box(window("nap", "12:00", "13:00", "volume = 30"))
        box.ask(.testPlay(prayer: "asr", seconds: nil))
        #expect(box.effects.cued.map(\.volumePercent) == [30])
        var other = try self.box(window("nap", "12:00", "13:00", "kinds = \"reminder\""))
        other.ask(.playSound(name: "dua"))
        #expect(other.effects.cued.map(\.volumePercent) == [80])
    }

    @Test("A tone on one device obeys as every test does: whoever asks for it, the hours are as quiet")
    func deviceTest() throws {
        let asked = ControlRequest.testDevice(.init(device: "default", volume: 40))
        var silent = try box(window("night-law", "12:00", "13:00"))
        #expect(
            silent.ask(asked)?.refusal == .quiet(window: "night-law", until: "2026-11-20T13:00:00.000-05:00"))
        let found = DeviceTest(request: RequestID(serial: 98), device: "hdmi", volume: 40)
        let late = silent.effects(of: .deviceFound(found, isListed: true))
        #expect(Box.reply(to: RequestID(serial: 98), in: late)?.refusal != nil && silent.effects.cued.isEmpty)
        var capped = try box(window("nap", "12:00", "13:00", "volume = 30"))
        capped.ask(asked)
        #expect(capped.effects.cued.map(\.volumePercent) == [30])
        var other = try box(window("nap", "12:00", "13:00", "kinds = \"iqama\""))
        other.ask(asked)
        #expect(other.effects.cued.map(\.volumePercent) == [40])
    }

    // MARK: What goes with it

    @Test("No tone keeps a loudspeaker awake while it is silent, and from 5 min before the end it does again")
    func tone() throws {
        var box = try box(window("w", "12:40", "13:40")) { $0.keepAwakeSeconds = 300 }
        func tones(_ effects: [Effect]) -> Int {
            effects.count { if case .keepAwake = $0 { true } else { false } }
        }
        let before = try box.during { try $0.run(until: "2026-11-20T12:39:00-05:00") }
        let within = try box.during { try $0.run(until: "2026-11-20T13:34:00-05:00") }
        let after = try box.during { try $0.run(until: "2026-11-20T13:36:00-05:00") }
        #expect(tones(before) == 1 && tones(within) == 0 && tones(after) == 1)
    }

    @Test("The year ahead: which prayer which window silences, on how many days, and from when to when")
    func year() throws {
        let config = try ConfigLoader.load(
            text: window("night", "23:30", "05:00") + window("nap", "13:00", "15:00", "volume = 20"),
            file: "test")
        let site = try Box.inputs(config).site
        let first = try #require(CivilDate("2026-11-20"))
        let silences = QuietYear(site: site, config: config, from: first).silences
        var days: [CivilDate] = []
        for day in site.times.days(from: first, count: 365) {
            let at = try #require(day[.fajr])
            if site.zone.clock(of: at).secondOfDay < 5 * 3600 { days.append(day.date) }
        }
        #expect(silences.map(\.prayer) == [.fajr] && silences[0].days == days.count && days.count > 50)
        #expect(silences[0].first == days.first && silences[0].last == days.last)
        #expect(
            silences[0].sentence
                == "the quiet window \"night\" silences Fajr on \(days.count) days of the coming year, from \(silences[0].first) to \(silences[0].last)"
        )
    }
}
