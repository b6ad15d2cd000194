package import Console
import Dispatch
import Glibc
import Host
import Playback
import PrayerEngine
import Recording
import Settings
import Synchronization

/// Plays the time signal on one device, at once.
package enum TestSignal {
    /// Seconds to wait for a device to begin, and for the signal beyond its own length.
    private static let patienceSeconds = 4.0

    /// Plays the signal to its end, unless `isInterrupted` returns true meanwhile.
    package static func play(on device: String, volume: Int, until isInterrupted: () -> Bool) -> SignalOutcome
    {
        let order = order(device, volume)
        // Open the device once first, because playback retries a device that cannot be opened for as long as an adhan would.
        let check = Preflight.check(order)
        guard check.device != nil else {
            return .failed(reason: check.deviceProblems.map(\.reason).joined(separator: "; "))
        }
        return play(order, note: check.problems.first, until: isInterrupted)
    }

    /// Why a device cannot be opened; `nil` if it can, or could if no other program used it.
    package static func fault(of device: String) -> String? {
        switch DeviceProbe.open(device) {
        case .opens, .fails(_, isBusy: true, _): nil
        case .fails(let reason, isBusy: false, _): reason
        case .hangs: "\"\(device)\" does not answer"
        }
    }

    private static func order(_ device: String, _ volume: Int) -> PlayerOrder {
        let file = Paths(Paths.Options(), in: .process).audioDirectory + "/signal.mp3"
        return PlayerOrder(
            id: "signal", sounds: [SoundFile(path: file)], gainDb: VolumeScale.gainDb(percent: volume),
            devices: [device])
    }

    private static func play(
        _ order: PlayerOrder, note: String?, until isInterrupted: () -> Bool
    ) -> SignalOutcome {
        let ended = Mutex<PlayerOutcome?>(nil)
        let length = Mutex(0.0)
        let done = DispatchSemaphore(value: 0)
        let report = { @Sendable (report: PlayerEvent) in
            switch report {
            case .cued(_, _, _, let durationSeconds): length.withLock { $0 = durationSeconds ?? 0 }
            case .ended(let result):
                ended.withLock { $0 = result.outcome }
                done.signal()
            default: break
            }
        }
        let player = Player(now: { WallClock.now().unixSeconds }, report: report)
        defer { player.shutdown() }
        player.cue(order)
        player.start(id: order.id)
        let start = MonotonicClock.now()
        while done.wait(timeout: .now() + 0.1) == .timedOut {
            if isInterrupted() { return .failed(reason: "interrupted") }
            if MonotonicClock.now() - start > patienceSeconds + length.withLock({ $0 }) {
                return .failed(reason: "\"\(order.devices[0])\" takes no sound")
            }
        }
        switch ended.withLock({ $0 }) {
        case .failed(let reason): return .failed(reason: reason)
        default: return .played(note: note)
        }
    }
}
