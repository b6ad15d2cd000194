import Foundation
import LabSupport
import Testing

@testable import Playback

@Suite("One order takes over from another") struct TakeoverTests {
    @Test(
        "An instant that is a second past starts nothing by itself; whether it is still time is not decided here"
    )
    func past() throws {
        let rig = try PlayerRig()
        rig.player.cue(
            rig.order("a", "short_half_second.mp3") {
                $0.heardAtUnixSeconds = Date().timeIntervalSince1970 - 1
            })
        try rig.cued("a")
        Thread.sleep(forTimeInterval: 0.3)
        #expect(rig.card.starts.isEmpty)
        rig.player.start(id: "a")
        #expect(try rig.result("a").framesPlayed == 24192)
    }

    @Test("A cued order takes the stage from one that sounds, which fades out and ends stopped")
    func takeover() throws {
        let rig = try PlayerRig()
        let player = rig.player
        player.cue(rig.order("reminder", "cbr128_44k_stereo.mp3"))
        player.start(id: "reminder")
        try rig.began("reminder")
        player.cue(rig.order("adhan", "cbr64_44k_mono.mp3"))
        Thread.sleep(forTimeInterval: 0.6)
        let requestedAt = Date().timeIntervalSince1970
        player.start(id: "adhan")
        let began = try rig.began("adhan")
        // The queue is kept short once somebody waits: 60 ms, and 30 ms of fade behind it.
        #expect(began - requestedAt < 0.15)
        let first = try rig.result("reminder")
        #expect(first.outcome == .stopped)
        #expect(first.endedAtUnixSeconds <= began)
        let second = try rig.result("adhan")
        #expect(second.outcome == .completed)
        #expect(second.framesPlayed == 66150)
        #expect(second.dropouts == 0)
        let expected = Fixture.s16(try Fixture.decoded("cbr64_44k_mono.mp3"))
        let heard = rig.card.heardS16
        let tail = heard.dropFirst(2 * first.framesPlayed).drop { $0 == 0 }
        #expect(
            tail.prefix(expected.count - 2).elementsEqual(
                expected.drop { $0 == 0 }.prefix(expected.count - 2)))
        try rig.closed()
        #expect(rig.card.diary.filter { $0 == ["open"] }.count == 1)
    }

    @Test("An order that waits gets the device when the other ends, and is cued then")
    func waitsForTheEnd() throws {
        let rig = try PlayerRig()
        let player = rig.player
        player.cue(rig.order("a", "short_half_second.mp3"))
        player.start(id: "a")
        try rig.began("a")
        player.cue(rig.order("b", "cbr96_48k_stereo.mp3"))
        try rig.cued("b")
        #expect(try rig.result("a", seconds: 0.1).outcome == .completed)
        let requestedAt = Date().timeIntervalSince1970
        player.start(id: "b")
        #expect(try rig.began("b") - requestedAt < 0.01)
        #expect(try rig.result("b").outcome == .completed)
    }

    @Test("Of two cued orders either can be started first")
    func otherFirst() throws {
        let rig = try PlayerRig()
        let player = rig.player
        player.cue(rig.order("a", "short_half_second.mp3"))
        try rig.cued("a")
        player.cue(rig.order("b", "cbr64_44k_mono.mp3"))
        player.start(id: "b")
        #expect(try rig.result("b").framesPlayed == 66150)
        player.start(id: "a")
        #expect(try rig.result("a").framesPlayed == 24192)
    }

    @Test("A start for an order that is not cued, and a second cue, are reported and change nothing")
    func unknown() throws {
        let rig = try PlayerRig()
        rig.player.start(id: "nobody")
        let reason = try rig.wait("trouble") { report -> String? in
            if case .trouble("nobody", let reason) = report { reason } else { nil }
        }
        #expect(reason.contains("not cued"))
        let order = rig.order("a", "short_half_second.mp3")
        rig.player.cue(order)
        rig.player.cue(order)
        rig.player.start(id: "a")
        #expect(try rig.result("a").outcome == .completed)
        #expect(rig.card.starts.count == 1)
    }
}
