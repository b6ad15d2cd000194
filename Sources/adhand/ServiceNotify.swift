internal import CSystemd
internal import Daemon
internal import Host
import Texts

/// Tells the service manager the state of the service. Without one (`NOTIFY_SOCKET` unset) every call does nothing.
enum ServiceNotify {
    /// Telling waits for a manager that does not read its socket, and nothing else is to wait with it.
    private static let writer = BackgroundWriter("adhand.notify", capacity: 100)

    static func send(_ state: ServiceState) {
        switch state {
        case .ready: put("READY=1")
        case .reloading:
            // The manager pairs a reload with the signal that asked for it by this time stamp.
            put("RELOADING=1\nMONOTONIC_USEC=\(UInt64(WallClock.monotonic() * 1e6))")
        case .stopping: put("STOPPING=1")
        case .status(let line): put("STATUS=\(PlainText.visible(line))")
        }
    }

    /// A sign of life; on the caller's own thread, which is to stop giving them when the manager does not read.
    static func feedWatchdog() {
        _ = unsafe sd_notify(0, "WATCHDOG=1")
    }

    /// At the end of the program: waits until the last report is sent.
    static func flush() {
        writer.flush()
    }

    private static func put(_ text: String) {
        writer.put { _ = unsafe sd_notify(0, text) }
    }
}
