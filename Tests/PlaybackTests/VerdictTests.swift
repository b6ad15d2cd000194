import Foundation
import Testing

@testable import Playback
@testable import Recording

@Suite("Whether a recording is fit to be called") struct VerdictTests {
    private func verdict(_ change: (inout RecordingEvidence) -> Void) -> RecordingVerdict {
        var evidence = RecordingEvidence(seconds: 100, promisedSeconds: 100, audibleShare: 0.7)
        change(&evidence)
        return RecordingVerdict(evidence)
    }

    @Test("An adhan is, with nothing to say")
    func well() {
        #expect(verdict { _ in } == verdict { $0.promisedSeconds = nil })
        #expect(verdict { _ in }.objection == nil)
        #expect(verdict { _ in }.caution == nil)
        #expect(verdict { $0.audibleShare = nil }.objection == nil)
    }

    @Test(
        "Each objection says what it is, and whether the signal is better",
        arguments: [
            (RecordingObjection.tooShort(seconds: 0.05), "it is only 50 ms long", true),
            (.tooLong, "it is longer than 2 h", false),
            (.tooLoud, "it is damaged: much of it is louder than any recording", true),
            (.inaudible(share: 0), "it is silent from beginning to end", true),
            (.inaudible(share: 0.099), "only 9 % of it can be heard", true),
            (.partial(seconds: 2, promised: 7.34), "only 2.0 s of its 7.3 s decode", false),
            (.mostlyOther(audioShare: 0.31), "only 31 % of the file is MP3 audio", false),
        ])
    func objections(objection: RecordingObjection, sentence: String, isReplaced: Bool) {
        #expect(objection.description == sentence)
        #expect(objection.isReplaced == isReplaced)
        #expect(SoundFile(path: "/a.mp3").unaccepted(objection) == objection)
        var meant = SoundFile(path: "/a.mp3")
        meant.accepted = objection.code
        #expect(meant.unaccepted(objection) == nil)
    }

    @Test("Every limit decides on its own side")
    func limits() {
        #expect(verdict { $0.seconds = 0.39 }.objection == .tooShort(seconds: 0.39))
        #expect(verdict { $0.seconds = 7200 }.objection == .tooLong)
        #expect(verdict { $0.isTooLoud = true }.objection == .tooLoud)
        #expect(verdict { $0.audibleShare = 0.099 }.objection == .inaudible(share: 0.099))
        #expect(verdict { $0.audibleShare = 0.1 }.caution?.hasPrefix("only 10 % of it can be heard") == true)
        #expect(verdict { $0.audibleShare = 0.4 }.caution == nil)
        #expect(
            verdict { ($0.seconds, $0.endsWhole) = (89, false) }.objection
                == .partial(seconds: 89, promised: 100))
        #expect(verdict { ($0.seconds, $0.endsWhole) = (91, false) }.objection == nil)
        #expect(
            verdict { ($0.promisedSeconds, $0.audioShare) = (nil, 0.4) }.objection
                == .mostlyOther(audioShare: 0.4))
    }

    @Test(
        "A sound that was not measured must be as audible as a recording, one that was measured half as audible as it is",
        arguments: [(nil, 0.1), (0.5, 0.25), (0.15, 0.075)] as [(Double?, Double)])
    func leastAudible(measured: Double?, least: Double) {
        var result = PlayerResult(unheard: PlayerOrder(id: "a", sounds: []), .completed, at: 0)
        result.measuredShare = measured
        #expect(result.leastAudibleShare == least)
        #expect(RecordingLimits.leastAudibleShare(ofMeasured: nil) == RecordingLimits.leastAudibleShare)
    }

    @Test("A header that promises more than there is, is believed only where bytes are missing or no sound")
    func trimmed() {
        let trimmed = verdict { $0.promisedSeconds = 1000 }
        #expect(trimmed.objection == nil)
        #expect(trimmed.caution?.hasPrefix("its header says 1000.0 s, and it has 100.0 s") == true)
        #expect(verdict { ($0.promisedSeconds, $0.endsWhole) = (1000, false) }.objection != nil)
        #expect(verdict { ($0.promisedSeconds, $0.audioShare) = (1000, 0.8) }.objection != nil)
    }

    private func measured(_ bytes: [UInt8]) throws -> (info: SoundInfo, loudness: Loudness) {
        let file = try Fixture.Scratch(bytes)
        return try withExtendedLifetime(file) { try SoundProbe.measure(path: file.path) }
    }

    /// This many seconds of a recording, and silence before it.
    private func mostlySilent(_ silent: Double) throws -> Fixture.Scratch {
        try Fixture.Scratch(MpegFrames.silence(seconds: silent) + Fixture.bytes("cbr64_no_info_tag.mp3"))
    }

    @Test("A recording that is nearly all silence is cautioned against, and one that is all but all refused")
    func silence() throws {
        let loud = try SoundProbe.measure(path: Fixture.path("cbr64_no_info_tag.mp3")).info
        #expect(try #require(loud.audibleShare) > 0.9 && loud.verdict.caution == nil)
        let most = try mostlySilent(7)
        #expect(
            try SoundProbe.measure(path: most.path).info.verdict.caution?.contains("can be heard") == true)
        let all = try mostlySilent(40)
        guard case .inaudible(let share)? = try SoundProbe.measure(path: all.path).info.objection else {
            Issue.record("not refused")
            return
        }
        #expect(share > 0.01 && share < 0.1)
        let nothing = try Fixture.Scratch(MpegFrames.silence(seconds: 3))
        #expect(try SoundProbe.measure(path: nothing.path).info.objection == .inaudible(share: 0))
    }

    @Test(
        "Single muted frames all over a recording are no pauses: it is cautioned against, or refused",
        arguments: [0, 30, 80, 90, 95])
    func muted(percent: Int) throws {
        let one = try Fixture.bytes("cbr64_no_info_tag.mp3")
        var bytes = [UInt8]((0..<5).map { _ in one }.joined())
        var dice: UInt32 = 7
        for start in MpegFrames.starts(in: bytes) {
            dice = dice &* 1_664_525 &+ 1_013_904_223
            if Int(dice >> 16) % 100 < percent { bytes = MpegFrames.muting(bytes, frame: start) }
        }
        let file = try Fixture.Scratch(bytes)
        let info = try SoundProbe.measure(path: file.path).info
        let share = try #require(info.audibleShare)
        switch percent {
        case 0, 30: #expect(share > 0.9 && info.verdict.caution == nil && info.objection == nil)
        case 95:
            guard case .inaudible? = info.objection else {
                Issue.record("not refused: \(share)")
                return
            }
        default:
            let isReported = info.objection != nil || info.verdict.caution?.contains("can be heard") == true
            #expect(isReported, "\(share)")
        }
    }

    @Test("What is short and whole is heard: pips of 100 ms, syllables of 90 ms with stops between them")
    func pips() throws {
        for (sound, pause) in [(0.1, 0.3), (0.09, 0.06), (0.2, 0.05)] {
            var meter = LoudnessMeter(rate: 44_100)
            let frames = 44_100 * 8
            var samples = [Float](repeating: 0, count: 2 * frames)
            for frame in 0..<frames {
                let at = Double(frame) / 44_100
                guard at.truncatingRemainder(dividingBy: sound + pause) < sound else { continue }
                let value = Float(0.3 * sin(2 * Double.pi * 440 * at))
                (samples[2 * frame], samples[2 * frame + 1]) = (value, value)
            }
            unsafe samples.withUnsafeBufferPointer { unsafe meter.add($0.baseAddress!, frames: frames) }
            meter.close()
            let share = SoundHops(meter.hops).audibleShare(isMono: false, gainDb: 0)
            #expect(try #require(share) > 0.9, "\(sound) \(pause)")
        }
    }

    @Test("A few frames of 325 that a card made loud are objected to, and do not decide the gain")
    func flippedAfterImport() throws {
        let one = try Fixture.bytes("cbr64_no_info_tag.mp3")
        var bytes = one + one + one + one + one + one
        let whole = try measured(bytes)
        let starts = MpegFrames.starts(in: bytes)
        #expect(whole.info.objection == nil && starts.count > 300)
        // Not in each of them is there room above.
        for start in starts.enumerated().filter({ $0.offset % 40 == 20 }).map(\.element) {
            bytes = MpegFrames.flippingGain(of: bytes, frame: start)
        }
        let damaged = try measured(bytes)
        #expect(damaged.info.objection == .tooLoud)
        #expect(abs(damaged.loudness.gainDb - whole.loudness.gainDb) < 3)
    }

    @Test("The encoder's note of a recording that was trimmed afterwards is not held against it")
    func note() throws {
        let whole = try Fixture.bytes("cbr128_44k_stereo.mp3")
        let starts = MpegFrames.starts(in: whole)
        let cut = starts[starts.count / 3]
        // Whole frames: a tool. In the middle of one: a download that broke off.
        let trimmed = try measured(Array(whole[..<cut])).info
        #expect(trimmed.objection == nil && trimmed.verdict.caution?.hasPrefix("its header says") == true)
        let tag = Array("TAG".utf8) + [UInt8](repeating: 0, count: 125)
        #expect(
            try measured(Array(whole[..<cut]) + tag).info.objection
                == nil)
        let broken = try measured(Array(whole[..<(cut - 50)])).info
        guard case .partial? = broken.objection else {
            Issue.record("a broken download passed")
            return
        }
    }

    @Test("What is not fit to be called gives way to the signal, as what does not decode")
    func replaced() throws {
        let rig = try PlayerRig()
        var loud = SoundFile(path: Fixture.path("cbr64_44k_mono.mp3"))
        loud.objection = .tooLoud
        func isSubstituted(_ id: String, _ sound: SoundFile) throws -> Bool {
            rig.player.cue(
                rig.order(id) {
                    $0.sounds = [sound]
                    $0.fallback = SoundFile(path: Fixture.path("short_half_second.mp3"))
                })
            rig.player.start(id: id)
            _ = try rig.result(id)
            return rig.all.contains { if case .substituted(id, _, _) = $0 { true } else { false } }
        }
        #expect(try isSubstituted("loud", loud))
        loud.accepted = loud.objection?.code
        #expect(try !isSubstituted("meant", loud))
        var partial = loud
        (partial.objection, partial.accepted) = (.partial(seconds: 1, promised: 9), nil)
        #expect(try !isSubstituted("partial", partial))
    }

    @Test("Of what is played the windows count that were audible in the file")
    func windows() throws {
        let rig = try PlayerRig()
        let most = try mostlySilent(3)
        let info = try SoundProbe.measure(path: most.path).info
        var sound = SoundFile(path: most.path, seconds: info.durationSeconds)
        sound.audibleShare = info.audibleShare
        rig.player.cue(rig.order("half") { $0.sounds = [sound] })
        rig.player.start(id: "half")
        let result = try rig.result("half")
        let (heard, measured) = (try #require(result.audibleShare), try #require(result.measuredShare))
        #expect(abs(heard - measured) < 0.1 && measured < 0.6)
        rig.player.cue(
            rig.order("limited") {
                $0.sounds = [sound]
                $0.limitSeconds = 1
            })
        rig.player.start(id: "limited")
        // The part that is left out need not have been silent.
        #expect(try rig.result("limited").measuredShare == nil)
    }
}
