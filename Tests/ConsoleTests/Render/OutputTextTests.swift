import BoxSupport
import PrayerEngine
import Protocol
import Testing
import Texts

@testable import Announcements
@testable import Console
@testable import Daemon
@testable import Settings

@Suite("What people read about outputs")
struct OutputTextTests {
    private func box() throws -> Box {
        try Box(
            text: """
                [[output]]
                name = "hall"
                devices = ["hw:1"]
                [[output]]
                name = "horn"
                devices = ["hw:2"]
                required = false
                except = ["fajr"]
                [[quiet]]
                name = "law"
                outputs = ["horn"]
                """, clock: "2026-11-20T15:00:00-05:00")
    }

    private func tried() throws -> Box {
        var box = try box()
        box.handle(
            .devicesTried(output: "hall", DeviceTrial(devices: ["hw:1"], device: "hw:1", problems: [])))
        box.handle(
            .devicesTried(
                output: "horn", DeviceTrial(devices: ["hw:2"], device: nil, problems: ["no such device"])))
        return box
    }

    @Test("A line for each output, in its own command and in status instead of Audio")
    func lines() throws {
        let box = try tried()
        let status = box.state.status(at: box.now)
        let outputs = try #require(status.audio.outputs)
        let text = OutputsText.render(outputs, now: status.now, .plain)
        #expect(
            text.split(separator: "\n").map { $0.trimmed } == [
                "hall  healthy on \"hw:1\"", "horn  no such device; silent (law); not required",
            ])
        let whole = StatusText.render(status, .plain)
        #expect(whole.contains("Outputs   hall: healthy on \"hw:1\""))
        #expect(whole.contains("          horn: no such device") && !whole.contains("Audio"))
        #expect(whole.contains("standard, 80 % on hall, silent on horn (law)"))
        #expect(whole.contains("standard, 80 % on hall\n"))
        // One that is not required is no fault of the whole.
        #expect(status.audio.healthy && status.audio.devices == ["hw:1"])
    }

    @Test("doctor has a finding for each, and counts the failures in a row")
    func doctor() throws {
        let box = try tried()
        let status = box.state.status(at: box.now)
        var facts = DoctorFacts(
            now: box.now, daemon: .answers(status), socketPath: "", systemd: .absent,
            configuration: .init(file: "f", state: .valid), disk: .init(path: "/"))
        facts.history = HistoryDocument(
            days: 7, due: 2, played: 0,
            announcements: ["asr_20261119", "asr_20261120"].map { id in
                var entry = HistoryEntry(
                    id: id, prayer: "asr", scheduled: "2026-11-20T14:14:00-05:00", outcome: .partial,
                    sound: [])
                var proof = OutputProof(name: "horn", outcome: .failed, volume: 80)
                proof.reason = "no such device"
                entry.outputs = [OutputProof(name: "hall", outcome: .played, volume: 80), proof]
                return entry
            })
        let checks = try #require(Doctor.outputs(facts))
        #expect(checks.map(\.verdict) == [.ok, .warning])
        #expect(checks[0].message.hasPrefix("output hall: all was well"))
        #expect(
            checks[1].message.hasPrefix("output horn: failed at the last 2 announcements: ")
                && checks[1].message.lowercased().contains("no such device"), "\(checks[1].message)")
        #expect(Doctor.examine(facts).checks.count { $0.name == .devices } == 2)
    }

    @Test("The history names what became of each")
    func history() throws {
        var entry = HistoryEntry(
            id: "asr_20261120", prayer: "asr", scheduled: "2026-11-20T14:14:00-05:00", outcome: .partial,
            sound: ["standard"])
        entry.outputs = [
            OutputProof(name: "hall", outcome: .played, volume: 80),
            OutputProof(name: "horn", outcome: .failed, volume: 80),
        ]
        (entry.device, entry.reason) = ("hw:1", "no sound device was available: no such device, no such card")
        let document = HistoryDocument(days: 7, due: 1, played: 0, announcements: [entry])
        let text = HistoryText.render(document, .plain)
        #expect(
            text.contains(
                "on \"hw:1\"; no sound device was available: no such device, no such card; hall played, horn failed\n"
            ), "\(text)")
        #expect(text.contains("partial"))
        // One output without a name has its line as ever.
        entry.outputs = nil
        let plain = HistoryText.render(
            HistoryDocument(days: 7, due: 1, played: 0, announcements: [entry]), .plain)
        #expect(plain.contains("on \"hw:1\", no sound device was available: no such device, no such card\n"))
        func sum(_ partial: Int?) -> String {
            HistoryText.render(
                HistoryDocument(days: 7, due: 1, played: 0, partial: partial, announcements: [entry]), .plain)
        }
        #expect(sum(1).contains("and 1 not on every output"))
        #expect(sum(0) == sum(nil) && !sum(0).contains("not on every output"))
    }

    @Test("An output that plays while it is silenced plays to its end")
    func playing() {
        var output = OutputState(
            name: "hall", devices: ["hw:1"], healthy: true, required: true, state: .playing)
        (output.device, output.checkedAt) = ("hw:1", "2026-11-20T16:33:00-05:00")
        let now = "2026-11-20T16:34:00-05:00"
        #expect(OutputsText.sentence(output, now: now).text == "healthy on \"hw:1\"; playing")
        (output.quiet, output.quietUntil) = ("mute", "2026-11-20T18:28:00-05:00")
        #expect(
            OutputsText.sentence(output, now: now).text
                == "healthy on \"hw:1\"; plays to its end; then silent until 18:28 (mute)")
    }

    private func silence(_ box: Box) -> DoctorCheck {
        var facts = DoctorFacts(
            now: box.now, daemon: .answers(box.state.status(at: box.now)), socketPath: "", systemd: .absent,
            configuration: .init(file: "f", state: .valid), disk: .init(path: "/"))
        facts.agenda = box.state.agenda(around: box.now)
        return Doctor.silence(facts)
    }

    @Test("doctor warns of what no output plays, by its filters or by its volume")
    func unplayed() throws {
        let hall = "[[output]]\nname = \"hall\"\ndevices = [\"hw:1\"]\nexcept = [\"isha\"]\n"
        let horn = "[[output]]\nname = \"horn\"\ndevices = [\"hw:2\"]\nisha-volume = 0\n"
        for text in [hall, hall + horn, horn] {
            let box = try Box(text: text, clock: "2026-11-20T15:00:00-05:00")
            let check = silence(box)
            #expect(check.verdict == .warning && check.fix == nil)
            #expect(
                check.message == "No output plays Isha. See kinds, prayers, except and volume of [[output]].",
                "\(check)")
            let status = box.state.status(at: box.now)
            let isha = try #require(status.prayers.last)
            #expect(isha.prayer == "isha" && status.stage(of: isha) == .silent)
            let whole = StatusText.render(status, agenda: box.state.agenda(around: box.now), .plain)
            #expect(whole.contains("Silent    Isha (no output plays it)\n"), "\(whole)")
        }
        // With one that plays it all is well.
        let women = "[[output]]\nname = \"women\"\ndevices = [\"hw:3\"]\n"
        let well = silence(try Box(text: hall + horn + women, clock: "2026-11-20T15:00:00-05:00"))
        #expect(well.verdict == .ok && well.message == "Nothing is muted, skipped or switched off.")
    }

    @Test("doctor names the output that a window silences, and every muted output with its remedy")
    func silenced() throws {
        var box = try box()
        let window =
            "Maghrib and Isha will be silent on \"horn\" because of the quiet window \"law\" of the configuration. "
            + "Dhuhr, Asr, Maghrib and Isha will be silent tomorrow on \"horn\" because of the quiet window \"law\" "
            + "of the configuration."
        #expect(silence(box).verdict == .ok && silence(box).message == window, "\(silence(box))")
        for output in ["hall", "horn"] {
            box.ask(.muteOutput(MuteOutputParameters(output: output, duration: "2h")))
        }
        let check = silence(box)
        #expect(check.verdict == .warning)
        let fix = ["hall", "horn"].map { "adhanctl unmute --output \($0)" }
        #expect(check.fix?.replacing("sudo ", with: "") == fix.joined(separator: " && "))
        #expect(
            check.message.hasPrefix(
                "Outputs are muted: \"hall\" until 17:00 and \"horn\". "
                    + "Maghrib will be silent because of muted outputs. Isha will be silent on \"horn\" "),
            "\(check)")
    }

    @Test("A test says how loud each output is and which one stays silent, and what has no volume")
    func test() throws {
        var box = try box()
        box.ask(.testPlay(prayer: "asr", seconds: nil))
        let token = try #require(box.effects.cued.last?.token)
        let done = box.during { $0.begin(token, on: "hall") }
        let message = try #require(done.replies.last?.changeReply?.message)
        #expect(
            message.hasSuffix("on \"hall\" at 80 %; silent on \"horn\" (quiet window \"law\")"), "\(message)")
        var dead = try self.box()
        dead.ask(.testPlay(prayer: "asr", seconds: nil, despiteQuiet: true))
        let other = try #require(dead.effects.cued.last?.token)
        let late = dead.during {
            $0.handle(.playback(token: other, output: "hall", .noDevice(reason: "no such device", next: "")))
            $0.begin(other, on: "horn")
        }
        let reported = try #require(late.replies.last?.changeReply?.message)
        #expect(
            reported.hasSuffix("not heard on \"hall\" (no such device); on \"horn\" at 80 %"), "\(reported)")
        var none = try Box(
            text: "[[output]]\nname = \"hall\"\ndevices = [\"hw:1\"]\nfajr-volume = 0\n",
            clock: "2026-11-20T15:00:00-05:00")
        let nothing = none.ask(.testPlay(prayer: "fajr", seconds: nil, outputs: ["hall"]))?.changeReply?
            .message
        #expect(nothing == "the volume of Fajr on \"hall\" is 0: there is nothing to hear")
    }

    @Test("Whoever ends the mute of the box learns of rooms that stay silent")
    func unmute() throws {
        var box = try box()
        box.ask(.muteOutput(MuteOutputParameters(output: "hall", duration: "2h")))
        let reply = try #require(box.ask(.unmute)?.changeReply?.message)
        #expect(reply.contains("\"hall\" stays muted until 17:00"), "\(reply)")
        box.ask(.mute(MuteParameters()))
        #expect(try #require(box.ask(.unmute)?.changeReply?.message).contains("unmute --output hall"))
        box.ask(.unmuteOutput("hall"))
        #expect(box.ask(.unmute)?.changeReply?.message == "it was not muted")
    }
}
