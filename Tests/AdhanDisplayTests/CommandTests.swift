import Foundation
import LabSupport
import Testing

extension DisplayTests {
    /// `adhanctl display` before the real server, and adhan-display's ways of running without serving.
    @Suite("The display on the command line")
    struct CommandTests {
        private static let adhanctl: String =
            ProcessInfo.processInfo.environment["ADHANCTL_BIN"]
            ?? BuiltProgram.path("adhanctl", beside: Display.program)

        private struct Outcome {
            let status: Int32
            let output: String
            let error: String
        }

        private static func run(_ program: String, _ arguments: [String]) throws -> Outcome {
            let process = Process()
            process.executableURL = URL(filePath: program)
            process.arguments = arguments
            process.environment = TestClock.under([
                "PATH": "/usr/bin:/bin", "TZ": "Europe/London", "HOME": "/nonexistent",
            ])
            let (output, error) = (Pipe(), Pipe())
            process.standardOutput = output
            process.standardError = error
            process.standardInput = FileHandle.nullDevice
            try process.run()
            let bytes = output.fileHandleForReading.readDataToEndOfFile()
            let complained = error.fileHandleForReading.readDataToEndOfFile()
            process.waitUntilExit()
            return Outcome(
                status: process.terminationStatus, output: String(decoding: bytes, as: UTF8.self),
                error: String(decoding: complained, as: UTF8.self))
        }

        @Test("scene tells which one is shown at a time, and why, without the screen")
        func scene() throws {
            let display = try Display()
            func scene(_ words: [String]) throws -> Outcome {
                try Self.run(Self.adhanctl, ["--socket", display.socket, "display", "scene"] + words)
            }
            let khutba = try scene(["--at", "2026-11-20T12:40:00Z"])
            #expect(khutba.status == 0 && khutba.output.contains("khutba, jumua until 12:50, then iqama"))
            #expect(khutba.output.contains("the khutba began at 12:30"))
            let local = try scene(["--at", "2026-11-21 12:27", "--json"])
            let json = try #require(
                try JSONSerialization.jsonObject(with: Data(local.output.utf8)) as? [String: Any])
            #expect(json["scene"] as? String == "to-iqama" && json["prayer"] as? String == "dhuhr")
            #expect(
                json["until"] as? String == "2026-11-21T12:30:00+00:00" && json["next"] as? String == "iqama")
            #expect(try scene([]).status == 0)
            let praying = ["--at", "2026-11-21T12:35:00Z"]
            #expect(try scene(praying).output.contains("prayer, dhuhr"))
            #expect(try scene(praying + ["--view", "phone"]).output.contains("home"))
            let unknown = try scene(["--view", "men"])
            #expect(
                unknown.status == 64
                    && unknown.error.contains("there is no view \"men\"; there are: wall, phone"))
            let unclear = try scene(["--at", "soon"])
            #expect(unclear.status == 64 && unclear.error.contains("--at must be an instant such as"))
            let gone = try Self.run(Self.adhanctl, ["--socket", "/nowhere/s", "display", "scene"])
            #expect(gone.status == 69)
        }

        @Test("status asks the screen itself, and says when it does not answer")
        func status() async throws {
            let display = try Display()
            _ = try await display.becomes(200, within: 10)
            try display.change(#"{"muted": true}"#)
            func status(_ words: [String]) throws -> Outcome {
                try Self.run(Self.adhanctl, ["display", "status", "--port", "\(display.port)"] + words)
            }
            let answer = try status([])
            #expect(answer.status == 0 && answer.output.contains("http://127.0.0.1:\(display.port)/"))
            #expect(answer.output.contains("adhand  answers") && answer.output.contains("wall, phone\n"))
            let json = try #require(
                try JSONSerialization.jsonObject(with: Data(try status(["--json"]).output.utf8))
                    as? [String: Any]
            )
            #expect(json["answers"] as? Bool == true && json["healthy"] as? Bool == true)
            #expect((json["scene"] as? [String: Any])?["scene"] is String)
            display.endDaemon()
            _ = try await display.becomes(503, within: 3)
            let lost = try status([])
            #expect(lost.status == 0 && lost.output.contains("No word from the prayer clock's service since"))
            let nobody = try Self.run(Self.adhanctl, ["display", "status", "--port", "9"])
            #expect(nobody.status == 69 && nobody.error.contains("cannot connect to \"127.0.0.1:9\""))
            let url = try Self.run(Self.adhanctl, ["display", "url", "--port", "\(display.port)"])
            #expect(url.output.hasPrefix("http://127.0.0.1:\(display.port)/\n"))
        }

        @Test("A mistake in display.toml is reported with its place, and slides that cannot be read")
        func check() throws {
            let folder = FileManager.default.temporaryDirectory.appending(path: "check-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            let file = folder.appending(path: "display.toml")
            for program in [Self.adhanctl, Display.program] {
                let words =
                    program == Self.adhanctl ? ["check", file.path] : ["--check", "--config", file.path]
                try Data("clock = 13\ntheem = \"day\"\n".utf8).write(to: file)
                let wrong = try Self.run(program, words)
                #expect(
                    wrong.status == 65 && wrong.error.contains("display.toml:2:1: unknown key theem; "),
                    "\(wrong)")
                try Data("[slides]\nfolder = \"\(folder.path)/none\"\n".utf8).write(to: file)
                let missing = try Self.run(program, words + ["--json"])
                #expect(
                    missing.status == 1 && missing.output.contains("No such file or directory"), "\(missing)")
                try Data("[slides]\nfolder = \"\(folder.path)\"\n".utf8).write(to: file)
                let slide = folder.appending(path: "broken.png")
                try Data("no picture".utf8).write(to: slide)
                let broken = try Self.run(program, words)
                #expect(broken.status == 0 && broken.output.contains("valid"), "\(broken)")
                #expect(broken.error.contains("warning: of the slides in \(folder.path)"), "\(broken)")
                try Data("[screen]\ndiagonal = 55\ndistance = 12\n".utf8).write(to: file)
                let readable = try Self.run(program, words)
                #expect(
                    readable.status == 0 && readable.error.isEmpty
                        && readable.output.contains("readable: clock 15.3 m, names 15.3 m, times 17.2 m"),
                    "\(readable)")
                try Data("[screen]\ndiagonal = 32\ndistance = 15\n".utf8).write(to: file)
                let far = try Self.run(program, words)
                #expect(
                    far.status == 0 && far.error.contains("at 15.0 m part of the screen is too small: clock"),
                    "\(far)")
                try Data("[screen]\ndistance = 12\n".utf8).write(to: file)
                let half = try Self.run(program, words)
                #expect(half.status == 0 && half.error.contains("write diagonal, in inches"), "\(half)")
                let views = "[[view]]\nname = \"women\"\nscreen.diagonal = 32\nscreen.distance = 15\n"
                try Data(views.utf8).write(to: file)
                let several = try Self.run(program, words)
                #expect(
                    several.status == 0 && several.output.contains("views: wall, phone, women\n")
                        && several.error.contains("at 15.0 m part of the view \"women\" is too small"),
                    "\(several)")
                try Data(("[screen]\nview = \"women\"\n" + views).utf8).write(to: file)
                let own = try Self.run(program, words)
                #expect(
                    own.output.contains("views: wall, phone, women (women on this machine's display)\n"),
                    "\(own)")
                try Data("[screen]\nview = \"men\"\n".utf8).write(to: file)
                let nowhere = try Self.run(program, words)
                #expect(
                    nowhere.status == 65 && nowhere.error.contains("there is no view \"men\""), "\(nowhere)")
            }
            // An unreadable text is not called valid.
            for unread in [folder.path, folder.path + "/none.toml", "/dev/zero"] {
                let words = ["--check", "--config", unread]
                let outcome = try Self.run(Display.program, words)
                #expect(
                    outcome.status == 1 && outcome.output.isEmpty && outcome.error.contains(unread),
                    "\(outcome)")
                let json = try Self.run(Display.program, words + ["--json"])
                #expect(
                    json.status == 1 && json.output.replacing(" ", with: "").contains("\"valid\":false"),
                    "\(json)")
            }
        }

        @Test("A service whose socket could not be opened ends, so that systemd tries the socket again")
        func noSocket() throws {
            let service =
                "SYSTEMD_EXEC_PID=$$; export SYSTEMD_EXEC_PID; exec \(Display.program) --socket /nowhere/s"
            let ended = try Self.run("/bin/sh", ["-c", service])
            #expect(ended.status == 1 && ended.error.contains("adhan-display.socket"), "\(ended)")
            // A port that is taken, so that it ends as well.
            let display = try Display()
            let named = try Self.run("/bin/sh", ["-c", service + " --listen 127.0.0.1:\(display.port)"])
            #expect(named.status == 1 && named.error.contains("something else listens"), "\(named)")
        }

        @Test("--render draws the screen of another time, as large as it was asked for")
        func render() throws {
            let display = try Display()
            let folder = FileManager.default.temporaryDirectory.appending(path: "render-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            let picture = folder.appending(path: "out.png").path
            func render(_ words: [String]) throws -> Outcome {
                try Self.run(Display.program, ["--socket", display.socket, "--render"] + words)
            }
            #expect(try render(["2026-11-20T12:40:00Z"]).status == 64)
            #expect(try render(["soon", picture]).status == 64)
            #expect(
                try render(["now", "--view", "men", picture]).error.contains("there are: wall, phone"))
            #expect(try render(["now", "--locale", "xx", picture]).error.contains("--locale must be of ar"))
            let gone = try Self.run(
                Display.program, ["--socket", "/nowhere/s", "--render", "now", picture])
            #expect(gone.status == 69 && !FileManager.default.fileExists(atPath: picture))
            guard
                ["chromium-headless-shell", "chromium"].contains(where: {
                    FileManager.default.isExecutableFile(atPath: "/usr/bin/\($0)")
                })
            else {
                let none = try render(["now", picture])
                #expect(none.status == 1 && none.error.contains("sudo apt install"))
                return
            }
            let drawn = try render(["2026-11-20 12:40", "--size", "1280x720", "--locale", "ar", picture])
            #expect(drawn.status == 0 && drawn.error.isEmpty, "\(drawn)")
            let png = try Data(contentsOf: URL(filePath: picture))
            // Width and height in the first chunk; and a screen with something on it.
            #expect(png[16..<24].elementsEqual([0, 0, 5, 0, 0, 0, 2, 0xD0]) && png.count > 10_000)
        }
    }
}
