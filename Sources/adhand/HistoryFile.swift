internal import AdhanCore
internal import CLinux
internal import Glibc
internal import Host
internal import PrayerEngine

/// `history.jsonl`: one announcement a line, only ever added to.
struct HistoryFile: Sendable {
    private let directory: String
    private var path: String { directory + "/history.jsonl" }

    /// What is older is dropped at the next start: five years, in seconds.
    static let oldest = 5 * 366 * 86_400.0
    /// How much later than its time an announcement may have been recorded: as far as a box that was off
    /// looks back, and a day.
    private static let latestRecord = DaemonState.longestAbsence + 86_400
    private static let block = 64 << 10
    private static let newline = UInt8(ascii: "\n")

    init(directory: String) {
        self.directory = directory
    }

    /// Adds a line for each and waits, once, until the disk has them all.
    func append(_ entries: [HistoryEntry]) throws(ShellError) {
        guard let lines = try? entries.map({ try JSON.encode($0) + [Self.newline] }) else {
            throw .file(FileError("write", path, reason: "the entry has no text form"))
        }
        let file = try OpenFile(path, O_WRONLY | O_CREAT | O_APPEND, mode: 0o644, to: "write")
        let size = try file.size()
        do throws(ShellError) {
            try file.write(Array(lines.joined()))
            try file.syncData()
        } catch {
            // A disk that is full may have taken half a line, to which the next one would be added.
            try file.truncate(to: size)
            throw error
        }
    }

    /// At the start: a line that a power cut tore off is taken out, and what is too old is dropped.
    /// Returns what was mended, in a sentence.
    func mend(now: Instant) throws(ShellError) -> String? {
        guard OpenFile.exists(path) else { return nil }
        let mended = try mendLastLine()
        try dropOld(before: now - Self.oldest)
        return mended
    }

    private func mendLastLine() throws(ShellError) -> String? {
        let file = try OpenFile(path, O_RDWR, to: "open")
        let size = try file.size()
        let from = max(0, size - Self.block)
        let tail = try file.read(size - from, at: from)
        guard let last = tail.last, last != Self.newline else { return nil }
        let kept = tail.lastIndex(of: Self.newline).map { $0 + 1 } ?? 0
        try file.truncate(to: from + kept)
        try file.sync()
        return "the last line of \"\(path)\" was torn off in the middle; it was taken out"
    }

    private func dropOld(before limit: Instant) throws(ShellError) {
        let file = try OpenFile(path, O_RDONLY, to: "read")
        let head = try file.read(Self.block, at: 0)
        guard let end = head.firstIndex(of: Self.newline), let first = Self.scheduled(head[..<end]),
            first < limit
        else { return }
        let lines = try file.read(try file.size(), at: 0).split(separator: Self.newline)
        let kept = lines.drop { line in Self.scheduled(line).map { $0 < limit } ?? true }
        let bytes = Array(kept.map { $0 + [Self.newline] }.joined())
        try OpenFile.replace(path, in: directory, mode: 0o644, with: bytes)
    }

    /// The entries that the last `days` days may need, in the order of the file.
    /// Takes a while for years of them: not for the daemon's queue.
    func entries(days: Int, now: Instant) throws(ShellError) -> [HistoryEntry] {
        let limit = now - Double(days) * 86_400 - Self.latestRecord
        return try readFromEnd { entry, _ in InstantText.parse(entry.scheduled).map { $0 >= limit } ?? true }
    }

    /// The newest `count` entries, in the order of the file.
    func last(_ count: Int) throws(ShellError) -> [HistoryEntry] {
        try readFromEnd { _, number in number <= count }
    }

    /// Reads backwards for as long as the entry, and its number counted from the end, is `wanted`. What is no
    /// entry is passed over.
    private func readFromEnd(while wanted: (HistoryEntry, Int) -> Bool) throws(ShellError) -> [HistoryEntry] {
        guard OpenFile.exists(path) else { return [] }
        let file = try OpenFile(path, O_RDONLY, to: "read")
        var offset = try file.size()
        var rest: [UInt8] = []
        var newestFirst: [HistoryEntry] = []
        while offset > 0 {
            let from = max(0, offset - Self.block)
            let bytes = try file.read(offset - from, at: from) + rest
            offset = from
            var lines = bytes.split(separator: Self.newline, omittingEmptySubsequences: false)
            // The first line of a block may have begun in the one before it.
            rest = offset > 0 ? Array(lines.removeFirst()) : []
            for line in lines.reversed() {
                guard let entry = try? JSON.decode(HistoryEntry.self, from: line) else { continue }
                guard wanted(entry, newestFirst.count + 1) else { return newestFirst.reversed() }
                newestFirst.append(entry)
            }
        }
        return newestFirst.reversed()
    }

    private static func scheduled(_ line: some Sequence<UInt8>) -> Instant? {
        (try? JSON.decode(HistoryEntry.self, from: line)).flatMap { InstantText.parse($0.scheduled) }
    }
}
