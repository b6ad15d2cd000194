import Foundation
import Playback
import Synchronization

// Figures about playback that only a release build can give:
//   bench-playback lateness DEVICE FILE [ROUNDS]   percentiles of start-to-snd_pcm_start, in milliseconds
//   bench-playback measure FILE                    what sound import finds out about FILE
//   bench-playback play DEVICE FILE                plays FILE once; for comparing processor time with another player
// Priority, load and device are the caller's business.

/// The reports of one player, for a thread that waits for them.
final class Log: Sendable {
    private let reports = Mutex<[PlayReport]>([])
    private let news = DispatchSemaphore(value: 0)

    func add(_ report: PlayReport) {
        reports.withLock { $0.append(report) }
        news.signal()
    }

    func wait<Value>(_ find: (PlayReport) -> Value?) -> Value {
        while true {
            let heard = reports.withLock { $0 }
            if let value = heard.lazy.compactMap(find).first { return value }
            news.wait()
        }
    }
}

func play(_ id: String, device: String, file: String, limit: Double?) -> (proof: PlayProof, lateness: Double)
{
    let log = Log()
    let player = Player(now: { Date().timeIntervalSince1970 }, report: { log.add($0) })
    player.cue(PlayOrder(id: id, sounds: [SoundFile(path: file)], devices: [device], limit: limit))
    _ = log.wait { report -> Bool? in
        switch report {
        case .cued, .ended: true
        default: nil
        }
    }
    usleep(100_000)
    let told = Date().timeIntervalSince1970
    player.start(id: id)
    let proof = log.wait { report -> PlayProof? in
        if case .ended(let proof) = report { proof } else { nil }
    }
    player.shutdown()
    return (proof, 1000 * ((proof.startedAt ?? .infinity) - told))
}

let arguments = CommandLine.arguments
if arguments.count == 3, arguments[1] == "measure" {
    do {
        print(try SoundProbe.measure(path: arguments[2]))
    } catch {
        print(error)
        exit(65)
    }
    exit(0)
}
guard arguments.count >= 4 else {
    print("usage: bench-playback measure FILE | lateness|play DEVICE FILE [ROUNDS]")
    exit(64)
}
if arguments[1] == "lateness" {
    let rounds = arguments.count > 4 ? Int(arguments[4]) ?? 100 : 100
    let results = (0..<rounds).map {
        play("round \($0)", device: arguments[2], file: arguments[3], limit: 0.05)
    }
    let sorted = results.map(\.lateness).sorted()
    let marks = [0.5, 0.9, 0.99, 1.0].map { sorted[min(rounds - 1, Int(Double(rounds) * $0))] }
    print(
        "lateness of \(rounds) starts, ms: p50 \(marks[0])  p90 \(marks[1])  p99 \(marks[2])  max \(marks[3])"
    )
    print("dropouts: \(results.map(\.proof.dropouts).reduce(0, +))")
} else {
    print(play("play", device: arguments[2], file: arguments[3], limit: nil).proof)
}
