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

        @Test("An address of IPv4 is a name of its own on a socket for both kinds, as systemd makes it")
        func bothKinds() async throws {
            let launcher = """
                import os, socket, sys
                s = socket.socket(socket.AF_INET6)
                s.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
                s.bind(("::", 0)); s.listen(64)
                os.dup2(s.fileno(), 3); os.set_inheritable(3, True)
                os.environ.update(LISTEN_FDS="1", LISTEN_PID=str(os.getpid()), LISTEN_FDNAMES="lan")
                os.execv(sys.argv[1], sys.argv[1:])
                """
            let display = try Display(passing: launcher)
            for (host, status) in [("127.0.0.2", 200), ("127.0.0.2:8788", 200), ("127.0.0.3", 421)] {
                let line = Line(port: display.port, target: 2)
                line.send("GET / HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\n\r\n")
                #expect(try Display.parse(line.readAll()).status == status, "\(host)")
            }
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
