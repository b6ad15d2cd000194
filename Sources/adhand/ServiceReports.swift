internal import Daemon
internal import Host
internal import Systemd
internal import Texts

/// Reports the daemon's state to the service manager, on a separate thread: a report waits for a manager that does not read its
/// socket, and nothing else may wait with it.
enum ServiceReports {
    private static let writer = BackgroundWriter("adhand.notify", capacity: 100)

    static func send(_ state: ServiceState) {
        let manager = ServiceManager()
        switch state {
        case .ready: writer.put { manager.ready() }
        case .reloading:
            let uptime = MonotonicClock.now()
            writer.put { manager.reloading(sinceUptime: uptime) }
        case .stopping: writer.put { manager.stopping() }
        case .status(let line):
            let line = PlainText.visible(line)
            writer.put { manager.status(line) }
        }
    }

    /// Waits at the end of the program until the last report is sent.
    static func flush() { writer.flush() }
}
