import Foundation
import LabSupport
import Testing

extension DisplayTests {
    /// The Unix socket by which adhan-kiosk's launcher and the server know each other.
    @Suite("The launcher's socket")
    struct LauncherTests {
        private let display: Display
        private let path = "/tmp/adhan-launcher-\(UUID().uuidString.prefix(8)).sock"

        init() throws {
            display = try Display(passing: Self.launcher(path))
        }

        /// Hands two sockets over, as systemd does: one of TCP, and the launcher's.
        private static func launcher(_ path: String) -> String {
            """
            import os, socket, sys
            listeners = [socket.socket(), socket.socket(socket.AF_UNIX)]
            listeners[0].bind(("127.0.0.1", 0)); listeners[1].bind("\(path)")
            for s in listeners: s.listen(64)
            high = [os.dup2(s.fileno(), 20 + i) for i, s in enumerate(listeners)]
            for i, h in enumerate(high):
                os.dup2(h, 3 + i); os.set_inheritable(3 + i, True)
            os.environ.update(LISTEN_FDS="2", LISTEN_PID=str(os.getpid()), LISTEN_FDNAMES="display:display")
            os.execv(sys.argv[1], sys.argv[1:])
            """
        }

        private func ask(_ question: String) throws -> Display.Reply {
            let line = Line(path: path)
            line.send("GET \(question) HTTP/1.0\r\nHost: 127.0.0.1\r\n\r\n")
            return try Display.parse(line.readAll())
        }

        @Test("A page's beats count from the launcher's first question on, and for nobody else")
        func beats() throws {
            defer { unsafe unlink(path) }
            #expect(try display.get("/beat?token=abcdefgh12").status == 404)
            #expect(try ask("/beat?heard=abcdefgh12").status == 404)
            #expect(try display.get("/beat?token=abcdefgh12").status == 204)
            #expect(try ask("/beat?heard=abcdefgh12").status == 200)
            #expect(try display.get("/beat?heard=abcdefgh12").status == 400)
            for number in 0..<40 {
                #expect(try display.get("/beat?token=made-up-\(number)").status == 404)
                #expect(try display.get("/beat?heard=made-up-\(number)").status == 400)
            }
            #expect(try ask("/beat?heard=abcdefgh12").status == 200)
            #expect(try ask("/beat?heard=short").status == 404)
            #expect(try display.get("/beat?token=short").status == 404)
            #expect(try ask("/beat?token=abcdefgh12").status == 400)
        }

        @Test("A page that wants the server's new files is distinguished from one that has died")
        func renewing() throws {
            defer { unsafe unlink(path) }
            #expect(try ask("/beat?heard=abcdefgh12").status == 404)
            #expect(try display.get("/beat?token=abcdefgh12&renew=1").status == 204)
            #expect(try ask("/beat?heard=abcdefgh12").status == 410)
        }

        @Test("The server tells its launcher at which port this machine's browsers reach it, and nobody else")
        func port() throws {
            defer { unsafe unlink(path) }
            #expect(try ask("/port").body == "\(display.port)\n")
            #expect(try display.get("/port").status == 404)
            #expect(try [200, 503].contains(ask("/healthz").status))
        }

        /// adhan-kiosk with programs that are none: a compositor that keeps the page that the browser would open first.
        private func session(_ config: String, _ port: UInt16, _ socketPath: String) throws -> (
            process: Process, folder: URL
        ) {
            let folder = display.directory.appending(path: "kiosk-\(UUID().uuidString.prefix(8))")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let file = folder.appending(path: "display.toml")
            try Data(config.utf8).write(to: file)
            let process = Process()
            process.executableURL = URL(filePath: Display.program).deletingLastPathComponent()
                .appending(path: "adhan-kiosk")
            process.arguments =
                ["--port", "\(port)", "--server", socketPath, "--config", file.path, "--browser", "true"]
                + [
                    "--", "sh", "-c",
                    "for last; do :; done; cp \"${last#file://}\" \(folder.path)/seen; exec sleep 1",
                ]
            process.environment = TestClock.under([
                "PATH": "/usr/bin:/bin", "RUNTIME_DIRECTORY": folder.path,
            ])
            let log = folder.appending(path: "log")
            try Data().write(to: log)
            process.standardError = try FileHandle(forWritingTo: log)
            try process.run()
            return (process, folder)
        }

        private func address(_ session: (process: Process, folder: URL)) async throws -> String {
            for _ in 0..<100 {
                if let seen = try? String(
                    contentsOf: session.folder.appending(path: "seen"), encoding: .utf8),
                    let address = seen.firstMatch(of: /url=([^"]+)"/)
                {
                    return String(address.1)
                }
                try await Task.sleep(for: .milliseconds(100))
            }
            return ""
        }

        @Test(
            "This machine's display opens the view that display.toml names, and the usual one where the server has no such view"
        )
        func view() async throws {
            let hall = "[screen]\nview = \"hall\"\n[[view]]\nname = \"hall\"\nlanguages = \"tr\"\n"
            let file = display.directory.appending(path: "server.toml")
            try Data(hall.utf8).write(to: file)
            let socketPath = "/tmp/adhan-launcher-\(UUID().uuidString.prefix(8)).sock"
            let served = try Display(passing: Self.launcher(socketPath), ["--config", file.path])
            _ = try await served.becomes(200, within: 20)
            let known = try session(hall, served.port, socketPath)
            let unknown = try session(hall, display.port, path)
            let usual = try session("", display.port, path)
            defer {
                // Each ends with its compositor.
                for one in [known, unknown, usual] { one.process.waitUntilExit() }
                for socket in [socketPath, path] { unsafe unlink(socket) }
            }
            let address = try await address(known)
            #expect(address.hasSuffix("&amp;view=hall") && address.contains("/?kiosk="), "\(address)")
            #expect(try served.get("/state.json?view=hall").body.contains("\"languages\":[\"tr\"]"))
            #expect(try served.get("/state.json").body.contains("\"displayView\":\"hall\""))
            #expect(try await !self.address(unknown).contains("view="))
            let logged = try String(contentsOf: unknown.folder.appending(path: "log"), encoding: .utf8)
            #expect(logged.contains("adhan-display has no view \"hall\""), "\(logged)")
            #expect(try await !self.address(usual).contains("view="))
        }
    }
}
