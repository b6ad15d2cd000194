import Foundation
import LabSupport
import Protocol
import Testing

@Suite("Under a service manager", .serialized) struct ServiceTests {
    @Test("It says when it is ready, what is next, that it reloads, lives and stops")
    func notify() async throws {
        let box = try LabBox()
        let manager = try NotifySocket(in: box.directory)
        let program = try await box.start(environment: [
            "NOTIFY_SOCKET": manager.path, "WATCHDOG_USEC": "400000",
        ])
        #expect(try await eventually { manager.messages.contains("READY=1") })
        #expect(manager.messages.contains { $0.hasPrefix("STATUS=Next: ") })
        #expect(try await eventually { manager.messages.count { $0 == "WATCHDOG=1" } >= 3 })

        try box.trigger("asr")
        #expect(try await eventually { manager.messages.contains("STATUS=Playing Asr (simulated)") })
        let before = manager.messages.count { $0 == "WATCHDOG=1" }
        #expect(try await eventually { manager.messages.count { $0 == "WATCHDOG=1" } >= before + 3 })

        program.send(SIGHUP)
        #expect(try await eventually { manager.messages.count { $0 == "READY=1" } == 2 })
        let reloading = try #require(
            manager.messages.lastIndex { $0.hasPrefix("RELOADING=1\nMONOTONIC_USEC=") })
        let ready = try #require(manager.messages.lastIndex(of: "READY=1"))
        #expect(reloading < ready)
        program.send(SIGTERM)
        #expect(try await program.exitStatus() == 0)
        #expect(manager.messages.contains("STOPPING=1"))
    }

    @Test(
        "A playback thread that a driver does not let go is reported by silence to the service manager, and only then"
    )
    func stuckPlayback() async throws {
        // Longer than all that is waited for, on a busy machine, too.
        let box = try LabBox("[adhan]\nsound = [\"standard\", \"standard\", \"standard\", \"standard\"]\n")
        let manager = try NotifySocket(in: box.directory)
        try await box.start(environment: ["NOTIFY_SOCKET": manager.path, "WATCHDOG_USEC": "1000000"])
        try box.trigger("asr")
        #expect(try await box.isPlaying())
        let before = manager.messages.count { $0 == "WATCHDOG=1" }
        #expect(try await eventually { manager.messages.count { $0 == "WATCHDOG=1" } >= before + 3 })
        try box.card.set(.wedge)
        try await Task.sleep(for: .seconds(1.5))
        let stuck = manager.messages.count { $0 == "WATCHDOG=1" }
        try await Task.sleep(for: .seconds(3))
        #expect(manager.messages.count { $0 == "WATCHDOG=1" } == stuck)
        // The daemon itself is well, and answers.
        #expect(try box.status.playback.state == .playing)
        try box.card.set(.ok)
        #expect(try await eventually { manager.messages.count { $0 == "WATCHDOG=1" } > stuck })
    }

    @Test("A socket that the service manager holds is used, and left alone at the end")
    func activation() async throws {
        let box = try LabBox()
        let script = """
            import os, socket, sys
            listener = socket.socket(socket.AF_UNIX)
            listener.bind(sys.argv[1]); listener.listen(8)
            if listener.fileno() != 3: os.dup2(listener.fileno(), 3)
            os.set_inheritable(3, True)
            os.environ.update(LISTEN_FDS="1", LISTEN_PID=str(os.getpid()))
            os.execv(sys.argv[2], sys.argv[2:])
            """
        let passed = box.directory.appending(path: "passed").path
        let program = try box.launch(
            launcher: ("/usr/bin/env", ["python3", "-c", script, passed, Program.path]))
        #expect(try await box.logs("started for Test Island"))
        #expect(try Caller(passed).call(.getStatus).status.playback.state == .idle)
        #expect(!FileManager.default.fileExists(atPath: box.socket))
        program.send(SIGTERM)
        #expect(try await program.exitStatus() == 0)
        #expect(FileManager.default.fileExists(atPath: passed))
    }
}
