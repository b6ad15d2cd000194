import CommandKit
import ControlClient
import Glibc
import Host
import Protocol
import Synchronization

/// Listens to adhand on a thread of its own, and tells the loop through a pipe that there is news.
final class DaemonWatch: Sendable {
    enum News: Equatable, Sendable {
        /// It answers: at the beginning, or again.
        case connected
        /// Its plan is another one.
        case changed
        case lost
        /// It did not answer at the beginning; looked for every so often.
        case absent
    }

    /// The descriptor to watch for input.
    let descriptor: Int32
    private let writing: Int32
    private let news = Mutex<[News]>([])
    private let socket: String?

    /// Events after which times may be others.
    private static let changes: Set<String> = ["plan.computed", "config.reloaded", "zone.changed"]
    /// Seconds between two looks for an adhand that was never there: the first pause, and the longest.
    private static let firstPause: UInt32 = 10
    private static let longestPause: UInt32 = 120

    init(socket: String?) throws(Refusal) {
        self.socket = socket
        var ends: [Int32] = [0, 0]
        guard unsafe pipe(&ends) == 0 else {
            throw Refusal(.failed, "cannot make a pipe: \(SystemError.text(errno))")
        }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        (descriptor, writing) = (ends[0], ends[1])
    }

    func start() {
        if !BackgroundThread.start({ self.listen() }) { post(.absent) }
    }

    /// The signals that have come since the last time.
    func handle() -> [News] {
        var buffer = [UInt8](repeating: 0, count: 64)
        while unsafe read(descriptor, &buffer, buffer.count) > 0 {}
        return news.withLock { news in
            defer { news = [] }
            return news
        }
    }

    private func listen() -> Never {
        var isKnownAbsent = false
        var pause = Self.firstPause
        while true {
            // A daemon of one's own may have come in the meantime.
            var monitor = ControlMonitor(
                ControlClient(socket: Paths.clientSocket(option: socket, in: .process)), snapshot: true)
            do throws(ControlClientError) {
                while true {
                    switch try monitor.next() {
                    case .connected:
                        isKnownAbsent = false
                        pause = Self.firstPause
                        post(.connected)
                    case .event(let entry):
                        if Self.changes.contains(entry.event) { post(.changed) }
                    case .lost: post(.lost)
                    case .nothing: break
                    }
                }
            } catch {
                if !isKnownAbsent { post(.absent) }
                isKnownAbsent = true
            }
            sleep(pause)
            pause = min(pause * 2, Self.longestPause)
        }
    }

    private func post(_ item: News) {
        news.withLock { $0.append(item) }
        // A full pipe has news enough.
        _ = OwnedDescriptor.write([0], to: writing)
    }
}
