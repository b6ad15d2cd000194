import CommandKit
import ControlClient
import Glibc
import Host
import Protocol
import Synchronization

/// Follows adhand on a thread of its own, and wakes the loop through a pipe when there is news.
final class DaemonWatch: Sendable {
    enum News: Equatable, Sendable {
        /// adhand answers, for the first time or again.
        case connected
        /// adhand's plan has changed.
        case changed
        case lost
        /// adhand did not answer at the start. It is tried again from time to time.
        case absent
    }

    /// The descriptor to watch for input.
    let descriptor: Int32
    private let writing: Int32
    private let news = Mutex<[News]>([])
    private let socket: String?

    /// Events after which times may have changed.
    private static let changes: Set<String> = ["plan.computed", "config.reloaded", "zone.changed"]
    /// Seconds between two attempts to find an adhand that was never reachable: the first pause, and the longest.
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

    /// The news since the last call.
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
            // The user's own daemon may have appeared meanwhile, so the socket is looked up again.
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
        // If the pipe is full, the loop wakes anyway.
        _ = OwnedDescriptor.write([0], to: writing)
    }
}
