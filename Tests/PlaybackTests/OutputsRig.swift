import Foundation
import LabSupport
import Synchronization
import Testing

@testable import Playback
@testable import Recording

/// Three outputs, each with a card of its own, and everything that they reported.
final class OutputsRig: Sendable {
    static let names = ["hall", "horn", "women"]

    let players: Players
    let cards: [String: LabCard]
    private let log = Log()
    private let clock = Clock()

    /// Three threads at once write here. A sanitizer does not see that the kernel hands over a contended `Mutex`.
    private final class Log: @unchecked Sendable {
        private let lock = NSLock()
        private var reports: [(output: String, event: PlayerEvent)] = []

        func add(_ output: String, _ event: PlayerEvent) { lock.withLock { reports.append((output, event)) } }
        func all(of output: String) -> [PlayerEvent] {
            lock.withLock { reports.filter { $0.output == output }.map(\.event) }
        }
    }

    /// A wall clock that a test sets.
    private final class Clock: Sendable {
        let ahead = Mutex(0.0)
        var now: Double { Date().timeIntervalSince1970 + ahead.withLock { $0 } }
    }

    init() throws {
        cards = Dictionary(uniqueKeysWithValues: try Self.names.map { ($0, try LabCard()) })
        let (log, clock) = (log, clock)
        players = Players(
            now: { clock.now },
            report: { output, event in log.add(output, event) })
        players.setOutputs(Self.names)
    }

    deinit {
        players.shutdown()
        for card in cards.values { card.remove() }
    }

    var now: Double { clock.now }
    func setClock(ahead seconds: Double) { clock.ahead.withLock { $0 = seconds } }

    func card(_ output: String) -> LabCard { cards[output]! }

    /// Three seconds of sound, unless `names` says otherwise.
    func cue(
        _ id: String, on outputs: [String] = names,
        _ names: [String] = ["cbr128_44k_stereo.mp3", "cbr64_44k_mono.mp3"],
        change: (inout PlayerOrder, String) -> Void = { _, _ in }
    ) {
        for output in outputs {
            var order = PlayerOrder(
                id: id, sounds: names.map { SoundFile(path: Fixture.path($0)) },
                devices: [card(output).device])
            change(&order, output)
            players.cue(order, on: output)
        }
    }

    static func expected(_ names: [String] = ["cbr128_44k_stereo.mp3", "cbr64_44k_mono.mp3"]) throws
        -> [Int16]
    {
        Fixture.s16(try names.flatMap { try Fixture.decoded($0) })
    }

    func reports(of output: String) -> [PlayerEvent] {
        log.all(of: output)
    }

    @discardableResult
    func wait<Value>(
        _ what: String, of output: String, seconds: Double = 10,
        sourceLocation: SourceLocation = #_sourceLocation, for find: (PlayerEvent) -> Value?
    ) throws -> Value {
        let deadline = Date().addingTimeInterval(seconds)
        while Date() < deadline {
            if let value = reports(of: output).lazy.compactMap(find).first { return value }
            Thread.sleep(forTimeInterval: 0.002)
        }
        Issue.record(
            "\(what) of \(output) did not come within \(seconds) s; reported: \(reports(of: output))",
            sourceLocation: sourceLocation)
        throw CancellationError()
    }

    func cued(_ id: String, on output: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
        try wait("cued", of: output, sourceLocation: sourceLocation) {
            if case .cued(id, _, _, _) = $0 { true } else { nil }
        }
    }

    @discardableResult
    func began(_ id: String, on output: String, sourceLocation: SourceLocation = #_sourceLocation) throws
        -> Double
    {
        try wait("began", of: output, sourceLocation: sourceLocation) {
            if case .began(id, let at, _, _) = $0 { at } else { nil }
        }
    }

    func result(
        _ id: String, on output: String, seconds: Double = 10,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> PlayerResult {
        try wait("ended", of: output, seconds: seconds, sourceLocation: sourceLocation) {
            if case .ended(let result) = $0, result.id == id { result } else { nil }
        }
    }
}
