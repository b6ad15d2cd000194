import Foundation
import LabSupport
import Testing

extension DisplayTests {
    /// One tap: the real helper on a connection that a test hands over, as systemd does.
    @Suite("A tap on the display", .serialized)
    struct TouchTests {
        private static let secret = "k3jd9s8f7a6sd5f4a3sd2f1"
        private let folder: URL
        private let display: Display

        init() throws {
            display = try Display()
            folder = display.directory
            try Data("\(Self.secret)\n8787\n".utf8).write(to: folder.appending(path: "touch"))
            try settings("[touch]\nenabled = true\n")
        }

        private func settings(_ text: String) throws {
            try Data(text.utf8).write(to: folder.appending(path: "display.toml"))
        }

        private func body(_ action: String, token: String = secret) -> String {
            "{\"token\": \"\(token)\", \"do\": \"\(action)\"}"
        }

        private func tap(
            _ body: String, _ start: String = "POST /touch HTTP/1.1",
            host: String = "127.0.0.1:8789", origin: String? = "http://127.0.0.1:8787", more: String = ""
        ) throws -> Display.Reply {
            try send(
                "\(start)\r\nHost: \(host)\r\n" + (origin.map { "Origin: \($0)\r\n" } ?? "")
                    + "\(more)Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
        }

        private func send(_ text: String) throws -> Display.Reply {
            var ends: [Int32] = [0, 0]
            try #require(unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
            let other = FileHandle(fileDescriptor: ends[1], closeOnDealloc: true)
            let process = Process()
            process.executableURL = URL(
                filePath: BuiltProgram.path("adhan-touch", beside: Display.program))
            process.environment = [
                "ADHAND_SOCKET": display.socket, "ADHAN_TOUCH_SECRET": folder.appending(path: "touch").path,
                "ADHAN_DISPLAY_CONFIG": folder.appending(path: "display.toml").path,
            ]
            process.standardInput = other
            process.standardOutput = other
            process.standardError = FileHandle.nullDevice
            try process.run()
            try other.close()
            let own = FileHandle(fileDescriptor: ends[0], closeOnDealloc: true)
            try own.write(contentsOf: Data(text.utf8))
            let said = String(decoding: own.readDataToEndOfFile(), as: UTF8.self)
            process.waitUntilExit()
            return try Display.parse(said)
        }

        @Test("The page's own taps are done by adhand, and answered with what is so then")
        func taps() throws {
            let first = try tap(body("status"))
            #expect(first.status == 200 && first.body.contains("\"muted\":false"))
            #expect(first.head.contains("Access-Control-Allow-Origin: http://127.0.0.1:8787"))
            let muted = try tap(body("mute-hour"))
            #expect(
                muted.body.contains("\"muted\":true") && muted.body.contains("\\\"duration\\\": \\\"1h\\\""))
            #expect(try tap(body("unmute")).body.contains("\"muted\":false"))
            #expect(try tap(body("mute-next")).body.contains("\\\"next\\\": true"))
            let off = try tap(body("disable asr"))
            #expect(
                off.body.contains("{\"enabled\":false,\"prayer\":\"asr\"")
                    || off.body.contains("\"enabled\":false"))
            #expect(try !tap(body("enable asr")).body.contains("\"enabled\":false"))
            #expect(try tap(body("stop")).status == 200)
            display.endDaemon()
            #expect(try tap(body("status")).status == 503)
        }

        @Test("Nobody else's are")
        func strangers() throws {
            #expect(try tap(body("mute-hour", token: "k3jd9s8f7a6sd5f4a3sd2f2")).status == 403)
            #expect(try tap(body("mute-hour", token: "")).status == 403)
            #expect(try tap(body("mute-hour"), origin: nil).status == 403)
            #expect(try tap(body("mute-hour"), origin: "http://evil.example").status == 403)
            #expect(try tap(body("mute-hour"), origin: "http://127.0.0.1:9000").status == 403)
            try Data("\(Self.secret)\n9000\n".utf8).write(to: folder.appending(path: "touch"))
            #expect(try tap(body("mute-hour")).status == 403)
            #expect(try tap(body("status"), origin: "http://127.0.0.1:9000").status == 200)
            try Data("\(Self.secret)\n8787\n".utf8).write(to: folder.appending(path: "touch"))
            #expect(try tap(body("mute-hour"), host: "evil.example").status == 421)
            #expect(try tap(body("mute-hour"), more: "Host: evil.example\r\n").status == 400)
            #expect(try tap(body("mute-hour"), "GET /touch HTTP/1.1").status == 405)
            #expect(try tap(body("mute-hour"), "OPTIONS /touch HTTP/1.1").status == 405)
            #expect(try tap(body("mute-hour"), "POST / HTTP/1.1").status == 404)
            for nonsense in [
                "", "{}", body("reboot"), body("disable everything"), String(repeating: "x", count: 600),
            ] {
                #expect(try tap(nonsense).status == 400, "\(nonsense.prefix(40))")
            }
            #expect(try send(String(repeating: "x", count: 9000)).status == 431)
            #expect(try !display.get("/state.json").body.contains("\"kind\":\"mute\""))
            try settings("")
            #expect(try tap(body("mute-hour")).body.contains("touch is off in display.toml"))
            try FileManager.default.removeItem(at: folder.appending(path: "touch"))
            try settings("[touch]\nenabled = true\n")
            #expect(try tap(body("mute-hour")).status == 403)
        }

        @Test("Only the page of this machine may ask the helper, and only while touch is on")
        func policy() throws {
            let file = folder.appending(path: "display.toml").path
            let on = try Display(["--config", file])
            #expect(try on.get("/").head.contains("connect-src 'self' http://127.0.0.1:8789;"))
            #expect(try display.get("/").head.contains("connect-src 'self';"))
        }
    }
}
