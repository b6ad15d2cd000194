internal import CommandKit
internal import Glibc
internal import HardwareLines
internal import HookPlan
internal import Host
internal import Synchronization
internal import Texts

/// Reads all buttons on one thread. A device that has disappeared is tried again, with growing pauses.
final class ButtonReader: Sendable {
    private let wanted = Mutex<[ButtonSource]>([])
    private let wakeSignal = WakeSignal()
    private let isStarted = Mutex(false)
    private let report: @Sendable (HookInput) -> Void

    init(_ report: @escaping @Sendable (HookInput) -> Void) { self.report = report }

    /// - Returns: false if the system grants no thread for them.
    func use(_ sources: [ButtonSource]) -> Bool {
        wanted.withLock { $0 = sources }
        wakeSignal.set()
        return isStarted.withLock { isStarted in
            if !isStarted, !sources.isEmpty {
                isStarted = BackgroundThread.start { [self] in
                    var ports: [ButtonPort] = []
                    while true { step(&ports) }
                }
            }
            return isStarted || sources.isEmpty
        }
    }

    private func step(_ ports: inout [ButtonPort]) {
        wakeSignal.clear()
        arrange(&ports)
        let now = MonotonicClock.now()
        for index in ports.indices { ports[index].openOrCheck(at: now, report) }
        var requests = [pollfd(fd: wakeSignal.descriptor, events: Int16(POLLIN), revents: 0)]
        requests += ports.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
        // Keys need no timeout, and an hour is as good as none.
        let seconds = min(3600, max(0, ports.map { $0.nextAt - now }.min() ?? 3600))
        let wait = Int32((seconds * 1000).rounded(.up))
        guard unsafe poll(&requests, nfds_t(requests.count), wait) > 0 else { return }
        for (index, request) in requests.dropFirst().enumerated() where request.revents != 0 {
            ports[index].read(at: MonotonicClock.now(), report)
        }
    }

    /// Keeps one port per device or line. Ports that are still needed stay open.
    private func arrange(_ ports: inout [ButtonPort]) {
        let sources = wanted.withLock { $0 }
        let groups = Dictionary(grouping: sources, by: ButtonPort.key)
        for port in ports where groups[port.key] != port.sources { port.close() }
        ports.removeAll { groups[$0.key] != $0.sources }
        for (key, sources) in groups where !ports.contains(where: { $0.key == key }) {
            ports.append(ButtonPort(key: key, sources))
        }
    }
}

/// One device with its keys, or one line.
struct ButtonPort {
    /// Seconds until a missing device is tried again, growing from the first value to the last.
    static let (firstDelaySeconds, lastDelaySeconds) = (1.0, 30.0)
    /// Seconds between two checks that a line still exists, because the kernel does not notify a waiting reader.
    static let checkSeconds = 30.0

    let key: String
    let sources: [ButtonSource]
    /// -1 while the port is closed.
    private(set) var descriptor: Int32 = -1
    private(set) var nextAt = -Double.infinity
    private var delay = firstDelaySeconds
    private var isComplained = false
    /// The number of the line's last change.
    private var lastEdge: UInt32?

    init(key: String, _ sources: [ButtonSource]) { (self.key, self.sources) = (key, sources) }

    static func key(_ source: ButtonSource) -> String {
        switch source {
        case .key(let device, _, _): "device \(device)"
        case .line(let line): "line \(line.line) \(line.isActiveLow) \(line.chip)"
        }
    }

    func close() {
        if descriptor >= 0 { _ = Glibc.close(descriptor) }
    }

    /// Opens the port or checks it, if that is due.
    mutating func openOrCheck(at now: Double, _ report: (HookInput) -> Void) {
        guard now >= nextAt else { return }
        if descriptor >= 0 {
            nextAt = now + Self.checkSeconds
            if case .line = sources[0], GPIOLine.isActive(descriptor) == nil { lose(at: now, report) }
            return
        }
        do throws(LineError) {
            switch sources[0] {
            case .key(let device, _, _):
                descriptor = try KeyDevice.open(device)
                nextAt = .infinity
            case .line(let line):
                descriptor = try GPIOLine.input(line.chip, line.line, isActiveLow: line.isActiveLow)
                nextAt = now + Self.checkSeconds
            }
            if isComplained { Journal.log("\(sources[0].title) is back") }
            (isComplained, delay) = (false, Self.firstDelaySeconds)
        } catch {
            retry(at: now, error.reason)
        }
    }

    /// Reads everything that is available now.
    mutating func read(at now: Double, _ report: (HookInput) -> Void) {
        switch sources[0] {
        case .key:
            guard let changes = KeyDevice.changes(descriptor) else { return lose(at: now, report) }
            for change in changes {
                switch change {
                case .key(let code, let isDown):
                    for source in sources {
                        if case .key(_, _, code) = source { report(.button(source, isDown: isDown, at: now)) }
                    }
                case .gap: forget(report)
                }
            }
        case .line:
            guard let edges = GPIOLine.edges(descriptor) else { return lose(at: now, report) }
            for edge in edges {
                if let lastEdge, edge.number != lastEdge &+ 1 { forget(report) }
                lastEdge = edge.number
                report(.button(sources[0], isDown: edge.isActive, at: edge.uptime))
            }
        }
    }

    private mutating func lose(at now: Double, _ report: (HookInput) -> Void) {
        close()
        (descriptor, lastEdge) = (-1, nil)
        forget(report)
        retry(at: now, "\"\(sources[0].path)\" is gone")
    }

    /// Reports the buttons as gone, because it is unknown whether they are pressed.
    private func forget(_ report: (HookInput) -> Void) {
        for source in sources { report(.buttonGone(source)) }
    }

    private mutating func retry(at now: Double, _ reason: String) {
        nextAt = now + delay
        delay = min(delay * 2, Self.lastDelaySeconds)
        if !isComplained { Journal.log("\(sources[0].title) cannot be read: \(reason); it is tried again") }
        isComplained = true
    }
}
