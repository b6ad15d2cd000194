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
                "ADHAN_PAIRING_SOCKET": folder.appending(path: "pairing").path,
                "ADHAN_TOUCH_ADDRESSES": folder.appending(path: "addresses").path,
                "ADHAN_HOTSPOT_SOCKET": folder.appending(path: "hotspot").path,
            ]
            process.standardInput = other
            process.standardOutput = other
            process.standardError = FileHandle.nullDevice
            try process.run()
            try other.close()
            let own = FileHandle(fileDescriptor: ends[0], closeOnDealloc: true)
            try own.write(contentsOf: Data(text.utf8))
            let response = String(decoding: own.readDataToEndOfFile(), as: UTF8.self)
            process.waitUntilExit()
            return try Display.parse(response)
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
            try display.change("{\"unsaved\": \"the disk is full\"}")
            let unsaved = try tap(body("mute-hour"))
            #expect(
                unsaved.status == 200 && unsaved.body.contains("\"muted\":true")
                    && unsaved.body.contains("the disk is full"))
            display.endDaemon()
            #expect(try tap(body("status")).status == 503)
        }

        /// A phone page that opens windows, or says why not.
        private func pairing(_ answer: String) throws -> Process {
            let script = """
                import json, socket, sys
                listener = socket.socket(socket.AF_UNIX); listener.bind(sys.argv[1]); listener.listen(8); print(flush=True)
                while True:
                    line, _ = listener.accept(); asked = json.loads(line.recv(65536)[:-1])
                    good = asked == {"method": "org.adhand.Remote.OpenPairing", "parameters": {"role": "household", "seconds": 120}}
                    line.sendall((sys.argv[2] if good else "{}").encode() + b"\\0"); line.close()
                """
            let process = Process()
            process.executableURL = URL(filePath: "/usr/bin/python3")
            process.arguments = ["-c", script, folder.appending(path: "pairing").path, answer]
            let output = Pipe()
            process.standardOutput = output
            try process.run()
            _ = output.fileHandleForReading.availableData
            return process
        }

        @Test("A tap opens a window for the household, and its code goes to the page that asked alone")
        func pairs() throws {
            #expect(try tap(body("status")).body.contains("\"pairs\":false"))
            #expect(try tap(body("pair")).status == 503)
            let key = "00112233445566778899aabbccddeeff"
            let page = try pairing(
                """
                {"parameters": {"code": "482913", "key": "\(key)", "url": "http://masjid.local:8790/r/pair", \
                "expires": "2026-11-24T02:00:00Z"}}
                """)
            defer { kill(page.processIdentifier, SIGKILL) }
            try Data("192.168.1.20\nnonsense\n".utf8).write(to: folder.appending(path: "addresses"))
            #expect(try tap(body("status")).body.contains("\"pairs\":true"))
            let answer = try tap(body("pair"))
            #expect(answer.status == 200 && answer.body.contains("\"code\":\"482913\""), "\(answer.body)")
            #expect(
                answer.body.contains("http://192.168.1.20:8790/r/pair") && !answer.body.contains("nonsense"))
            #expect(answer.body.contains("\"seconds\":120") && answer.body.contains("\"modules\":\""))
            // The key is in the QR code alone, and nothing of it is anywhere else.
            #expect(!answer.body.contains(key))
            let state = try display.get("/state.json").body
            #expect(!state.contains("482913") && !state.contains("pairing"))
            #expect(try tap(body("pair", token: "k3jd9s8f7a6sd5f4a3sd2f2")).status == 403)
            #expect(try !tap(body("status")).body.contains("482913"))
        }

        @Test("A window that is not opened is reported")
        func locked() throws {
            let page = try pairing(
                "{\"error\": \"org.adhand.Remote.PairingLocked\", \"parameters\": {\"seconds\": 900}}")
            defer { kill(page.processIdentifier, SIGKILL) }
            #expect(try tap(body("pair")).status == 409)
        }

        /// A flashed box that answers requests for its own network; "" is no answer at all.
        private func box(_ answer: String) throws -> Process {
            let script = """
                import socket, sys
                listener = socket.socket(socket.AF_UNIX); listener.bind(sys.argv[1]); listener.listen(8); print(flush=True)
                held = []
                while True:
                    line, _ = listener.accept(); held.append(line)
                    if sys.argv[2]: line.sendall(sys.argv[2].encode() + b"\\n"); line.shutdown(socket.SHUT_RDWR)
                """
            try? FileManager.default.removeItem(at: folder.appending(path: "hotspot"))
            let process = Process()
            process.executableURL = URL(filePath: "/usr/bin/python3")
            process.arguments = ["-c", script, folder.appending(path: "hotspot").path, answer]
            let output = Pipe()
            process.standardOutput = output
            try process.run()
            _ = output.fileHandleForReading.availableData
            return process
        }

        @Test("On a flashed box alone a tap asks for its own network, and the screen learns the outcome")
        func hotspot() throws {
            #expect(try tap(body("status")).body.contains("\"offersHotspot\":false"))
            let elsewhere = try tap(body("hotspot"))
            #expect(elsewhere.status == 409 && elsewhere.body.contains("no flashed box"), "\(elsewhere.body)")
            let coming = try box(
                #"{"outcome": "coming", "network": "adhan-1a2b3c", "message": "within two minutes"}"#)
            defer { kill(coming.processIdentifier, SIGKILL) }
            let status = try tap(body("status"))
            #expect(status.body.contains("\"offersHotspot\":true") && !status.body.contains("\"outcome\""))
            let answer = try tap(body("hotspot"))
            #expect(
                answer.status == 200 && answer.body.contains("\"outcome\":\"coming\"")
                    && answer.body.contains("adhan-1a2b3c"), "\(answer.body)")
            #expect(try tap(body("hotspot", token: "k3jd9s8f7a6sd5f4a3sd2f2")).status == 403)
            try settings("")
            #expect(try tap(body("hotspot")).status == 403)
        }

        @Test("A box without an answer that can be read is reported", arguments: ["", "nonsense"])
        func silentBox(answer: String) throws {
            let silent = try box(answer)
            defer { kill(silent.processIdentifier, SIGKILL) }
            #expect(try tap(body("hotspot")).status == 503)
            #expect(try tap(body("status")).status == 200)
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
