import Foundation
import LabSupport
import Recording
import Testing

@testable import Playback

@Suite("Through PulseAudio", .serialized, .enabled(if: rigWanted, "`make sound-rig` runs these"))
struct PulseTests {
    private let card: LabCard
    private let pulse: PulseServer
    private let rig = ServerRig()
    /// The sound as a 16-bit device should hear it, and its length in seconds.
    private let sound: [Int16]
    private var length: Double { Double(sound.count / 2) / 44100 }

    init() throws {
        card = try LabCard()
        pulse = try PulseServer()
        sound = try Self.decoded(ServerRig.sound)
    }

    private static func decoded(_ path: String) throws -> [Int16] {
        let reader = try RecordingReader(file: SoundFile(path: path), rate: nil, gainDb: 0)
        var samples = [Float]()
        var chunk = [Float](repeating: 0, count: 8192)
        while true {
            let frames = unsafe chunk.withUnsafeMutableBufferPointer {
                unsafe reader.read(into: $0.baseAddress!, frames: 4096)
            }
            if frames == 0 { break }
            samples += chunk.prefix(2 * frames)
        }
        return samples.map { Int16(max(-32768, min(32767, ($0 * 32768).rounded(.toNearestOrEven)))) }
    }

    /// Whether the end came when it would have come without the fault.
    private func endedOnTime(_ result: PlayerResult, within tolerance: Double = 0.5) -> Bool {
        abs(result.endedAtUnixSeconds - (result.startedAtUnixSeconds ?? 0) - length) < tolerance
    }

    @Test("Every sample of the file is heard, in its order and unchanged")
    func exact() throws {
        let recording = try pulse.record()
        _ = try rig.begin(on: [pulse.device])
        let result = try rig.result()
        #expect(result.outcome == .completed)
        #expect(result.dropouts == 0)
        #expect(result.framesPlayed == sound.count / 2)
        Thread.sleep(forTimeInterval: 0.5)
        let loud = sound.drop { $0 == 0 }
        let speech = loud[..<((loud.lastIndex { $0 != 0 } ?? 0) + 1)]
        let found = Comparison.find(speech.dropFirst(speech.startIndex % 2), in: recording.samples)
        #expect((found?.agreeing ?? 0) >= speech.count / 2 - 1)
    }

    @Test("A sink that is unloaded and comes back is taken up again where the clock is")
    func sinkLost() throws {
        let began = try rig.begin(on: [pulse.device])
        Thread.sleep(forTimeInterval: 2)
        try pulse.unloadSink()
        try rig.lost()
        Thread.sleep(forTimeInterval: 0.7)
        try pulse.loadSink()
        let recording = try pulse.record()
        try rig.recovered()
        let result = try rig.result()
        #expect(result.outcome == .completed)
        #expect(endedOnTime(result))
        #expect(result.startedAtUnixSeconds == began)
        #expect(result.framesPlayed < sound.count / 2 - 20_000 && result.framesPlayed > 4 * 44100)
        try continuesInPlace(recording)
    }

    @Test("A server that dies and is started again is taken up again where the clock is")
    func serverRestarted() throws {
        _ = try rig.begin(on: [pulse.device])
        Thread.sleep(forTimeInterval: 1.5)
        pulse.crash()
        try rig.lost()
        try pulse.start()
        let recording = try pulse.record()
        try rig.recovered()
        let result = try rig.result()
        #expect(result.outcome == .completed)
        #expect(endedOnTime(result))
        try continuesInPlace(recording)
    }

    /// The last second and a half is heard unchanged.
    private func continuesInPlace(_ recording: PulseServer.Recording) throws {
        Thread.sleep(forTimeInterval: 0.5)
        let loud = (sound.lastIndex { $0 != 0 } ?? 0) & ~1
        let from = (loud - 2 * 66150) & ~1
        let tail = sound[from..<loud].drop { $0 == 0 }
        let found = Comparison.find(tail.dropFirst(tail.startIndex % 2), in: recording.samples)
        #expect((found?.agreeing ?? 0) >= tail.count / 2 - 1)
    }

    @Test("When the server dies or hangs, the next device goes on within 2 s", arguments: [true, false])
    func nextDevice(dies: Bool) throws {
        _ = try rig.begin(on: [pulse.device, card.device])
        defer { card.remove() }
        Thread.sleep(forTimeInterval: 1)
        let broken = Date().timeIntervalSince1970
        if dies { pulse.crash() } else { pulse.suspend() }
        defer { pulse.resume() }
        let result = try rig.result()
        #expect(result.outcome == .completed)
        #expect(result.device == card.device)
        #expect(endedOnTime(result))
        #expect((card.starts.first ?? .infinity) - broken < 2)
        // It went on where the clock was: the card heard the rest of the sound, and only that.
        let rest = card.heardS16.count / 2
        let lateSeconds = (card.starts.first ?? 0) - (result.startedAtUnixSeconds ?? 0)
        let due = sound.count / 2 - Int(lateSeconds * 44100)
        #expect(abs(rest - due) < 44100 / 2)
    }

    @Test("A server that hangs once the sound is cued gives way to the next device within 2 s")
    func hangsWhileCued() throws {
        defer { card.remove() }
        let due = try rig.cue(on: [pulse.device, card.device], startingIn: 1.5)
        pulse.suspend()
        defer { pulse.resume() }
        let result = try rig.result()
        #expect(result.outcome == .completed)
        #expect(result.device == card.device)
        #expect((card.starts.first ?? .infinity) - due < 2)
    }

    @Test("A server that never comes back ends the sound as failed, at its own end")
    func neverBack() throws {
        _ = try rig.begin(on: [pulse.device])
        Thread.sleep(forTimeInterval: 0.5)
        pulse.crash()
        let result = try rig.result()
        guard case .failed(let reason) = result.outcome else {
            Issue.record("ended \(result.outcome)")
            return
        }
        #expect(reason.contains(pulse.device))
        #expect(endedOnTime(result, within: 1.5))
        #expect(rig.all.filter { if case .deviceLost = $0 { true } else { false } }.count == 1)
    }

    @Test("A server that hangs keeps neither a stop nor the shutdown waiting for long")
    func stopWhileHanging() throws {
        _ = try rig.begin(on: [pulse.device])
        Thread.sleep(forTimeInterval: 0.5)
        pulse.suspend()
        defer { pulse.resume() }
        let asked = Date()
        rig.player.stop(id: "a")
        #expect(try rig.result().outcome == .stopped)
        rig.player.shutdown()
        #expect(Date().timeIntervalSince(asked) < 3)
    }
}
