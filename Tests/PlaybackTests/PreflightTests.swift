import Foundation
import LabSupport
import Testing

@testable import Playback
@testable import Recording

@Suite("Preflight") struct PreflightTests {
    private let card: LabCard
    private let order: PlayerOrder

    init() throws {
        let card = try LabCard(rate: 48000)
        self.card = card
        order = PlayerOrder(
            id: "fajr", sounds: [SoundFile(path: Fixture.path("cbr128_44k_stereo.mp3"))],
            devices: [card.device])
    }

    @Test("All is well: the device is named, nothing is heard, the device is closed again")
    func well() {
        defer { card.remove() }
        let result = Preflight.check(order)
        #expect(result.problems.isEmpty)
        #expect(result.device == card.device && result.rateHz == 48000 && result.durationSeconds == 1.5)
        #expect(result.measured[order.sounds[0].path]?.info.objection == nil)
        #expect(card.starts.isEmpty)
        #expect(card.diary.last == ["close"])
    }

    @Test(
        "A mixer that is muted or at zero is reported with what to do about it",
        arguments: [(80, 80, false, "muted"), (0, 0, true, "at zero"), (0, 70, true, nil)]
            as [(Int, Int, Bool, String?)])
    func mixer(left: Int, right: Int, on: Bool, how: String?) throws {
        defer { card.remove() }
        try card.setMixer(left: left, right: right, on: on)
        let problems = Preflight.check(order).problems
        guard let how else {
            #expect(problems.isEmpty)
            return
        }
        #expect(problems.count == 1)
        #expect(problems.first?.contains("Master control is \(how); amixer") == true)
    }

    @Test("A device behind which no loudspeaker stands is silent, and one that plays is not")
    func discarding() {
        defer { card.remove() }
        #expect(MixerState.silence(of: card.device) == nil)
        #expect(MixerState.silence(of: "no such device") == nil)
        var order = order
        for device in ["null", "plug:null", "plug:'plug:null'"] {
            order.devices = [device]
            let result = Preflight.check(order)
            #expect(result.isSilent && result.device == device)
            #expect(
                result.problems.first?.hasPrefix("\"\(device)\" is silent: ALSA's device \"null\"") == true)
        }
    }

    @Test("A broken sound is reported together with what will be heard instead")
    func brokenSound() {
        defer { card.remove() }
        var order = order
        order.sounds = [SoundFile(path: Fixture.path("ogg_renamed.mp3"))]
        order.fallback = SoundFile(path: Fixture.path("short_half_second.mp3"))
        let problems = Preflight.check(order).problems
        let fallback = Fixture.path("short_half_second.mp3")
        #expect(problems.count == 1)
        #expect(
            problems.first?.hasSuffix(
                "this is an Ogg Vorbis file, not MP3; \"\(fallback)\" will be played instead") == true)
    }

    @Test("A sound that is not fit to be called is reported as well, unless it was added in spite of that")
    func unfitSound() throws {
        defer { card.remove() }
        let silence = try Fixture.Scratch(MpegFrames.silence(seconds: 2))
        var order = order
        order.sounds = [SoundFile(path: silence.path)]
        order.fallback = SoundFile(path: Fixture.path("short_half_second.mp3"))
        let problems = Preflight.check(order).problems
        #expect(
            problems == [
                "cannot use \"\(silence.path)\": it is silent from beginning to end; "
                    + "\"\(Fixture.path("short_half_second.mp3"))\" will be played instead"
            ])
        order.sounds[0].accepted = "inaudible"
        #expect(Preflight.check(order).problems.isEmpty)
    }

    @Test("A device that is gone is reported, and the next one chosen")
    func goneDevice() throws {
        let spare = try LabCard()
        defer {
            card.remove()
            spare.remove()
        }
        try card.set(.unplug)
        var order = order
        #expect(Preflight.check(order).device == nil)
        order.devices.append(spare.device)
        let result = Preflight.check(order)
        #expect(result.device == spare.device)
        #expect(
            result.problems == [
                "cannot open \"\(card.device)\": No such device; \"\(spare.device)\" will be tried"
            ])
        #expect(Preflight.check(order, busy: true).problems.isEmpty)
    }

    @Test(
        "The mixer of a PCM name is the card's",
        arguments: [
            ("hw:1,0", "hw:1"), ("plughw:CARD=PCH,DEV=3", "hw:PCH"), ("hdmi:CARD=HDMI,DEV=0", "hw:HDMI"),
            ("default", "default"), ("sysdefault:CARD=Dummy", "hw:Dummy"),
        ])
    func mixerName(device: String, card name: String) {
        defer { card.remove() }
        #expect(MixerState.card(of: device) == name)
    }
}
