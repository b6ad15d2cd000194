import Foundation
import Playback
import Synchronization

/// One order on a player of its own, from cue to proof.
final class Run: Sendable {
    private let proof = Mutex<PlayerResult?>(nil)
    private let said = Mutex<[String]>([])
    private let done = DispatchSemaphore(value: 0)

    func play(_ order: PlayerOrder) -> PlayerResult {
        let player = Player(now: { Date().timeIntervalSince1970 }, report: { self.hear($0) })
        player.cue(order)
        if let instant = order.heardAtUnixSeconds {
            // A sound that was not ready in time does not start by itself; late is late, but it is to be heard.
            let late = DispatchWallTime(timespec: timespec(tv_sec: Int(instant) + 2, tv_nsec: 0))
            DispatchQueue.global().asyncAfter(wallDeadline: late) { player.start(id: order.id) }
        }
        while true {
            done.wait()
            if let proof = proof.withLock({ $0 }) {
                player.shutdown()
                return proof
            }
        }
    }

    /// Deviations from the plan, in sentences.
    var troubles: [String] { said.withLock { $0 } }

    private func hear(_ report: PlayerEvent) {
        switch report {
        case .noDevice(_, let reason, let next): said.withLock { $0.append("\(reason); \(next)") }
        case .trouble(_, let reason), .damaged(_, let reason): said.withLock { $0.append(reason) }
        case .deviceLost(_, let device, let reason):
            said.withLock { $0.append("\(device) was lost: \(reason)") }
        case .deviceRecovered(_, let device): said.withLock { $0.append("\(device) is back") }
        case .dropout(_, let count, _): said.withLock { $0.append("dropout number \(count)") }
        case .ended(let ended):
            proof.withLock { $0 = ended }
            done.signal()
        default: break
        }
    }
}
