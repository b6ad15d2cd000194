internal import CLinux
internal import Dispatch
internal import Glibc

/// Detects that files of a folder are added, removed or changed, and reports it when they have been unchanged for a second: links
/// are replaced and devices created in several steps. It sleeps while nothing happens.
final class FolderWatch {
    /// Seconds without changes before a report.
    private static let settlingSeconds = 1.0
    private static let comesAndGoes = IN_CREATE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE

    private let folder: String
    private let isWatched: (String) -> Bool
    private let descriptor: Int32
    private let events: UInt32
    /// Distinguishes the folder's creation from changes in it; negative where the folder always exists.
    private let parent: Int32
    private let name: String
    private let source: any DispatchSourceRead
    private let calm: any DispatchSourceTimer

    /// - Parameters:
    ///   - parent: the directory in which this folder is created and removed; `nil` where it always exists.
    ///   - alsoWritten: whether writing to a file counts as a change. Files in /dev are written to all day.
    ///   - isWatched: which names matter.
    ///   - changed: called on the queue.
    init(
        _ folder: String, in parent: (path: String, name: String)? = nil, alsoWritten: Bool = false,
        on queue: DispatchQueue, isWatched: @escaping (String) -> Bool = { _ in true },
        changed: @escaping () -> Void
    ) throws(ShellError) {
        self.folder = folder
        self.isWatched = isWatched
        events = UInt32(Self.comesAndGoes | IN_ATTRIB | (alsoWritten ? IN_CLOSE_WRITE : 0))
        name = parent?.name ?? ""
        descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
        guard descriptor >= 0 else { throw .file("watch", folder) }
        self.parent =
            if let parent {
                unsafe inotify_add_watch(descriptor, parent.path, UInt32(Self.comesAndGoes))
            } else { -1 }
        let isThere = unsafe inotify_add_watch(descriptor, folder, events) >= 0
        guard isThere || self.parent >= 0 else {
            let code = errno
            close(descriptor)
            throw .file("watch", folder, code)
        }
        source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        calm = DispatchSource.makeTimerSource(queue: queue)
        calm.setEventHandler(handler: changed)
        calm.schedule(deadline: .distantFuture)
        calm.resume()
        source.setEventHandler { [unowned self] in
            if readEvents() { calm.schedule(deadline: .now() + Self.settlingSeconds) }
        }
        source.resume()
    }

    /// Empties the descriptor; returns whether a relevant change happened. An overflow counts as one.
    private func readEvents() -> Bool {
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
                let isOverflow = UInt32(word(4)) & UInt32(IN_Q_OVERFLOW) != 0
                if happened(to: String(decoding: name, as: UTF8.self), in: word(0)) || isOverflow {
                    touched = true
                }
                at += 16 + length
            }
        }
    }

    private func happened(to name: String, in watch: Int) -> Bool {
        guard parent >= 0, watch == Int(parent) else { return !name.isEmpty && isWatched(name) }
        guard name == self.name else { return false }
        // For a watched folder the kernel returns the same watch.
        _ = unsafe inotify_add_watch(descriptor, folder, events)
        return true
    }
}

extension FolderWatch {
    /// Watches for another time zone of the machine: `/etc/localtime` is replaced.
    static func zone(on queue: DispatchQueue, changed: @escaping () -> Void) throws(ShellError) -> FolderWatch
    {
        let names: Set<String> = ["localtime", "timezone"]
        return try FolderWatch(
            "/etc", alsoWritten: true, on: queue, isWatched: names.contains, changed: changed)
    }

    /// Watches for sound cards. The folder of their devices exists while there is one.
    static func soundCards(
        on queue: DispatchQueue, changed: @escaping () -> Void
    ) throws(ShellError) -> FolderWatch {
        try FolderWatch("/dev/snd", in: ("/dev", "snd"), on: queue, changed: changed)
    }
}
