internal import CAlsa
internal import Glibc
internal import Synchronization

/// The only thing that callers and the playback thread share: commands in, heartbeat out.
///
/// It has no lock: a caller of ordinary priority that is preempted while holding one would block the playback thread, whatever
/// the thread's priority.
final class CommandQueue: Sendable {
    enum Command: Sendable {
        case cue(PlayerOrder)
        /// Requested at this `Uptime`, which may be long ago if the thread was stuck; to start not before `dueUptime`.
        case start(String, askedUptime: Double, dueUptime: Double)
        /// Position 0 of the sounds was heard on another output at this instant of the wall clock (Unix seconds).
        case setClock(String, beganAt: Double)
        /// Fades out over the order's own fade-out, or within these seconds where that is longer.
        case stop(String, withinSeconds: Double)
        /// Plays a tone that keeps a loudspeaker awake, on the first of these devices that opens.
        case keepAwake([String])
        /// A recording that was being opened is open, or has failed to open.
        case opened
        case quit
    }

    /// A command in the list; `below` is the address of the command that was posted before it, 0 for none.
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
    /// An eventfd: readable once a command has been posted, until `wait` has seen it.
    private let wakeup: Int32
    let beat = Atomic<UInt64>(0)
    let idle = Atomic<Bool>(true)

    init() { wakeup = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK)) }

    deinit {
        _ = drain()
        close(wakeup)
    }

    /// Posts a command. Callable from any thread.
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
        // There is something to do now: a caller that asks at once must not get the answer "idle".
        idle.store(false, ordering: .sequentiallyConsistent)
        eventfd_write(wakeup, 1)
    }

    /// Removes and returns all posted commands, oldest first. Only for the playback thread.
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

    /// Returns once a command has arrived or the time is over (-1: never). Only for the playback thread, which drains the
    /// commands afterwards: a command that arrives in between only ends the next wait at once.
    func wait(milliseconds: Int32) {
        var waiting = pollfd(fd: wakeup, events: Int16(POLLIN), revents: 0)
        guard unsafe poll(&waiting, 1, milliseconds) == 1 else { return }
        var count: eventfd_t = 0
        unsafe eventfd_read(wakeup, &count)
    }

    /// Marks the thread as idle, unless a command has arrived meanwhile.
    func rest() {
        idle.store(true, ordering: .sequentiallyConsistent)
        if top.load(ordering: .sequentiallyConsistent) != 0 {
            idle.store(false, ordering: .sequentiallyConsistent)
        }
    }
}
