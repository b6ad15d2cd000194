import Foundation
import LabSupport
import Testing

@testable import Playback

@Suite("The tone that keeps a loudspeaker awake") struct KeepAwakeTests {
    @Test("Two seconds of 30 Hz at one percent, with ramps, and no sample of silence")
    func tone() throws {
        let rig = try PlayerRig()
        rig.player.keepAwake(devices: [rig.card.device])
        try rig.closedAfterTone()
        let all = rig.card.heardS16
        let left = stride(from: 0, to: all.count - 1, by: 2).map { all[$0] }
        let right = stride(from: 1, to: all.count, by: 2).map { all[$0] }
        // The card's own silence follows the last frame.
        let tone = Array(left.prefix(88_200))
        #expect(tone.count == 88_200 && right.prefix(88_200).elementsEqual(tone))
        #expect(!tone.contains(0), "digital zeros keep nothing awake")
        let peak = tone.map { abs(Int($0)) }.max() ?? 0
        #expect(peak == 328 || peak == 327, "-40 dBFS is 327.68, not \(peak)")
        let turns = zip(tone, tone.dropFirst()).count { ($0 < 0) != ($1 < 0) }
        #expect((118...121).contains(turns), "30 Hz for 2 s turns 119 or 120 times, not \(turns)")
        // Raised cosines of 100 ms at both ends: nothing jumps, and nothing near the ends is loud.
        let steps = zip(tone, tone.dropFirst()).map { abs(Int($0) - Int($1)) }
        #expect((steps.max() ?? 0) <= 3)
        for edge in [tone.prefix(441), tone.suffix(441)] {
            #expect((edge.map { abs(Int($0)) }.max() ?? 0) <= 9)
        }
        for half in [tone.prefix(2205), tone.suffix(2205)] {
            #expect((half.map { abs(Int($0)) }.max() ?? 0) <= 165)
        }
        #expect(rig.all.isEmpty, "unexpected reports: \(rig.all)")
        #expect(rig.card.starts.count == 1 && rig.player.isIdle)
    }

    @Test("A cue ends it at once, and its adhan starts as late as without it")
    func cued() throws {
        let rig = try PlayerRig()
        rig.player.keepAwake(devices: [rig.card.device])
        try rig.soon { !rig.card.starts.isEmpty }
        Thread.sleep(forTimeInterval: 0.3)
        let at = Date().timeIntervalSince1970 + 1
        rig.player.cue(rig.order("a", "short_half_second.mp3") { $0.heardAtUnixSeconds = at })
        try rig.cued("a")
        let result = try rig.result("a")
        #expect(result.outcome == .completed && result.dropouts == 0)
        #expect(abs(try #require(result.startedAtUnixSeconds) - at) < 0.01)
        #expect(rig.card.starts.count == 2)
    }

    @Test("While something is prepared or sounds there is none")
    func busy() throws {
        let rig = try PlayerRig()
        rig.player.cue(rig.order("a", "short_half_second.mp3"))
        try rig.cued("a")
        rig.player.keepAwake(devices: [rig.card.device])
        rig.player.start(id: "a")
        rig.player.keepAwake(devices: [rig.card.device])
        #expect(try rig.result("a").outcome == .completed)
        #expect(rig.card.starts.count == 1)
    }

    @Test("The next device is taken where the first does not open; where none does, one report says why")
    func failing() throws {
        let rig = try PlayerRig()
        rig.player.keepAwake(devices: ["nodev", rig.card.device])
        try rig.closedAfterTone()
        #expect(rig.card.starts.count == 1 && rig.all.isEmpty)
        rig.player.keepAwake(devices: ["nodev"])
        try rig.wait("the failure") {
            if case .toneFailed(let reason) = $0, reason.contains("nodev") { true } else { nil }
        }
        #expect(rig.player.isIdle)
    }

    @Test("A device that goes away in the middle is a report, and the next cue finds a free thread")
    func unplugged() throws {
        let rig = try PlayerRig()
        rig.player.keepAwake(devices: [rig.card.device])
        try rig.soon { !rig.card.starts.isEmpty }
        try rig.card.set(.unplug)
        try rig.wait("the failure") { if case .toneFailed = $0 { true } else { nil } }
        try rig.card.set(.ok)
        rig.player.cue(rig.order("a", "short_half_second.mp3"))
        rig.player.start(id: "a")
        #expect(try rig.result("a").outcome == .completed)
    }
}

extension PlayerRig {
    func soon(_ holds: () -> Bool) throws {
        let deadline = Date().addingTimeInterval(10)
        while !holds() {
            guard Date() < deadline else { throw CancellationError() }
            Thread.sleep(forTimeInterval: 0.005)
        }
    }

    /// Waits until the tone is over and the card closed.
    fileprivate func closedAfterTone() throws {
        try soon { card.diary.last?.first == "close" && player.isIdle }
    }
}
