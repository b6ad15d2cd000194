internal import CLinux
internal import CSystemd
internal import Glibc
internal import Host
internal import PrayerEngine
internal import Protocol
internal import Texts

/// Logs everything that happens: to the journal when standard error is connected to it, otherwise as lines on standard error with
/// time and level.
struct Journal: Sendable {
    /// The lowest level that is written (`ADHAND_LOG`).
    let threshold: Notice.Level
    private let isConnected: Bool
    /// The writer while the daemon runs: an unread terminal or a busy journal delays only this writer.
    var writer: BackgroundWriter?
    /// The place's zone, for the time at the beginning of a line; UTC until a configuration is known.
    var zone = Zone.utc

    init(_ environment: [String: String]) {
        threshold = environment["ADHAND_LOG"].flatMap { Notice.Level(name: $0) } ?? .info
        isConnected = Self.standardErrorIsJournal(environment["JOURNAL_STREAM"])
    }

    /// Why `ADHAND_LOG` is invalid, if it is.
    static func complaint(about environment: [String: String]) -> String? {
        guard let asked = environment["ADHAND_LOG"], Notice.Level(name: asked) == nil else { return nil }
        let names = Notice.Level.allCases.reversed().map(\.name).joined(separator: ", ")
        return "ADHAND_LOG=\(asked) is not a level; the levels are \(names); using info"
    }

    func write(_ notice: Notice) {
        write(
            notice.level, notice.message, at: notice.at, fields: notice.journalFields(in: zone),
            kind: notice.kind)
    }

    /// Logs a sentence of the shell itself, outside of the daemon's state.
    func log(_ level: Notice.Level, _ message: String) {
        write(level, message, at: WallClock.now(), fields: [], kind: nil)
    }

    private func write(
        _ level: Notice.Level, _ message: String, at: Instant, fields: [(name: String, value: String)],
        kind: Notice.Kind?
    ) {
        guard level >= threshold else { return }
        let message = PlainText.visible(message)
        guard let writer else { return put(level, message, at: at, fields: fields, kind: kind) }
        writer.put { [self] in put(level, message, at: at, fields: fields, kind: kind) }
    }

    private func put(
        _ level: Notice.Level, _ message: String, at: Instant, fields: [(name: String, value: String)],
        kind: Notice.Kind?
    ) {
        guard isConnected else { return writeLine(level, message, at: at) }
        var entry = [
            "MESSAGE=\(message)", "PRIORITY=\(level.rawValue)", "SYSLOG_IDENTIFIER=adhand",
        ]
        if let id = kind.flatMap({ messageIDs[$0.rawValue] }) { entry.append("MESSAGE_ID=\(id)") }
        entry += fields.map { "\($0.name)=\(PlainText.visible($0.value))" }
        if !Self.send(entry.map { Array($0.utf8) }) { writeLine(level, message, at: at) }
    }

    /// `2026-11-20 14:31:00 info    Asr: adhan started …`
    private func writeLine(_ level: Notice.Level, _ message: String, at: Instant) {
        let padding = String(repeating: " ", count: max(1, 8 - level.name.count))
        let stamp = "\(zone.civilDate(of: at)) \(InstantText.second(at, in: zone))"
        var line = Array("\(stamp) \(level.name)\(padding)\(message)".utf8)
        // A pipe accepts up to PIPE_BUF bytes at once or refuses in advance, so that an unread standard error loses lines and
        // never delays an adhan.
        line = line.prefix(Int(PIPE_BUF) - 1) + [UInt8(ascii: "\n")]
        var ready = pollfd(fd: STDERR_FILENO, events: Int16(POLLOUT), revents: 0)
        guard unsafe poll(&ready, 1, 0) == 1 else { return }
        _ = unsafe line.withUnsafeBytes { unsafe Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }

    private static func send(_ entry: [[UInt8]]) -> Bool {
        var bytes = Array(entry.joined())
        return unsafe bytes.withUnsafeMutableBytes { buffer in
            var vectors = unsafe [iovec]()
            var offset = 0
            for field in entry {
                let start = unsafe buffer.baseAddress.map { unsafe $0 + offset }
                unsafe vectors.append(iovec(iov_base: start, iov_len: field.count))
                offset += field.count
            }
            return unsafe sd_journal_sendv(vectors, Int32(vectors.count)) == 0
        }
    }

    /// Whether standard error is the journal. `JOURNAL_STREAM` names the device and inode of the stream that the manager
    /// connected; it may have been redirected since.
    private static func standardErrorIsJournal(_ stream: String?) -> Bool {
        guard let parts = stream?.split(separator: ":"), parts.count == 2, let device = UInt64(parts[0]),
            let inode = UInt64(parts[1])
        else { return false }
        var status = stat()
        return unsafe fstat(STDERR_FILENO, &status) == 0 && UInt64(status.st_dev) == device
            && UInt64(status.st_ino) == inode
    }
}
