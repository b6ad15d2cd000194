import Foundation
import PrayerEngine
import Protocol
import Settings
import Testing
import Texts

@Suite("Talking to adhand")
struct ControlTests {
    /// Runs a command against a service that answers everything the same way.
    private func run(
        _ line: String, answer: @escaping @Sendable (ControlRequest) -> FakeService.Answer
    ) throws -> (outcome: Adhanctl.Outcome, requests: [ControlRequest]) {
        var program = Adhanctl()
        let service = FakeService(in: program.home, answer)
        program.socket = service.path
        let outcome = try program.run(line)
        return (outcome, service.requests)
    }

    static let commands: [(String, ControlRequest)] = [
        ("mute", .mute(MuteParameters())),
        ("mute --for 2h", .mute(MuteParameters(duration: "2h"))),
        ("mute --until 14:00", .mute(MuteParameters(until: "14:00"))),
        ("mute --until isha", .mute(MuteParameters(until: "isha"))),
        ("mute --next", .mute(MuteParameters(next: true))),
        ("mute 2h", .mute(MuteParameters(duration: "2h"))),
        ("mute for 2 hours", .mute(MuteParameters(duration: "2h"))),
        ("mute 1d", .mute(MuteParameters(duration: "24h"))),
        ("mute --until 9pm", .mute(MuteParameters(until: "21:00"))),
        ("mute 9:30 pm", .mute(MuteParameters(until: "21:30"))),
        ("mute until zuhr", .mute(MuteParameters(until: "dhuhr"))),
        ("mute next", .mute(MuteParameters(next: true))),
        ("enable subh jummah", .enablePrayers(["fajr", "jumua"])),
        ("debug trigger zohr --in 2min", .trigger(prayer: "dhuhr", delay: "2m")),
        ("unmute", .unmute),
        (
            "mute --output horn --for 2h",
            .muteOutput(MuteOutputParameters(output: "horn", duration: "2h"))
        ),
        (
            "mute until zuhr --output horn",
            .muteOutput(MuteOutputParameters(output: "horn", until: "dhuhr"))
        ),
        ("unmute --output horn", .unmuteOutput("horn")),
        (
            "test-play fajr --output hall --output horn",
            .testPlay(prayer: "fajr", seconds: nil, outputs: ["hall", "horn"])
        ),
        ("sound play dua --output horn", .playSound(name: "dua", outputs: ["horn"])),
        ("enable fajr Asr", .enablePrayers(["fajr", "asr"])),
        ("disable jumua", .disablePrayers(["jumua"])),
        ("skip fajr", .skipPrayers(SkipParameters(prayers: ["fajr"]))),
        (
            "skip subh Isha 2026-11-24",
            .skipPrayers(SkipParameters(prayers: ["fajr", "isha"], date: "2026-11-24"))
        ),
        ("skip friday", .skipPrayers(SkipParameters(prayers: ["jumua"]))),
        ("unskip fajr 2026-11-24", .unskipPrayers(SkipParameters(prayers: ["fajr"], date: "2026-11-24"))),
        ("stop", .stop),
        ("test-play maghrib", .testPlay(prayer: "maghrib", seconds: nil)),
        ("test-play fajr --seconds 2.5", .testPlay(prayer: "fajr", seconds: 2.5)),
        ("test-play fajr --despite-quiet", .testPlay(prayer: "fajr", seconds: nil, despiteQuiet: true)),
        (
            "sound play dua --despite-quiet",
            .playSound(name: "dua", despiteQuiet: true)
        ),
        ("sound play standard", .playSound(name: "standard")),
        ("sound play standard --prayer Fajr", .playSound(name: "standard", prayer: "fajr")),
        ("reload", .reload()),
        (
            "exception 2027-03-20 magrib 6:31pm --iqama 18.40 --reason wedding",
            .setException(
                ExceptionParameters(
                    date: "2027-03-20", prayer: "maghrib", adhan: "18:31", iqama: "18:40", reason: "wedding"))
        ),
        (
            "exception 2027-03-20 fajr --iqama 05:30",
            .setException(ExceptionParameters(date: "2027-03-20", prayer: "fajr", iqama: "05:30"))
        ),
        (
            "exception remove 2027-03-20 jummah",
            .removeException(ExceptionNameParameters(date: "2027-03-20", prayer: "jumua"))
        ),
        ("hijri sighted", .hijriSighted(date: nil)),
        ("hijri sighted 2027-02-07", .hijriSighted(date: "2027-02-07")),
        ("hijri complete", .hijriComplete(date: nil)),
        ("hijri pins remove 1448-09", .removeHijriPin(month: "1448-09")),
        ("debug trigger asr", .trigger(prayer: "asr", delay: nil)),
        ("debug trigger asr --in 20s", .trigger(prayer: "asr", delay: "20s")),
    ]

    @Test(
        "What changes something makes one call and prints the daemon's sentence", arguments: commands.indices)
    func changes(index: Int) throws {
        let (line, request) = Self.commands[index]
        let (outcome, requests) = try run(line) { _ in .reply(.document(ChangeReply("so be it"))) }
        #expect(outcome == .init(status: 0, output: "so be it\n", error: ""))
        #expect(requests == [request])
    }

    @Test("An unknown output is a mistake in the command line, a silent one is to be tried later")
    func outputs() throws {
        let unknown = ControlError.unknownOutput(output: "hron", allowed: ["hall", "horn"])
        let (refused, _) = try run("test-play fajr --output hron") { _ in .reply(.refused(unknown)) }
        #expect(refused.status == 64 && refused.error.contains("did you mean \"horn\"?"), "\(refused)")
        let quiet = ControlError.quiet(window: "mute", until: "2026-11-20T17:00:00-05:00")
        let (silent, _) = try run("sound play dua --output horn") { _ in .reply(.refused(quiet)) }
        #expect(silent.status == 75 && silent.error.contains("the output is muted until 17:00"), "\(silent)")
        let (endless, asked) = try run("mute --output horn") { _ in .reply(.document(ChangeReply(""))) }
        #expect(endless.status == 64 && asked.isEmpty, "\(endless)")
        for line in ["mute --output horn --for 2h --output hall", "unmute --output horn --output hall"] {
            let (two, asked) = try run(line) { _ in .reply(.document(ChangeReply(""))) }
            #expect(two.status == 64 && asked.isEmpty && two.error.contains("one --output"), "\(two)")
        }
    }

    @Test("Today is the daemon's day, and what is none is refused before anybody is asked")
    func days() throws {
        let status = try SampleDocuments.status()
        let (outcome, requests) = try run("hijri sighted yesterday") { request in
            .reply(.document(request == .getStatus ? StatusReply(status: status) : ChangeReply("so be it")))
        }
        #expect(outcome.output == "so be it\n")
        #expect(requests == [.getStatus, .hijriSighted(date: "2026-11-19")])
        for line in [
            "exception 2027-02-30 fajr 05:00", "exception 2027-03-20 fajr", "exception 2027-03-20 fajr 25:00",
            "exception 2027-03-20 sunset 18:00", "hijri pins remove 9", "hijri sighted soon",
        ] {
            let (refused, asked) = try run(line) { _ in .reply(.document(ChangeReply("so be it"))) }
            #expect(refused.status == 64 && asked.isEmpty, "\(line): \(refused)")
        }
    }

    @Test("What was decided by hand is listed, for people and for programs")
    func decided() throws {
        let exceptions = ExceptionsReply(
            DayExceptions([
                DayException(
                    date: try #require(CivilDate("2027-03-20")), prayer: .maghrib, adhanMinutes: 1111,
                    iqamaMinutes: 1120,
                    reason: "a wedding")
            ]))
        let listed = try run("exception list") { _ in .reply(.document(exceptions)) }.outcome
        #expect(listed.output.contains("2027-03-20  Sat  Maghrib  18:31  18:40  a wedding"), "\(listed)")
        #expect(
            try run("exception list --json") { _ in .reply(.document(exceptions)) }.outcome.output
                == "{\"exceptions\":[{\"adhan\":\"18:31\",\"date\":\"2027-03-20\",\"iqama\":\"18:40\",\"prayer\":\"maghrib\",\"reason\":\"a wedding\"}]}\n"
        )
        let month = try #require(HijriMonth("1448-09"))
        let calendar = try HijriCalendar(pins: [month: try #require(CivilDate("2027-02-09"))])
        let pins = HijriPinsReply(
            configured: calendar.pins, commanded: [month: try #require(CivilDate("2027-02-08"))],
            calendar: calendar)
        let text = try run("hijri pins") { _ in .reply(.document(pins)) }.outcome.output
        #expect(text.contains("1448-09  Ramadan 1448  2027-02-08  command, not in force"), "\(text)")
        #expect(text.contains("1448-09  Ramadan 1448  2027-02-09  configuration"))
        #expect(
            try run("hijri pins --json") { _ in .reply(.document(pins)) }.outcome.output.contains(
                "\"inForce\":false"))
    }

    @Test("With --json the answer is its document, and the option stands before or after the command")
    func json() throws {
        let document =
            "{\"id\":\"asr_20261120\",\"message\":\"so be it\",\"until\":\"2026-11-20T15:00:00-05:00\"}\n"
        for line in ["--json mute --for 2h", "mute --json --for 2h", "mute --for 2h --json"] {
            let (outcome, requests) = try run(line) { _ in
                .reply(
                    .document(ChangeReply("so be it", id: "asr_20261120", until: "2026-11-20T15:00:00-05:00"))
                )
            }
            #expect(outcome == .init(status: 0, output: document, error: ""))
            #expect(requests == [.mute(MuteParameters(duration: "2h"))])
        }
    }

    @Test("test-play next asks which one that is")
    func next() throws {
        let status = try SampleDocuments.status()
        let (outcome, requests) = try run("test-play next") { request in
            .reply(.document(request == .getStatus ? StatusReply(status: status) : ChangeReply("so be it")))
        }
        #expect(outcome.output == "so be it\n")
        #expect(requests == [.getStatus, .testPlay(prayer: "asr", seconds: nil)])
    }

    static let refusals: [(ControlError, Int32, String)] = [
        (
            .notPermitted(needed: "adhan"), 77,
            "not permitted: only root, the daemon's own user and members of the group \"adhan\" may change things; "
                + "add yourself with \"sudo usermod -aG adhan $USER\" and log in again"
        ),
        (
            .busy(playing: "Asr is playing"), 1,
            "busy: Asr is playing; try again when it is over, or end it with \"adhanctl stop\""
        ),
        (.invalidTime(value: "2h", reason: "no"), 1, "cannot use the time \"2h\": no"),
        (
            .configurationInvalid(file: "/etc/adhand/adhand.toml", line: 3, column: 5, reason: "no"), 65,
            "/etc/adhand/adhand.toml:3:5: no; the running configuration stays in force"
        ),
        (.soundUnusable(sound: "x", reason: "no MP3"), 65, "cannot play the sound \"x\": no MP3"),
        (
            .soundNotFound(sound: "x"), 1,
            "there is no sound \"x\"; neither the added nor the shipped sounds have it"
        ),
        (
            .historyUnreadable(reason: "cannot read /x: it is gone"), 1,
            "the history cannot be read: cannot read /x: it is gone"
        ),
        (
            .debugDisabled, 1,
            "debug triggers are off; set \"triggers = true\" under [debug] in the configuration and reload"
        ),
        (
            .methodNotFound(method: "org.adhand.Control.Stop"), 1,
            "the daemon has no method \"org.adhand.Control.Stop\"; is it older than this adhanctl?"
        ),
    ]

    @Test("A refusal is one sentence and a status", arguments: refusals.indices)
    func refusal(index: Int) throws {
        let (error, status, sentence) = Self.refusals[index]
        let (outcome, _) = try run("stop") { _ in .reply(.refused(error)) }
        #expect(outcome == .init(status: status, output: "", error: "adhanctl: \(sentence)\n"))
    }

    @Test("That nothing plays is what stop was to bring about")
    func nothingPlaying() throws {
        let text = try run("stop") { _ in .reply(.refused(.nothingPlaying)) }.outcome
        #expect(text == .init(status: 0, output: "nothing is playing\n", error: ""))
        let json = try run("stop --json") { _ in .reply(.refused(.nothingPlaying)) }.outcome
        #expect(json == .init(status: 0, output: "{\"message\":\"nothing is playing\"}\n", error: ""))
    }

    @Test(
        "What could mean two things is asked about, not guessed",
        arguments: ["mute isha", "mute 30", "mute --until 9"])
    func ambiguous(line: String) throws {
        let (outcome, requests) = try run(line) { _ in .reply(.document(ChangeReply("so be it"))) }
        #expect(outcome.status == 64 && requests.isEmpty, "\(outcome)")
    }

    @Test(
        "By a clock that adhand does not believe no command says which day today is",
        arguments: [
            "skip fajr tomorrow", "skip fajr friday", "unskip fajr today", "exception today asr 15:30",
            "hijri sighted today",
        ])
    func unsetClock(line: String) throws {
        let encoded = String(decoding: try JSON.encode(try SampleDocuments.status()), as: UTF8.self)
        let text = encoded.replacingOccurrences(of: "\"trusted\":true", with: "\"trusted\":false")
        let status = try JSON.decode(StatusDocument.self, from: text.utf8)
        try #require(!status.clock.trusted)
        let (outcome, requests) = try run(line) { request in
            .reply(.document(request == .getStatus ? StatusReply(status: status) : ChangeReply("so be it")))
        }
        #expect(outcome.status == 1 && requests == [.getStatus], "\(outcome)")
        #expect(outcome.error.contains("give the date as YYYY-MM-DD"), "\(outcome)")
    }

    @Test("Without a daemon the sentence says how to start it")
    func unreachable() throws {
        var program = Adhanctl()
        // A program of a test never finds an adhand of this machine.
        #expect(
            try program.run("status").error.contains(
                "connect to \"\(program.home.path)/adhand/control.sock\""))
        program.socket = program.home.path + "/none.sock"
        let isInstalled = ["/usr/lib", "/lib", "/etc"].contains {
            FileManager.default.fileExists(atPath: $0 + "/systemd/system/adhand.service")
        }
        let sentence =
            "adhanctl: cannot reach adhand: cannot connect to \"\(program.home.path)/none.sock\": there is no socket; "
            + "start it with \"sudo systemctl start adhand\""
            + (isInstalled ? "\n" : ", or in a checkout with \"make run\"\n")
        for line in [
            "status", "next", "mute", "log", "log -f", "history", "status --follow", "debug monitor",
        ] {
            #expect(try program.run(line) == .init(status: 69, output: "", error: sentence))
        }
    }

    @Test("A socket that nobody listens on any more counts as no daemon")
    func stale() throws {
        var program = Adhanctl()
        do {
            let service = FakeService(in: program.home) { _ in .silence }
            program.socket = service.path
        }
        let outcome = try program.run("status")
        #expect(outcome.status == 69)
        #expect(outcome.error.contains("nobody listens there; start it with"))
    }

    @Test("ADHAND_SOCKET names the socket, and --socket goes before it")
    func socketVariable() throws {
        var program = Adhanctl()
        let service = FakeService(in: program.home) { _ in .reply(.document(ChangeReply("here"))) }
        program.variables["ADHAND_SOCKET"] = service.path
        #expect(try program.run("stop").output == "here\n")
        #expect(try program.run("--socket /nowhere stop").status == 69)
        #expect(try program.run("stop --socket /nowhere").status == 69)
    }

    @Test("A daemon that hangs is given up after ten seconds", .timeLimit(.minutes(1)))
    func hangs() throws {
        let start = ContinuousClock.now
        let (outcome, _) = try run("status") { _ in .silence }
        #expect(outcome.status == 69)
        #expect(
            outcome.error.contains("did not answer GetStatus within 10 s; look at \"journalctl -u adhand\""))
        #expect((9.0...60.0).contains((ContinuousClock.now - start) / .seconds(1)))
    }

    @Test("Answers that are none are an error, not a crash")
    func garbage() throws {
        let cut = try run("status") { _ in .raw([]) }.outcome
        #expect(
            cut
                == .init(
                    status: 69, output: "",
                    error: "adhanctl: adhand closed the connection before it answered GetStatus\n"))
        for text in ["{}", "[]", "nonsense", "{\"parameters\":{\"status\":{}}}", "\u{0}"] {
            let outcome = try run("status") { _ in .raw(Array(text.utf8) + [0]) }.outcome
            #expect(outcome.status == 1)
            #expect(outcome.error.contains("are both of the same version?"))
        }
        let unknown = try run("status") { _ in .raw(Array(#"{"error":"org.example.Odd"}"#.utf8) + [0]) }
            .outcome
        #expect(unknown.status == 1)
        #expect(unknown.error.contains("an error this adhanctl does not know: org.example.Odd"))
    }
}
