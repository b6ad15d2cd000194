import Announcements
import ControlRules
import Daemon
import PrayerEngine
import Protocol
import Testing
import Texts

@Suite("The history's index")
struct HistoryIndexTests {
    private static func line(_ id: String, _ at: String, _ outcome: String = "played") -> [UInt8] {
        let text = """
            {"id":"\(id)","prayer":"\(id.prefix { $0 != "_" })","scheduled":"\(at)","outcome":"\(outcome)","sound":["standard"],\
            "framesDecoded":1,"framesPlayed":1,"dropouts":0}
            """
        return Array(text.utf8) + [UInt8(ascii: "\n")]
    }

    private static let always = Instant(unixSeconds: 0)...Instant(unixSeconds: 1e10)

    private static let lines = [
        line("fajr_20261118", "2026-11-18T05:00:00Z"), line("asr_20261118", "2026-11-18T15:00:00Z", "failed"),
        line("fajr_20261119", "2026-11-19T05:00:00Z", "interrupted"),
        line("isha_20261119", "2026-11-19T19:00:00Z", "muted"),
        // Recorded again: the last one holds.
        line("fajr_20261119", "2026-11-19T05:00:00Z", "played"),
    ]

    private func span(_ from: String, _ through: String) throws -> ClosedRange<Instant> {
        try #require(InstantText.parse(from))...#require(InstantText.parse(through))
    }

    private func ids(
        _ index: HistoryIndex, _ file: [UInt8], from: String = "2000-01-01T00:00:00Z",
        through: String = "2100-01-01T00:00:00Z"
    ) throws -> [String] {
        try index.selection(in: span(from, through)).lines.map { line in
            let bytes = file[line.offset..<(line.offset + Int(line.length))]
            return try #require(HistoryEntry(line: bytes)).id
        }
    }

    @Test("It finds every line whatever the pieces in which the file is read", arguments: [1, 7, 100, 4096])
    func pieces(size: Int) throws {
        let file = Array(Self.lines.joined())
        var index = HistoryIndex()
        for start in stride(from: 0, to: file.count, by: size) {
            index.read(Array(file[start..<min(start + size, file.count)]))
        }
        index.finishLoading()
        #expect(index.end == file.count)
        #expect(
            try ids(index, file) == ["fajr_20261118", "asr_20261118", "isha_20261119", "fajr_20261119"])
        #expect(try ids(index, file, from: "2026-11-19T00:00:00Z") == ["isha_20261119", "fajr_20261119"])
        let all = index.selection(in: Self.always)
        #expect((all.sums.due, all.sums.played) == (3, 2))
    }

    @Test(
        "Lines of days that have not come yet are neither counted nor listed, whichever way the history is read"
    )
    func ahead() throws {
        let file = Array(
            (Self.lines + [
                Self.line("fajr_20361122", "2036-11-22T05:00:00Z", "missed"),
                Self.line("fajr_20261120", "2026-11-20T05:00:00Z"),
                Self.line("isha_20261120", "2026-11-20T19:00:00Z", "missed"),
            ]).joined())
        var index = HistoryIndex()
        index.read(file)
        index.finishLoading()
        let now = try #require(InstantText.parse("2026-11-20T05:00:00Z"))
        let selection = index.selection(in: HistoryDocument.span(days: 1, now: now))
        #expect((selection.sums.due, selection.sums.played) == (2, 2))
        let entries = file.split(separator: UInt8(ascii: "\n")).compactMap { HistoryEntry(line: $0) }
        let document = HistoryDocument(days: 1, entries: entries, now: now)
        #expect(document.announcements.map(\.id) == ["isha_20261119", "fajr_20261119", "fajr_20261120"])
        #expect((document.due, document.played) == (selection.sums.due, selection.sums.played))
        // The same day, later: the line counts as soon as its time has come.
        let evening = index.selection(in: HistoryDocument.span(days: 1, now: now + 14 * 3600))
        #expect((evening.sums.due, evening.sums.played) == (2, 1))
    }

    @Test("Adhans that some outputs failed are counted, and a count of none needs outputs or windows")
    func partial() throws {
        var index = HistoryIndex()
        index.read(Array(Self.lines.joined()))
        index.finishLoading()
        let whole = index.selection(in: Self.always)
        #expect(whole.sums.partialCount(tellsOutputs: false) == nil)
        #expect(whole.sums.partialCount(tellsOutputs: true) == 0)
        index.read(Self.line("isha_20261118", "2026-11-18T19:00:00Z", "partial"))
        let some = index.selection(in: Self.always)
        #expect(some.sums.partialCount(tellsOutputs: false) == 1)
        #expect(some.sums.partialCount(tellsOutputs: true) == 1)
        func json(_ partial: Int?) throws -> String {
            String(
                decoding: try JSON.encode(
                    HistoryDocument(days: 7, due: 3, played: 3, partial: partial, announcements: [])),
                as: UTF8.self)
        }
        #expect(try !json(nil).contains("partial") && json(0).contains(#""partial":0"#))
    }

    @Test("What is added later is found, and replaces what it corrects")
    func added() throws {
        var file = Array(Self.lines[0...1].joined())
        var index = HistoryIndex()
        index.read(file)
        index.finishLoading()
        for more in [
            Self.line("asr_20261118", "2026-11-18T15:00:00Z"),
            Self.line("isha_20261118", "2026-11-18T19:00:00Z"),
        ] {
            file += more
            index.read(more)
            index.finishLoading()
        }
        #expect(try ids(index, file) == ["fajr_20261118", "asr_20261118", "isha_20261118"])
        #expect(index.selection(in: Self.always).sums.played == 3)
    }

    @Test("Zeros, junk and endless lines cost no entry and little memory")
    func damage() throws {
        let zeros = [UInt8](repeating: 0, count: 200_000)
        let endless = [UInt8](repeating: UInt8(ascii: "x"), count: 300_000) + [UInt8(ascii: "\n")]
        let file =
            Self.lines[0] + zeros + Self.lines[1] + Array("junk\n\n{}\n".utf8) + endless + Self.lines[2]
            + zeros
        var index = HistoryIndex()
        for start in stride(from: 0, to: file.count, by: 4096) {
            index.read(Array(file[start..<min(start + 4096, file.count)]))
        }
        index.finishLoading()
        #expect(try ids(index, file) == ["fajr_20261118", "asr_20261118", "fajr_20261119"])
    }

    @Test("A block of zeros costs the lines that it touches, and none beside it", arguments: [1, 7, 4096])
    func hole(size: Int) throws {
        // The hole begins in the middle of a line, and ends where the next one begins.
        let file =
            Self.lines[0] + Self.lines[1].prefix(40) + [UInt8](repeating: 0, count: 4096) + Self.lines[2]
            + [UInt8](repeating: 0, count: 9) + Self.lines[3].dropFirst(9) + Self.lines[4]
        var index = HistoryIndex()
        for start in stride(from: 0, to: file.count, by: size) {
            index.read(Array(file[start..<min(start + size, file.count)]))
        }
        index.finishLoading()
        #expect(index.lines.count == 3)
        #expect(try ids(index, file) == ["fajr_20261118", "fajr_20261119"])
    }

    @Test("A long history comes in parts that hold everything once; one reply has the newest")
    func parts() throws {
        let days = (0..<2000).map { Self.line("fajr_\($0)", "2026-11-18T05:00:00Z") }
        var index = HistoryIndex()
        index.read(Array(days.joined()))
        index.finishLoading()
        let selection = index.selection(in: Self.always)
        var (after, seen) = (-1, [HistoryIndex.Line]())
        while true {
            let part = selection.part(after: after)
            guard let last = part.last else { break }
            #expect(part.reduce(0) { $0 + Int($1.length) } <= HistoryIndex.Selection.mostBytes)
            seen += part
            after = last.offset
        }
        #expect(seen == selection.lines)
        #expect(selection.newestPart.last == selection.lines.last)
        #expect((100..<2000).contains(selection.newestPart.count))
    }

    @Test("A hole of zeros costs the lines that it touches, and no other, wherever it begins")
    func hole() throws {
        let lines = (0..<40).map {
            Self.line("fajr_\($0 + 20_260_000)", "2026-11-18T05:00:00Z", "played")
        }
        let whole = Array(lines.joined())
        let ends = lines.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1.count) }
        for start in stride(from: 0, to: whole.count - 4096, by: 7) {
            var file = whole
            for index in start..<(start + 4096) { file[index] = 0 }
            // Of a line whose newline alone is gone nothing is missing.
            let untouched = lines.indices.filter {
                ends[$0 + 1] - 1 <= start || start + 4096 <= ends[$0]
            }
            var index = HistoryIndex()
            for from in stride(from: 0, to: file.count, by: 1000) {
                index.read(Array(file[from..<min(from + 1000, file.count)]))
            }
            index.finishLoading()
            let expected = untouched.map { "fajr_\($0 + 20_260_000)" }
            guard try ids(index, file) == expected else {
                Issue.record("a hole at \(start) costs other lines: \(try ids(index, file))")
                return
            }
        }
    }
}
