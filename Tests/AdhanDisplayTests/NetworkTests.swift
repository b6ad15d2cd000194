import Foundation
import Testing

extension DisplayTests {
    /// Another machine's view, by the socket that systemd calls `lan`.
    @Suite("The display's socket to the network")
    struct NetworkTests {
        /// A display with both sockets, and the port of the second one.
        private static func open(_ settings: String = "") throws -> (Display, UInt16) {
            let folder = FileManager.default.temporaryDirectory.appending(path: "lan-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            let config = folder.appending(path: "display.toml")
            try Data(settings.utf8).write(to: config)
            let file = folder.appending(path: "port")
            let launcher = """
                import os, socket, sys
                listeners = [socket.socket(), socket.socket()]
                for s in listeners:
                    s.bind(("127.0.0.1", 0)); s.listen(512)
                open("\(file.path)", "w").write(str(listeners[1].getsockname()[1]))
                high = [os.dup2(s.fileno(), 20 + i) for i, s in enumerate(listeners)]
                for i, h in enumerate(high):
                    os.dup2(h, 3 + i); os.set_inheritable(3 + i, True)
                os.environ.update(LISTEN_FDS="2", LISTEN_PID=str(os.getpid()), LISTEN_FDNAMES="display:lan")
                os.execv(sys.argv[1], sys.argv[1:])
                """
            let display = try Display(passing: launcher, ["--preview", "--config", config.path])
            let port = try #require(UInt16(try String(contentsOf: file, encoding: .utf8)))
            return (display, port)
        }

        @Test("It sees that something is wrong, and no device, file, setting or version of this machine")
        func details() async throws {
            let (display, lan) = try Self.open()
            _ = try await display.becomes(200, within: 10)
            try display.change(
                #"{"healthy": false, "last_error": "cannot open \"hw:CARD=secret\"", "problem": {"file": "/etc/adhand/adhand.toml", "line": 3, "column": 1, "message": "no"}}"#
            )
            var own = ""
            let end = ContinuousClock.now + .seconds(10)
            while !own.contains("hw:CARD=secret"), ContinuousClock.now < end {
                own = try display.get("/state.json").body
                try await Task.sleep(for: .milliseconds(50))
            }
            #expect(own.contains("hw:CARD=secret") && own.contains("\"kind\":\"configuration\""))
            let other = try display.get("/state.json", port: lan).body
            #expect(other.contains("\"kind\":\"no-sound\"") && other.contains("\"scenes\":"))
            for secret in ["secret", "/etc/adhand", "\"kind\":\"configuration\"", "0.1.0"] {
                #expect(!other.contains(secret), "\(secret)")
            }
            let line = Line.listening(to: lan)
            let event = try #require(line.event())
            #expect(event.name == "state" && !event.data.contains("secret"))
            #expect(
                try !display.get("/state.json?now=2026-11-20T12:40:00Z", port: lan).body.contains(
                    "2026-11-20T12:40"))
            #expect(try display.get("/beat?token=abcdefgh12", port: lan).status == 404)
            display.endDaemon()
            #expect(try await display.becomes(503, within: 3) != nil)
            let health = try display.get("/healthz", port: lan)
            #expect(health.status == 503 && health.body == "adhand does not answer\n")
            #expect(try display.get("/healthz").body != health.body)
        }

        @Test("A name that its keeper added is its own, any other stays foreign")
        func names() async throws {
            let (display, lan) = try Self.open("[network]\nnames = [\"Screen.Mosque.example\"]\n")
            _ = try await display.becomes(200, within: 10)
            #expect(try display.get("/", host: "screen.mosque.example:8788", port: lan).status == 200)
            #expect(try display.get("/", host: "evil.example", port: lan).status == 421)
            #expect(try display.get("/", host: "screen.mosque.example.evil", port: lan).status == 421)
        }

        @Test("Another machine sees the view for telephones, and any that it names; this one sees the wall")
        func views() async throws {
            let (display, lan) = try Self.open("[[view]]\nname = \"women\"\ntheme = \"day\"\n")
            _ = try await display.becomes(200, within: 10)
            func view(_ query: String, _ port: UInt16?) throws -> String? {
                let body = try display.get("/state.json" + query, port: port).body
                return body.firstMatch(of: /"view":"([a-z]+)"/).map { String($0.1) }
            }
            #expect(try view("", nil) == "wall" && view("", lan) == "phone")
            #expect(try view("?view=phone", nil) == "phone" && view("?view=wall", lan) == "wall")
            #expect(try view("?view=women", lan) == "women")
            #expect(try display.get("/state.json?view=women").body.contains("\"theme\":\"day\""))
            #expect(!(try display.get("/state.json", port: lan).body.contains("\"views\":")))
            #expect(
                try display.get("/state.json").body.contains("\"views\":[\"wall\",\"phone\",\"women\"]"))
            for path in ["/?view=men", "/events?view=men", "/state.json?view=men"] {
                let answer = try display.get(path, port: lan)
                #expect(answer.status == 404, "\(path)")
                #expect(answer.body == "There is no view \"men\" here. There are: wall, phone, women.\n")
            }
            let line = Line(port: lan)
            line.send("GET /events?view=women HTTP/1.1\r\nHost: localhost\r\n\r\n")
            #expect(try #require(line.event()).data.contains("\"view\":\"women\""))
            #expect(try display.get("/assets/page.webmanifest").head.contains("application/manifest+json"))
            #expect(try display.get("/").head.contains("manifest-src 'self'"))
        }

        @Test("Two hundred machines look, one that opens too many doors keeps nobody out")
        func viewers() async throws {
            let (display, lan) = try Self.open()
            _ = try await display.becomes(200, within: 10)
            let viewers = (1...200).map { Line.listening(to: lan, source: 256 + $0) }
            for viewer in viewers { #expect(viewer.event()?.name == "state") }
            let greedy = (0..<80).map { _ in Line.listening(to: lan, source: 9999) }
            var heard = 0
            for line in greedy where line.event() != nil { heard += 1 }
            // Four more are kept for its short requests.
            #expect(heard == 60)
            let own = Line(port: lan, source: 9999)
            own.send("GET /healthz HTTP/1.0\r\nHost: 127.0.0.1\r\n\r\n")
            #expect(try Display.parse(own.readAll()).status == 200)
            #expect(Line.listening(to: lan, source: 700).event()?.name == "state")
            #expect(try display.get("/healthz").status == 200)
            for viewer in viewers.prefix(20) {
                // The tick after the state, and the one after that.
                #expect(viewer.event()?.name == "tick" && viewer.event()?.name == "tick")
            }
            print("resident with 265 viewers: \(display.residentKilobytes) KB")
        }
    }
}
