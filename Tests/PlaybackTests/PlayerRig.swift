import Foundation
import LabSupport
import Synchronization
import Testing

@testable import Playback
@testable import Recording

/// A player, the card it plays on, and everything it reported.
final class PlayerRig: Sendable {
    let card: LabCard
    let player: Player
    private let log: Log

    private final class Log: Sendable {
        let reports = Mutex<[PlayerEvent]>([])
    }

    init(_ card: LabCard) {
        let log = Log()
        self.card = card
        self.log = log
        player = Player(
            now: { Date().timeIntervalSince1970 },
            report: { report in log.reports.withLock { $0.append(report) } })
    }

    convenience init() throws { self.init(try LabCard()) }

    deinit {
        player.shutdown()
        card.remove()
    }

    var all: [PlayerEvent] { log.reports.withLock { $0 } }

    /// Waits until a report gives a value; fails the test after `seconds`.
    @discardableResult
    func wait<Value>(
        _ what: String, seconds: Double = 10, sourceLocation: SourceLocation = #_sourceLocation,
        for find: (PlayerEvent) -> Value?
    ) throws -> Value {
        let deadline = Date().addingTimeInterval(seconds)
        while Date() < deadline {
            if let value = all.lazy.compactMap(find).first { return value }
            Thread.sleep(forTimeInterval: 0.002)
        }
        Issue.record(
            "\(what) did not come within \(seconds) s; reported: \(all)", sourceLocation: sourceLocation)
        throw CancellationError()
    }

    func cued(_ id: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
        try wait("cued", sourceLocation: sourceLocation) { report -> Bool? in
            if case .cued(id, _, _, _) = report { true } else { nil }
        }
    }

    @discardableResult
    func began(_ id: String, sourceLocation: SourceLocation = #_sourceLocation) throws -> Double {
        try wait("began", sourceLocation: sourceLocation) {
            if case .began(id, let at, _, _) = $0 { at } else { nil }
        }
    }

    func result(_ id: String, seconds: Double = 10, sourceLocation: SourceLocation = #_sourceLocation) throws
        -> PlayerResult
    {
        try wait("ended", seconds: seconds, sourceLocation: sourceLocation) {
            if case .ended(let result) = $0, result.id == id { result } else { nil }
        }
    }

    /// An order on this rig's card.
    func order(_ id: String, _ names: String..., change: (inout PlayerOrder) -> Void = { _ in })
        -> PlayerOrder
    {
        var order = PlayerOrder(
            id: id, sounds: names.map { SoundFile(path: Fixture.path($0)) }, devices: [card.device])
        change(&order)
        return order
    }
}

enum Fixture {
    static let directory = Bundle.module.resourceURL!.appending(path: "Fixtures")

    static func path(_ name: String) -> String { directory.appending(path: name).path }

    /// The whole file as the decoder delivers it: interleaved stereo floats at its own rate.
    static func decoded(_ name: String, gainDb: Double = 0) throws -> [Float] {
        let reader = try RecordingReader(
            file: SoundFile(path: path(name)), rate: nil, gainDb: gainDb)
        return drain(reader)
    }

    static func drain(_ reader: RecordingReader, most: Int = .max) -> [Float] {
        var samples: [Float] = []
        let chunk = UnsafeMutablePointer<Float>.allocate(capacity: 2 * 1000)
        defer { unsafe chunk.deallocate() }
        while true {
            let count = unsafe reader.read(into: chunk, frames: min(1000, most - samples.count / 2))
            if count == 0 { return samples }
            unsafe samples.append(contentsOf: UnsafeBufferPointer(start: chunk, count: 2 * count))
        }
    }

    /// The samples that a 16-bit device is expected to get for these.
    static func s16(_ samples: [Float]) -> [Int16] {
        samples.map { Int16(max(-32768, min(32767, ($0 * 32768).rounded(.toNearestOrEven)))) }
    }

    /// Without the silence after the last sample.
    static func trimmed(_ samples: [Int16]) -> ArraySlice<Int16> {
        samples[..<((samples.lastIndex { $0 != 0 } ?? -1) + 1)]
    }

    /// A file that exists only while the value does.
    final class Scratch {
        let path: String

        init(_ bytes: [UInt8]) throws {
            path =
                FileManager.default.temporaryDirectory.appending(path: "sound-\(UUID().uuidString).mp3").path
            try Data(bytes).write(to: URL(filePath: path))
        }

        deinit { try? FileManager.default.removeItem(atPath: path) }
    }

    static func bytes(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(filePath: path(name))))
    }

    /// A long sound: a stream without an Info tag, `count` times in a row.
    static func repeated(_ count: Int) throws -> Scratch {
        let once = try bytes("cbr64_no_info_tag.mp3")
        return try Scratch([UInt8](repeatElement(once, count: count).joined()))
    }
}

extension SoundProbe {
    /// Everything but the loudness.
    static func inspect(path: String) throws(RecordingError) -> SoundInfo { try measure(path: path).info }
}
