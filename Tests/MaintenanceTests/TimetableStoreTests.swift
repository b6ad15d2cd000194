import CommandKit
import Foundation
import Host
import LabSupport
import PrayerEngine
import Settings
import Testing
import Times

@testable import Maintenance

@Suite("The timetable and the one before it")
struct TimetableStoreTests {
    /// A table with Fajr at `minute` of each day.
    private static func table(_ days: ClosedRange<Int>, at minute: Int) -> PublishedTimetable {
        var table = PublishedTimetable()
        for day in days {
            let date = CivilDate(dayNumber: 20_700 + day)
            table.dated[date] = .init(cellMinutes: [.begins(.fajr): minute], sources: [])
        }
        table.label(
            PublishedTimetable.Source(
                id: 1, name: "main", file: "mosque.csv", sha256: String(repeating: "0", count: 64),
                imported: "2026-11-20", format: "csv", clock: "local"))
        return table
    }

    /// The minutes of Fajr in a table on disk, day by day.
    private static func fajr(_ scratch: Scratch, _ name: String = TimetableFile.name) throws -> [Int] {
        let table = try TimetableFile.read(name, in: scratch.path)
        return table.dated.sorted { $0.key < $1.key }.compactMap { $0.value.cellMinutes[.begins(.fajr)] }
    }

    @Test("Merged, the other dates stay; replaced, nothing of the old table does")
    func mergeOrReplace() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let store = try TimetableStore.open(in: scratch.place)
        try store.change { $0.merge(Self.table(1...3, at: 300)) }
        try store.change { $0.merge(Self.table(3...4, at: 310)) }
        #expect(try Self.fajr(scratch) == [300, 300, 310, 310])
        try store.replace(with: Self.table(4...5, at: 320))
        #expect(try Self.fajr(scratch) == [320, 320])
        #expect(try Self.fajr(scratch, TimetableFile.previous) == [300, 300, 310, 310])
    }

    @Test("An undo brings back the table before, a second one that which was undone")
    func undo() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let store = try TimetableStore.open(in: scratch.place)
        let nothing = refusal { _ = try store.undo() }
        #expect(nothing?.message.hasPrefix("there is nothing to undo") == true)
        try store.replace(with: Self.table(1...2, at: 300))
        try store.replace(with: Self.table(1...2, at: 310))
        _ = try store.undo()
        #expect(try Self.fajr(scratch) == [300, 300])
        _ = try store.undo()
        #expect(try Self.fajr(scratch) == [310, 310])
        // Another import after an undo is undone like any other.
        _ = try store.undo()
        try store.replace(with: Self.table(1...2, at: 320))
        _ = try store.undo()
        #expect(try Self.fajr(scratch) == [300, 300])
    }

    @Test("A table that is removed comes back with an undo")
    func clear() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let store = try TimetableStore.open(in: scratch.place)
        try store.replace(with: Self.table(1...2, at: 300))
        let removed = try store.clear()
        #expect(removed?.dated.count == 2)
        // The file stays, without rows: so its removal is not taken for a loss.
        #expect(try Self.fajr(scratch) == [])
        #expect(scratch.read(TimetableFile.name) != nil)
        _ = try store.undo()
        #expect(try Self.fajr(scratch) == [300, 300])
    }

    @Test("A fact about the table that is changed leaves the table before it for an undo")
    func amend() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let store = try TimetableStore.open(in: scratch.place)
        try store.replace(with: Self.table(1...2, at: 300))
        try store.replace(with: Self.table(1...2, at: 310))
        try store.amend { $0.sources[0].file = "renamed.csv" }
        #expect(try TimetableFile.read(in: scratch.path).sources.map(\.file) == ["renamed.csv"])
        _ = try store.undo()
        #expect(try Self.fajr(scratch) == [300, 300])
    }

    @Test("Into a damaged table nothing is merged; one that replaces it sets it aside")
    func damaged() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let store = try TimetableStore.open(in: scratch.place)
        try store.replace(with: Self.table(1...2, at: 300))
        try store.replace(with: Self.table(1...2, at: 310))
        let damage = Array("date,fajr\n2026-13-45,99:99\n".utf8)
        try scratch.write(TimetableFile.name, damage)
        let error = refusal { try store.change { $0.merge(Self.table(3...3, at: 320)) } }
        #expect(error?.status == .invalidInput)
        #expect(error?.message.contains("adhanctl timetable undo") == true)
        #expect(scratch.read(TimetableFile.name) == damage)
        #expect(try Self.fajr(scratch, TimetableFile.previous) == [300, 300])
        // It is set aside last: where the other one cannot be written, it is still there.
        try scratch.makeFolder(".timetable.new")
        #expect(refusal { try store.replace(with: Self.table(3...3, at: 320)) } != nil)
        #expect(scratch.read(TimetableFile.name) == damage)
        try scratch.removeFile(".timetable.new")
        try store.replace(with: Self.table(3...3, at: 320))
        #expect(try Self.fajr(scratch) == [320])
        #expect(scratch.read("timetable.broken.csv") == damage)
        #expect(try Self.fajr(scratch, TimetableFile.previous) == [300, 300])
    }

    @Test("After a table that was lost, the one before it is still there for an undo")
    func vanished() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let store = try TimetableStore.open(in: scratch.place)
        try store.replace(with: Self.table(1...2, at: 300))
        try store.replace(with: Self.table(1...2, at: 310))
        try FileManager.default.removeItem(atPath: scratch.file(TimetableFile.name))
        try store.change { $0.merge(Self.table(3...3, at: 320)) }
        #expect(try Self.fajr(scratch) == [320])
        _ = try store.undo()
        #expect(try Self.fajr(scratch) == [300, 300])
    }

    @Test("A change that cannot be written leaves the table in force, and a command that fails restores both")
    func failedWrite() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let store = try TimetableStore.open(in: scratch.place)
        try store.replace(with: Self.table(1...2, at: 300))
        try store.replace(with: Self.table(1...2, at: 310))
        let snapshot = store.snapshot()
        // A draft cannot be made under the name of a folder.
        try scratch.makeFolder(".timetable.new")
        let error = refusal { try store.replace(with: Self.table(1...2, at: 320)) }
        #expect(error?.status == .failed)
        #expect(try Self.fajr(scratch) == [310, 310])
        #expect(try Self.fajr(scratch, TimetableFile.previous) == [300, 300])
        try FileManager.default.removeItem(atPath: scratch.file(".timetable.new"))
        // Neither an undo nor another table leaves two copies of one where the second of the two files cannot be written.
        for draft in [".timetable.new", ".timetable.previous.new"] {
            try scratch.makeFolder(draft)
            #expect(refusal { _ = try store.undo() } != nil)
            #expect(refusal { try store.change { $0.merge(Self.table(1...1, at: 330)) } } != nil)
            #expect(try Self.fajr(scratch) == [310, 310])
            #expect(try Self.fajr(scratch, TimetableFile.previous) == [300, 300])
            try FileManager.default.removeItem(atPath: scratch.file(draft))
        }
        try store.replace(with: Self.table(1...2, at: 320))
        store.restore(snapshot)
        #expect(try Self.fajr(scratch) == [310, 310])
        #expect(try Self.fajr(scratch, TimetableFile.previous) == [300, 300])
    }
}
