import CommandKit
import Console
import Glibc
import Host
import Maintenance
import Protocol

/// The wait for a phone while its window is open. Ctrl-C ends it and closes the window.
struct PairingWait {
    enum Outcome {
        case paired(PhonesReply.Phone)
        /// The window was used by a phone that is paired already: a fresh code.
        case renewed
        case expired
        case interrupted
    }

    let client: PairingClient
    let before: [PhonesReply.Phone]
    let seconds: Int

    /// From here on the signals that end a program are waited for. To be called before the window is opened.
    static func holdSignals() {
        var signals = endings
        unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
    }

    func outcome() throws(CommandError) -> Outcome {
        let end = WallClock.monotonic() + Double(seconds) + 1
        while true {
            var signals = Self.endings
            // Twice a second: a person looks from the phone to this line.
            var pause = timespec(tv_sec: 0, tv_nsec: 500_000_000)
            if unsafe sigtimedwait(&signals, nil, &pause) > 0 {
                try client.close()
                return .interrupted
            }
            let reply = try client.phones()
            if let phone = PhonesText.arrived(since: before, in: reply.phones) { return .paired(phone) }
            let isOver = WallClock.monotonic() >= end
            if reply.open == nil { return WallClock.monotonic() >= end - 2 ? .expired : .renewed }
            // Somebody else has opened another one since.
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
