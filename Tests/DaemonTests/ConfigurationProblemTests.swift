import BoxSupport
import LabSupport
import PrayerEngine
import Testing

@testable import Announcements
@testable import Daemon
@testable import Protocol
@testable import Settings
@testable import Times

@Suite("A configuration that cannot be used, and reasons")
struct ConfigurationProblemTests {
    private let error = ConfigError(
        file: "/etc/f.toml", line: 3, column: 5, key: "x", reason: "unknown key \"x\"")

    private func inputs(_ problem: UnusableConfiguration? = nil, kept: KeptConfiguration? = nil) throws
        -> DaemonInputs
    {
        let plain = try Box.inputs(.default)
        return DaemonInputs(
            config: plain.config, configuration: plain.configuration, site: plain.site, user: 900,
            controlGroup: 901, kept: kept, problem: problem)
    }

    private func kept(_ effects: [Effect]) -> [KeptConfiguration] {
        effects.compactMap { if case .keep(let kept) = $0 { kept } else { nil } }
    }

    @Test("What is read is kept; what replaces a broken file is reported and never kept")
    func keeping() throws {
        let now = try instant("2026-11-20T12:30:00-05:00")
        let source = ConfigSource(file: "/etc/f.toml", text: Array("timezone = \"UTC\"\n".utf8))
        let good = KeptConfiguration("/etc/f.toml", [source], at: now)
        #expect(try KeptConfiguration(fileBytes: good.fileBytes()) == good)
        #expect(good.sources.map(\.text) == [source.text])
        #expect(good.isSame(as: KeptConfiguration("/etc/f.toml", [source], at: now + 9)))
        #expect(!good.isSame(as: KeptConfiguration("/etc/g.toml", [source], at: now)))

        var state = DaemonState(inputs: try inputs(kept: good), saved: nil, recorded: [], now: now)
        #expect(kept(state.handle(.started, at: now)) == [good])
        let problem = UnusableConfiguration(error, keptAt: good.keptAt)
        state = DaemonState(inputs: try inputs(problem, kept: good), saved: nil, recorded: [], now: now)
        let done = state.handle(.started, at: now)
        #expect(kept(done).isEmpty)
        #expect(done.notices.contains { $0.kind == .configRejected && $0.level == .error })
        let reported = try #require(state.status(at: now).configurationProblem)
        #expect(reported.file == "/etc/f.toml" && reported.line == 3 && reported.column == 5)
        #expect(reported.message.contains("kept on 2026-11-20") && !reported.message.contains("adhanctl"))
        #expect(reported.fix == "adhanctl reload")
        // Told again at midnight, and over when the file is right.
        let midnight = try instant("2026-11-21T00:00:00-05:00")
        #expect(state.handle(.timerDue, at: midnight).notices.contains { $0.kind == .configRejected })
        let mended = state.handle(.inputsLoaded(try inputs(kept: good), .reload(nil)), at: midnight + 1)
        #expect(kept(mended) == [good])
        #expect(state.status(at: midnight + 1).configurationProblem == nil)
        _ = state.handle(.configRejected(error, .reload(nil)), at: midnight + 2)
        #expect(state.status(at: midnight + 2).configurationProblem?.line == 3)
    }

    @Test("No reason is empty, and none breaks off")
    func reasons() {
        #expect(Reason.stated("no sound device was available: ") == "no sound device was available")
        #expect(Reason.stated(" ") == "no reason was given")
        #expect(Reason.stated("a: b") == "a: b")
    }

    @Test("What is done about a missing device is reported when it is done, and is no lasting state")
    func tried() throws {
        var box = try Box("2026-11-20T16:32:00-05:00")
        try box.run(until: "2026-11-20T16:32:50-05:00")
        let token = try #require(box.effects.cued.last?.token)
        let reason = "cannot open \"default\": busy"
        box.handle(.playback(token: token, .noDevice(reason: reason, next: "trying again every second")))
        #expect(box.notices.last?.message.hasSuffix("busy; trying again every second") == true)
        box.ask(.mute(MuteParameters()))
        #expect(box.state.status(at: box.now).audio.lastError == reason)
        box.handle(
            .preflight(id: "isha_20261120", .ofOne(device: nil, [": "])))
        #expect(box.state.status(at: box.now).audio.lastError == "no reason was given")
    }
}
