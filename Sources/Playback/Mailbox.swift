internal import CAlsa
internal import Glibc
internal import Synchronization

/// The only thing callers and the playback thread share: commands in, signs of life out. No call here ever
/// waits for a device.
final class Mailbox: Sendable {
    enum Command: Sendable {
        case cue(PlayOrder)
        case start(String)
        case stop(String, fade: Double)
        case quit
    }

    private let queue = Mutex<[Command]>([])
    /// An eventfd: readable while commands are waiting.
    let wakeup: Int32
    let beat = Atomic<UInt64>(0)
    let idle = Atomic<Bool>(true)

    init() { wakeup = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK)) }

    deinit { close(wakeup) }

    func post(_ command: Command) {
        queue.withLock { queue in
            // From now on there is something to do: a caller that asks at once must not be told "idle".
            idle.store(false, ordering: .relaxed)
            queue.append(command)
        }
        eventfd_write(wakeup, 1)
    }

    func take() -> [Command] {
        var count: eventfd_t = 0
        unsafe eventfd_read(wakeup, &count)
        return queue.withLock { queue in
            defer { queue.removeAll() }
            return queue
        }
    }

    /// Says "idle", unless a command has come in meanwhile.
    func rest() {
        queue.withLock { queue in
            if queue.isEmpty { idle.store(true, ordering: .relaxed) }
        }
    }
}
