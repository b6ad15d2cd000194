internal import CLinux
internal import Dispatch
internal import Host

/// Reports on the daemon's queue which callers have bytes to read, or room for more, by a separate epoll(7). A dispatch source
/// for every caller would not do: libdispatch notices a hang-up on one of its own threads, and touches the socket's record while
/// the queue may be releasing it. Here everything happens on the queue, and libdispatch watches only the epoll, which never hangs
/// up.
final class SocketWatch {
    /// The events to wait for on a socket. A hang-up is reported with either.
    struct Interest: OptionSet {
        let rawValue: UInt32
        static let reading = Interest(rawValue: EPOLLIN.rawValue)
        static let writing = Interest(rawValue: EPOLLOUT.rawValue)
        static let end = Interest(rawValue: EPOLLHUP.rawValue | EPOLLERR.rawValue)
    }

    /// Identifies a watched socket in an event that is reported once.
    struct Token {
        fileprivate let serial: UInt64
        fileprivate let raw: Int32
    }

    private static let mostAtOnce = 16

    private let epoll: OwnedDescriptor
    private let source: any DispatchSourceRead
    private var handlers: [UInt64: (Interest) -> Void] = [:]
    private var serial: UInt64 = 0

    init(on queue: DispatchQueue) {
        let raw = epoll_create1(Int32(EPOLL_CLOEXEC))
        precondition(raw >= 0, "the kernel has no epoll left")
        epoll = OwnedDescriptor(raw)
        source = DispatchSource.makeReadSource(fileDescriptor: raw, queue: queue)
        source.setEventHandler { [unowned self] in report() }
        source.resume()
    }

    /// Watches a socket for something to read; `ready` is called once, and again after every ``arm(_:for:)``.
    func add(_ raw: Int32, ready: @escaping (Interest) -> Void) -> Token {
        serial += 1
        handlers[serial] = ready
        let token = Token(serial: serial, raw: raw)
        control(EPOLL_CTL_ADD, token, .reading)
        return token
    }

    func arm(_ token: Token, for interest: Interest) {
        control(EPOLL_CTL_MOD, token, interest)
    }

    /// Stops watching, before the socket is closed.
    func remove(_ token: Token) {
        handlers[token.serial] = nil
        control(EPOLL_CTL_DEL, token, [])
    }

    private func control(_ operation: Int32, _ token: Token, _ interest: Interest) {
        var event = unsafe epoll_event()
        unsafe event.events = interest.rawValue | EPOLLONESHOT.rawValue
        unsafe event.data.u64 = token.serial
        _ = unsafe epoll_ctl(epoll.raw, operation, token.raw, &event)
    }

    /// Reports a few events at a time: the rest makes the source fire again, after other work on the queue.
    private func report() {
        var events = unsafe [epoll_event](repeating: epoll_event(), count: Self.mostAtOnce)
        let count = unsafe epoll_wait(epoll.raw, &events, Int32(Self.mostAtOnce), 0)
        for index in 0..<max(0, Int(count)) {
            let (serial, what) = unsafe (events[index].data.u64, Interest(rawValue: events[index].events))
            // A connection that another's handler released is no longer there.
            handlers[serial]?(what)
        }
    }
}
