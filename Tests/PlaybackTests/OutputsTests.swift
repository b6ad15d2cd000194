import Foundation
import LabSupport
import Testing

@testable import Playback
@testable import Recording

@Suite("Several outputs") struct OutputsTests {
    @Test("Three outputs start together, each on its own thread")
    func together() throws {
        let rig = try OutputsRig()
        let spreads = try (0..<5).map { round in
            let at = rig.now + 0.5
            rig.cue("\(round)", ["short_half_second.mp3"]) { order, _ in order.heardAtUnixSeconds = at }
            let begun = try OutputsRig.names.map { try rig.began("\(round)", on: $0) }
            for output in OutputsRig.names {
                #expect(try rig.result("\(round)", on: output).framesPlayed == 24192)
            }
            return (begun.max() ?? 0) - (begun.min() ?? 0)
        }.sorted()
        #expect(spreads[2] <= 0.005, "\(spreads)")
        #expect(spreads[4] <= 0.020, "\(spreads)")
        for output in OutputsRig.names { #expect(rig.card(output).starts.count == 5) }
    }

    /// The fault, and whether it is there before the device is opened; otherwise it comes while the sound is under way.
    @Test(
        "The trouble of one is nobody else's: the others are heard sample by sample, on time",
        arguments: [
            (LabCard.Fault.busy, true), (.unplug, true), (.hang, true), (.unplug, false), (.freeze, false),
            (.dead, false), (.xrun, false), (.wedge, false),
        ])
    func others(fault: LabCard.Fault, isEarly: Bool) throws {
        let rig = try OutputsRig()
        let ill = rig.card("horn")
        if isEarly { try ill.set(fault) }
        defer { try? ill.set(.ok) }
        let at = rig.now + 0.6
        rig.cue("a", ["cbr128_44k_stereo.mp3"]) { order, _ in order.heardAtUnixSeconds = at }
        if !isEarly {
            try rig.began("a", on: "horn")
            Thread.sleep(forTimeInterval: 0.4)
            try ill.set(fault)
        }
        let expected = try OutputsRig.expected(["cbr128_44k_stereo.mp3"])
        for output in ["hall", "women"] {
            #expect(abs(try rig.began("a", on: output) - at) < 0.02)
            let result = try rig.result("a", on: output)
            #expect(result.outcome == .completed && result.dropouts == 0)
            #expect(result.framesPlayed == expected.count / 2)
            #expect(abs(result.endedAtUnixSeconds - at - 1.5) < 0.2)
            let heard = rig.card(output).heardS16
            #expect(heard.prefix(expected.count).elementsEqual(expected))
            #expect(heard.dropFirst(expected.count).allSatisfy { $0 == 0 })
        }
    }

    @Test(
        "An output that was not open joins at the clock's position, alone, and one that never is gives up at the end"
    )
    func joins() throws {
        let rig = try OutputsRig()
        try rig.card("horn").set(.busy)
        try rig.card("women").set(.busy)
        let at = rig.now + 0.4
        rig.cue("a") { order, _ in
            order.heardAtUnixSeconds = at
            order.patienceSeconds = 60
        }
        rig.players.setClock(id: "a", beganAtUnixSeconds: try rig.began("a", on: "hall"))
        Thread.sleep(forTimeInterval: 0.8)
        try rig.card("horn").set(.ok)
        let late = try rig.result("a", on: "horn")
        let whole = try rig.result("a", on: "hall")
        #expect(late.outcome == .completed)
        #expect(abs(late.endedAtUnixSeconds - whole.endedAtUnixSeconds) < 0.15)
        // It joined when it was tried again, within a second.
        let joined = try #require(late.startedAtUnixSeconds)
        #expect(joined - at > 0.8 && joined - at < 2.1)
        #expect(abs(Double(late.framesPlayed) / 44100 - (3 - (joined - at))) < 0.06)
        let expected = try OutputsRig.expected()
        #expect(
            Fixture.trimmed(rig.card("horn").heardS16).suffix(20_000)
                == Fixture.trimmed(expected).suffix(20_000))
        #expect(rig.card("hall").heardS16.prefix(expected.count).elementsEqual(expected))
        let dead = try rig.result("a", on: "women")
        guard case .failed = dead.outcome else {
            Issue.record("it ended \(dead.outcome)")
            return
        }
        #expect(abs(dead.endedAtUnixSeconds - at - 3) < 1.2)
        #expect(dead.startedAtUnixSeconds == nil && rig.card("women").starts.isEmpty)
    }

    @Test("An output that is prepared late joins by the clock, too, wherever its order is")
    func joinsPrepared() throws {
        let rig = try OutputsRig()
        rig.cue("a", on: ["hall", "horn"])
        for output in ["hall", "horn"] { try rig.cued("a", on: output) }
        // The wall clock is behind the instant, which nothing starts by itself then.
        let beganAt = rig.now - 1
        rig.players.setClock(id: "a", beganAtUnixSeconds: beganAt)
        // Told before its recordings are open.
        rig.cue("a", on: ["women"])
        rig.players.setClock(id: "a", beganAtUnixSeconds: beganAt)
        for output in OutputsRig.names {
            let result = try rig.result("a", on: output)
            #expect(result.outcome == .completed)
            #expect(abs(result.endedAtUnixSeconds - beganAt - 3) < 0.2)
            #expect(abs(result.framesPlayed - 88_200) < 8_820)
            let sound = try OutputsRig.expected()
            #expect(
                Fixture.trimmed(rig.card(output).heardS16).suffix(20_000)
                    == Fixture.trimmed(sound).suffix(20_000))
        }
    }

    @Test(
        "One that goes on leaves nothing out for a device that comes soon, and what was missed for a late one"
    )
    func goesOnLate() throws {
        let rig = try OutputsRig()
        try rig.card("horn").set(.busy)
        rig.cue("a", on: ["hall", "horn"]) { order, _ in
            order.positionSeconds = 0.5
            order.patienceSeconds = 60
        }
        let asked = rig.now
        rig.players.start(id: "a")
        Thread.sleep(forTimeInterval: 1.3)
        try rig.card("horn").set(.ok)
        let whole = try rig.result("a", on: "hall")
        #expect(whole.outcome == .completed && whole.framesPlayed == Int(2.5 * 44_100))
        let late = try rig.result("a", on: "horn")
        #expect(late.outcome == .completed)
        #expect(abs(late.endedAtUnixSeconds - asked - 2.5) < 0.15)
        #expect((0.2 * 44_100..<1.3 * 44_100).contains(Double(late.framesPlayed)), "\(late.framesPlayed)")
        // It tells the clock that it has.
        #expect(abs((late.startedAtUnixSeconds ?? 0) - asked) < 0.06)
    }

    @Test(
        "A device that takes long to open joins those that are heard meanwhile, at a start by hand and after a restart",
        arguments: [0.0, 0.5])
    func opensSlowly(position: Double) throws {
        let rig = try OutputsRig()
        try rig.card("horn").set(.hang)
        if position > 0 { try rig.card("hall").set(.hang) }
        rig.cue("a", on: ["hall", "horn"]) { order, _ in
            order.positionSeconds = position
            order.patienceSeconds = 60
        }
        rig.players.start(id: "a")
        Thread.sleep(forTimeInterval: 0.5)
        try rig.card("hall").set(.ok)
        rig.players.setClock(id: "a", beganAtUnixSeconds: try rig.began("a", on: "hall") - position)
        Thread.sleep(forTimeInterval: 0.8)
        try rig.card("horn").set(.ok)
        let (late, whole) = (try rig.result("a", on: "horn"), try rig.result("a", on: "hall"))
        #expect(late.outcome == .completed && whole.framesPlayed == Int((3 - position) * 44_100))
        #expect(abs(late.endedAtUnixSeconds - whole.endedAtUnixSeconds) < 0.1)
        let expected = try OutputsRig.expected()
        #expect(
            Fixture.trimmed(rig.card("horn").heardS16).suffix(20_000)
                == Fixture.trimmed(expected).suffix(20_000))
    }

    @Test("So does one that is tried again and takes long to open then")
    func opensSlowlyAgain() throws {
        let rig = try OutputsRig()
        let (hall, horn) = (rig.card("hall"), rig.card("horn"))
        try hall.set(.hang)
        try horn.set(.busy)
        rig.cue("a", on: ["hall", "horn"]) { order, _ in order.patienceSeconds = 60 }
        rig.players.start(id: "a")
        Thread.sleep(forTimeInterval: 0.5)
        // Tried again a second after the first time.
        try horn.set(.hang)
        Thread.sleep(forTimeInterval: 0.8)
        try hall.set(.ok)
        rig.players.setClock(id: "a", beganAtUnixSeconds: try rig.began("a", on: "hall"))
        Thread.sleep(forTimeInterval: 0.9)
        try horn.set(.ok)
        let (late, whole) = (try rig.result("a", on: "horn"), try rig.result("a", on: "hall"))
        #expect(late.outcome == .completed && whole.framesPlayed == 3 * 44_100)
        #expect(abs(late.endedAtUnixSeconds - whole.endedAtUnixSeconds) < 0.1)
    }

    @Test(
        "What goes on, or joins the others, far into its sound is not replaced for want of time, at any rate",
        arguments: [44_100, 48_000], [true, false])
    func farIn(rate: Int, isGoingOn: Bool) throws {
        let rig = PlayerRig(try LabCard(rate: rate))
        let long = try Fixture.repeated(1600)
        let seconds = 1600 * 67968 / 44100.0
        let order = rig.order("a") { order in
            order.sounds = [SoundFile(path: long.path)]
            order.fallback = SoundFile(path: Fixture.path("short_half_second.mp3"))
            order.positionSeconds = isGoingOn ? seconds - 2 : 0
        }
        rig.player.cue(order)
        if isGoingOn {
            rig.player.start(id: "a")
        } else {
            rig.player.setClock(id: "a", beganAtUnixSeconds: Date().timeIntervalSince1970 - (seconds - 6))
        }
        let result = try rig.result("a")
        #expect(result.outcome == .completed)
        // Joining takes as much of it as opening the recording.
        let expected = isGoingOn ? 2 * rate - 1...2 * rate + 1 : 3 * rate...6 * rate
        #expect(expected.contains(result.framesPlayed), "\(result.framesPlayed)")
        #expect(!rig.all.contains { if case .substituted = $0 { true } else { false } }, "\(rig.all)")
    }

    @Test(
        "What was asked for last sounds, although the recording of what was asked for before is open later",
        arguments: [(true, false), (true, true), (false, true)])
    func askedLast(isAsked: Bool, isHeardElsewhere: Bool) throws {
        let rig = try OutputsRig()
        let long = try Fixture.repeated(400)
        for round in 0..<5 {
            rig.cue("old \(round)", on: ["hall"]) { order, _ in
                (order.sounds, order.positionSeconds) = ([SoundFile(path: long.path)], 500)
            }
            if isAsked { rig.players.start(id: "old \(round)") }
            if isHeardElsewhere {
                rig.players.setClock(id: "old \(round)", beganAtUnixSeconds: rig.now - 500)
            }
            rig.cue("new \(round)", on: ["hall"], ["short_half_second.mp3"])
            rig.players.start(id: "new \(round)")
            let new = try rig.result("new \(round)", on: "hall")
            #expect(new.outcome == .completed && new.framesPlayed == 24192)
            #expect(try rig.result("old \(round)", on: "hall").outcome == .stopped)
        }
    }

    @Test(
        "One that goes on and finds no device is over when its sound would be, however late a new one might begin"
    )
    func goesOnNowhere() throws {
        let rig = try OutputsRig()
        try rig.card("hall").set(.busy)
        rig.cue("a", on: ["hall"]) { order, _ in
            order.positionSeconds = 1
            order.patienceSeconds = 60
        }
        let asked = rig.now
        rig.players.start(id: "a")
        let result = try rig.result("a", on: "hall")
        guard case .failed = result.outcome else {
            Issue.record("it ended \(result.outcome)")
            return
        }
        #expect((1.9..<3.5).contains(result.endedAtUnixSeconds - asked))
    }

    @Test("A clock that is set back between two starts does not part them")
    func clockStep() throws {
        let rig = try OutputsRig()
        let at = rig.now + 1.2
        rig.cue("a") { order, output in
            order.heardAtUnixSeconds = at
            if output == "women" { order.latencySeconds = 0.6 }
        }
        let first = try rig.began("a", on: "women")
        #expect(abs(first - (at - 0.6)) < 0.02)
        rig.players.setClock(id: "a", beganAtUnixSeconds: first + 0.6)
        Thread.sleep(forTimeInterval: 0.1)
        rig.setClock(ahead: -100)
        for output in ["hall", "horn"] { #expect(abs(try rig.began("a", on: output) + 100 - at) < 0.02) }
        for output in OutputsRig.names {
            #expect(try rig.result("a", on: output).framesPlayed == 132_300)
        }
    }

    @Test("Who is heard later is started earlier, by latency and preroll")
    func latency() throws {
        let rig = try OutputsRig()
        let at = rig.now + 1.2
        rig.cue("a", ["short_half_second.mp3"]) { order, output in
            order.heardAtUnixSeconds = at
            if output == "horn" { order.prerollSeconds = 0.2 }
            if output == "women" { (order.latencySeconds, order.prerollSeconds) = (0.5, 0.2) }
        }
        for (output, lead) in [("hall", 0.0), ("horn", 0.2), ("women", 0.7)] {
            #expect(abs(try rig.began("a", on: output) + lead - at) < 0.02, "\(output)")
            #expect(try rig.result("a", on: output).framesPlayed == 24192)
        }
        // Latency is no silence in front of the sound; preroll is.
        let expected = try OutputsRig.expected(["short_half_second.mp3"])
        #expect(rig.card("women").heardS16.dropFirst(2 * 8820).prefix(expected.count).elementsEqual(expected))
    }

    @Test(
        "A start by hand is heard together, too; an output that does not answer is not waited for longer than its lead"
    )
    func latencyByHand() throws {
        let rig = try OutputsRig()
        func cue(_ id: String) {
            rig.cue(id, ["short_half_second.mp3"]) { order, output in
                if output == "women" { order.latencySeconds = 0.5 }
            }
        }
        cue("a")
        for output in OutputsRig.names { try rig.cued("a", on: output) }
        rig.players.start(id: "a")
        let begun = try OutputsRig.names.map { try rig.began("a", on: $0) }
        #expect(abs(begun[0] - begun[2] - 0.5) < 0.02 && abs(begun[1] - begun[2] - 0.5) < 0.02)
        for output in OutputsRig.names {
            #expect(try rig.result("a", on: output).outcome == .completed)
            rig.players.noteEnd(of: "a", on: output)
        }

        rig.cue("go on", ["cbr128_44k_stereo.mp3"]) { order, output in
            order.positionSeconds = 1
            if output == "women" { order.latencySeconds = 0.5 }
        }
        for output in OutputsRig.names { try rig.cued("go on", on: output) }
        let resumed = rig.now
        rig.players.start(id: "go on")
        for output in OutputsRig.names { #expect(try rig.began("go on", on: output) - resumed < 0.05) }
        for output in OutputsRig.names { #expect(try rig.result("go on", on: output).outcome == .completed) }

        try rig.card("women").set(.busy)
        cue("b")
        for output in ["hall", "horn"] { try rig.cued("b", on: output) }
        let asked = rig.now
        rig.players.start(id: "b")
        #expect(abs(try rig.began("b", on: "hall") - asked - 0.5) < 0.02)
    }

    @Test("Each part fades out over its own time; one that has not begun is dropped")
    func stop() throws {
        let rig = try OutputsRig()
        try rig.card("women").set(.busy)
        rig.cue("a") { order, output in order.fadeOutSeconds = output == "hall" ? 1 : 0.1 }
        for output in ["hall", "horn"] { try rig.cued("a", on: output) }
        rig.players.start(id: "a")
        for output in ["hall", "horn"] { try rig.began("a", on: output) }
        Thread.sleep(forTimeInterval: 0.2)
        let requestedAt = rig.now
        rig.players.stop(id: "a")
        let ends = try OutputsRig.names.map { try rig.result("a", on: $0) }
        #expect(ends.allSatisfy { $0.outcome == .stopped })
        // Queued frames are heard before the fade.
        #expect(
            ends[0].endedAtUnixSeconds - requestedAt > 1 && ends[0].endedAtUnixSeconds - requestedAt < 1.6)
        #expect(ends[1].endedAtUnixSeconds - requestedAt < 0.7)
        #expect(ends[2].endedAtUnixSeconds - requestedAt < 0.2 && ends[2].startedAtUnixSeconds == nil)
    }

    @Test("An output that is no longer named plays to its end, and its player is gone then")
    func removed() throws {
        let rig = try OutputsRig()
        rig.cue("a", ["short_half_second.mp3"])
        rig.players.start(id: "a")
        for output in OutputsRig.names { try rig.began("a", on: output) }
        rig.players.setOutputs(["hall"])
        #expect(rig.players.signs.map(\.output) == OutputsRig.names)
        for output in OutputsRig.names {
            #expect(try rig.result("a", on: output).framesPlayed == 24192)
            rig.players.noteEnd(of: "a", on: output)
        }
        #expect(rig.players.signs.map(\.output) == ["hall"])
        // Nor does it do anything any more.
        rig.players.keepAwake("horn", devices: [rig.card("horn").device])
        Thread.sleep(forTimeInterval: 0.1)
        #expect(rig.card("horn").starts.count == 1)
        // An order that was made before it went is played all the same.
        rig.cue("b", on: ["horn"], ["short_half_second.mp3"])
        rig.players.start(id: "b")
        #expect(try rig.result("b", on: "horn").outcome == .completed)
        rig.players.noteEnd(of: "b", on: "horn")
        #expect(rig.players.signs.map(\.output) == ["hall"])
    }

    @Test("A tone keeps one output awake and no other; a cue on another does not end it")
    func keepAwake() throws {
        let rig = try OutputsRig()
        rig.players.keepAwake("hall", devices: [rig.card("hall").device])
        Thread.sleep(forTimeInterval: 0.3)
        rig.cue("a", on: ["horn"], ["short_half_second.mp3"])
        rig.players.start(id: "a")
        #expect(try rig.result("a", on: "horn").outcome == .completed)
        let deadline = Date().addingTimeInterval(5)
        while rig.card("hall").diary.last?.first != "close", Date() < deadline {
            Thread.sleep(forTimeInterval: 0.01)
        }
        #expect(rig.card("hall").heardS16.count >= 2 * 88_200)
        #expect(rig.card("women").diary.isEmpty && rig.reports(of: "hall").isEmpty)
    }
}

@Suite("Outputs that hang") struct StuckOutputTests {
    @Test(
        "A stuck output is seen by its signs, ends nothing else, and the end of all waits for it no longer than for one"
    )
    func stuck() throws {
        let rig = try OutputsRig()
        rig.cue("a")
        rig.players.start(id: "a")
        for output in OutputsRig.names { try rig.began("a", on: output) }
        try rig.card("horn").set(.wedge)
        try rig.card("women").set(.wedge)
        defer { for card in rig.cards.values { try? card.set(.ok) } }
        Thread.sleep(forTimeInterval: 0.3)
        let before = rig.players.signs
        Thread.sleep(forTimeInterval: 0.6)
        let after = rig.players.signs
        #expect(after[0].heartbeat > before[0].heartbeat)
        #expect(after[1] == before[1] && !after[1].isIdle)
        #expect(after[2] == before[2] && !after[2].isIdle)
        let requestedAt = Date()
        rig.players.shutdown()
        let seconds = Date().timeIntervalSince(requestedAt)
        #expect(seconds > 2.5 && seconds < 3.5, "it took \(seconds) s")
        #expect(try rig.result("a", on: "hall", seconds: 0.1).outcome == .stopped)
    }

    @Test("A thread that was stuck does not start what it should have started long ago")
    func late() throws {
        let rig = try PlayerRig()
        rig.player.cue(rig.order("a", "cbr128_44k_stereo.mp3"))
        rig.player.start(id: "a")
        try rig.began("a")
        try rig.card.set(.wedge)
        Thread.sleep(forTimeInterval: 0.3)
        rig.player.cue(rig.order("b", "short_half_second.mp3"))
        rig.player.start(id: "b")
        Thread.sleep(forTimeInterval: 1)
        try rig.card.set(.ok)
        let result = try rig.result("b")
        guard case .failed = result.outcome else {
            Issue.record("it ended \(result.outcome)")
            return
        }
        #expect(result.startedAtUnixSeconds == nil)
    }

    @Test("Devices that hang are noted by many threads at once")
    func notes() {
        let devices = StuckDevices()
        let names = (0..<8).map { "device \($0)" }
        DispatchQueue.concurrentPerform(iterations: 64) { round in
            for name in names { devices.note(name, 1) }
            if round % 2 == 0 { for name in names { devices.note(name, -1) } }
        }
        #expect(names.allSatisfy(devices.contains))
        DispatchQueue.concurrentPerform(iterations: 32) { _ in
            for name in names { devices.note(name, -1) }
        }
        #expect(!names.contains(where: devices.contains) && !devices.contains("another"))
    }
}
