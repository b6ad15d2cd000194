import AdhanCore
import Foundation
import Testing

@testable import Host

@Suite("The timetable on disk")
struct TimetableFileTests {
    @Test("One that is not there is news only where something was imported once")
    func vanished() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        #expect(try TimetableFile.read(in: scratch.path).isEmpty)
        let previous = scratch.path + "/" + TimetableFile.previous
        try Data(PublishedTable().csv().utf8).write(to: URL(fileURLWithPath: previous))
        #expect {
            _ = try TimetableFile.read(in: scratch.path)
        } throws: { error in
            guard case .vanished(let path)? = error as? TimetableFile.Fault else { return false }
            return path == scratch.path + "/timetable.csv"
        }
        // What a removal leaves is a table without rows.
        try Data(PublishedTable().csv().utf8).write(to: URL(fileURLWithPath: scratch.path + "/timetable.csv"))
        #expect(try TimetableFile.read(in: scratch.path).isEmpty)
    }

    @Test("A table that names where it is from and has no day of it was cut off")
    func cut() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let source = PublishedTable.Source(
            id: 1, name: "mosque.csv", file: "mosque.csv", sha256: String(repeating: "0", count: 64),
            imported: "2026-11-20", format: "csv", clock: "wall")
        let table = PublishedTable(sources: [source])
        try Data(table.csv().utf8).write(to: URL(fileURLWithPath: scratch.path + "/timetable.csv"))
        #expect {
            _ = try TimetableFile.read(in: scratch.path)
        } throws: { ($0 as? TimetableFile.Fault)?.isLost == true }
    }
}
