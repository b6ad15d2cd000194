internal import AdhanCore
internal import CSystemd
internal import Host

/// Tells the service manager how we are. Without one (`NOTIFY_SOCKET` unset) every call does nothing.
enum ServiceNotify {
    static func tell(_ state: ServiceState) {
        switch state {
        case .ready: send("READY=1")
        case .reloading:
            // The manager pairs a reload with the signal that asked for it by this time stamp.
            send("RELOADING=1\nMONOTONIC_USEC=\(UInt64(WallClock.monotonic() * 1e6))")
        case .stopping: send("STOPPING=1")
        case .status(let line): send("STATUS=\(line.filter { !$0.isNewline })")
        }
    }

    static func send(_ text: String) {
        _ = unsafe sd_notify(0, text)
    }
}
