import Foundation
import LabSupport
import Testing

extension DisplayTests {
    @Suite("What the display tells of adhand")
    struct FollowingTests {
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

        @Test(
            "Settings made by command are on the screen, only while they are in force, and stay while adhand is away"
        )
        func settings() async throws {
            let display = try Display()
            _ = try await display.becomes(200, within: 10)
            func setting(_ key: String, _ value: String, _ state: String) -> String {
                """
                {"key": "display.\(key)", "value": \(value), "state": "\(state)", "default": "", "inForce": "", "by": "Kitchen", \
                "user": "adhan-remote", "at": "2026-11-24T02:00:00Z", "change": 1}
                """
            }
            func shows(_ text: String) async throws -> Bool {
                for _ in 0..<100 {
                    if try display.get("/state.json").body.contains(text) { return true }
                    try await Task.sleep(for: .milliseconds(50))
                }
                return false
            }
            let set = [
                setting("title", "\"\\\"Our mosque\\\"\"", "set"),
                setting("theme", "\"\\\"day\\\"\"", "superseded"),
            ]
            try display.change("{\"settings\": [\(set.joined(separator: ", "))]}")
            #expect(try await shows("\"title\":\"Our mosque\""))
            #expect(try display.get("/state.json").body.contains("\"theme\":\"night\""))
            display.endDaemon()
            #expect(try await display.becomes(503, within: 2) != nil)
            #expect(try await shows("\"kind\":\"lost\""))
            #expect(try display.get("/state.json").body.contains("\"title\":\"Our mosque\""))
            try display.startDaemon()
            #expect(try await shows("\"title\":\"\""))
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
                let stamp = try #require(json["at"] as? String)
                let at = try #require(formatter.date(from: stamp))
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
            var state = ""
            for _ in 0..<60 where !state.contains("\"kind\":\"no-sound\"") {
                let event = try #require(line.event())
                if event.name == "state" { state = event.data }
            }
            #expect(state.contains("No sound since"))
        }

        @Test("While adhand is away the state is computed again, by the clock as it is set")
        func away() async throws {
            let clock = try SteppedClock()
            let display = try Display(environment: clock.environment)
            _ = try await display.becomes(200, within: 10)
            func scenes() throws -> (now: String, last: String, isLost: Bool) {
                let body = try display.get("/state.json").body
                let json = try JSONSerialization.jsonObject(with: Data(body.utf8)) as? [String: Any]
                let scenes = json?["scenes"] as? [[String: Any]] ?? []
                return (
                    json?["now"] as? String ?? "", scenes.last?["from"] as? String ?? "",
                    body.contains("\"kind\":\"lost\"")
                )
            }
            let before = try scenes()
            display.endDaemon()
            #expect(try await display.becomes(503, within: 5) != nil)
            // Three days go by, as far as its clock tells; and it was wrong.
            for days in [3, 0] {
                clock.set(ahead: days * 86_400)
                var after = try scenes()
                for _ in 0..<40 where (after.now > before.last) != (days == 3) {
                    try await Task.sleep(for: .milliseconds(250))
                    after = try scenes()
                }
                #expect(after.isLost && (after.now > before.last) == (days == 3), "\(before) \(after)")
            }
            try display.startDaemon()
            #expect(try await display.becomes(200, within: 5) != nil)
            #expect(try !scenes().isLost)
        }
    }
}
