internal import CAlsa
internal import Glibc
internal import Synchronization

/// The only thing callers and the playback thread share: commands in, signs of life out.
///
/// There is no lock in it: a caller of ordinary priority that is preempted while holding one would keep the
/// playback thread waiting, whatever priority that has.
final class Mailbox: Sendable {
    enum Command: Sendable {
        case cue(PlayOrder)
        case start(String)
        case stop(String, fade: Double)
        case quit
    }

    /// A letter in the pile; `below` is the address of the one that was posted before it, 0 for none.
    private final class Letter: Sendable {
        let command: Command
        let below: Atomic<UInt>

        init(_ command: Command, below: UInt) {
            self.command = command
            self.below = Atomic(below)
        }
    }

    /// The address of the newest letter, owned by the pile; 0 when it is empty.
    private let top = Atomic<UInt>(0)
    /// An eventfd: readable while letters are waiting.
    let wakeup: Int32
    let beat = Atomic<UInt64>(0)
    let idle = Atomic<Bool>(true)

    init() { wakeup = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK)) }

    deinit {
        _ = take()
        close(wakeup)
    }

    /// Callable from any thread.
    func post(_ command: Command) {
        var seen = top.load(ordering: .relaxed)
        let letter = unsafe Unmanaged.passRetained(Letter(command, below: seen))
        let address = unsafe UInt(bitPattern: letter.toOpaque())
        while true {
            let (done, now) = top.weakCompareExchange(
                expected: seen, desired: address, ordering: .sequentiallyConsistent)
            if done { break }
            seen = now
            unsafe letter.takeUnretainedValue().below.store(seen, ordering: .relaxed)
        }
        // From now on there is something to do: a caller that asks at once must not be told "idle".
        idle.store(false, ordering: .sequentiallyConsistent)
        eventfd_write(wakeup, 1)
    }

    /// Everything posted so far, oldest first. For the playback thread alone.
    func take() -> [Command] {
        var count: eventfd_t = 0
        unsafe eventfd_read(wakeup, &count)
        var commands: [Command] = []
        var address = top.exchange(0, ordering: .sequentiallyConsistent)
        while let pointer = unsafe UnsafeRawPointer(bitPattern: address) {
            let letter = unsafe Unmanaged<Letter>.fromOpaque(pointer).takeRetainedValue()
            commands.append(letter.command)
            address = letter.below.load(ordering: .relaxed)
        }
        return commands.reversed()
    }

    /// Says "idle", unless a letter has come in meanwhile.
    func rest() {
        idle.store(true, ordering: .sequentiallyConsistent)
        if top.load(ordering: .sequentiallyConsistent) != 0 {
            idle.store(false, ordering: .sequentiallyConsistent)
        }
    }
}
