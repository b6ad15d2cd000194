import Daemon
import Foundation
import LabSupport
import PrayerEngine
import Protocol
import StateFile
import Testing
import Texts

/// Most of it is waiting for programs: all four cases at once.
@Suite("Ended at any wait for the disk") struct DiskOrderTests {
    @Test(
        "Wherever the program ends, history and state agree afterwards: nothing is lost, nothing is there twice",
        arguments: [false, true], [false, true])
    func anywhere(isMuted: Bool, isAfterTheSync: Bool) async throws {
        let library = try Self.library.get()
        var reached = 0
        for number in 1...40 {
            let place = Spot(noonIn: 1)
            let sound = LabBox.audio.appending(path: "signal.mp3").path
            let box = try LabBox("[adhan]\nsound = \"\(sound)\"\n", place: place)
            try Self.prepare(box, place, isMuted: isMuted)
            let program = try box.launch(environment: [
                "LD_PRELOAD": library, "DIE_AT_SYNC": "\(isAfterTheSync ? "+" : "")\(number)",
            ])
            // It ends, or calls the prayer and lives.
            _ = try await eventually(within: 30) {
                !program.process.isRunning || (Self.isOver(in: box, place.id) && !box.history.isEmpty)
            }
            // The last wait is for the folder: by then it is there to be read.
            _ = try await eventually(within: 2) { !program.process.isRunning }
            guard !program.process.isRunning else {
                program.send(SIGKILL)
                break
            }
            #expect(program.process.terminationStatus == 99)
            reached = number
            let known = box.history.count
            let again = try box.launch()
            let name = "at wait \(number)\(isAfterTheSync ? ", after it" : "")"
            let isSettled = try await eventually(within: 30) {
                !box.history.isEmpty && Self.isOver(in: box, place.id)
            }
            #expect(isSettled, "\(name): \(again.text)")
            #expect(box.history.map(\.id) == [place.id], "\(name)")
            #expect(box.history.last?.outcome == Self.outcome(in: box, of: place.id), "\(name)")
            // On a machine that is busy it may be back when the sound would be over.
            let entry = try #require(box.history.last, "\(name)")
            let heard: Set<Outcome> =
                Self.wouldBeOver(entry, at: Date()) ? [.played, .interrupted] : [.played]
            #expect((isMuted ? [.muted] : heard).contains(entry.outcome), "\(name): \(entry)")
            // An announcement that the history knew was not begun again.
            if known == 1 { #expect(!again.text.contains("adhan started"), "\(name)") }
            again.send(SIGKILL)
        }
        #expect(reached >= (isMuted ? 3 : 8), "only \(reached) waits were met")
    }

    /// A box that has been responsible for a minute, so that nothing depends on how soon it is up.
    private static func prepare(_ box: LabBox, _ place: Spot, isMuted: Bool) throws {
        let since = InstantText.rfc3339(place.noon - 60, in: .utc, milliseconds: true)
        let mute = isMuted ? "\"mute\": {\"scope\": \"all\", \"followsElapsedTime\": false}, " : ""
        try FileManager.default.createDirectory(at: box.state, withIntermediateDirectories: true)
        try """
        {"version": 1, "since": "\(since)", "judgedThrough": "\(since)", \(mute)"toggles": {}, "handled": [], "underway": []}
        """.write(to: box.state.appending(path: "state.json"), atomically: true, encoding: .utf8)
    }

    /// Whether the sound, of which there are two seconds, would be over by then.
    private static func wouldBeOver(_ entry: HistoryEntry, at date: Date) -> Bool {
        let started = entry.started.flatMap { InstantText.parse($0) }
        return started.map { date.timeIntervalSince1970 - $0.unixSeconds > 1.5 } ?? false
    }

    private static func isOver(in box: LabBox, _ id: String) -> Bool {
        outcome(in: box, of: id).map { $0 != .playing } ?? false
    }

    private static func outcome(in box: LabBox, of id: String) -> Outcome? {
        let bytes = try? Data(contentsOf: box.state.appending(path: "state.json"))
        let state = bytes.flatMap { try? SavedState(fileBytes: Array($0)) }
        return AnnouncementID(id).flatMap { state?.outcome(of: $0) }
    }

    private static let library = Result { () throws -> String in
        let source = Program.checkout.appending(path: "Tests/Lab/die_at_sync.c").path
        let library = FileManager.default.temporaryDirectory.appending(path: "die-\(UUID().uuidString).so")
            .path
        let compiler = Process()
        compiler.executableURL = URL(filePath: "/usr/bin/env")
        compiler.arguments = ["gcc", "-shared", "-fPIC", "-O2", "-Wall", source, "-o", library]
        try compiler.run()
        compiler.waitUntilExit()
        guard compiler.terminationStatus == 0 else { throw CocoaError(.executableLoad) }
        return library
    }
}
