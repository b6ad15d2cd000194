import Console
import Foundation
import LabSupport
import Protocol
import Testing
import Texts

/// adhanctl doctor beside the real adhand, on a card that tells who opened it.
@Suite("Looked at by doctor", .serialized) struct DoctorTests {
    private static func examine(_ box: LabBox) async throws -> [DoctorCheck.Name: DoctorCheck] {
        let output = box.directory.appending(path: "doctor.json")
        // The shell only redirects: what a program under test says on standard output is otherwise not kept.
        let doctor = try Program(
            [
                "-c", "exec \"$0\" --socket \"$1\" --json doctor > \"$2\"", Program.adhanctl, box.socket,
                output.path,
            ],
            in: box.directory, environment: box.card.environment, launcher: ("/bin/sh", []))
        let status = try await doctor.exitStatus(within: 60)
        let document = try JSON.decode(DoctorDocument.self, from: Data(contentsOf: output))
        #expect(status == (document.ok ? 0 : 1), "\(doctor.text)")
        return Dictionary(uniqueKeysWithValues: document.checks.map { ($0.name, $0) })
    }

    private static func opened(_ box: LabBox) -> Int { box.card.diary.count { $0.first == "open" } }

    @Test("It tries the card when nobody has yet, and leaves it alone when an adhan is near or sounds")
    func leavesAlone() async throws {
        let box = try LabBox()
        try await box.start()
        // adhand tries the card itself when it starts.
        #expect(try await eventually { try box.status.audio.checkedAt != nil })
        #expect(Self.opened(box) == 1)
        #expect(try await Self.examine(box)[.devices]?.message.hasPrefix("\"default\" opens.") == true)
        #expect(Self.opened(box) == 2)

        // And when an adhan is minutes away.
        let known = try box.status.audio.checkedAt
        try box.trigger("asr", in: "40s")
        #expect(try await eventually { try box.status.audio.checkedAt != known })
        let before = Self.opened(box)
        #expect(try await Self.examine(box)[.devices]?.verdict == .ok)
        #expect(Self.opened(box) == before)

        try box.change(.testPlay, TestPlayParameters(prayer: "fajr", seconds: 8))
        #expect(try await box.isPlaying())
        let playing = Self.opened(box)
        #expect(try await Self.examine(box)[.devices]?.verdict == .ok)
        #expect(Self.opened(box) == playing)
        #expect(try box.status.playback.state == .playing)
    }

    @Test("A card that is pulled out is found, whether adhand has noticed or not")
    func unplugged() async throws {
        let box = try LabBox()
        try await box.start()
        try box.card.set(.busy)
        let check = try #require(try await Self.examine(box)[.devices])
        #expect(check.verdict == .problem && check.fix == "fuser -v /dev/snd/*", "\(check)")
        #expect(throws: (any Error).self) {
            try box.change(.testPlay, TestPlayParameters(prayer: "fajr", seconds: 1))
        }
        let after = try #require(try await Self.examine(box)[.devices])
        #expect(
            after.verdict == .problem && after.fix == "fuser -v /dev/snd/*", "\(after)")
        #expect(try !box.status.audio.healthy)
        // Plugged in again: what the look itself finds out counts at once.
        try box.card.set(.ok)
        let mended = try #require(try await Self.examine(box)[.devices])
        #expect(mended.verdict == .ok, "\(mended)")
        #expect(try box.status.audio.healthy)
    }

    @Test(
        "What a start by a clock that was ten years ahead missed is no matter of the last days, whoever is asked"
    )
    func clockAhead() async throws {
        let box = try LabBox()
        let clock = try SteppedClock()
        for years in [0, 10] {
            clock.set(ahead: years * 366 * 86_400)
            let program = try await box.start(environment: clock.environment)
            let missed = years == 0 ? 0...0 : 100...1000
            #expect(try await eventually { missed ~= box.history.count { $0.outcome == .missed } })
            program.send(SIGTERM)
            #expect(try await program.exitStatus() == 0)
        }
        clock.set(ahead: 0)
        try await box.start(environment: clock.environment)
        #expect(try await Self.examine(box)[.announcements]?.verdict == .ok)
        let history = try box.call(.getHistory, HistoryParameters()).history
        #expect(history.due == 0 && history.announcements.isEmpty, "\(history)")
    }

    @Test("It finds the sounds where adhand does, and a missing one before its prayer comes")
    func sounds() async throws {
        let box = try LabBox("[adhan]\nsound = \"madinah\"\n")
        try await box.start()
        let missing = try #require(try await Self.examine(box)[.sounds])
        #expect(missing.verdict == .problem && missing.message.contains("no sound \"madinah\""), "\(missing)")

        let folder = box.state.appending(path: "sounds/madinah")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let recording = LabBox.audio.appending(path: "standard/asr.mp3")
        try FileManager.default.copyItem(at: recording, to: folder.appending(path: "adhan.mp3"))
        let general = try #require(try await Self.examine(box)[.sounds])
        #expect(
            general.verdict == .warning && general.message.contains("a phrase of its own"),
            "\(general)")

        try FileManager.default.copyItem(at: recording, to: folder.appending(path: "fajr.mp3"))
        #expect(try await Self.examine(box)[.sounds]?.verdict == .ok)
        try Data("OggS".utf8).write(to: folder.appending(path: "fajr.mp3"))
        #expect(try await Self.examine(box)[.sounds]?.verdict == .problem)
    }
}
