internal import CLinux
internal import Dispatch
internal import Glibc

/// Notices that the machine was moved to another time zone: `/etc/localtime` was replaced.
final class ZoneWatch {
    private static let directory = "/etc"
    private static let names: Set<String> = ["localtime", "timezone"]
    /// A zone is changed in several steps (remove, link, rename): wait until they are done, in seconds.
    private static let settling = 1.0

    private let descriptor: Int32
    private let source: any DispatchSourceRead
    private let calm: any DispatchSourceTimer

    /// `changed` is called on the queue, a second after the last change.
    init(on queue: DispatchQueue, changed: @escaping () -> Void) throws(ShellError) {
        descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
        guard descriptor >= 0 else { throw .file("watch", Self.directory) }
        let events = IN_CREATE | IN_MOVED_TO | IN_DELETE | IN_CLOSE_WRITE | IN_ATTRIB
        guard unsafe inotify_add_watch(descriptor, Self.directory, UInt32(events)) >= 0 else {
            let code = errno
            close(descriptor)
            throw .file("watch", Self.directory, code)
        }
        source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        calm = DispatchSource.makeTimerSource(queue: queue)
        calm.setEventHandler(handler: changed)
        calm.schedule(deadline: .distantFuture)
        calm.resume()
        source.setEventHandler { [unowned self] in
            if readNames() { calm.schedule(deadline: .now() + Self.settling) }
        }
        source.resume()
    }

    /// Empties the descriptor; whether one of the names was touched. An overflow counts as touched.
    private func readNames() -> Bool {
        var buffer = [UInt8](repeating: 0, count: 4096)
        var touched = false
        while true {
            let count = unsafe buffer.withUnsafeMutableBytes {
                unsafe read(descriptor, $0.baseAddress, $0.count)
            }
            guard count > 0 else { return touched }
            // struct inotify_event: wd, mask, cookie and len, four bytes each, then the name, padded with NUL
            // to len.
            var at = 0
            while at + 16 <= count {
                let word = { (offset: Int) in
                    (0..<4).reduce(0) { $0 | Int(buffer[at + offset + $1]) << (8 * $1) }
                }
                let length = word(12)
                let name = buffer[(at + 16)..<min(count, at + 16 + length)].prefix { $0 != 0 }
                touched =
                    touched || Self.names.contains(String(decoding: name, as: UTF8.self))
                    || UInt32(word(4)) & UInt32(IN_Q_OVERFLOW) != 0
                at += 16 + length
            }
        }
    }
}
