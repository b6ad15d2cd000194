internal import CLinux
internal import ControlRules
internal import Daemon
internal import Glibc
internal import PrayerEngine
internal import Protocol
internal import Synchronization

/// Answers questions about the history. Reads the file once, later only its growth and the lines of the answer. May take a while:
/// not for the daemon's queue.
final class HistoryReader: Sendable {
    private let path: String
    private let known = Mutex<Known?>(nil)

    private static let block = 256 << 10

    /// The facts about the file, and the identity of that file.
    private struct Known {
        var index = HistoryIndex()
        let identity: OpenFile.Identity
    }

    /// The entries of one reply, and the position of the next one.
    struct Part {
        let history: HistoryDocument
        /// The next position; `nil` after the last part.
        let next: Int?
    }

    init(_ file: HistoryFile) {
        path = file.path
    }

    /// The last `days` days as far as one reply has room; the newest part.
    /// - Parameter tellsOutputs: whether the configuration names outputs or quiet windows.
    func whole(days: Int, now: Instant, tellsOutputs: Bool) throws(ShellError) -> HistoryDocument {
        try read(days, now) { selection, file throws(ShellError) in
            let lines = selection.newestPart
            let omitted = selection.lines.count - lines.count
            return Self.document(
                days, selection, try Self.entries(lines, in: file), tellsOutputs,
                omitted: omitted > 0 ? omitted : nil)
        } ?? Self.nothing(days, tellsOutputs)
    }

    /// The part of the last `days` days after `offset` in the file.
    func part(days: Int, now: Instant, after offset: Int, tellsOutputs: Bool) throws(ShellError) -> Part {
        try read(days, now) { selection, file throws(ShellError) in
            let lines = selection.part(after: offset)
            let isLast = lines.last?.offset == selection.lines.last?.offset
            return Part(
                history: Self.document(days, selection, try Self.entries(lines, in: file), tellsOutputs),
                next: isLast ? nil : lines.last?.offset)
        } ?? Part(history: Self.nothing(days, tellsOutputs), next: nil)
    }

    /// Reads the file; `nil` when there is no history yet.
    private func read<Answer: Sendable>(
        _ days: Int, _ now: Instant,
        _ answer: (HistoryIndex.Selection, borrowing OpenFile) throws(ShellError) -> Answer
    ) throws(ShellError) -> Answer? {
        guard OpenFile.exists(path) else { return nil }
        let file = try OpenFile(path, O_RDONLY, to: "read")
        let span = HistoryDocument.span(days: days, now: now)
        let selection = try known.withLock { known throws(ShellError) in
            var current = try Self.renewed(known, by: file)
            known = nil
            try Self.catchUp(&current.index, with: file)
            known = current
            return current.index.selection(in: span)
        }
        return try answer(selection, file)
    }

    /// The known facts, unless the file was replaced or became shorter.
    private static func renewed(_ known: Known?, by file: borrowing OpenFile) throws(ShellError) -> Known {
        let identity = try file.identity()
        guard let known, known.identity == identity, try file.size() >= known.index.end else {
            return Known(identity: identity)
        }
        return known
    }

    private static func catchUp(_ index: inout HistoryIndex, with file: borrowing OpenFile) throws(ShellError)
    {
        let end = min(try file.size(), HistoryFile.mostBytes)
        while index.end < end {
            let bytes = try file.read(min(block, end - index.end), at: index.end)
            guard !bytes.isEmpty else { break }
            index.read(bytes)
        }
        index.finishLoading()
    }

    private static func entries(
        _ lines: ArraySlice<HistoryIndex.Line>, in file: borrowing OpenFile
    ) throws(ShellError) -> [HistoryEntry] {
        var entries: [HistoryEntry] = []
        for line in lines {
            let bytes = try file.read(Int(line.length), at: line.offset)
            if let entry = HistoryEntry(line: bytes) { entries.append(entry) }
        }
        return entries
    }

    private static func document(
        _ days: Int, _ selection: HistoryIndex.Selection, _ entries: [HistoryEntry], _ tellsOutputs: Bool,
        omitted: Int? = nil
    ) -> HistoryDocument {
        HistoryDocument(
            days: days, due: selection.sums.due, played: selection.sums.played,
            partial: selection.sums.partialCount(tellsOutputs: tellsOutputs), announcements: entries,
            omitted: omitted)
    }

    /// The answer while there is no history.
    private static func nothing(_ days: Int, _ tellsOutputs: Bool) -> HistoryDocument {
        HistoryDocument(
            days: days, due: 0, played: 0, partial: tellsOutputs ? 0 : nil, announcements: [])
    }
}
