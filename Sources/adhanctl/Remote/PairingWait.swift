import CommandKit
import Console
import Glibc
import Host
import Maintenance
import Protocol

/// Waits for a phone while the pairing window is open. Ctrl-C ends the wait and closes the window.
struct PairingWait {
    enum Outcome {
        case paired(PhonesReply.Phone)
        /// A phone that is paired already used the window; this is a fresh code.
        case renewed
        case expired
        case interrupted
    }

    let client: PairingClient
    let before: [PhonesReply.Phone]
    let seconds: Int

    /// Blocks the signals that end a program, so that the wait can receive them. Call it before the window is opened.
    static func holdSignals() {
        var signals = endings
        unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
    }

    func outcome() throws(CommandError) -> Outcome {
        let end = MonotonicClock.now() + Double(seconds) + 1
        while true {
            var signals = Self.endings
            // Twice a second is enough, because a person looks from the phone to this line.
            var pause = timespec(tv_sec: 0, tv_nsec: 500_000_000)
            if unsafe sigtimedwait(&signals, nil, &pause) > 0 {
                try client.close()
                return .interrupted
            }
            let reply = try client.phones()
            if let phone = PhonesText.arrived(since: before, in: reply.phones) { return .paired(phone) }
            let isOver = MonotonicClock.now() >= end
            if reply.open == nil { return MonotonicClock.now() >= end - 2 ? .expired : .renewed }
            // Another person has opened another window since.
            if isOver { return .expired }
        }
    }

    private static var endings: sigset_t {
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        for number in [SIGINT, SIGTERM, SIGHUP] { unsafe sigaddset(&signals, number) }
        return signals
    }
}
