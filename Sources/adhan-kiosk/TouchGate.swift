internal import CLinux
internal import Glibc
internal import Host
internal import ScreenPlan

/// Accepts the taps of this session's own browser on a port of this machine and passes them to adhan-touch, which listens where
/// only this user may connect. Other callers, identified by the kernel, are disconnected at once: they hold no
/// slot, start no process, and are not logged.
final class TouchGate: Sendable {
    private let listener: Int32
    private let helper: SocketAddress

    /// The most connections of the browser at a time; a further one closes the oldest.
    private static let most = 8
    /// Seconds from a tap's connection to its answer.
    private static let patienceSeconds = 15.0
    private static let longestRequest = TouchRequest.longest
    private static let longestAnswer = 64 << 10

    /// The socket of the helper: adhan-touch.socket.
    static let usualPath = "/run/adhan-display/touch.sock"

    init(helper path: String) throws(KioskError) {
        do throws(SocketError) {
            helper = try SocketAddress(path)
        } catch {
            throw KioskError(message: error.message)
        }
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | O_CLOEXEC | O_NONBLOCK, 0)
        var (yes, address) = (Int32(1), Self.address)
        unsafe setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        let isBound = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe bind(listener, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        guard isBound, listen(listener, 512) == 0 else {
            let reason = SystemError.text(errno)
            close(listener)
            throw KioskError(message: "cannot listen on 127.0.0.1:\(TouchRequest.port): \(reason)")
        }
        guard knowsItself else {
            close(listener)
            throw KioskError(
                message:
                    "the kernel does not tell the user of a connection on 127.0.0.1 (module tcp_diag is missing; try: sudo modprobe "
                    + "tcp_diag)")
        }
        let (listening, destination) = (listener, helper)
        guard BackgroundThread.start({ Self.serve(listening, destination) }) else {
            throw KioskError(message: "the system refuses another thread (its limit on tasks is reached)")
        }
    }

    private static var address: sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(TouchRequest.port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }

    /// Whether the gate recognises a connection from itself, which it identifies like every other.
    private var knowsItself: Bool {
        let caller = OwnedDescriptor(socket(AF_INET, Int32(SOCK_STREAM.rawValue) | O_CLOEXEC, 0))
        var address = Self.address
        let isConnected = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe connect(caller.raw, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        return isConnected && LoopbackCaller.user(of: caller.raw) == geteuid()
    }

    // MARK: Serving

    /// A tap in progress.
    private final class Tap {
        let browser: OwnedDescriptor
        private var helper: OwnedDescriptor?
        /// The helper's descriptor; -1 before the browser has sent something.
        private(set) var helperNumber: Int32 = -1
        let deadline: Double
        var asked = 0
        var answered = 0
        var isOver = false

        init(browser: consuming OwnedDescriptor, deadline: Double) {
            self.browser = browser
            self.deadline = deadline
        }

        func connect(to address: SocketAddress) {
            let raw = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | O_CLOEXEC | O_NONBLOCK, 0)
            guard raw >= 0 else { return }
            helper = OwnedDescriptor(raw)
            let isConnected = unsafe address.withPointer { unsafe Glibc.connect(raw, $0, $1) } == 0
            helperNumber = isConnected ? raw : -1
        }
    }

    private static func serve(_ listener: Int32, _ helper: SocketAddress) -> Never {
        var taps: [Tap] = []
        while true {
            let watched = taps.flatMap { [$0.browser.raw, $0.helperNumber] }
            // poll(2) ignores negative descriptors.
            var requests = ([listener] + watched).map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            let next = taps.map(\.deadline).min().map { max(0, $0 - MonotonicClock.now()) }
            let wait = next.map { Int32($0 * 1000) + 1 } ?? -1
            guard unsafe poll(&requests, nfds_t(requests.count), wait) >= 0 else { continue }
            for (index, tap) in taps.enumerated() {
                if requests[1 + 2 * index].revents != 0 { ask(tap, helper) }
                if requests[2 + 2 * index].revents != 0 { answer(tap) }
            }
            let now = MonotonicClock.now()
            taps.removeAll { $0.isOver || $0.deadline <= now }
            if requests[0].revents != 0 { accept(listener, &taps) }
        }
    }

    private static func accept(_ listener: Int32, _ taps: inout [Tap]) {
        // Limit the number, so that taps in progress get their turn.
        for _ in 0..<64 {
            let raw = unsafe accept4(
                listener, .init(__sockaddr__: nil), nil, Int32(SOCK_NONBLOCK.rawValue) | O_CLOEXEC)
            guard raw >= 0 else { return }
            let browser = OwnedDescriptor(raw)
            guard LoopbackCaller.user(of: browser.raw) == geteuid() else { continue }
            if taps.count >= most { taps.removeFirst() }
            taps.append(Tap(browser: browser, deadline: MonotonicClock.now() + patienceSeconds))
        }
    }

    /// Passes bytes from the browser to the helper. The helper is called with the first byte, because browsers connect ahead of
    /// time.
    private static func ask(_ tap: Tap, _ helper: SocketAddress) {
        guard let bytes = receive(tap.browser.raw), !bytes.isEmpty else {
            tap.isOver = true
            return
        }
        tap.asked += bytes.count
        if tap.helperNumber < 0 {
            noteAddresses()
            tap.connect(to: helper)
        }
        guard tap.asked <= longestRequest + 4096, tap.helperNumber >= 0, send(bytes, tap.helperNumber) else {
            tap.isOver = true
            return
        }
    }

    /// Writes the addresses by which phones reach this machine. The helper, which sees no network, shows them with a pairing
    /// code.
    private static func noteAddresses() {
        let file = "/run/adhan-kiosk/addresses"
        let raw = unsafe open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o640)
        guard raw >= 0 else { return }
        let descriptor = OwnedDescriptor(raw)
        _ = fchmod(descriptor.raw, 0o640)
        let text = NetworkAddresses.all.map { "\($0)\n" }.joined()
        _ = OwnedDescriptor.write(Array(text.utf8), to: descriptor.raw)
    }

    private static func answer(_ tap: Tap) {
        guard let bytes = receive(tap.helperNumber), !bytes.isEmpty else {
            tap.isOver = true
            return
        }
        tap.answered += bytes.count
        tap.isOver = tap.answered > longestAnswer || !send(bytes, tap.browser.raw)
    }

    /// The received bytes; empty at the end.
    private static func receive(_ descriptor: Int32) -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = unsafe buffer.withUnsafeMutableBytes {
            unsafe recv(descriptor, $0.baseAddress, $0.count, 0)
        }
        return count >= 0 ? Array(buffer[..<count]) : nil
    }

    /// Sends bytes; returns whether all were accepted, since both ends have room for a whole tap.
    private static func send(_ bytes: [UInt8], _ descriptor: Int32) -> Bool {
        unsafe bytes.withUnsafeBytes {
            unsafe Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        } == bytes.count
    }
}
