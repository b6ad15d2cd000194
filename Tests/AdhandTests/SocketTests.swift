import Foundation
import Host
import LabSupport
import Protocol
import Testing

@Suite("The control socket", .serialized) struct SocketTests {
    @Test("Pipelined requests are answered in order, also after the caller has said all it has to say")
    func pipelined() async throws {
        let box = try LabBox()
        try await box.start()
        var caller = try Caller(box.socket)
        let calls = ["GetTimers", "Nonsense", "GetLog", "org.varlink.service.GetInfo", "GetDiagnostics"]
        try caller.send(
            calls.map { call in
                "{\"method\":\"\(call.contains(".") ? call : "org.adhand.Control.\(call)")\"}\0"
            }.joined())
        let expected = ["\"timers\"", "MethodNotFound", "\"entries\"", "org.adhand.Control", "\"text\""]
        for text in expected { #expect(try #require(try caller.receiveText()).contains(text)) }

        // TestPlay answers when it sounds; what was asked after it waits for its turn.
        try caller.send(
            "{\"method\":\"org.adhand.Control.TestPlay\",\"parameters\":{\"prayer\":\"asr\",\"seconds\":1}}\0"
        )
        try caller.send("{\"method\":\"org.adhand.Control.GetStatus\",\"oneway\":true}\0")
        try caller.send("{\"method\":\"org.adhand.Control.GetStatus\"}\0")
        #expect(try #require(try caller.receiveText()).contains("playing what Asr would play"))
        #expect(try #require(try caller.receiveText()).contains("\"state\":\"playing\""))
    }

    @Test(
        "What is no Varlink call ends the connection, and nothing else",
        arguments: ["hello\0", "\0", "[]\0", "{\"method\":7}\0", "{}\0", "{\"method\":\"x\"", "\u{FEFF}{}\0"])
    func malformed(text: String) async throws {
        let box = try LabBox()
        try await box.start()
        var caller = try Caller(box.socket)
        try caller.send(text)
        #expect(try caller.receive(timeout: 8) == nil)
        #expect(try box.status.playback.state == .idle)
    }

    @Test("A request of 64 KiB is read, a longer one ends the connection")
    func longRequests() async throws {
        let box = try LabBox()
        try await box.start()
        let head = "{\"method\":\"org.adhand.Control.GetStatus\",\"parameters\":{}"
        var caller = try Caller(box.socket)
        let padding = String(repeating: " ", count: 65_536 - head.utf8.count - 2)
        try caller.send("\(head)\(padding)}\0")
        #expect(try #require(try caller.receiveText()).contains("\"status\""))
        try? caller.send("\(head)\(padding) }\0")
        #expect(try caller.receive() == nil)
        var endless = try Caller(box.socket)
        try? endless.send(String(repeating: "x", count: 100_000))
        #expect(try endless.receive() == nil)
    }

    @Test("An unknown parameter, a wrong one and an unknown interface are named")
    func refusals() async throws {
        let box = try LabBox()
        try await box.start()
        #expect(throws: ControlError.invalidParameter(parameter: "name")) {
            try box.send("TestPlay", SoundParameters(name: "x"))
        }
        #expect(throws: ControlError.interfaceNotFound(interface: "org.example")) {
            try box.send("org.example.Ping")
        }
        #expect(throws: ControlError.expectedMore) { try box.send("Monitor") }
        #expect(throws: ControlError.nothingPlaying) { try box.change(.stop) }
        #expect(
            throws: ControlError.invalidTime(
                value: "soon", reason: "give a duration of at most 366 days, such as 90s, 10m, 2h or 1h30m")
        ) {
            try box.change(.mute, MuteParameters(duration: "soon"))
        }
    }

    @Test(
        "Of sixty-four callers an idle one makes room for the next; while all are busy the next is turned away"
    )
    func crowd() async throws {
        let box = try LabBox()
        try await box.start()
        let crowd = try (0..<64).map { _ in try Held(box.socket) }
        for caller in crowd { #expect(try caller.status()) }
        #expect(try Held(box.socket).status())
        for caller in crowd { caller.end() }
        let monitors = try await Self.monitors(of: box)
        #expect(try await eventually { try Caller(box.socket).isTurnedAway() })
        monitors[0].end()
        #expect(try await eventually { (try? Held(box.socket).status()) == true })
    }

    @Test("A monitor hears every event; one that does not listen is let go and disturbs nobody")
    func monitors() async throws {
        let box = try LabBox()
        try await box.start()
        var listening = try Caller(box.socket)
        try listening.send(Varlink.call(.monitor, MonitorParameters(), more: true))
        let deaf = try Held(box.socket)
        try deaf.monitor()
        #expect(try box.status.playback.state == .idle)
        var heard: Set<String> = []
        // Each switch is two events of some three hundred bytes.
        for round in 0..<900 {
            let isha = PrayersParameters(prayers: ["isha"])
            try box.change(round.isMultiple(of: 2) ? .disablePrayers : .enablePrayers, isha)
            var last = ""
            while last != "plan.computed" {
                let event = try Varlink.read(MonitorReply.self, from: try #require(try listening.receive()))
                #expect(event.continues)
                last = try #require(event.document.event).event
                heard.insert(last)
            }
        }
        #expect(heard == ["toggle.changed", "timer.armed", "plan.computed"])
        #expect(try deaf.isEnded())
    }

    @Test(
        "Anybody may read; root and the group may change things; others learn which group",
        .enabled(if: geteuid() == 0, "only root can become somebody else"))
    func roles() async throws {
        let box = try LabBox("[control]\ngroup = \"games\"\n")
        try await box.start()
        func ask(_ method: String, groups: String) async throws -> String {
            try await Self.ask(box, method, groups: groups)
        }
        #expect(try await ask("GetStatus", groups: "").contains("\"status\""))
        #expect(try await ask("Mute", groups: "").contains("\"error\":\"org.adhand.Control.NotPermitted\""))
        #expect(try await ask("Mute", groups: "").contains("\"needed\":\"games\""))
        #expect(try !box.status.mute.active)
        #expect(try await ask("Mute", groups: "60").contains("muted until unmuted"))
        #expect(try box.status.mute.active)
        #expect(try await box.logs("denied to user 65534: mute needs the group \"games\""))
    }

    @Test(
        "root's monitors do not lock anybody else out, and nobody ends them",
        .enabled(if: geteuid() == 0, "only root can become somebody else"))
    func rootsCrowd() async throws {
        let box = try LabBox()
        try await box.start()
        let monitors = try await Self.monitors(of: box)
        #expect(try await Self.ask(box, "GetStatus", groups: "").contains("\"status\""))
        #expect(throws: SocketError.self) { try monitors[0].isEnded() }
    }

    @Test("A monitor that asks for a snapshot receives the status before anything else")
    func snapshot() async throws {
        let box = try LabBox()
        try await box.start()
        var caller = try Caller(box.socket)
        try caller.send(Varlink.call(.monitor, MonitorParameters(snapshot: true), more: true))
        let first = try Varlink.read(MonitorReply.self, from: try #require(try caller.receive()))
        #expect(first.continues)
        #expect(first.document.event == nil)
        #expect(first.document.status?.location.name == "Test Island")
        try box.change(.disablePrayers, PrayersParameters(prayers: ["isha"]))
        let next = try Varlink.read(MonitorReply.self, from: try #require(try caller.receive()))
        #expect(next.document.event?.event == "toggle.changed")
        #expect(next.document.status == nil)
    }

    @Test("A history of years comes in parts to those who take several, and its newest end to others")
    func longHistory() async throws {
        let box = try LabBox()
        try CrowdTests.writeHistory(3000, in: box)
        try await box.start()
        var caller = try Caller(box.socket)
        try caller.send(Varlink.call(.getHistory, HistoryParameters(days: 3660), more: true))
        var announcements: [HistoryEntry] = []
        while true {
            let bytes = try #require(try caller.receive(timeout: 30))
            #expect(bytes.count < 400_000)
            let (part, continues) = try Varlink.read(HistoryReply.self, from: bytes)
            announcements += part.history.announcements
            #expect((part.history.due, part.history.played) == (3000, 3000))
            if !continues { break }
        }
        #expect(announcements.map(\.id) == (0..<3000).map { CrowdTests.pastId($0) })
        let whole = try Caller(box.socket).call(
            .getHistory, HistoryParameters(days: 3660)
        ).history
        #expect(whole.due == 3000)
        #expect(whole.announcements.last?.id == CrowdTests.pastId(2999))
        #expect(whole.announcements.count + (whole.omitted ?? 0) == 3000)
        // The announcement that is called now is in the next answer.
        let id = try #require(try box.trigger("asr").id)
        _ = try await box.entry(id)
        let week = try box.call(.getHistory, HistoryParameters()).history
        #expect(week.announcements.last?.id == id)
        #expect(week.omitted == nil)
    }

    @Test("The history counts what some outputs failed where a quiet window is configured")
    func partialCount() async throws {
        let window = "[[quiet]]\nname = \"nap\"\nfrom = \"13:00\"\nuntil = \"13:01\"\nvolume = 90\n"
        for (text, count) in [("", nil), (window, 0)] as [(String, Int?)] {
            let box = try LabBox(text)
            try CrowdTests.writeHistory(3, in: box)
            try await box.start()
            let whole = try box.call(.getHistory, HistoryParameters()).history
            #expect(whole.partial == count)
            var caller = try Caller(box.socket)
            try caller.send(Varlink.call(.getHistory, HistoryParameters(days: 3660), more: true))
            let bytes = try #require(try caller.receive(timeout: 30))
            let part = try Varlink.read(HistoryReply.self, from: bytes).document.history
            #expect(part.partial == count && part.due == 3)
        }
    }

    /// As many as there is room for, all of which the daemon has taken for what they are.
    private static func monitors(of box: LabBox) async throws -> [Held] {
        let monitors = try (0..<64).map { _ in try Held(box.socket) }
        for monitor in monitors {
            try monitor.monitor()
            // There is no connection left to make something happen by.
            #expect(
                try await eventually {
                    box.program?.send(SIGHUP)
                    return monitor.hears()
                })
        }
        return monitors
    }

    /// The requests that are refused, with these groups.
    private static func ask(_ box: LabBox, _ method: String, groups: String) async throws -> String {
        let script = """
            import os, socket, sys
            os.setgroups([int(g) for g in sys.argv[3].split()]); os.setgid(65534); os.setuid(65534)
            s = socket.socket(socket.AF_UNIX); s.connect(sys.argv[1])
            s.sendall(b'{"method":"org.adhand.Control.%s"}\\0' % sys.argv[2].encode())
            sys.stderr.write(s.recv(65536).decode())
            """
        let caller = try Program(
            ["python3", "-c", script, box.socket, method, groups], in: box.directory, environment: [:],
            launcher: ("/usr/bin/env", []))
        #expect(try await caller.exitStatus() == 0)
        return caller.text
    }
}

extension Caller {
    /// Whether the connection ends without a word, within a fifth of a second.
    fileprivate consuming func isTurnedAway() throws -> Bool {
        do {
            return try receive(timeout: 0.2) == nil
        } catch SocketError.timedOut {
            return false
        }
    }
}

/// A connection that is kept.
private final class Held {
    private var caller: Caller?

    init(_ path: String) throws { caller = try Caller(path) }

    func status() throws -> Bool {
        try caller?.send(Varlink.call(.getStatus, NoParameters()))
        return try caller?.receiveText()?.contains("\"status\"") == true
    }

    func monitor() throws { try caller?.send(Varlink.call(.monitor, MonitorParameters(), more: true)) }

    func hears() -> Bool {
        do { return try caller?.receive(timeout: 0.2) != nil } catch { return false }
    }

    /// Whether the other end has closed, after reading whatever it sent.
    func isEnded() throws -> Bool {
        while true {
            if try caller?.receive(timeout: 2) == nil { return true }
        }
    }

    func end() { caller = nil }
}
