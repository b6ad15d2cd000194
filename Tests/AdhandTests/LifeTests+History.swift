import Foundation
import LabSupport
import PrayerEngine
import Protocol
import Testing
import Texts

extension LifeTests {
    @Test("A history that cannot be read is an error of its own, and no change that was not saved")
    func unreadableHistory() async throws {
        let box = try LabBox()
        try await box.start()
        let file = box.state.appending(path: "history.jsonl")
        try? FileManager.default.removeItem(at: file)
        try FileManager.default.createDirectory(at: file, withIntermediateDirectories: false)
        #expect {
            try Caller(box.socket).history(days: 7)
        } throws: { error in
            guard case .historyUnreadable(let reason)? = error as? ControlError else { return false }
            return reason.contains(file.path)
        }
    }

    @Test(
        "Blocks of the history that a power cut took cost the lines that they touch, and no other",
        arguments: [0, 1, 40_000, 1 << 20])
    func holes(tail: Int) async throws {
        let box = try LabBox()
        let count = 2000
        try CrowdTests.writeHistory(count, in: box)
        let file = box.state.appending(path: "history.jsonl")
        let whole = [UInt8](try Data(contentsOf: file))
        // The beginning, one alone in the middle, and two in a row.
        let blocks = [0, 25, 40, 41]
        let missing = blocks.map { $0 * 4096..<($0 + 1) * 4096 }
        #expect(whole.count > missing[3].upperBound + 8192)
        // Never written, so that the file system has no block there; and nothing but a size behind the last line.
        try FileManager.default.removeItem(at: file)
        _ = FileManager.default.createFile(atPath: file.path, contents: nil)
        let handle = try FileHandle(forWritingTo: file)
        var from = 0
        for hole in missing + [whole.count..<whole.count] {
            try handle.seek(toOffset: UInt64(from))
            try handle.write(contentsOf: whole[from..<hole.lowerBound])
            from = hole.upperBound
        }
        try handle.truncate(atOffset: UInt64(whole.count + tail))
        try handle.close()
        var status = stat()
        #expect(unsafe stat(file.path, &status) == 0)
        #expect(Int(status.st_blocks) * 512 < whole.count, "the file system knows no holes")

        var (start, kept) = (0, [String]())
        for line in whole.split(separator: UInt8(ascii: "\n")) {
            let range = start..<start + line.count
            start = range.upperBound + 1
            guard !missing.contains(where: { $0.overlaps(range) }) else { continue }
            kept.append(try #require(HistoryEntry(line: line)).id)
        }
        #expect((count - 150..<count - 40).contains(kept.count))

        let program = try await box.start()
        #expect(program.text.contains("was torn off in the middle of a line") == (tail > 0))
        #expect(try Caller(box.socket).history(days: 3660).map(\.id) == kept)
        #expect(try [UInt8](Data(contentsOf: file)).prefix(whole.count).suffix(4096) == whole.suffix(4096))
    }
}
