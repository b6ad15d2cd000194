import Foundation
import Playback
import Recording
import Synchronization

/// Several outputs that are to start at once, again and again.
final class Together: Sendable {
    private let begun = Mutex<[String: [Double]]>([:])
    private let dropouts = Mutex(0)
    private let ended = DispatchSemaphore(value: 0)

    /// - Returns: for each start the seconds between the first and the last output, and how late the last was; and the dropouts
    ///   and the parts that were not heard.
    func play(_ file: String, starts: Int, on devices: [String]) -> (
        spreads: [Double], late: [Double], dropouts: Int, silent: Int
    ) {
        let players = Players(
            now: { Date().timeIntervalSince1970 }, report: { [self] _, event in hear(event) })
        let outputs = devices.indices.map { "output-\($0)" }
        players.setOutputs(outputs)
        var (spreads, late) = ([Double](), [Double]())
        var silent = 0
        for round in 0..<max(1, starts) {
            // A quarter of a second is enough to open a device; the threads then sleep until the instant.
            let instant = Date().timeIntervalSince1970 + 0.3
            for (output, device) in zip(outputs, devices) {
                players.cue(
                    PlayerOrder(
                        id: "\(round)", sounds: [SoundFile(path: file)], devices: [device],
                        limitSeconds: 0.05,
                        startAt: instant), on: output)
            }
            Thread.sleep(forTimeInterval: 0.5)
            players.start(id: "\(round)")
            for output in outputs {
                ended.wait()
                players.noteEnd(of: "\(round)", on: output)
            }
            let all = begun.withLock { $0["\(round)"] } ?? []
            silent += devices.count - all.count
            guard let first = all.min(), let last = all.max() else { continue }
            spreads.append(last - first)
            late.append(last - instant)
        }
        players.shutdown()
        return (spreads.sorted(), late.sorted(), dropouts.withLock { $0 }, silent)
    }

    private func hear(_ event: PlayerEvent) {
        switch event {
        case .began(let id, let at, _, _): begun.withLock { $0[id, default: []].append(at) }
        case .ended(let result):
            dropouts.withLock { $0 += result.dropouts }
            ended.signal()
        default: break
        }
    }
}
