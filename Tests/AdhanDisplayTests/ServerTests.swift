import Foundation
import Testing

extension DisplayTests {
    @Suite("The display's server")
    struct ServerTests {
        @Test("Page, assets, state and health, and nothing else")
        func paths() async throws {
            let display = try Display()
            _ = try await display.becomes(200, within: 10)
            let page = try display.get("/")
            #expect(
                page.status == 200 && page.body.contains("id=\"clock\"") && page.body.hasSuffix("</html>\n"))
            for name in ["display.js", "player.js", "verses.js", "display.css", "languages/ar.json"] {
                #expect(try display.get("/assets/\(name)").status == 200, "\(name)")
            }
            let state = try display.get("/state.json")
            let json = try #require(
                try JSONSerialization.jsonObject(with: Data(state.body.utf8)) as? [String: Any])
            let scenes = try #require(json["scenes"] as? [[String: Any]])
            #expect(scenes.count > 20 && json["now"] is String && json["notices"] is [String])
            for scene in scenes {
                #expect(Set(["from", "scene", "prayer", "reason"]).isSubset(of: scene.keys))
            }
            for path in [
                "/nothing", "/assets/", "/assets/../index.html", "/assets/%2e%2e/index.html",
                "/assets/index.html",
                "/slides/x.png", "/slides/../../../etc/passwd", "//", "/etc/passwd", "/assets//display.js",
                "*",
            ] {
                let status = try display.get(path).status
                #expect(status == 404 || status == 400, "\(path): \(status)")
            }
            let head = try display.get("/", method: "HEAD")
            #expect(head.status == 200 && head.body.isEmpty)
            for method in ["POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE"] {
                let reply = try display.get("/", method: method)
                #expect(reply.status == 405 && reply.head.contains("Allow: GET, HEAD"), "\(method)")
            }
        }

        @Test("Every answer tells browsers what not to do with it")
        func headers() async throws {
            let display = try Display()
            _ = try await display.becomes(200, within: 10)
            for path in ["/", "/state.json", "/assets/display.js", "/healthz", "/nothing"] {
                let head = try display.get(path).head
                #expect(
                    head.contains("Content-Security-Policy: default-src 'none'; script-src 'self'"), "\(path)"
                )
                #expect(
                    head.contains("frame-ancestors 'none'")
                        && head.contains("X-Content-Type-Options: nosniff"))
                #expect(
                    !head.contains("Set-Cookie") && head.contains("Cross-Origin-Resource-Policy: same-origin")
                )
            }
        }

        @Test("Only a name of its own is answered")
        func hosts() async throws {
            let display = try Display()
            let port = display.port
            for host in ["localhost", "localhost:\(port)", "127.0.0.1", "[::1]:\(port)", "LOCALHOST"] {
                #expect(try display.get("/", host: host).status == 200, "\(host)")
            }
            for host in [
                "evil.example", "evil.example:\(port)", "127.0.0.1.evil.example", "localhost.evil",
                "127.0.0.1:x",
                "[::1", "",
            ] {
                #expect(try display.get("/", host: host).status == 421, "\(host)")
            }
            #expect(try display.get("/", more: "Host: localhost\r\n").status == 400)
            let none = Line(port: port)
            none.send("GET / HTTP/1.0\r\n\r\n")
            #expect(try Display.parse(none.readAll()).status == 400)
        }

        @Test("A head of more than 8 KB is refused, however it comes")
        func longHeads() throws {
            let display = try Display()
            let filler = String(repeating: "a", count: 7_900)
            #expect(try display.get("/", more: "X: \(filler)\r\n").status == 200)
            #expect(try display.get("/", more: "X: \(filler)\(filler)\r\n").status == 431)
            let many = (0..<1000).map { "X\($0): \($0)\r\n" }.joined()
            #expect(try display.get("/", more: many).status == 431)
            #expect(try display.get("/" + filler + filler).status == 431)
            let endless = Line(port: display.port)
            endless.send("GET / HTTP/1.1\r\nX: ")
            for _ in 0..<20 { endless.send(filler) }
            #expect(try Display.parse(endless.readAll()).status == 431)
            let noise = Line(port: display.port)
            noise.send("\u{1}\u{2}\u{3} hello\r\n\r\n")
            #expect(try Display.parse(noise.readAll()).status == 400)
            let body = try display.get("/", more: "Content-Length: 5\r\n")
            #expect(body.status == 400)
        }

        @Test("Health follows the daemon: 503 within two seconds, 200 within five")
        func health() async throws {
            let display = try Display(withDaemon: false)
            #expect(try display.get("/healthz").status == 503 && display.get("/state.json").status == 503)
            #expect(try display.get("/").status == 200)
            try display.startDaemon()
            #expect(try await display.becomes(200, within: 5) != nil)
            for _ in 0..<2 {
                display.endDaemon()
                #expect(try await display.becomes(503, within: 2) != nil)
                #expect(try display.get("/healthz").body.count > 10)
                let state = try display.get("/state.json")
                #expect(state.status == 200 && state.body.contains("\"kind\":\"lost\""))
                try display.startDaemon()
                #expect(try await display.becomes(200, within: 5) != nil)
                #expect(try !display.get("/state.json").body.contains("\"kind\":\"lost\""))
            }
        }

        @Test("Events begin with the state, tick each second by the wall, and tell every change")
        func events() async throws {
            let display = try Display()
            _ = try await display.becomes(200, within: 10)
            let line = Line.listening(to: display.port)
            let first = try #require(line.event())
            #expect(first.name == "state" && first.data.contains("\"scenes\":"))
            var sequences: [Int] = []
            var lateness: [Double] = []
            let formatter = ISO8601DateFormatter()
            formatter.formatOptions = [.withInternetDateTime, .withFractionalSeconds]
            while sequences.count < 5 {
                let event = try #require(line.event())
                guard event.name == "tick" else { continue }
                let json = try #require(
                    try JSONSerialization.jsonObject(with: Data(event.data.utf8)) as? [String: Any])
                let told = try #require(json["at"] as? String)
                let at = try #require(formatter.date(from: told))
                sequences.append(try #require(json["sequence"] as? Int))
                lateness.append(Date().timeIntervalSince(at))
                if sequences.count > 1 {
                    let second = at.timeIntervalSince1970
                    #expect(second - second.rounded(.down) < 0.25, "a tick far from its second")
                }
            }
            #expect(zip(sequences.dropFirst(), sequences.dropFirst(2)).allSatisfy { $1 == $0 + 1 })
            #expect((lateness.min() ?? 1) < 0.05)
            try display.change(#"{"healthy": false}"#)
            var told = ""
            while !told.contains("\"kind\":\"no-sound\"") {
                let event = try #require(line.event())
                if event.name == "state" { told = event.data }
            }
            #expect(told.contains("No sound since"))
        }

        @Test("A thousand viewers, and afterwards as before")
        func crowd() async throws {
            let display = try Display()
            _ = try await display.becomes(200, within: 10)
            try await Task.sleep(for: .seconds(2))
            let before = display.residentKilobytes
            var lines: [Line] = (0..<1000).map { _ in Line.listening(to: display.port) }
            for line in lines { #expect(line.event()?.name == "state") }
            #expect(try display.get("/healthz").status == 200)
            let during = display.residentKilobytes
            lines = []
            try await Task.sleep(for: .seconds(8))
            let after = display.residentKilobytes
            print("resident: \(before) KB before, \(during) KB with 1000 viewers, \(after) KB after")
            #expect(try display.get("/healthz").status == 200)
            #expect(after < before + 4096)
            if ProcessInfo.processInfo.environment["ADHAN_DISPLAY_BIN"] != nil { #expect(after <= 16 * 1024) }
        }

        @Test("Who reads slowly or never finishes keeps nobody waiting")
        func slow() async throws {
            let display = try Display()
            _ = try await display.becomes(200, within: 10)
            let slow = (0..<50).map { _ in
                let line = Line(port: display.port, receiveBuffer: 2048)
                line.send("GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n")
                return line
            }
            let unfinished = (0..<50).map { _ in
                let line = Line(port: display.port)
                line.send("GET / HTTP/1.1\r\nHo")
                return line
            }
            let began = ContinuousClock.now
            for _ in 0..<20 { #expect(try display.get("/state.json").status == 200) }
            #expect(ContinuousClock.now - began < .seconds(5))
            // Ten seconds for a head, and then the line is cut.
            let end = try #require(unfinished.first)
            #expect(end.readAll().isEmpty)
            #expect(ContinuousClock.now - began > .seconds(5) && ContinuousClock.now - began < .seconds(14))
            withExtendedLifetime(slow) {}
        }

        @Test("A socket that is passed in goes before --listen")
        func passed() async throws {
            let launcher = """
                import os, socket, sys
                s = socket.socket(); s.bind(("127.0.0.1", 0)); s.listen(64)
                os.dup2(s.fileno(), 3); os.set_inheritable(3, True)
                os.environ.update(LISTEN_FDS="1", LISTEN_PID=str(os.getpid()))
                os.execv(sys.argv[1], sys.argv[1:])
                """
            let display = try Display(passing: launcher)
            #expect(display.port > 1)
            #expect(try await display.becomes(200, within: 10) != nil)
        }

        @Test("Slides come from their folder, broken ones are left out and told")
        func slides() async throws {
            let folder = FileManager.default.temporaryDirectory.appending(path: "slides-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            let png = Data(
                [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + [UInt8](repeating: 0, count: 40))
            try png.write(to: folder.appending(path: "one picture ä.png"))
            try Data("no picture at all".utf8).write(to: folder.appending(path: "broken.png"))
            try Data(repeating: 0xFF, count: 50 << 20).write(to: folder.appending(path: "huge.jpg"))
            try Data("Lesson after maghrib\n<script>alert(1)</script>".utf8).write(
                to: folder.appending(path: "text.txt"))
            try FileManager.default.createSymbolicLink(
                at: folder.appending(path: "loop.png"), withDestinationURL: folder.appending(path: "loop.png")
            )
            _ = unsafe mkfifo(folder.appending(path: "pipe.png").path, 0o600)
            let config = FileManager.default.temporaryDirectory.appending(
                path: "display-\(UUID().uuidString).toml")
            defer { try? FileManager.default.removeItem(at: config) }
            try Data("[slides]\nfolder = \"\(folder.path)\"\n".utf8).write(to: config)
            let display = try Display(["--config", config.path])
            _ = try await display.becomes(200, within: 10)
            let reply = try display.get("/slides/one%20picture%20%C3%A4.png")
            #expect(
                reply.status == 200 && reply.head.contains("image/png")
                    && reply.head.contains("Content-Length: 48"))
            for name in ["broken.png", "huge.jpg", "loop.png", "pipe.png", "text.txt", "..", "%2e%2e%2fs"] {
                #expect(try display.get("/slides/\(name)").status == 404, "\(name)")
            }
            let state = try display.get("/state.json").body
            #expect(state.contains("Lesson after maghrib"))
            #expect(state.contains("broken.png") && state.contains("huge.jpg") && state.contains("pipe.png"))
        }

        @Test("Another time is shown only in a preview")
        func preview() async throws {
            let display = try Display(["--preview"])
            _ = try await display.becomes(200, within: 10)
            let state = try display.get("/state.json?now=2026-11-20T12:40:00Z").body
            #expect(state.contains("\"preview\":true") && state.contains("\"scene\":\"khutba\""))
            #expect(state.contains("\"now\":\"2026-11-20T12:40:00.000+00:00\""))
            #expect(try display.get("/state.json?now=soon").status == 400)
            let plain = try Display()
            _ = try await plain.becomes(200, within: 10)
            #expect(
                try !plain.get("/state.json?now=2026-11-20T12:40:00Z").body.contains(
                    "2026-11-20T12:40:00.000"))
        }
    }
}
