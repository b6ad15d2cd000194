import Console
import Foundation
import LabSupport
import PrayerEngine
import Protocol
import Synchronization
import Testing
import Texts

@Suite("Looking")
struct LookingTests {
    /// A service that knows the fixtures.
    private func program(_ monitor: [LogEntry] = []) throws -> (Adhanctl, FakeService) {
        var program = Adhanctl()
        let status = try SampleDocuments.status()
        let log = try SampleDocuments.log()
        let history = try JSON.decode(
            HistoryDocument.self, from: try ExpectedText.read("history.json", in: .module).utf8)
        let timers = try JSON.decode(
            TimersReply.self, from: try ExpectedText.read("timers.json", in: .module).utf8)
        let service = FakeService(in: program.home) { request in
            switch request {
            case .getStatus: .reply(.document(StatusReply(status: status)))
            case .getLog(let limit): .reply(.document(LogReply(entries: log.suffix(limit))))
            case .getHistory: .reply(.document(HistoryReply(history: history)))
            case .getTimers: .reply(.document(timers))
            case .getDiagnostics: .reply(.document(DiagnosticsReply(text: "adhand\n  all about it\n")))
            case .monitor: .stream(monitor.map { .document(MonitorReply(event: $0)) })
            default: .reply(.refused(.nothingPlaying))
            }
        }
        program.socket = service.path
        return (program, service)
    }

    @Test(
        "In a pipe it is plain text, as pinned",
        arguments: ["status", "next", "log -n 3", "history", "debug timers"])
    func text(line: String) throws {
        let (program, service) = try program()
        let outcome = try program.run(line)
        withExtendedLifetime(service) {}
        #expect(outcome.status == 0)
        #expect(outcome.error.isEmpty)
        let name = line.split(separator: " ").prefix { $0 != "-n" }.joined(separator: "-")
        try ExpectedText.expect(outcome.output, in: "text/\(name).txt", of: .module)
    }

    @Test("status --json is the daemon's document, whole, on one line")
    func statusJSON() throws {
        let (program, service) = try program()
        let outcome = try program.run("status --json")
        withExtendedLifetime(service) {}
        #expect(outcome.output.filter { $0 == "\n" }.count == 1)
        #expect(try JSON.decode(StatusDocument.self, from: outcome.output.utf8) == SampleDocuments.status())
        for null in ["\"until\":null", "\"positionSeconds\":null", "\"lastError\":null"] {
            #expect(outcome.output.contains(null))
        }
    }

    @Test("history --json and debug timers --json are the contract's documents")
    func otherJSON() throws {
        let (program, service) = try program()
        let history = try program.run("history --days 30 --json").output
        #expect(history.contains("\"due\":2,\"played\":1"))
        #expect(history.contains("\"announcements\":[{"))
        #expect(service.requests == [.getHistory(days: 30)])
        let timers = try program.run("debug timers --json").output
        #expect(timers.hasPrefix("{\"housekeeping\":[{\"at\":"))
        #expect(
            try program.run("next --json").output == "{\"at\":\"2026-11-20T14:31:00.000-05:00\","
                + "\"id\":\"asr_20261120\",\"inSeconds\":5027.5,\"prayer\":\"asr\"}\n")
        let waybar = try program.run("next --format waybar").output
        #expect(
            waybar.hasPrefix("{\"class\":\"upcoming\",\"percentage\":50,\"text\":\"Asr 14:31\",\"tooltip\":"))
    }

    /// Ends the third connection with a refusal, as nothing else ends a follower.
    private func restarting(
        _ first: [LogEntry], _ second: [LogEntry], log: @escaping @Sendable (Int) -> [LogEntry]
    ) throws -> (Adhanctl, FakeService) {
        var program = Adhanctl()
        let status = try SampleDocuments.status()
        let monitors = Mutex(0)
        let service = FakeService(in: program.home) { request in
            let monitored = monitors.withLock { count in
                if case .monitor = request { count += 1 }
                return count
            }
            switch request {
            case .getStatus: return .reply(.document(StatusReply(status: status)))
            case .getLog(let limit): return .reply(.document(LogReply(entries: log(monitored).suffix(limit))))
            case .monitor where monitored > 2: return .reply(.refused(.debugDisabled))
            case .monitor:
                return .stream((monitored == 1 ? first : second).map { .document(MonitorReply(event: $0)) })
            default: return .reply(.refused(.nothingPlaying))
            }
        }
        program.socket = service.path
        return (program, service)
    }

    @Test("log -f shows what was, then what comes, also after adhand was started again, and nothing twice")
    func follow() throws {
        let log = try SampleDocuments.log()
        let new = LogEntry(log[0], message: "something new")
        let later = LogEntry(log[2], message: "started again")
        let last = LogEntry(log[2], message: "and on it goes")
        let (program, service) = try restarting([log[2], new], [last]) { $0 < 2 ? log : [later] }
        let outcome = try program.run("log -n 2 -f --json")
        withExtendedLifetime(service) {}
        let lines = outcome.output.split(separator: "\n").dropLast()
        #expect(
            try lines.map { try JSON.decode(LogEntry.self, from: $0.utf8) } == [
                log[1], log[2], new, later, last,
            ])
        #expect(outcome.error.hasPrefix("adhanctl: adhand has ended; waiting until it is back\n"))
        #expect(outcome.status == 1)
    }

    @Test("status --follow and debug monitor print a document a line, and go on when adhand is back")
    func streams() throws {
        let log = try SampleDocuments.log()
        let (program, service) = try restarting(log, [log[0]]) { _ in log }
        let monitored = try program.run("debug monitor --json").output.split(separator: "\n").dropLast()
        #expect(try monitored.map { try JSON.decode(LogEntry.self, from: $0.utf8) } == log + [log[0]])
        withExtendedLifetime(service) {}
        let (following, other) = try restarting(log, [log[0]]) { _ in log }
        let statuses = try following.run("status --follow --json").output.split(separator: "\n").dropLast()
        withExtendedLifetime(other) {}
        #expect(statuses.count >= 2)
        for line in statuses {
            #expect(try JSON.decode(StatusDocument.self, from: line.utf8) == SampleDocuments.status())
        }
    }

    @Test("A bar shows that adhand is down, instead of losing its module")
    func waybarDown() throws {
        let outcome = try Adhanctl().run("--socket /nowhere/s next --format waybar")
        #expect(outcome.status == 0 && outcome.error.isEmpty)
        let document = try JSON.decode(WaybarDocument.self, from: outcome.output.utf8)
        #expect(
            document.class == .down && document.text == "no adhand" && document.tooltip.contains("/nowhere/s")
        )
    }

    @Test("Colours are for terminals, unless NO_COLOR is set")
    func colours() throws {
        var (program, service) = try program()
        #expect(try Terminal.show(program, "status").contains("\u{1B}[1mAsr at 14:31"))
        for (name, value) in [("NO_COLOR", "1"), ("TERM", "dumb")] {
            program.variables = [name: value]
            let text = try Terminal.show(program, "status")
            #expect(text.contains("Asr at 14:31") && !text.contains("\u{1B}"))
        }
        withExtendedLifetime(service) {}
    }

    @Test("A full disk is an error and not silence")
    func fullDisk() throws {
        let (program, service) = try program()
        let full = unsafe open("/dev/full", O_WRONLY)
        defer { close(full) }
        let outcome = try program.run(["status"], standardOutput: full)
        withExtendedLifetime(service) {}
        #expect(outcome.status == 1)
        #expect(outcome.error == "adhanctl: cannot write to standard output: No space left on device\n")
    }
}

extension LogEntry {
    /// Another event with another text.
    fileprivate init(_ entry: LogEntry, message: String) {
        let notice = Notice(
            .muteChanged, .notice, at: InstantText.parse(entry.at) ?? .init(unixSeconds: 0), message)
        self.init(notice, in: .utc)
    }
}

/// A pseudo-terminal as a program's standard output.
enum Terminal {
    /// TIOCSPTLCK and TIOCGPTN of <asm-generic/ioctls.h>, macros that Swift does not see.
    private static let setLock: UInt = 0x4004_5431
    private static let getNumber: UInt = 0x8004_5430

    static func show(_ program: Adhanctl, _ line: String) throws -> String {
        let master = unsafe open("/dev/ptmx", O_RDWR | O_NOCTTY)
        defer { close(master) }
        var number: Int32 = 0
        guard unsafe ioctl(master, setLock, &number) == 0, unsafe ioctl(master, getNumber, &number) == 0
        else {
            throw POSIXError(.ENOTTY)
        }
        let terminal = unsafe open("/dev/pts/\(number)", O_RDWR | O_NOCTTY)
        // Its buffer holds more than any of these answers.
        _ = try program.run(line.split(separator: " ").map(String.init), standardOutput: terminal)
        var text: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4096)
        var ready = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
        while unsafe poll(&ready, 1, 0) > 0 {
            let count = unsafe read(master, &chunk, chunk.count)
            guard count > 0 else { break }
            text += chunk[..<count]
        }
        close(terminal)
        return String(decoding: text, as: UTF8.self)
    }
}
