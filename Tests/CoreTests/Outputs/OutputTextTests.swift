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
        box.take(.devicesTried(output: "hall", DeviceLook(devices: ["hw:1"], device: "hw:1", problems: [])))
        box.take(
            .devicesTried(
                output: "horn", DeviceLook(devices: ["hw:2"], device: nil, problems: ["no such device"])))
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
}
