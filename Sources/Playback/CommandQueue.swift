internal import CAlsa
internal import Glibc
internal import Synchronization

/// The only thing callers and the playback thread share: commands in, signs of life out.
///
/// There is no lock in it: a caller of ordinary priority that is preempted while holding one would keep the
/// playback thread waiting, whatever priority that has.
final class CommandQueue: Sendable {
    enum Command: Sendable {
        case cue(PlayerOrder)
        /// Asked for at this `Uptime`, which may be long ago where the thread was stuck; not before `dueUptime`.
        case start(String, askedUptime: Double, dueUptime: Double)
        /// Position 0 of the sounds was heard somewhere at this instant of the wall clock (Unix seconds).
        case setClock(String, beganAt: Double)
        /// Over the order's own fade-out, or within these seconds where that is longer.
        case stop(String, withinSeconds: Double)
        /// A tone that keeps a loudspeaker awake, on the first of these devices that opens.
        case keepAwake([String])
        /// Something that was being opened is open, or cannot be.
        case opened
        case quit
    }

    /// A command in the list; `below` is the address of the one that was posted before it, 0 for none.
    private final class Node: Sendable {
        let command: Command
        let below: Atomic<UInt>

        init(_ command: Command, below: UInt) {
            self.command = command
            self.below = Atomic(below)
        }
    }

    /// The address of the newest node, owned by the list; 0 when it is empty.
    private let top = Atomic<UInt>(0)
    /// An eventfd: readable once a command has been posted, until `wait` saw that.
    private let wakeup: Int32
    let beat = Atomic<UInt64>(0)
    let idle = Atomic<Bool>(true)

    init() { wakeup = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK)) }

    deinit {
        _ = drain()
        close(wakeup)
    }

    /// Callable from any thread.
    func post(_ command: Command) {
        var seen = top.load(ordering: .relaxed)
        let node = unsafe Unmanaged.passRetained(Node(command, below: seen))
        let address = unsafe UInt(bitPattern: node.toOpaque())
        while true {
            let (done, now) = top.weakCompareExchange(
                expected: seen, desired: address, ordering: .sequentiallyConsistent)
            if done { break }
            seen = now
            unsafe node.takeUnretainedValue().below.store(seen, ordering: .relaxed)
        }
        // From now on there is something to do: a caller that asks at once must not be answered "idle".
        idle.store(false, ordering: .sequentiallyConsistent)
        eventfd_write(wakeup, 1)
    }

    /// Everything posted so far, oldest first. For the playback thread alone.
    func drain() -> [Command] {
        guard top.load(ordering: .relaxed) != 0 else { return [] }
        var commands: [Command] = []
        var address = top.exchange(0, ordering: .sequentiallyConsistent)
        while let pointer = unsafe UnsafeRawPointer(bitPattern: address) {
            let node = unsafe Unmanaged<Node>.fromOpaque(pointer).takeRetainedValue()
            commands.append(node.command)
            address = node.below.load(ordering: .relaxed)
        }
        return commands.reversed()
    }

    /// Returns once a command has come or the time is over (-1: never). For the playback thread alone, which
    /// takes the commands afterwards: a command that comes in between only ends the next wait at once.
    func wait(milliseconds: Int32) {
        var waiting = pollfd(fd: wakeup, events: Int16(POLLIN), revents: 0)
        guard unsafe poll(&waiting, 1, milliseconds) == 1 else { return }
        var count: eventfd_t = 0
        unsafe eventfd_read(wakeup, &count)
    }

    /// Says "idle", unless a command has come in meanwhile.
    func rest() {
        idle.store(true, ordering: .sequentiallyConsistent)
        if top.load(ordering: .sequentiallyConsistent) != 0 {
            idle.store(false, ordering: .sequentiallyConsistent)
        }
    }
}
