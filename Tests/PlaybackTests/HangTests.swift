import Foundation
import LabSupport
import Testing

@testable import Playback

@Suite("Devices that do not answer") struct HangTests {
    private let spare: LabCard
    private let rig: PlayerRig

    init() throws {
        spare = try LabCard()
        rig = try PlayerRig()
    }

    /// Whether threads are granted real-time priority here, which is when starting is not waited for either.
    private static let prompt = {
        let granted = PlaybackThread.setRealtime(true)
        PlaybackThread.setRealtime(false)
        return granted
    }()

    private func cue(startingIn seconds: Double) -> Double {
        let due = Date().timeIntervalSince1970 + seconds
        rig.player.cue(
            rig.order("a", "cbr128_44k_stereo.mp3", "cbr64_44k_mono.mp3") {
                $0.devices.append(spare.device)
                $0.heardAtUnixSeconds = due
            })
        return due
    }

    @Test("A device whose opening does not return gives way to the next, and callers never wait")
    func opening() throws {
        defer { spare.remove() }
        try rig.card.set(.hang)
        defer { try? rig.card.set(.ok) }
        let asked = Date()
        let due = cue(startingIn: 2.5)
        #expect(Date().timeIntervalSince(asked) < 0.1)
        let began = try rig.began("a")
        #expect(abs(began - due) < 0.02)
        let result = try rig.result("a")
        #expect(result.outcome == .completed)
        #expect(result.device == spare.device)
        #expect(result.framesPlayed == 132_300)
        let isReported = rig.all.contains {
            if case .noDevice(_, let reason, let next) = $0 {
                reason.contains("no answer within 2 s") && next.hasPrefix("trying")
            } else {
                false
            }
        }
        #expect(isReported)
    }

    @Test("A device that hangs or stands still at the instant gives way to the next within 2 s")
    func starting() throws {
        defer { spare.remove() }
        let due = cue(startingIn: 0.6)
        try rig.cued("a")
        try rig.card.set(Self.prompt ? .hang : .freeze)
        defer { try? rig.card.set(.ok) }
        let result = try rig.result("a")
        #expect(result.outcome == .completed)
        #expect(result.device == spare.device)
        #expect((spare.starts.first ?? .infinity) - due < 2)
        #expect(abs(result.endedAtUnixSeconds - due - 3) < 1.5)
    }

    @Test("A device that hung is tried again once it answers")
    func answersAgain() throws {
        defer { spare.remove() }
        try rig.card.set(.hang)
        let order = rig.order("a", "short_half_second.mp3")
        rig.player.cue(order)
        try rig.wait("trouble") { if case .noDevice = $0 { true } else { nil } }
        try rig.card.set(.ok)
        try rig.cued("a")
        rig.player.start(id: "a")
        let result = try rig.result("a")
        #expect(result.outcome == .completed)
        #expect(result.framesPlayed == 24192)
        // A file that was opened too late was closed.
        try rig.closed()
        #expect(rig.card.diary.filter { $0 == ["open"] }.count == 2)
        #expect(rig.card.diary.filter { $0 == ["close"] }.count == 2)
    }
}
