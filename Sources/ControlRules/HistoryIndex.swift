package import PrayerEngine
package import Protocol
import Texts

/// The position of each announcement in the history's file, and its part in the totals. Kept in memory, so that a request
/// reads only the lines of its answer.
package struct HistoryIndex: Sendable {
    /// The longest line in bytes; no announcement comes near it.
    package static let longestLine = 16 << 10
    /// The most lines that are kept: five years with fifty a day, at 40 bytes each.
    package static let mostLines = 100_000

    package struct Line: Sendable, Equatable {
        /// The offset in bytes.
        package let offset: Int
        package let length: Int32
        /// Whether a later line about the same announcement replaces this one.
        fileprivate(set) var isSuperseded = false
        fileprivate let heard: HistoryEntry.Heard?
        fileprivate let scheduled: Instant
        fileprivate let id: Int
    }

    package private(set) var lines: [Line] = []
    /// The offset up to which everything has been read.
    package private(set) var end = 0
    /// The beginning of a line whose end has not been read.
    private var rest: [UInt8] = []
    private var isInOverlong = false
    /// The newest line of each announcement while the file is read for the first time; `nil` afterwards.
    private var newest: [Int: Int]? = [:]

    package init() {}

    /// Reads the bytes that follow those read before.
    package mutating func read(_ bytes: [UInt8]) {
        var start = 0
        while let newline = bytes[start...].firstIndex(where: HistoryEntry.isLineEnd) {
            let line = (rest + bytes[start..<newline])[...]
            if !isInOverlong, !line.isEmpty, line.count <= Self.longestLine {
                add(line, at: end + newline - line.count)
            }
            rest = []
            isInOverlong = false
            start = newline + 1
        }
        rest += bytes[start...]
        if isInOverlong || rest.count > Self.longestLine {
            isInOverlong = true
            rest = []
        }
        end += bytes.count
    }

    /// Ends the first reading; from now on lines arrive one by one.
    package mutating func finishLoading() {
        newest = nil
        guard lines.count > Self.mostLines else { return }
        lines.removeFirst(lines.count - Self.mostLines)
    }

    private mutating func add(_ line: ArraySlice<UInt8>, at offset: Int) {
        guard let entry = HistoryEntry(line: line), let scheduled = InstantText.parse(entry.scheduled) else {
            return
        }
        let id = entry.id.hashValue
        let earlier = newest.map { $0[id] } ?? lines.lastIndex { $0.id == id }
        if let earlier { lines[earlier].isSuperseded = true }
        newest?[id] = lines.count
        lines.append(
            Line(
                offset: offset, length: Int32(line.count), heard: entry.heard, scheduled: scheduled, id: id))
    }

    /// The lines that answer a `history` request.
    package struct Selection: Sendable, Equatable {
        package let sums: HistorySums
        /// The lines in the order of the file.
        package let lines: [Line]
    }

    /// The announcements in a span of time: ``HistoryDocument/span(days:now:)``.
    package func selection(in span: ClosedRange<Instant>) -> Selection {
        let wanted = lines.filter { !$0.isSuperseded && span.contains($0.scheduled) }
        return Selection(sums: HistorySums(wanted.map(\.heard)), lines: wanted)
    }
}

extension HistoryIndex.Selection {
    /// The most bytes of lines in one reply.
    package static let mostBytes = 128 << 10

    /// The lines after `offset` that fit into one reply; at least one, if there is one.
    package func part(after offset: Int) -> ArraySlice<HistoryIndex.Line> {
        var bytes = 0
        let rest = lines.drop { $0.offset <= offset }
        let fits = rest.prefix { line in
            bytes += Int(line.length)
            return bytes <= Self.mostBytes
        }
        return fits.isEmpty ? rest.prefix(1) : fits
    }

    /// The newest lines that fit into one reply, for callers who request only one.
    package var newestPart: ArraySlice<HistoryIndex.Line> {
        var bytes = 0
        let left = lines.reversed().prefix { line in
            bytes += Int(line.length)
            return bytes <= Self.mostBytes
        }
        return lines.suffix(left.count)
    }
}
