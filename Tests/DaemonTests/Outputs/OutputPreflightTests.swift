import BoxSupport
import LabSupport
import PrayerEngine
import Protocol
import StateFile
import Testing

@testable import Announcements
@testable import Daemon
@testable import Settings

/// Queens on Friday 2026-11-20: Maghrib 16:33.
@Suite("The preflight of several outputs")
struct OutputPreflightTests {
    private func box(_ more: String = "") throws -> Box {
        let outputs = """
            [[output]]
            name = "hall"
            devices = ["hw:1", "default"]
            [[output]]
            name = "bedroom"
            devices = ["hw:2"]
            [[output]]
            name = "garden"
            devices = ["hw:3"]
            required = false

            """
        var box = try Box(text: outputs + more, clock: "2026-11-20T15:00:00-05:00")
        try box.run(until: "2026-11-20T16:28:00-05:00")
        return box
    }

    @discardableResult
    private func end(
        _ box: inout Box, soundProblems: [String] = [], _ outputs: [PreflightResult.OutputFinding]
    ) -> [Notice] {
        let result = PreflightResult(soundProblems: soundProblems, durationSeconds: 3, outputs: outputs)
        return box.effects(of: .preflight(id: "maghrib_20261120", result)).notices
    }

    private let busy = "cannot open \"hw:2\": Device or resource busy"

    @Test("A sound that plays on one output speaks of that output, though another is the first of the file")
    func one() throws {
        var box = try box()
        end(&box, [.init(output: "bedroom", device: nil, problems: [busy])])
        #expect(box.state.health["hall"].healthy && !box.state.health["bedroom"].healthy)
        #expect(box.state.saved.problems.map(\.kind) == [.device])
        #expect(box.state.saved.problems.first?.message.contains("\"bedroom\"") == true)
        end(&box, [.init(output: "bedroom", device: "hw:2", problems: [])])
        #expect(box.state.health["bedroom"].healthy && box.state.health["hall"].device == nil)
        #expect(box.state.saved.problems.isEmpty)
    }

    @Test("Each output on which it will not be heard has a message of its own, as grave as it is needed")
    func oneMessageEach() throws {
        var box = try box()
        let notices = end(
            &box, soundProblems: ["\"x.mp3\" is damaged"],
            [
                .init(output: "hall", device: "default", problems: []),
                .init(
                    output: "bedroom", device: nil, problems: [busy], steps: ["\(busy); no device is left"]),
                .init(output: "garden", device: nil, problems: ["cannot open \"hw:3\""]),
            ])
        #expect(notices.map(\.kind) == [.preflightFailed, .preflightFailed, .preflightFailed])
        #expect(notices.map(\.fields.output) == [nil, "bedroom", "garden"])
        #expect(notices.map(\.level) == [.error, .error, .warning])
        #expect(notices[1].fields.reason == "\(busy); no device is left")
        #expect(!box.state.health["garden"].healthy && box.state.saved.problems.count == 1)
    }

    @Test("Where all will be heard one sentence names every device")
    func ready() throws {
        var box = try box()
        let names = [("hall", "default"), ("bedroom", "hw:2"), ("garden", "hw:3")]
        let notices = end(&box, names.map { .init(output: $0.0, device: $0.1, problems: []) })
        #expect(notices.map(\.kind) == [.preflightPassed])
        #expect(names.allSatisfy { notices[0].message.contains("\"\($0.1)\"") })
        #expect(names.allSatisfy { box.state.health[$0.0].device == $0.1 })
    }

    @Test("A mixer that is silent is a problem of the outputs that are needed")
    func silence() throws {
        var box = try box()
        let muted = "the mixer is muted; unmute it"
        end(&box, [.init(output: "garden", device: "hw:3", problems: [muted], silence: muted)])
        #expect(box.state.saved.problems.isEmpty && !box.state.health["garden"].healthy)
        end(&box, [.init(output: "bedroom", device: "hw:2", problems: [muted], silence: muted)])
        #expect(box.state.saved.problems.map(\.kind) == [.inaudible])
        #expect(box.state.saved.problems.first?.message.contains("\"bedroom\"") == true)
    }
}
