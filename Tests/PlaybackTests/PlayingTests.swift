import Foundation
import LabSupport
import Testing

@testable import Playback
@testable import Recording

@Suite("Playing on a card") struct PlayingTests {
    @Test("The card hears exactly the decoded samples times the gain", arguments: [0.0, -12.5])
    func exact(gainDb: Double) throws {
        let rig = try PlayerRig()
        rig.player.cue(rig.order("a", "cbr128_44k_stereo.mp3") { $0.gainDb = gainDb })
        try rig.cued("a")
        #expect(rig.card.starts.isEmpty)
        rig.player.start(id: "a")
        let result = try rig.result("a")
        #expect(result.outcome == .completed)
        #expect(result.rateHz == 44100)
        #expect(result.framesWritten == 66150)
        #expect(result.framesPlayed == 66150)
        #expect(result.dropouts == 0)
        #expect(result.gainDb == gainDb)
        #expect(abs(result.endedAtUnixSeconds - (result.startedAtUnixSeconds ?? 0) - 1.5) < 0.1)
        let expected = Fixture.s16(try Fixture.decoded("cbr128_44k_stereo.mp3", gainDb: gainDb))
        let heard = rig.card.heardS16
        #expect(heard.prefix(expected.count).elementsEqual(expected))
        #expect(heard.dropFirst(expected.count).allSatisfy { $0 == 0 })
        try rig.closed()
    }

    @Test("How much of a sound could be heard is known from what went to the device")
    func audible() throws {
        let rig = try PlayerRig()
        rig.player.cue(rig.order("heard", "short_half_second.mp3"))
        rig.player.start(id: "heard")
        #expect(try #require(try rig.result("heard").audibleShare) > 0.9)
        rig.player.cue(rig.order("hushed", "short_half_second.mp3") { $0.gainDb = -81 })
        rig.player.start(id: "hushed")
        #expect(try rig.result("hushed").audibleShare == 0)
        let silence = try Fixture.Scratch(MpegFrames.silence(seconds: 0.5))
        rig.player.cue(
            rig.order("silent") {
                $0.sounds = [SoundFile(path: silence.path)]
                $0.prerollSeconds = 0.1
            })
        rig.player.start(id: "silent")
        let result = try rig.result("silent")
        #expect(result.outcome == .completed && result.framesPlayed > 20_000)
        #expect(result.audibleShare == 0)
    }

    @Test("A cued sound starts within 5 ms of the request")
    func lateness() throws {
        let rig = try PlayerRig()
        rig.player.cue(rig.order("a", "cbr64_44k_mono.mp3"))
        try rig.cued("a")
        Thread.sleep(forTimeInterval: 0.2)
        let asked = Date().timeIntervalSince1970
        rig.player.start(id: "a")
        let began = try rig.began("a")
        #expect(began - asked < 0.005)
        #expect(abs((rig.card.starts.first ?? 0) - began) < 0.002)
    }

    @Test("Two sounds follow each other without a gap, whatever their rates")
    func twoSounds() throws {
        let rig = try PlayerRig()
        rig.player.cue(
            rig.order("a", "short_half_second.mp3", "cbr64_22k_mono_tagged.mp3", "cbr64_44k_mono.mp3"))
        rig.player.start(id: "a")
        let result = try rig.result("a")
        #expect(result.outcome == .completed)
        #expect(result.framesPlayed == 24192 + 66150 + 66150)
        let heard = rig.card.heardS16
        let first = Fixture.s16(try Fixture.decoded("short_half_second.mp3"))
        let last = Fixture.s16(try Fixture.decoded("cbr64_44k_mono.mp3"))
        #expect(heard.prefix(first.count).elementsEqual(first))
        #expect(heard.dropFirst(first.count + 2 * 66150).prefix(last.count).elementsEqual(last))
    }

    @Test(
        "A device that wants another rate, format or channel count gets it",
        arguments: [
            (48000, "S32_LE", 2, 8), (44100, "S24_LE", 2, 8), (44100, "S24_3LE", 1, 3),
            (48000, "FLOAT_LE", 2, 8),
            (44100, "S16_LE", 1, 2), (48000, "S16_LE", 8, 16), (44100, "S24_3LE", 2, 6),
        ])
    func negotiation(rate: Int, format: String, channels: Int, frameBytes: Int) throws {
        let rig = PlayerRig(try LabCard(rate: rate, format: format, channels: channels))
        rig.player.cue(rig.order("a", "short_half_second.mp3"))
        rig.player.start(id: "a")
        let result = try rig.result("a")
        let frames = (24192 * rate + 44099) / 44100
        #expect(result.outcome == .completed)
        #expect(result.rateHz == rate)
        #expect(result.framesPlayed == frames)
        #expect(rig.card.heard.count >= frames * frameBytes)
        #expect(
            rig.card.diary.contains {
                $0.starts(with: ["setup", Substring(format), "\(channels)", "\(rate)"])
            })
    }

    @Test("Preroll is silence before the first sample, and no sound by the proof")
    func preroll() throws {
        let rig = try PlayerRig()
        rig.player.cue(rig.order("a", "short_half_second.mp3") { $0.prerollSeconds = 0.25 })
        rig.player.start(id: "a")
        let result = try rig.result("a")
        #expect(result.framesPlayed == 24192)
        let silence = 2 * 11025
        let heard = rig.card.heardS16
        #expect(heard.prefix(silence).allSatisfy { $0 == 0 })
        let expected = Fixture.s16(try Fixture.decoded("short_half_second.mp3"))
        #expect(heard.dropFirst(silence).prefix(expected.count).elementsEqual(expected))
    }

    @Test("A limit ends the sound at that second, faded to nothing")
    func limit() throws {
        let rig = try PlayerRig()
        rig.player.cue(rig.order("a", "cbr128_44k_stereo.mp3") { $0.limitSeconds = 0.8 })
        rig.player.start(id: "a")
        let result = try rig.result("a")
        #expect(result.outcome == .limited)
        #expect(result.framesPlayed == 35280)
        #expect(rig.card.heardS16.dropFirst(2 * 35280).allSatisfy { $0 == 0 })
    }

    @Test("A position begins in the middle of the sound")
    func position() throws {
        let rig = try PlayerRig()
        rig.player.cue(rig.order("a", "cbr128_44k_stereo.mp3") { $0.positionSeconds = 1 })
        rig.player.start(id: "a")
        let result = try rig.result("a")
        #expect(result.outcome == .completed)
        #expect(result.framesPlayed == 22050)
        let ramp = 2 * 221
        let expected = Fixture.s16(try Fixture.decoded("cbr128_44k_stereo.mp3")).dropFirst(2 * 44100 + ramp)
        #expect(rig.card.heardS16.dropFirst(ramp).prefix(expected.count).elementsEqual(expected))
    }

    @Test("A stop in the first 100 ms fades out and ends stopped")
    func earlyStop() throws {
        let rig = try PlayerRig()
        rig.player.cue(rig.order("a", "cbr128_44k_stereo.mp3") { $0.fadeOutSeconds = 0.2 })
        try rig.cued("a")
        rig.player.start(id: "a")
        try rig.began("a")
        Thread.sleep(forTimeInterval: 0.05)
        // It may take longer than it does.
        rig.player.stop(id: "a", withinSeconds: 60)
        let result = try rig.result("a")
        #expect(result.outcome == .stopped)
        #expect(result.endedAtUnixSeconds - (result.startedAtUnixSeconds ?? 0) < 0.9)
        #expect(result.framesPlayed > 2205)
        try rig.closed()
        #expect(rig.player.isIdle)
    }

    @Test("A fade-out that runs already is over within the seconds that a second stop leaves it")
    func shorterStop() throws {
        let rig = try PlayerRig()
        rig.player.cue(rig.order("a", "cbr128_44k_stereo.mp3") { $0.fadeOutSeconds = 60 })
        rig.player.start(id: "a")
        try rig.began("a")
        rig.player.stop(id: "a")
        Thread.sleep(forTimeInterval: 0.3)
        let asked = Date()
        rig.player.stop(id: "a", withinSeconds: 0.2)
        #expect(try rig.result("a").outcome == .stopped)
        #expect(Date().timeIntervalSince(asked) < 1)
    }

    @Test("A cued order that is stopped never sounds, and the device is closed")
    func stopBeforeStart() throws {
        let rig = try PlayerRig()
        rig.player.cue(rig.order("a", "cbr128_44k_stereo.mp3"))
        try rig.cued("a")
        rig.player.stop(id: "a")
        let result = try rig.result("a")
        #expect(result.outcome == .stopped)
        #expect(result.startedAtUnixSeconds == nil)
        #expect(result.framesPlayed == 0)
        try rig.closed()
        #expect(rig.card.starts.isEmpty)
    }

    @Test("The heartbeat grows while frames move and stands still when idle")
    func heartbeat() throws {
        let rig = try PlayerRig()
        let player = rig.player
        player.cue(rig.order("a", "cbr128_44k_stereo.mp3"))
        try rig.cued("a")
        player.start(id: "a")
        try rig.began("a")
        #expect(!player.isIdle)
        let before = player.heartbeat
        try rig.soon { player.heartbeat >= before + 2 }
        #expect(try rig.result("a").outcome == .completed)
        try rig.closed()
        #expect(player.isIdle)
        let after = player.heartbeat
        Thread.sleep(forTimeInterval: 0.3)
        #expect(player.heartbeat == after)
    }

    @Test("Shutdown fades out, reports the end and closes the device")
    func shutdown() throws {
        let rig = try PlayerRig()
        rig.player.cue(rig.order("a", "cbr128_44k_stereo.mp3"))
        rig.player.start(id: "a")
        try rig.began("a")
        rig.player.shutdown()
        #expect(try rig.result("a", seconds: 0.1).outcome == .stopped)
        #expect(rig.card.diary.last == ["close"])
    }
}

extension PlayerRig {
    /// Waits for the device to be closed: that comes right after the last report.
    func closed(sourceLocation: SourceLocation = #_sourceLocation) throws {
        let deadline = Date().addingTimeInterval(2)
        while Date() < deadline {
            if card.diary.last == ["close"], player.isIdle { return }
            Thread.sleep(forTimeInterval: 0.005)
        }
        Issue.record("the device stays open: \(card.diary)", sourceLocation: sourceLocation)
    }
}
