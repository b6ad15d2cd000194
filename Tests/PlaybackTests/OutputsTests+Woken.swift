import Foundation
import LabSupport
import Testing

@testable import Playback

/// A device that hangs in the middle of a sound, and wakes up.
extension OutputsTests {
    @Test("A device that hung while its sound was stopped plays nothing more of it when it wakes up")
    func wokenUp() throws {
        let rig = try PlayerRig()
        rig.player.cue(rig.order("a", "cbr128_44k_stereo.mp3"))
        rig.player.start(id: "a")
        try rig.began("a")
        try rig.card.set(.wedge)
        // The thread is in a call that does not return, and its device has run dry.
        Thread.sleep(forTimeInterval: 1)
        rig.player.stop(id: "a", withinSeconds: 0)
        Thread.sleep(forTimeInterval: 1)
        try rig.card.set(.ok)
        #expect(try rig.result("a").outcome == .stopped)
        #expect(rig.card.starts.count == 1)
    }

    @Test("Started and stopped while another's device hung, a sound is not begun when the device wakes up")
    func stoppedBeforeItBegan() throws {
        let rig = try wedged()
        rig.player.start(id: "b")
        rig.player.stop(id: "a", withinSeconds: 0)
        rig.player.stop(id: "b", withinSeconds: 0)
        try rig.card.set(.ok)
        #expect(try rig.result("a").outcome == .stopped)
        let never = try rig.result("b")
        #expect(never.outcome == .stopped && never.startedAtUnixSeconds == nil)
        #expect(rig.card.starts.count == 1)
    }

    @Test("What took over from a sound whose device hung begins when the device wakes up, and that one ends")
    func tookOverWhileHung() throws {
        let rig = try wedged()
        rig.player.start(id: "b")
        Thread.sleep(forTimeInterval: 0.2)
        try rig.card.set(.ok)
        #expect(try rig.result("a").outcome == .stopped)
        try rig.began("b")
        #expect(rig.card.starts.count == 2)
        rig.player.stop(id: "b", withinSeconds: 0)
        #expect(try rig.result("b").outcome == .stopped)
    }

    @Test("Started and stopped while its device hung at the opening, a sound is not begun")
    func stoppedAtTheOpening() throws {
        let rig = try PlayerRig()
        try rig.card.set(.hang)
        rig.player.cue(rig.order("a", "cbr128_44k_stereo.mp3"))
        Thread.sleep(forTimeInterval: 0.5)
        rig.player.start(id: "a")
        rig.player.stop(id: "a", withinSeconds: 0)
        try rig.card.set(.ok)
        let result = try rig.result("a")
        #expect(result.outcome == .stopped && result.startedAtUnixSeconds == nil)
        #expect(rig.card.starts.isEmpty)
    }

    /// A sound whose device hangs and has run dry, with "b" cued behind it.
    private func wedged() throws -> PlayerRig {
        let rig = try PlayerRig()
        rig.player.cue(rig.order("a", "cbr128_44k_stereo.mp3"))
        rig.player.start(id: "a")
        try rig.began("a")
        rig.player.cue(rig.order("b", "cbr128_44k_stereo.mp3"))
        Thread.sleep(forTimeInterval: 0.3)
        try rig.card.set(.wedge)
        // The thread is in a call that does not return.
        Thread.sleep(forTimeInterval: 1)
        return rig
    }
}
