import Foundation
import LabSupport
import Playback
import Recording
import Synchronization
import Testing

/// Whether `make sound-rig` asked for these tests.
let rigWanted = ProcessInfo.processInfo.environment["ADHAND_SOUND_RIG"] != nil

/// A player on a sound server, with everything it reported.
final class ServerRig: Sendable {
    let player: Player
    private let log: Log

    private final class Log: Sendable {
        let reports = Mutex<[PlayerEvent]>([])
    }

    init() {
        let log = Log()
        self.log = log
        player = Player(
            now: { Date().timeIntervalSince1970 },
            report: { report in log.reports.withLock { $0.append(report) } })
    }

    deinit { player.shutdown() }

    var all: [PlayerEvent] { log.reports.withLock { $0 } }

    /// The shipped call to Dhuhr, about eight seconds of speech.
    static let sound = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Resources/audio/standard/dhuhr.mp3").path

    /// Begins the sound on `devices`.
    /// - Returns: Unix seconds of its first sample.
    func begin(on devices: [String]) throws -> Double {
        player.cue(PlayerOrder(id: "a", sounds: [SoundFile(path: Self.sound)], devices: devices))
        player.start(id: "a")
        return try wait(for: "the beginning") { if case .began(_, let at, _, _) = $0 { at } else { nil } }
    }

    /// Cues the sound on `devices`, to start by itself.
    /// - Returns: Unix seconds of the instant.
    func cue(on devices: [String], startingIn seconds: Double) throws -> Double {
        let due = Date().timeIntervalSince1970 + seconds
        player.cue(
            PlayerOrder(
                id: "a", sounds: [SoundFile(path: Self.sound)], devices: devices, heardAtUnixSeconds: due))
        _ = try wait(for: "the cue") { if case .cued = $0 { true } else { nil } }
        return due
    }

    func result() throws -> PlayerResult {
        try wait(for: "the end") { if case .ended(let result) = $0 { result } else { nil } }
    }

    func lost() throws {
        _ = try wait(for: "the loss") { if case .deviceLost = $0 { true } else { nil } }
    }

    func recovered() throws {
        _ = try wait(for: "the recovery") { if case .deviceRecovered = $0 { true } else { nil } }
    }

    private func wait<Value>(for what: String, _ find: (PlayerEvent) -> Value?) throws -> Value {
        let deadline = Date().addingTimeInterval(15)
        while Date() < deadline {
            if let value = all.lazy.compactMap(find).first { return value }
            Thread.sleep(forTimeInterval: 0.005)
        }
        throw LabCard.Trouble(description: "\(what) did not come; reported: \(all)")
    }
}

/// The audible sound, frame by frame, against what the file decodes to.
struct Comparison {
    /// Where in the recording the sound's first frame is, and how many frames agree from there on.
    var offset: Int
    var agreeing: Int

    /// Looks for `part` of `sound` (stereo samples) in `heard`.
    /// - Returns: nil where it is nowhere.
    static func find(_ sound: ArraySlice<Int16>, in heard: [Int16]) -> Comparison? {
        let key = sound.prefix(64)
        guard let first = key.first else { return nil }
        for at in stride(from: 0, to: heard.count - key.count, by: 2) where heard[at] == first {
            guard heard[at..<at + key.count].elementsEqual(key) else { continue }
            let agreeing = zip(sound, heard[at...]).prefix { $0 == $1 }.count
            return Comparison(offset: at / 2, agreeing: agreeing / 2)
        }
        return nil
    }
}
