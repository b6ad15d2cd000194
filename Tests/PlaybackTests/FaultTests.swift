import Foundation
import LabSupport
import Testing

@testable import Playback
@testable import Recording

@Suite("Faults while playing") struct FaultTests {
    /// A three-second sound under way on a card.
    private func playing(_ rig: PlayerRig, for seconds: Double, devices: [String] = []) throws {
        let order = rig.order("a", "cbr128_44k_stereo.mp3", "cbr64_44k_mono.mp3") {
            $0.devices += devices
            $0.fadeOutSeconds = 2
        }
        rig.player.cue(order)
        rig.player.start(id: "a")
        try rig.began("a")
        Thread.sleep(forTimeInterval: seconds)
    }

    /// The clock's length of three seconds of sound: the end comes when it would have come without the
    /// fault.
    private func endsOnTime(_ result: PlayerResult, within tolerance: Double = 0.3) -> Bool {
        let lasted = result.endedAtUnixSeconds - (result.startedAtUnixSeconds ?? 0)
        return result.outcome == .completed && abs(lasted - 3) < tolerance
    }

    @Test("An underrun is recovered, counted, and costs no more than the time between two looks")
    func underrun() throws {
        let rig = try PlayerRig()
        try playing(rig, for: 1)
        try rig.card.set(.xrun)
        let result = try rig.result("a")
        #expect(endsOnTime(result))
        #expect(result.dropouts == 1)
        #expect(result.framesPlayed > 132_300 - 4410 * 3 / 2)
        let isReported = rig.all.contains {
            if case .dropout("a", 1, rig.card.device) = $0 { true } else { false }
        }
        #expect(isReported)
        #expect(rig.card.starts.count == 2)
        // A sample that was decoded, lost with the queue and taken again counts once.
        #expect(result.framesWritten > 120_000 && result.framesWritten <= 132_300)
    }

    @Test("An underrun during a fade-out ends the sound there instead of beginning it again")
    func underrunWhileFading() throws {
        let rig = try PlayerRig()
        try playing(rig, for: 0.5)
        rig.player.stop(id: "a")
        Thread.sleep(forTimeInterval: 0.6)
        try rig.card.set(.xrun)
        let result = try rig.result("a")
        #expect(result.outcome == .stopped)
        #expect(result.endedAtUnixSeconds - (result.startedAtUnixSeconds ?? 0) < 2)
        #expect(rig.card.starts.count == 1)
    }

    @Test("After a suspend it goes on where the clock is")
    func suspend() throws {
        let rig = try PlayerRig()
        try playing(rig, for: 0.7)
        try rig.card.set(.suspend)
        Thread.sleep(forTimeInterval: 0.8)
        try rig.card.set(.ok)
        let result = try rig.result("a")
        #expect(endsOnTime(result))
        #expect(result.framesPlayed < 132_300 - 30_000)
        #expect(result.dropouts >= 1)
    }

    @Test(
        "A device that comes back is taken up again at the right place",
        arguments: [LabCard.Fault.unplug, .eio, .freeze])
    func comesBack(_ fault: LabCard.Fault) throws {
        let rig = try PlayerRig()
        try playing(rig, for: 0.5)
        try rig.card.set(fault)
        Thread.sleep(forTimeInterval: 0.9)
        try rig.card.set(.ok)
        let result = try rig.result("a")
        // A standstill shorter than half a second is not a fault yet; the position then lags by it.
        #expect(endsOnTime(result, within: fault == .freeze ? 0.6 : 0.3))
        #expect(result.framesPlayed > 20_000 && result.framesPlayed < 132_300 - 20_000)
        let expected = Fixture.s16(
            try Fixture.decoded("cbr128_44k_stereo.mp3") + Fixture.decoded("cbr64_44k_mono.mp3"))
        // The last half second was heard as it is in the file.
        let heard = Fixture.trimmed(rig.card.heardS16)
        #expect(heard.suffix(20_000) == Fixture.trimmed(expected).suffix(20_000))
        #expect(rig.all.contains { if case .deviceLost = $0 { true } else { false } })
        #expect(rig.all.contains { if case .deviceRecovered = $0 { true } else { false } })
    }

    @Test(
        "The next device takes over within 2 s, at the right place",
        arguments: [LabCard.Fault.unplug, .freeze])
    func nextDevice(_ fault: LabCard.Fault) throws {
        let spare = try LabCard()
        defer { spare.remove() }
        let rig = try PlayerRig()
        try playing(rig, for: 0.5, devices: [spare.device])
        try rig.card.set(fault)
        let broken = Date().timeIntervalSince1970
        let result = try rig.result("a")
        #expect(endsOnTime(result))
        #expect(result.device == spare.device)
        #expect((spare.starts.first ?? 0) - broken < 2)
        // No frame twice, and none left out but those during the search.
        #expect(spare.heardS16.count / 2 < 132_300 - 20_000)
        #expect(result.framesPlayed <= 132_300)
    }

    @Test("A device that never comes back ends the sound as failed, at its own end")
    func neverComesBack() throws {
        let rig = try PlayerRig()
        try playing(rig, for: 0.5)
        try rig.card.set(.unplug)
        let result = try rig.result("a")
        guard case .failed(let reason) = result.outcome else {
            Issue.record("ended \(result.outcome)")
            return
        }
        #expect(reason.contains(rig.card.device))
        let lasted = result.endedAtUnixSeconds - (result.startedAtUnixSeconds ?? 0)
        #expect(lasted > 2.9 && lasted < 4.3)
        try rig.closed()
    }

    @Test("A device that is lost at every start is named with what it said, and so is none at all")
    func reasonsAreNeverEmpty() throws {
        let rig = try PlayerRig()
        rig.player.cue(rig.order("none", "short_half_second.mp3") { $0.devices = [] })
        rig.player.start(id: "none")
        #expect(try rig.result("none").outcome == .failed("no sound device is named"))

        rig.player.cue(rig.order("lost", "short_half_second.mp3"))
        try rig.cued("lost")
        try rig.card.set(.eio)
        rig.player.start(id: "lost")
        guard case .failed(let reason) = try rig.result("lost").outcome else {
            Issue.record("it was not lost")
            return
        }
        #expect(reason.contains("\"\(rig.card.device)\": Input/output error"))
    }

    @Test("A device that is busy at cue time is waited for, and the sound then begins at its beginning")
    func busyThenFree() throws {
        let rig = try PlayerRig()
        try rig.card.set(.busy)
        rig.player.cue(rig.order("a", "cbr128_44k_stereo.mp3"))
        rig.player.start(id: "a")
        let sentence = try rig.wait("trouble") { report -> String? in
            if case .noDevice(_, let reason, let next) = report { "\(reason); \(next)" } else { nil }
        }
        #expect(sentence.contains("Device or resource busy"))
        #expect(sentence.contains("trying again"))
        Thread.sleep(forTimeInterval: 0.3)
        try rig.card.set(.ok)
        let result = try rig.result("a")
        #expect(result.outcome == .completed)
        #expect(result.framesPlayed == 66150)
    }

    @Test(
        "A device that does not exist is reported in ALSA's words, and a start that waits for it can be stopped"
    )
    func noSuchDevice() throws {
        let rig = try PlayerRig()
        rig.player.cue(rig.order("a", "short_half_second.mp3") { $0.devices = ["nosuch"] })
        rig.player.start(id: "a")
        let sentence = try rig.wait("trouble") { report -> String? in
            if case .noDevice(_, let reason, let next) = report { "\(reason); \(next)" } else { nil }
        }
        let cause = "No such file or directory (Unknown PCM nosuch)"
        #expect(sentence == "cannot open \"nosuch\": \(cause); trying again every second")
        #expect(!rig.player.isIdle)
        rig.player.stop(id: "a")
        #expect(try rig.result("a").outcome == .stopped)
    }

    @Test("A device that is busy gives way to the next in order, and both are named")
    func busyFirst() throws {
        let spare = try LabCard()
        defer { spare.remove() }
        let rig = try PlayerRig()
        try rig.card.set(.busy)
        rig.player.cue(
            rig.order("a", "short_half_second.mp3") { $0.devices.append(spare.device) })
        rig.player.start(id: "a")
        let result = try rig.result("a")
        #expect(result.outcome == .completed)
        #expect(result.device == spare.device)
        let expected =
            "cannot open \"\(rig.card.device)\": Device or resource busy"
        let next = "trying \"\(spare.device)\""
        #expect(rig.all.contains { if case .noDevice("a", expected, next) = $0 { true } else { false } })
    }

    @Test("A device that is lost while cued is looked for again before the start")
    func lostWhileCued() throws {
        let rig = try PlayerRig()
        rig.player.cue(rig.order("a", "short_half_second.mp3"))
        try rig.cued("a")
        try rig.card.set(.unplug)
        try rig.wait("loss") { report -> Bool? in if case .deviceLost = report { true } else { nil } }
        try rig.card.set(.ok)
        try rig.wait("recovery") { report -> Bool? in
            if case .deviceRecovered = report { true } else { nil }
        }
        let requestedAt = Date().timeIntervalSince1970
        rig.player.start(id: "a")
        #expect(try rig.began("a") - requestedAt < 0.01)
        #expect(try rig.result("a").framesPlayed == 24192)
    }

    @Test("Errors that never cease are given up on, and callers never wait")
    func storm() throws {
        let rig = try PlayerRig()
        try playing(rig, for: 0.3)
        try rig.card.set(.suspend)
        let before = Date()
        for _ in 0..<1000 { rig.player.start(id: "b") }
        #expect(Date().timeIntervalSince(before) < 2)
        let beat = rig.player.heartbeat
        let result = try rig.result("a")
        guard case .failed = result.outcome else {
            Issue.record("ended \(result.outcome)")
            return
        }
        #expect(rig.player.heartbeat > beat)
        #expect(result.dropouts < 60)
        #expect(rig.all.filter { if case .deviceLost = $0 { true } else { false } }.count == 1)
    }

    @Test("After five recoveries without a frame in between a device is lost, and the next takes over")
    func endlessUnderrun() throws {
        let spare = try LabCard()
        defer { spare.remove() }
        let rig = try PlayerRig()
        try playing(rig, for: 0.3, devices: [spare.device])
        try rig.card.set(.dead)
        let result = try rig.result("a")
        #expect(result.device == spare.device)
        let recovered = rig.all.prefix { if case .deviceLost = $0 { false } else { true } }
        #expect(recovered.count { if case .dropout = $0 { true } else { false } } == 5)
    }
}

@Suite("Files that cannot be played") struct SubstitutionTests {
    @Test(
        "The fallback replaces a file that cannot be played",
        arguments: ["ogg_renamed.mp3", "empty.mp3", "gone.mp3", ""])
    func standsIn(name: String) throws {
        let rig = try PlayerRig()
        rig.player.cue(
            rig.order("a", name) {
                $0.fallback = SoundFile(path: Fixture.path("short_half_second.mp3"), gainDb: -3)
            })
        rig.player.start(id: "a")
        let result = try rig.result("a")
        #expect(result.outcome == .completed)
        #expect(result.framesPlayed == 24192)
        #expect(result.gainDb == -3)
        #expect(
            rig.all.contains {
                if case .substituted("a", Fixture.path(name), _) = $0 { true } else { false }
            })
    }

    @Test("A damaged file is played as far as it goes, and told about once")
    func damagedFile() throws {
        let rig = try PlayerRig()
        rig.player.cue(rig.order("a", "corrupt_middle_random.mp3"))
        rig.player.start(id: "a")
        let result = try rig.result("a")
        #expect(result.outcome == .completed)
        #expect(!rig.all.contains { if case .substituted = $0 { true } else { false } })
        #expect(abs(result.framesPlayed - 59951) <= 2 * 1152)
        let troubles = rig.all.filter { if case .damaged = $0 { true } else { false } }
        #expect(troubles.count == 1)
    }

    @Test("When the fallback fails too, the order fails with the reason of the file that was wanted")
    func bothFail() throws {
        let rig = try PlayerRig()
        rig.player.cue(
            rig.order("a", "flac_renamed.mp3") { $0.fallback = SoundFile(path: "/nowhere.mp3") })
        rig.player.start(id: "a")
        let result = try rig.result("a")
        let path = Fixture.path("flac_renamed.mp3")
        #expect(result.outcome == .failed("cannot play \"\(path)\": this is a FLAC file, not MP3"))
        #expect(rig.card.diary.isEmpty)
    }
}
