import Foundation
import LabSupport
import PrayerEngine
import Protocol
import Testing
import Texts

@Suite("A disk that is slow, full or read-only", .serialized) struct DiskTests {
    @Test("A disk that takes three seconds for every save delays no start, and no watchdog barks")
    func slow() async throws {
        let box = try LabBox("[adhan.asr]\nsound = [\"standard\", \"standard\"]\n")
        let speed = box.directory.appending(path: "speed")
        let manager = try NotifySocket(in: box.directory)
        try await box.start(environment: [
            "LD_PRELOAD": try Self.slowDisk(in: box.directory), "SLOW_DISK": speed.path,
            "NOTIFY_SOCKET": manager.path, "WATCHDOG_USEC": "2000000",
        ])
        let id = try #require(try box.trigger("asr", in: "8s").id)
        let at = try #require(try box.status.timers.first { $0.id == id }?.at)
        let instant = try #require(InstantText.parse(at)).unixSeconds
        try "3".write(to: speed, atomically: true, encoding: .utf8)
        // This save holds the daemon's queue when the announcement's instant comes.
        try await Task.sleep(for: .seconds(max(0, instant - Date().timeIntervalSince1970 - 1.5)))
        try Caller(box.socket).send(Varlink.call(.disablePrayers, PrayersParameters(prayers: ["isha"])))
        #expect(try await eventually(within: 5) { !box.card.starts.isEmpty })
        #expect(abs(try #require(box.card.starts.first) - instant) < 0.05)

        let before = manager.messages.count { $0 == "WATCHDOG=1" }
        try await Task.sleep(for: .seconds(8))
        // Every second one, although the queue is at the disk for most of the time.
        #expect(manager.messages.count { $0 == "WATCHDOG=1" } >= before + 6)
        try "0".write(to: speed, atomically: true, encoding: .utf8)
        let entry = try await box.entry(id, within: 40)
        #expect(entry.outcome == .played)
        #expect(entry.dropouts == 0)
        #expect(try #require(entry.latenessMs) < 50)
    }

    @Test("A month's worth of missed prayers is written at one go, and holds up nothing that is due")
    func month() async throws {
        let place = Spot(noonIn: 14)
        let box = try LabBox(place: place)
        let speed = box.directory.appending(path: "speed")
        try "0.2".write(to: speed, atomically: true, encoding: .utf8)
        let since = InstantText.rfc3339(place.noon - 30 * 86_400, in: .utc, milliseconds: true)
        try FileManager.default.createDirectory(at: box.state, withIntermediateDirectories: true)
        try """
        {"version": 1, "since": "\(since)", "judgedThrough": "\(since)", "toggles": {}, "handled": [], "underway": []}
        """.write(to: box.state.appending(path: "state.json"), atomically: true, encoding: .utf8)
        try await box.start(environment: [
            "LD_PRELOAD": try Self.slowDisk(in: box.directory), "SLOW_DISK": speed.path,
        ])
        let entry = try await box.entry(place.id, within: 40)
        #expect(entry.outcome == .played)
        #expect(try #require(entry.latenessMs) < 50)
        #expect(box.history.count { $0.outcome == .missed } > 140)
    }

    enum Trouble: CaseIterable {
        case full, gone, readOnlyFromTheStart
    }

    @Test(
        "A disk that takes nothing: called once all the same, said so, and all is kept when it can be",
        .enabled(if: SmallDisk.isPossible, "needs the right to mount"), arguments: Trouble.allCases)
    func unwritable(_ trouble: Trouble) async throws {
        let place = Spot(noonIn: 6)
        let sound = LabBox.audio.appending(path: "signal.mp3").path
        let box = try LabBox("[adhan]\nsound = \"\(sound)\"\n", place: place)
        let disk = try SmallDisk(at: box.directory.appending(path: "disk"))
        let state = disk.path + "/state"
        if trouble == .readOnlyFromTheStart { try disk.mount("remount,ro") }
        let program = try await box.start(stateDirectory: state)
        switch trouble {
        case .full: try disk.fill()
        case .gone: try FileManager.default.moveItem(atPath: state, toPath: state + "-away")
        case .readOnlyFromTheStart: break
        }
        #expect {
            try box.change(.disablePrayers, PrayersParameters(prayers: ["isha"]))
        } throws: {
            if case .stateNotSaved? = $0 as? ControlError { true } else { false }
        }
        #expect(try box.status.stateProblem != nil)
        #expect(try await box.isPlaying())
        #expect(abs(try #require(box.card.starts.first) - place.noon.unixSeconds) < 0.05)
        // Memory knows the outcome that the disk lacks: it is not called a second time.
        try box.change(.reload, ReloadParameters())
        #expect(
            try await eventually(within: 30) {
                try box.status.prayers.first { $0.prayer == place.prayer.rawValue }?.state == .played
            })
        #expect(box.card.starts.count == 1)
        #expect(try await box.logs("what is called is added to the history when it can be written again"))

        switch trouble {
        case .full: try disk.empty()
        case .gone: try FileManager.default.moveItem(atPath: state + "-away", toPath: state)
        case .readOnlyFromTheStart: try disk.mount("remount,rw")
        }
        // The next thing that is kept, or a minute, brings the rest along.
        try box.trigger("asr")
        #expect(try box.status.stateProblem == nil)
        #expect(try await eventually(within: 20) { Self.history(state).count == 2 })
        #expect(Self.history(state).map(\.outcome) == [.played, .played])
        #expect(Self.history(state).first?.id == place.id)
        #expect(try await box.logs("can be kept again"))
        #expect(try await box.logs("the history is complete again"))
        program.send(SIGKILL)
        _ = try await program.exitStatus()
        try await box.start(stateDirectory: state)
        #expect(try box.status.prayers.first { $0.prayer == "isha" }?.enabled == false)
        #expect(box.card.starts.count == 2)
        program.send(SIGKILL)
    }

    private static func history(_ state: String) -> [HistoryEntry] {
        let text = (try? String(contentsOfFile: state + "/history.jsonl", encoding: .utf8)) ?? ""
        return text.split(separator: "\n").compactMap { try? JSON.decode(HistoryEntry.self, from: $0.utf8) }
    }

    private static func slowDisk(in directory: URL) throws -> String {
        let source = Program.checkout.appending(path: "Tests/Lab/slow_disk.c").path
        let library = directory.appending(path: "slow_disk.so").path
        try SmallDisk.run("gcc", "-shared", "-fPIC", "-O2", source, "-o", library)
        return library
    }
}

/// A file system of 64 kB, for as long as the test lasts.
private final class SmallDisk {
    let path: String

    static let isPossible: Bool = {
        let probe = FileManager.default.temporaryDirectory.appending(path: "mount-\(UUID().uuidString)")
        return geteuid() == 0 && (try? SmallDisk(at: probe)) != nil
    }()

    init(at url: URL) throws {
        path = url.path
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        try Self.run("mount", "-t", "tmpfs", "-o", "size=64k", "none", path)
    }

    deinit {
        try? Self.run("umount", "--lazy", path)
        try? FileManager.default.removeItem(atPath: path)
    }

    func mount(_ options: String) throws { try Self.run("mount", "-o", options, path) }

    /// Leaves not a byte.
    func fill() throws {
        try? Self.run("dd", "if=/dev/zero", "of=\(path)/filler", "bs=1k", "count=1000")
    }

    func empty() throws { try FileManager.default.removeItem(atPath: path + "/filler") }

    static func run(_ arguments: String...) throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = arguments
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw CocoaError(.executableLoad) }
    }
}
