import BoxSupport
import LabSupport
import PrayerEngine
import Testing

@testable import Announcements
@testable import Daemon
@testable import Protocol
@testable import Settings

@Suite("When a loudspeaker is kept awake")
struct KeepAwakeTests {
    private func box(_ seconds: Double?, clock: String = "2026-11-20T12:30:00-05:00") throws -> Box {
        var config = Config.default
        config.keepAwakeSeconds = seconds
        return try Box(clock, config: config)
    }

    private func tones(_ effects: [Effect]) -> Int {
        effects.count { if case .keepAwake = $0 { true } else { false } }
    }
    private func timer(_ box: Box) -> Instant? { box.timers.first { $0.purpose == .keepAwake }?.at }

    @Test("Without the key nothing is armed and nothing is made")
    func off() throws {
        var box = try box(nil)
        #expect(timer(box) == nil)
        box.run(for: 7200)
        #expect(tones(box.effects) == 0)
    }

    @Test("That often, from the start on, and with one timer")
    func often() throws {
        var box = try box(600)
        #expect(timer(box) == box.now + 600)
        box.run(for: 3000)
        #expect(tones(box.effects) == 5)
    }

    @Test("Not from 36 s before a cue on, and from the sound's end it counts again")
    func nearCue() throws {
        var box = try box(60)
        let asr = try #require(box.state.status(at: box.now).next)
        let at = try instant(asr.at)
        box.run(until: at - 47)
        let before = tones(box.effects)
        box.run(until: at)
        #expect(tones(box.effects) == before)
        let token = try #require(box.effects.started.last)
        box.begin(token: token)
        box.run(for: 10.8)
        box.end(token: token)
        #expect(tones(box.effects) == before && timer(box) == box.now + 60)
    }

    @Test("One that was cued and is not called after all keeps it away for 30 s, too")
    func released() throws {
        var box = try box(60)
        let at = try instant(try #require(box.state.status(at: box.now).next).at)
        box.run(until: at - 5)
        let before = tones(box.effects)
        box.ask(.mute(MuteParameters(duration: "1h")))
        let next = try #require(timer(box))
        #expect(tones(box.effects) == before && next >= box.now + 30)
    }

    @Test("One that an event both prepares and drops keeps it away for 30 s, too")
    func preparedAndDropped() throws {
        // The last tone before Asr at 14:53 is 110 s before it, and the next would be due while it is about to come.
        var box = try box(70)
        let at = try instant(try #require(box.state.status(at: box.now).next).at)
        box.run(until: at - 11)
        // The tone is due again with the cue, whose timer has not fired yet when somebody mutes.
        box.now = at - 10
        let before = tones(box.effects)
        let cued = box.during { $0.ask(.mute(MuteParameters(duration: "1h"))) }.cued
        #expect(cued.count == 1 && tones(box.effects) == before)
        let next = try #require(timer(box))
        #expect(next >= box.now + 30)
    }

    @Test("What is tried out has the device to itself, and a look that was due is made up for")
    func looks() throws {
        var box = try box(60)
        let at = try instant(try #require(box.state.status(at: box.now).next).at)
        var last: Instant?
        while box.now < at - 250, let next = timer(box) {
            box.run(until: next)
            if tones(box.effects) > 0 { last = box.now }
            #expect(abs(box.now - (at - 300)) >= 6, "a tone \(box.now - (at - 300)) s from the preflight")
        }
        #expect(last != nil)
        box.run(until: try #require(timer(box)))
        let looks = { (box: Box) in box.effects.count { if case .tryDevices = $0 { true } else { false } } }
        let before = looks(box)
        box.handle(.cardsChanged)
        #expect(looks(box) == before)
        box.run(for: 7)
        #expect(looks(box) == before + 1)
    }

    @Test("Not by a clock that cannot be trusted")
    func clock() throws {
        var config = Config.default
        config.keepAwakeSeconds = 60
        let box = try Box("2020-01-01T00:00:00Z", config: config, synchronized: false)
        #expect(timer(box) == nil)
    }
}
