internal import CLinux
internal import ControlRules
internal import Daemon
internal import Glibc
internal import Host
internal import PrayerEngine
internal import Protocol
internal import Texts

/// `history.jsonl`: one announcement a line; lines are only appended.
struct HistoryFile: Sendable {
    private let directory: String
    var path: String { directory + "/" + HistoryEntry.fileName }

    /// The most bytes: adhand never wrote a larger file.
    static let mostBytes = 256 << 20
    private static let block = 64 << 10
    private static let newline = UInt8(ascii: "\n")

    init(directory: String) {
        self.directory = directory
    }

    /// Appends a line for each and waits, once, until all are on disk.
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
            // A full disk may have written half a line, to which the next one would be appended.
            try file.truncate(to: size)
            throw error
        }
    }

    /// Repairs the file at the start: removes a line that a power cut truncated, and lines that are too old. Returns a sentence
    /// about the repair.
    func mend(now: Instant) throws(ShellError) -> String? {
        guard OpenFile.exists(path) else { return nil }
        guard OpenFile.isRegular(path) else { return "\"\(path)\" is not a file; \(setAside(now: now))" }
        guard try hasSaneSize() else { return "\"\(path)\" is too large; \(setAside(now: now))" }
        let mended = try mendLastLine()
        let newest = try last(1).first.flatMap { InstantText.parse($0.scheduled) }
        if let limit = HistoryAge.limit(newest: newest, now: now, isSynchronized: WallClock.isSynchronized) {
            try dropOld(before: limit)
        }
        return mended
    }

    private func setAside(now: Instant) -> String {
        OpenFile.setAside(path, now: now).map { "set aside as \"\($0)\", a new history begins" }
            ?? "it could not be set aside"
    }

    /// Whether the content, holes included, is no larger than adhand may have written, whatever size the file claims.
    private func hasSaneSize() throws(ShellError) -> Bool {
        guard let end = try OpenFile(path, O_RDONLY, to: "read").contentEnd() else { return false }
        return end <= Self.mostBytes
    }

    /// Removes everything after the last newline: half a line, or the zeros that a power cut leaves.
    private func mendLastLine() throws(ShellError) -> String? {
        let file = try OpenFile(path, O_RDWR, to: "open")
        let size = try file.size()
        let kept = try lastNewline(in: file, before: try file.contentEnd() ?? size).map { $0 + 1 } ?? 0
        guard kept < size else { return nil }
        try file.truncate(to: kept)
        try file.sync()
        return
            "the end of \"\(path)\" was torn off in the middle of a line; \(size - kept) bytes were taken out"
    }

    private func lastNewline(in file: borrowing OpenFile, before end: Int) throws(ShellError) -> Int? {
        var end = end
        while end > 0 {
            let from = max(0, end - Self.block)
            if let found = try file.read(end - from, at: from).lastIndex(of: Self.newline) {
                return from + found
            }
            end = from
        }
        return nil
    }

    private func dropOld(before limit: Instant) throws(ShellError) {
        let file = try OpenFile(path, O_RDONLY, to: "read")
        let from = try firstLine(in: file, notBefore: limit)
        guard from > 0 else { return }
        let size = try file.size()
        let block = Self.block
        try OpenFile.replace(path, mode: 0o644) { new throws(ShellError) in
            var offset = from
            while offset < size {
                let bytes = try file.read(min(block, size - offset), at: offset)
                guard !bytes.isEmpty else { break }
                do throws(FileError) { try new.write(bytes) } catch { throw .file(error) }
                offset += bytes.count
            }
        }
    }

    /// The position of the first line that is recent enough; 0 when the very first entry is, or there is none.
    private func firstLine(in file: borrowing OpenFile, notBefore limit: Instant) throws(ShellError) -> Int {
        let size = try file.size()
        var read = 0
        var rest: [UInt8] = []
        var hasOld = false
        while read < size {
            let bytes = try file.read(min(Self.block, size - read), at: read)
            guard !bytes.isEmpty else { break }
            rest += bytes
            read += bytes.count
            var start = 0
            while let end = rest[start...].firstIndex(where: HistoryEntry.isLineEnd) {
                if let at = Self.scheduled(rest[start..<end]) {
                    if at >= limit { return hasOld ? read - rest.count + start : 0 }
                    hasOld = true
                }
                start = end + 1
            }
            rest.removeFirst(start)
            // A longer line is damage; do not keep it in memory.
            if rest.count > HistoryIndex.longestLine { rest = [] }
        }
        return hasOld ? read : 0
    }

    /// The newest `count` entries, in the order of the file. Other lines are skipped.
    func last(_ count: Int) throws(ShellError) -> [HistoryEntry] {
        guard OpenFile.exists(path) else { return [] }
        let file = try OpenFile(path, O_RDONLY, to: "read")
        var offset = min(try file.size(), Self.mostBytes)
        var rest: [UInt8] = []
        var newestFirst: [HistoryEntry] = []
        while offset > 0 {
            let from = max(0, offset - Self.block)
            let bytes = try file.read(offset - from, at: from) + rest
            offset = from
            // The first line of a block may have begun in the previous one.
            let first = offset > 0 ? bytes.prefix { !HistoryEntry.isLineEnd($0) } : []
            // A longer line is invalid.
            rest = first.count > HistoryIndex.longestLine ? [] : Array(first)
            for line in bytes.dropFirst(first.count).split(whereSeparator: HistoryEntry.isLineEnd).reversed()
            {
                guard let entry = HistoryEntry(line: line) else { continue }
                newestFirst.append(entry)
                if newestFirst.count == count { return newestFirst.reversed() }
            }
        }
        return newestFirst.reversed()
    }

    private static func scheduled(_ line: some Collection<UInt8>) -> Instant? {
        HistoryEntry(line: line).flatMap { InstantText.parse($0.scheduled) }
    }
}
