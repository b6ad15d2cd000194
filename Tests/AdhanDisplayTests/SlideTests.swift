import Foundation
import Testing

extension DisplayTests {
    @Suite("Pictures and texts that people put there")
    struct SlideTests {
        @Test("Slides come from their folder, broken ones are left out and told")
        func slides() async throws {
            let folder = FileManager.default.temporaryDirectory.appending(path: "slides-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            try Self.png(32, 16).write(to: folder.appending(path: "one picture ä.png"))
            // A few bytes that would fill the browser's memory.
            try Self.png(30_000, 30_000).write(to: folder.appending(path: "bomb.png"))
            try Data("no picture at all".utf8).write(to: folder.appending(path: "broken.png"))
            try Data(repeating: 0xFF, count: 50 << 20).write(to: folder.appending(path: "huge.jpg"))
            try Data("Lesson after maghrib\n<script>alert(1)</script>".utf8).write(
                to: folder.appending(path: "text.txt"))
            try FileManager.default.createSymbolicLink(
                at: folder.appending(path: "loop.png"), withDestinationURL: folder.appending(path: "loop.png")
            )
            // A person who fills the folder shows nothing of the machine with it.
            for (name, target) in [("secret.txt", "/etc/passwd"), ("other.png", "one picture ä.png")] {
                try FileManager.default.createSymbolicLink(
                    atPath: folder.appending(path: name).path, withDestinationPath: target)
            }
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
            for name in [
                "broken.png", "bomb.png", "huge.jpg", "loop.png", "pipe.png", "text.txt", "..", "%2e%2e%2fs",
            ] {
                #expect(try display.get("/slides/\(name)").status == 404, "\(name)")
            }
            let state = try display.get("/state.json").body
            #expect(state.contains("Lesson after maghrib") && !state.contains("root:"))
            for name in [
                "bomb.png", "broken.png", "huge.jpg", "pipe.png", "loop.png", "secret.txt", "other.png",
            ] {
                #expect(state.contains(name), "\(name)")
            }
        }

        @Test("A picture that is replaced under its name has another version, and so another address")
        func replaced() async throws {
            let folder = FileManager.default.temporaryDirectory.appending(path: "slides-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            let picture = folder.appending(path: "a.png")
            let config = folder.appending(path: ".display.toml")
            try Data(
                "[slides]\nfolder = \"\(folder.path)\"\n[screen]\nbackground = \"\(picture.path)\"\n".utf8
            ).write(to: config)
            var seen: [[String]] = []
            for _ in 0..<2 {
                try Self.png(8, 8).write(to: picture)
                let display = try Display(["--config", config.path])
                _ = try await display.becomes(200, within: 10)
                let state = try display.get("/state.json").body
                #expect(try display.get("/slides/a.png?v=anything").status == 200)
                #expect(try display.get("/background?v=anything").status == 200)
                seen.append(
                    state.matches(of: /ersion":"([0-9.]+)"/).map { String($0.1) }.filter { $0.count > 12 })
            }
            #expect(seen.allSatisfy { $0.count == 2 && Set($0).count == 1 }, "\(seen)")
            #expect(Set(seen[0]).isDisjoint(with: seen[1]))
        }

        @Test("Dates in names and first lines, announcements and the code's modules come to the page")
        func dated() async throws {
            let folder = FileManager.default.temporaryDirectory.appending(path: "slides-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            try Self.png(8, 8).write(to: folder.appending(path: "a until 2026-11-29.png"))
            try Self.png(8, 8).write(to: folder.appending(path: "b until 2026-02-31.png"))
            try Data("\u{FEFF}from 2026-11-20\r\nLesson\r\n".utf8).write(to: folder.appending(path: "c.txt"))
            try Data("from 2026-11-20".utf8).write(to: folder.appending(path: "d.txt"))
            let drawing = "<svg xmlns='http://www.w3.org/2000/svg'><path d='M0 0h9'/></svg>"
            try Data(drawing.utf8).write(to: folder.appending(path: ".logo.svg"))
            let config = folder.appending(path: ".display.toml")
            try Data(
                """
                logo = "\(folder.path)/.logo.svg"
                [slides]
                folder = "\(folder.path)"
                [donate]
                url = "HTTPS://EXAMPLE.ORG"
                [[announcement]]
                text = "Closed"
                until = 2100-01-01
                """.utf8
            ).write(to: config)
            let display = try Display(["--config", config.path])
            _ = try await display.becomes(200, within: 10)
            let body = try display.get("/state.json").body
            let state = try #require(
                try JSONSerialization.jsonObject(with: Data(body.utf8)) as? [String: Any])
            let logo = try display.get("/logo?v=anything")
            #expect(logo.status == 200 && logo.head.contains("image/svg+xml") && logo.body == drawing)
            let slides = try #require(state["slides"] as? [[String: Any]])
            #expect(slides.map { $0["until"] as? String } == ["2026-11-29", nil])
            #expect(slides.map { $0["from"] as? String } == [nil, "2026-11-20"])
            #expect(slides.last?["text"] as? String == "Lesson")
            #expect(body.contains("b until 2026-02-31.png, d.txt"))
            let announcements = try #require(state["announcements"] as? [[String: Any]])
            #expect(announcements.map { $0["text"] as? String } == ["Closed"])
            #expect(announcements[0]["show"] as? [String] == ["board"])
            let code = try #require(state["donation"] as? [String: Any])
            let (size, modules) = (code["size"] as? Int ?? 0, Array(code["modules"] as? String ?? ""))
            #expect(size >= 21 && modules.count == size * size)
            #expect((code["url"] as? String)?.isEmpty == false)
            // The corner that every code has, and the light line around it.
            let rows = (0..<8).map { row in String(modules[row * size..<row * size + 8]) }
            #expect(
                rows == [
                    "11111110", "10000010", "10111010", "10111010", "10111010", "10000010", "11111110",
                    "00000000",
                ])
        }

        /// The head of a picture; what would follow does not matter to the server.
        private static func png(_ width: UInt32, _ height: UInt32) -> Data {
            func number(_ value: UInt32) -> [UInt8] {
                (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
            }
            let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
            let kind: [UInt8] = [8, 2, 0, 0, 0]
            let rest = [UInt8](repeating: 0, count: 19)
            return Data(
                [signature, number(13), Array("IHDR".utf8), number(width), number(height), kind, rest].flatMap
                { $0 })
        }
    }
}
