import Foundation
import Host
import LabSupport
import PrayerEngine
import Protocol
import Testing
import Texts

/// Files that are none, managers that do not listen, and starts without what every program has.
@Suite("Odd surroundings", .serialized)
struct SurroundingsTests {
    @Test("Calls that nobody waits for are done although the caller has left, in their order")
    func departed() async throws {
        let box = try LabBox()
        try await box.start()
        func toggles(_ method: String, _ prayer: String, oneway: Bool) -> String {
            "{\"method\":\"org.adhand.Control.\(method)\",\"parameters\":{\"prayers\":[\"\(prayer)\"]}"
                + (oneway ? ",\"oneway\":true}\0" : "}\0")
        }
        let log = "{\"method\":\"org.adhand.Control.GetLog\"}\0"
        do {
            let caller = try Caller(box.socket)
            try caller.send(
                toggles("DisablePrayers", "isha", oneway: true) + String(repeating: log, count: 30)
                    + toggles("DisablePrayers", "fajr", oneway: false)
                    + toggles("EnablePrayers", "fajr", oneway: true)
                    + toggles("DisablePrayers", "asr", oneway: true))
        }
        #expect(
            try await eventually {
                let off = try box.status.prayers.filter { !$0.enabled }.map(\.prayer)
                return off == ["asr", "isha"]
            })
    }

    @Test("A service manager that does not read its socket holds up nothing")
    func deafManager() async throws {
        let box = try LabBox()
        let manager = try NotifySocket(in: box.directory)
        try manager.fill()
        let program = try await box.start(environment: ["NOTIFY_SOCKET": manager.path])
        let id = try #require(try box.trigger("asr").id)
        #expect(try await box.entry(id, within: 30).outcome == .played)
        program.send(SIGTERM)
        #expect(try await program.exitStatus() == 0)
    }

    @Test("Pipes in the place of its files are set aside or replaced, not waited for")
    func pipes() async throws {
        let box = try LabBox()
        try FileManager.default.createDirectory(at: box.state, withIntermediateDirectories: true)
        for name in ["history.jsonl", "state.json", "state.json.new"] {
            #expect(unsafe mkfifo(box.state.appending(path: name).path, 0o600) == 0)
        }
        try await box.start()
        #expect(try await box.logs("history.jsonl\" is not a file; set aside"))
        let id = try #require(try box.trigger("asr").id)
        #expect(try await box.entry(id, within: 30).outcome == .played)
        #expect(try box.status.stateProblem == nil)
        let history = try Caller(box.socket).call(.getHistory, HistoryParameters()).history
        #expect(history.announcements.map(\.id) == [id])
    }

    @Test(
        "Zeros at the history's end, be they eight gigabytes, cost no record", arguments: [200_000, 8 << 30])
    func zeros(count: Int) async throws {
        let box = try LabBox()
        try CrowdTests.writeHistory(3, in: box)
        let path = box.state.appending(path: "history.jsonl").path
        let size = try #require(try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int)
        if count < 1 << 20 {
            let file = try FileHandle(forWritingTo: URL(filePath: path))
            try file.seekToEnd()
            try file.write(contentsOf: Data(count: count))
            try file.close()
        } else {
            #expect(unsafe truncate(path, off_t(size + count)) == 0)
        }
        try await box.start()
        #expect(try await box.logs("\(count) bytes were taken out"))
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int == size)
        let id = try #require(try box.trigger("asr").id)
        _ = try await box.entry(id, within: 30)
        let history = try Caller(box.socket).call(.getHistory, HistoryParameters()).history
        #expect(history.announcements.count == 4)
        #expect(history.announcements.last?.id == id)
    }

    @Test("Without a standard error nothing is written into its files instead")
    func closedDescriptors() async throws {
        let box = try LabBox()
        try await box.start(launcher: ("/bin/sh", ["-c", "exec \"$@\" <&- >&- 2>&-", "sh", Program.path]))
        let lock = try String(contentsOf: box.state.appending(path: "adhand.lock"), encoding: .utf8)
        #expect(lock == "\(try #require(box.program).process.processIdentifier)\n")
        #expect(box.program?.text == "")
    }

    @Test(
        "Without /proc, where options cannot be read, it says so and does not run for Greenwich",
        .enabled(if: SurroundingsTests.canHideProc, "needs the right to mount"))
    func noProc() async throws {
        let box = try LabBox()
        let program = try box.launch(
            launcher: (
                "/usr/bin/unshare",
                ["-m", "sh", "-c", "mount -t tmpfs none /proc && exec \"$@\"", "sh", Program.path]
            ))
        #expect(try await program.exitStatus() == 1)
        #expect(program.text.contains("cannot read the command line"))
    }

    private static let canHideProc: Bool = {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/unshare")
        process.arguments = ["-m", "mount", "-t", "tmpfs", "none", "/proc"]
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }()

    @Test("A reload of a configuration with escape sequences in its mistakes forges no line of the log")
    func forgedLines() async throws {
        let box = try LabBox()
        try await box.start()
        try "timezone = \"x\\n2026-01-01 00:00:00 error   forged \\u001b[2J \\u202e\"\n".write(
            to: box.configuration, atomically: true, encoding: .utf8)
        #expect(throws: ControlError.self) { try box.change(.reload, ReloadParameters()) }
        #expect(try await box.logs("forged"))
        let text = try #require(box.program?.text)
        #expect(!text.contains("\u{1B}") && !text.contains("\u{202E}"))
        #expect(!text.split(separator: "\n").contains { $0.hasPrefix("2026-01-01") })
    }

    @Test(
        "A sound card that is unplugged, and one that is plugged in, is noticed at once",
        .enabled(if: SurroundingsTests.canHideProc, "needs the right to mount"))
    func cardComesAndGoes() async throws {
        let box = try LabBox()
        let devices = box.directory.appending(path: "dev")
        let card = devices.appending(path: "snd")
        try FileManager.default.createDirectory(at: devices, withIntermediateDirectories: true)
        // The parts of /dev that adhand needs are there; the card's folder comes and goes.
        let mount = """
            for name in null zero urandom; do touch "$1/$name"; mount --bind "/dev/$name" "$1/$name" || exit 1; done
            mount --rbind "$1" /dev && shift && exec "$@"
            """
        try await box.start(
            launcher: (
                "/usr/bin/unshare", ["-m", "sh", "-c", mount, "sh", devices.path, Program.path]
            ))
        #expect(try await eventually { try box.status.audio.healthy })
        try box.card.set(.busy)
        try FileManager.default.createDirectory(at: card, withIntermediateDirectories: true)
        #expect(try await eventually { try box.status.audio.hasFailed })
        try box.card.set(.ok)
        try Data().write(to: card.appending(path: "pcmC0D0p"))
        #expect(try await eventually { try box.status.audio.healthy })
        // The folder goes with its last card, and is watched again when it is back.
        for fault in [LabCard.Fault.busy, .ok, .busy] {
            try box.card.set(fault)
            if FileManager.default.fileExists(atPath: card.path) {
                try FileManager.default.removeItem(at: card)
            } else {
                try FileManager.default.createDirectory(at: card, withIntermediateDirectories: true)
            }
            #expect(try await eventually { try box.status.audio.hasFailed == (fault == .busy) }, "\(fault)")
        }
    }

    @Test("A hole in the middle of the history costs no line outside it, in the answer and at the start")
    func hole() async throws {
        let box = try LabBox()
        try CrowdTests.writeHistory(80, in: box)
        let path = box.state.appending(path: "history.jsonl")
        var bytes = try Data(contentsOf: path)
        try #require(bytes.count > 3 * 4096)
        let before = bytes.split(separator: UInt8(ascii: "\n"))
        let hole = 4096..<8192
        let outside = before.filter { $0.endIndex <= hole.lowerBound || hole.upperBound <= $0.startIndex }
            .compactMap { try? JSON.decode(HistoryEntry.self, from: $0).id }
        try #require(outside.count > 40 && outside.count < before.count)
        bytes.replaceSubrange(hole, with: Data(count: hole.count))
        try bytes.write(to: path)
        try await box.start()
        let history = try Caller(box.socket).call(
            .getHistory, HistoryParameters(days: 3650)
        )
        .history
        let listed = Set(history.announcements.map(\.id))
        #expect(outside.allSatisfy(listed.contains))
    }
}
