import BoxSupport
import PrayerEngine
import StateFile
import Testing
import Texts
import Times

@testable import Announcements
@testable import Daemon
@testable import Envelope
@testable import Protocol
@testable import Settings

@Suite("A key that a file pins after the fleet has changed it")
struct FleetPinTests {
    private let noor = Noor()
    private let problem = "the fleet's configuration has no effect on adhan.volume"

    /// Inputs in which the files do not let the fleet have its volume.
    private func pinned(_ box: Box) throws -> DaemonInputs {
        var inputs = try Box.inputs(noor.config)
        inputs.fleet = FleetLayer(try #require(box.state.saved.fleet.configurationInForce), problem: problem)
        return inputs
    }

    private func notices(_ box: Box) -> Int { box.notices.count { $0.message == problem } }

    private func start(_ disk: SavedState?, _ inputs: DaemonInputs) throws -> Box {
        try Box(
            "2026-11-20T12:40:00-05:00", config: noor.config, disk: disk, boot: "another boot",
            inputs: inputs, fleetGate: Noor.gate)
    }

    @Test("The file's value counts, the journal says so at each start, and the trial goes on with the rest")
    func pinnedLater() throws {
        let noor = noor
        var box = try noor.box { task, inputs in
            guard case .configuration(let fleet) = task else { return FleetFinding(task, inputs) }
            return FleetFinding(task, (try? noor.inputs(noor.config, fleet)) ?? inputs)
        }
        let envelope = noor.sign(
            #"{"toml":"[adhan]\nvolume = 33\n"}"#, kind: "configuration", until: "2026-11-21T17:00:00Z")
        #expect(box.apply(envelope)?.envelope?.state == "trial")
        let own = Config.default[.asr].volumePercent
        #expect(box.state.inputs.config[.asr].volumePercent == 33 && notices(box) == 0)
        box.handle(.inputsLoaded(try pinned(box), .reload(nil)))
        #expect(box.state.inputs.config[.asr].volumePercent == own && notices(box) == 1)
        box.handle(.inputsLoaded(try pinned(box), .reload(nil)))
        #expect(notices(box) == 1)
        box = try start(box.disk, try pinned(box))
        #expect(box.state.inputs.config[.asr].volumePercent == own && notices(box) == 1)
        #expect(box.applied.map(\.state) == ["trial"] && box.apply(envelope)?.envelope?.state == "already")
        // Without the pin, be it by a reload or at a start, the fleet's value is in force again.
        let free = try noor.inputs(noor.config, box.state.saved.fleet.configurationInForce)
        box.handle(.inputsLoaded(free, .reload(nil)))
        #expect(box.state.inputs.config[.asr].volumePercent == 33)
        box = try start(box.disk, free)
        #expect(box.state.inputs.config[.asr].volumePercent == 33 && notices(box) == 0)
        #expect(box.applied.map(\.state) == ["trial"])
    }

    @Test("An envelope that the machine finds forbidden is refused as a whole, and takes no number")
    func refused() throws {
        var box = try noor.box {
            FleetFinding(
                $0, $1, refusal: "the fleet cannot change adhan.volume: [control] pinned names adhan")
        }
        let envelope = noor.sign(
            #"{"toml":"[adhan]\nvolume = 33\nsound = \"signal\"\n"}"#, kind: "configuration",
            until: "2026-11-21T17:00:00Z")
        let refusal = box.apply(envelope)?.refusal
        #expect(
            refusal
                == .envelopeRefused(
                    reason: "invalid",
                    detail: "the fleet cannot change adhan.volume: [control] pinned names adhan"))
        #expect(box.state.saved.fleet.isEmpty && box.state.saved.fleet.configurationInForce == nil)
    }
}
