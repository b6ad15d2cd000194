import Foundation
import Host
import LogStore
import PrayerEngine
import PrayerLog
import Testing

struct StoreTests {
    private let directory =
        NSTemporaryDirectory() + "logstore-\(getpid())-\(UInt32.random(in: 0 ... .max))/adhand"

    private func mark(_ day: Int, _ prayer: DailyPrayer = .asr, _ status: MarkStatus = .prayed) -> Mark {
        let start = Instant(unixSeconds: Double(day) * 86_400 + 50_000)
        return Mark(
            slot: PrayerSlot(CivilDate(dayNumber: day), prayer), status: status, at: start + 61.25,
            source: .command,
            markedAt: start + 62.5, offset: -18_000, window: PrayerWindow(start: start, end: start + 7200))
    }

    private func cleaned(_ body: () throws -> Void) throws {
        defer { try? FileManager.default.removeItem(atPath: Directories.parent(of: directory)) }
        try body()
    }

    @Test("Marks are read as they were written")
    func whatIsWrittenIsRead() throws {
        try cleaned {
            let store = try #require(try LogStore(directory: directory, create: true))
            let marks = [mark(20_000), mark(20_001, .isha, .excused), mark(20_001, .fajr, .madeUp)]
            #expect(try store.write(marks).slots.map(\.before) == [nil, nil, nil])
            #expect(try store.marks() == [marks[0], marks[2], marks[1]])
            #expect(
                try store.packed()
                    == [marks[0], marks[2], marks[1]].map { Logbook.packed($0.slot, $0.status) })
            #expect(try store.write([mark(20_000, .asr, .late)]).slots.map(\.before) == [marks[0]])
            #expect(try store.timings(from: nil, through: nil) == [])
            #expect(try store.write([mark(20_000)]).slots.map(\.before?.status) == [.late])
            #expect(
                try store.timings(from: nil, through: nil) == [
                    Statistics.Timing(prayer: .asr, secondsAfter: 61, lengthSeconds: 7200)
                ])
            #expect(try store.undoMarks([marks[0].slot]).slots.map(\.after?.status) == [.late])
            #expect(try LogStore(directory: directory, create: false)?.marks().count == 3)
        }
    }

    /// The question whether there is a log yet is asked of one moment: between two, another program makes it.
    @Test("Several programs that create the log at once get the same one")
    func manyMakeOneLogAtOnce() async throws {
        for _ in 0..<40 {
            let place = directory + "-\(UInt32.random(in: 0 ... .max))"
            defer { try? FileManager.default.removeItem(atPath: place) }
            let refusals = await withTaskGroup(of: String?.self) { group in
                for _ in 0..<6 {
                    group.addTask {
                        do throws(LogRefusal) {
                            _ = try LogStore(directory: place, create: true)
                            return nil
                        } catch { return error.message }
                    }
                }
                return await group.reduce(into: []) { $0 += [$1].compactMap(\.self) }
            }
            #expect(refusals == [])
        }
    }

    /// A new form is made of the old one, which is kept beside it; an older program then keeps its hands off.
    @Test("A log of an older form is copied before it is upgraded")
    func anOlderFormIsCopiedBeforeItIsChanged() throws {
        try cleaned {
            let old = try #require(try LogStore(directory: directory, create: true))
            try old.write([mark(20_000)])
            let path = old.path
            let newer = LogMigrations.current.adding(
                LogMigrations.Step(name: "3-note", sql: "ALTER TABLE mark ADD COLUMN note TEXT"))
            let store = try #require(try LogStore(directory: directory, create: false, migrations: newer))
            #expect(try store.marks() == [mark(20_000)])
            let backup = path + ".before-3-note"
            let mode = try FileManager.default.attributesOfItem(atPath: backup)[.posixPermissions] as? Int
            #expect(mode == 0o600)
            #expect(throws: LogRefusal.self) { try LogStore(directory: directory, create: false) }
            do throws(LogRefusal) {
                _ = try LogStore(directory: directory, create: true)
            } catch {
                #expect(
                    error.message
                        == "the log \"\(path)\" was written by a newer adhan-companion; nothing was changed, install that version"
                )
            }
            // The backup is the old log, whole.
            try FileManager.default.removeItem(atPath: path)
            for suffix in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
            try FileManager.default.copyItem(atPath: backup, toPath: path)
            #expect(try LogStore(directory: directory, create: false)?.marks() == [mark(20_000)])
        }
    }

    @Test("An upgrade that fails leaves the log as it was")
    func aStepThatFailsLeavesTheLogAsItWas() throws {
        try cleaned {
            let old = try #require(try LogStore(directory: directory, create: true))
            try old.write([mark(20_000)])
            let broken = LogMigrations.current.adding(
                LogMigrations.Step(
                    name: "3-broken", sql: "ALTER TABLE mark ADD COLUMN note TEXT; DROP TABLE nothing"))
            #expect(throws: LogRefusal.self) {
                try LogStore(directory: directory, create: false, migrations: broken)
            }
            #expect(try LogStore(directory: directory, create: false)?.marks() == [mark(20_000)])
        }
    }

    @Test("A damaged log is reported and left alone")
    func aTornFileIsToldAndLeftAlone() throws {
        try cleaned {
            let store = try #require(try LogStore(directory: directory, create: true))
            try store.write((0..<2000).map { mark(20_000 + $0) })
            let whole = try Data(contentsOf: URL(filePath: try store.backUp(as: "before-import")))
            for damaged in [Data("no database at all, but long enough to be one".utf8), torn(whole)] {
                let other = Directories.parent(of: directory) + "/other"
                try FileManager.default.createDirectory(atPath: other, withIntermediateDirectories: true)
                defer { try? FileManager.default.removeItem(atPath: other) }
                unsafe chmod(other, 0o700)
                try damaged.write(to: URL(filePath: other + "/prayers.sqlite"))
                do {
                    _ = try LogStore(directory: other, create: true)?.marks()
                    Issue.record("a damaged log was read")
                } catch {
                    #expect((error as? LogRefusal)?.message.contains("is damaged") == true, "\(error)")
                }
                // Its header may say WAL now.
                let left = try Data(contentsOf: URL(filePath: other + "/prayers.sqlite"))
                #expect(left.dropFirst(100) == damaged.dropFirst(100))
            }
        }
    }

    private func torn(_ whole: Data) -> Data {
        var bytes = whole
        // The page of the table itself.
        for index in 4096..<min(bytes.count, 12_288) { bytes[index] = 0x5A }
        return bytes
    }
}
