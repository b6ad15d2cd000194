package import Daemon
package import PrayerEngine
import Protocol

/// Several outputs, each with a card of its own.
extension Box {
    package mutating func begin(
        _ token: Int, on output: String, durationSeconds: Double = 10.8, leavingOut missedSeconds: Double = 0
    ) {
        let device = "card of \(output)"
        let cued = JobEvent.cued(device: device, durationSeconds: durationSeconds)
        handle(.playback(token: token, output: output, cued))
        handle(.playback(token: token, output: output, .began(at: now - missedSeconds, device: device)))
    }

    package mutating func end(
        _ token: Int, on output: String, _ end: JobResult.End = .completed, frames: Int = 476_280
    ) {
        let result = JobResult(
            end: end, startedAt: now - 10.8, endedAt: now, device: "card of \(output)", rateHz: 44_100,
            framesWritten: 476_280, framesPlayed: frames, dropouts: 0, gainDb: -5.8,
            audible: .init(share: 0.8, measuredShare: nil, leastShare: 0.1))
        handle(.playback(token: token, output: output, .ended(result)))
    }

    package mutating func play(_ token: Int, on outputs: [String]) {
        for output in outputs { begin(token, on: output) }
        now = now + 10.8
        for output in outputs { end(token, on: output) }
        // The last of it is still on its way to the ear.
        run(for: 1)
    }

    package var clocks: [(token: Int, beganAt: Instant)] {
        effects.compactMap { if case .setClock(let token, let at) = $0 { (token, at) } else { nil } }
    }
}
