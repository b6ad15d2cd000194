import Foundation
import LabSupport
import Testing

@testable import Playback

@Suite("One order takes over from another") struct TakeoverTests {
    @Test("a cued order takes the stage from one that sounds, which fades out and ends stopped")
    func takeover() throws {
        let rehearsal = try Rehearsal()
        let player = rehearsal.player
        player.cue(rehearsal.order("reminder", "cbr128_44k_stereo.mp3"))
        player.start(id: "reminder")
        try rehearsal.began("reminder")
        player.cue(rehearsal.order("adhan", "cbr64_44k_mono.mp3"))
        Thread.sleep(forTimeInterval: 0.6)
        let told = Date().timeIntervalSince1970
        player.start(id: "adhan")
        let began = try rehearsal.began("adhan")
        // The queue is kept short once somebody waits: 60 ms, and 30 ms of fade behind it.
        #expect(began - told < 0.15)
        let first = try rehearsal.proof("reminder")
        #expect(first.outcome == .stopped)
        #expect(first.endedAt <= began)
        let second = try rehearsal.proof("adhan")
        #expect(second.outcome == .completed)
        #expect(second.framesPlayed == 66150)
        #expect(second.dropouts == 0)
        let expected = Fixture.s16(try Fixture.decoded("cbr64_44k_mono.mp3"))
        let heard = rehearsal.card.heardS16
        let tail = heard.dropFirst(2 * first.framesPlayed).drop { $0 == 0 }
        #expect(
            tail.prefix(expected.count - 2).elementsEqual(
                expected.drop { $0 == 0 }.prefix(expected.count - 2)))
        try rehearsal.closed()
        #expect(rehearsal.card.diary.filter { $0 == ["open"] }.count == 1)
    }

    @Test("an order that waits gets the device when the other ends, and is cued then")
    func waitsForTheEnd() throws {
        let rehearsal = try Rehearsal()
        let player = rehearsal.player
        player.cue(rehearsal.order("a", "short_half_second.mp3"))
        player.start(id: "a")
        try rehearsal.began("a")
        player.cue(rehearsal.order("b", "cbr96_48k_stereo.mp3"))
        try rehearsal.cued("b")
        #expect(try rehearsal.proof("a", seconds: 0.1).outcome == .completed)
        let told = Date().timeIntervalSince1970
        player.start(id: "b")
        #expect(try rehearsal.began("b") - told < 0.01)
        #expect(try rehearsal.proof("b").outcome == .completed)
    }

    @Test("of two cued orders either can be started first")
    func otherFirst() throws {
        let rehearsal = try Rehearsal()
        let player = rehearsal.player
        player.cue(rehearsal.order("a", "short_half_second.mp3"))
        player.cue(rehearsal.order("b", "cbr64_44k_mono.mp3"))
        try rehearsal.cued("a")
        player.start(id: "b")
        #expect(try rehearsal.proof("b").framesPlayed == 66150)
        player.start(id: "a")
        #expect(try rehearsal.proof("a").framesPlayed == 24192)
    }

    @Test("a start for an order that is not cued, and a second cue, are told and change nothing")
    func unknown() throws {
        let rehearsal = try Rehearsal()
        rehearsal.player.start(id: "nobody")
        let reason = try rehearsal.wait("trouble") { report -> String? in
            if case .trouble("nobody", let reason) = report { reason } else { nil }
        }
        #expect(reason.contains("not cued"))
        let order = rehearsal.order("a", "short_half_second.mp3")
        rehearsal.player.cue(order)
        rehearsal.player.cue(order)
        rehearsal.player.start(id: "a")
        #expect(try rehearsal.proof("a").outcome == .completed)
        #expect(rehearsal.card.starts.count == 1)
    }
}
