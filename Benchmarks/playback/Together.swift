import Foundation
import Playback
import Recording
import Synchronization

/// Several outputs that are to be heard at once, again and again.
final class Together: Sendable {
    /// An ALSA name, with `@` and seconds of latency behind it where the device has some.
    struct Place {
        let device: String
        let latencySeconds: Double

        init(_ word: String) {
            let parts = word.split(separator: "@").map(String.init)
            device = parts.first ?? "default"
            latencySeconds = parts.count > 1 ? Double(parts[1]) ?? 0 : 0
        }
    }

    private struct Seen {
        /// When each output is heard, by the number of the start.
        var heard: [String: [Double]] = [:]
        var dropouts = 0
    }

    private let seen = Mutex(Seen())
    private let ended = DispatchSemaphore(value: 0)

    /// - Returns: for each start the seconds between the first and the last output, and how late the last was; and the dropouts
    ///   and the parts that were not heard.
    func play(_ file: String, starts: Int, seconds: Double, on places: [Place]) -> (
        spreads: [Double], late: [Double], dropouts: Int, silent: Int
    ) {
        let names = places.indices.map { "output-\($0)" }
        let latencies = Dictionary(uniqueKeysWithValues: zip(names, places.map(\.latencySeconds)))
        let players = Players(
            now: { Date().timeIntervalSince1970 },
            report: { [self] output, event in hear(event, latencySeconds: latencies[output] ?? 0) })
        players.setOutputs(names)
        // A quarter of a second is enough to open a device; the threads then sleep until the instant.
        let lead = 0.3 + (latencies.values.max() ?? 0)
        var (spreads, late) = ([Double](), [Double]())
        var silent = 0
        for round in 0..<max(1, starts) {
            let instant = Date().timeIntervalSince1970 + lead
            for (name, place) in zip(names, places) {
                players.cue(
                    PlayerOrder(
                        id: "\(round)", sounds: [SoundFile(path: file)], devices: [place.device],
                        latencySeconds: place.latencySeconds, limitSeconds: seconds,
                        heardAtUnixSeconds: instant),
                    on: name)
            }
            Thread.sleep(forTimeInterval: lead + 0.2)
            players.start(id: "\(round)")
            for _ in names { ended.wait() }
            for name in names { players.noteEnd(of: "\(round)", on: name) }
            let all = seen.withLock { $0.heard["\(round)"] } ?? []
            silent += places.count - all.count
            guard let first = all.min(), let last = all.max() else { continue }
            spreads.append(last - first)
            late.append(last - instant)
        }
        players.shutdown()
        return (spreads.sorted(), late.sorted(), seen.withLock { $0.dropouts }, silent)
    }

    private func hear(_ event: PlayerEvent, latencySeconds: Double) {
        switch event {
        case .began(let id, let at, _, _):
            seen.withLock { $0.heard[id, default: []].append(at + latencySeconds) }
        case .ended(let result):
            seen.withLock { $0.dropouts += result.dropouts }
            ended.signal()
        default: break
        }
    }
}
