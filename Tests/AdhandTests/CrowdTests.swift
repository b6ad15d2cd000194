import Foundation
import LabSupport
import PrayerEngine
import Protocol
import Testing
import Texts

/// Two users' means against a third, root and the control group: connections, memory, time and the log.
@Suite(
    "Crowds of several users", .serialized,
    .enabled(if: geteuid() == 0, "only root can become somebody else"))
struct CrowdTests {
    private static let script = Program.checkout.appending(path: "Tests/Lab/crowd.py").path
    /// Debian gives the group "games" this number everywhere (base-passwd).
    private static let games: UInt32 = 60

    /// A sanitizer takes its time, which is no measure.
    private static let pace = Program.sanitizer.isEmpty ? 1.0 : 6.0

    private static func crowd(_ box: LabBox, _ kind: String, seconds: Double) throws -> Program {
        try Program(
            [script, box.socket, "hold", kind, String(seconds), "64201", "64202"], in: box.directory,
            environment: [:], launcher: ("/usr/bin/env", ["python3"]))
    }

    /// How long an answer takes, and its beginning.
    private static func ask(
        _ box: LabBox, _ user: UInt32, group: UInt32, _ method: String, _ parameters: String = "{}"
    ) async throws -> (seconds: Double, answer: String) {
        let caller = try Program(
            [script, box.socket, "ask", String(user), String(group), method, parameters], in: box.directory,
            environment: [:], launcher: ("/usr/bin/env", ["python3"]))
        #expect(try await caller.exitStatus(within: 70) == 0, "\(user) \(method): \(caller.text)")
        let words = caller.text.split(separator: " ", maxSplits: 1)
        return (Double(words.first ?? "") ?? .infinity, words.last.map(String.init) ?? "")
    }

    @Test(
        "Two users who hold all they can lock out neither root, nor the control group, nor a third user",
        arguments: ["half", "unread", "history"])
    func hold(kind: String) async throws {
        let box = try LabBox("[control]\ngroup = \"games\"\n")
        try Self.writeHistory(3000, in: box)
        let program = try await box.start()
        let crowd = try Self.crowd(box, kind, seconds: 60)
        #expect(try await eventually(within: 30) { crowd.text.contains("ready") }, "\(crowd.text)")
        var most = 0
        for _ in 0..<3 {
            let root = try await Self.ask(box, 0, group: 0, "GetStatus")
            #expect(root.seconds < 3 * Self.pace && root.answer.contains("\"status\""), "\(root)")
            let member = try await Self.ask(box, 64_203, group: Self.games, "Mute")
            #expect(member.seconds < 3 * Self.pace && member.answer.contains("muted"), "\(member)")
            let other = try await Self.ask(box, 64_204, group: 64_204, "GetTimers")
            #expect(other.seconds < 3 * Self.pace && other.answer.contains("\"timers\""), "\(other)")
            let reload = try await Self.ask(box, 0, group: 0, "Reload")
            #expect(reload.seconds < 3 * Self.pace && reload.answer.contains("message"), "\(reload)")
            let history = try await Self.ask(box, 0, group: 0, "GetHistory", "{\"days\": 7}")
            #expect(history.seconds < 8 * Self.pace && history.answer.contains("\"history\""), "\(history)")
            most = max(most, try HostileTests.residentKilobytes(of: program))
        }
        // A sanitizer's own memory is no measure.
        if Program.sanitizer.isEmpty { #expect(most < 80 << 10, "\(most) kB") }
        crowd.send(SIGKILL)
        #expect(try await eventually(within: 60) { (try? box.status.mute.active) == true })
    }

    @Test("Thousands of refused calls of two users leave the log what it was")
    func refused() async throws {
        let box = try LabBox()
        try await box.start()
        let crowd = try Self.crowd(box, "refused", seconds: 4)
        #expect(try await crowd.exitStatus(within: 30) == 0)
        let log = try box.call(.getLog, LogParameters()).entries
        #expect(log.contains { $0.event == "daemon.started" })
        #expect((2...4).contains(log.count { $0.event == "control.denied" }), "\(log.map(\.message))")
        #expect((box.program?.text.split(separator: "\n").count { $0.contains("denied to user") } ?? 0) <= 4)
    }

    /// One for every date since 2000-01-01, which is 10,957 days after 1970-01-01.
    static func pastId(_ index: Int) -> String {
        let date = CivilDate(dayNumber: 10_957 + index)
        return "asr_\(date.description.filter { $0 != "-" })"
    }

    /// This many adhans of the past, the newest a minute ago.
    static func writeHistory(_ count: Int, in box: LabBox) throws {
        try FileManager.default.createDirectory(at: box.state, withIntermediateDirectories: true)
        let now = Date().timeIntervalSince1970
        let lines = (0..<count).map { index in
            let at = Instant(unixSeconds: now - 60 - Double(count - 1 - index) * 17_280)
            let time = InstantText.rfc3339(at, in: .utc, milliseconds: true)
            return """
                {"id":"\(pastId(index))","prayer":"asr","scheduled":"\(time)","started":"\(time)","outcome":"played",\
                "sound":["standard"],"device":"default","framesDecoded":475776,"framesPlayed":475776,"dropouts":0}
                """
        }
        try (lines.joined(separator: "\n") + "\n").write(
            to: box.state.appending(path: "history.jsonl"), atomically: true, encoding: .utf8)
    }
}
