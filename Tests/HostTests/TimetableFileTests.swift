import Foundation
import LabSupport
import PrayerEngine
import Settings
import Testing
import Times

@testable import Host

@Suite("The timetable on disk")
struct TimetableFileTests {
    @Test("One that is not there is news only where something was imported once")
    func vanished() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        #expect(try TimetableFile.read(in: scratch.path).isEmpty)
        let previous = scratch.path + "/" + TimetableFile.previous
        try Data(PublishedTimetable().csv().utf8).write(to: URL(fileURLWithPath: previous))
        #expect {
            _ = try TimetableFile.read(in: scratch.path)
        } throws: { error in
            guard case .vanished(let path)? = error as? TimetableFile.ReadError else { return false }
            return path == scratch.path + "/timetable.csv"
        }
        // A removal leaves a table without rows.
        try Data(PublishedTimetable().csv().utf8).write(
            to: URL(fileURLWithPath: scratch.path + "/timetable.csv"))
        #expect(try TimetableFile.read(in: scratch.path).isEmpty)
    }

    private static func isLost(_ error: any Error) -> Bool {
        (error as? TimetableFile.ReadError)?.isLost == true
    }

    @Test(
        "One whose files are all gone is missed where adhand noted that it was in force, unless that is meant"
    )
    func allGone() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let kept = KeptConfiguration("/etc/adhand/adhand.toml", [], at: Instant(unixSeconds: 1_800_000_000))
        for hasTimetable in [nil, false, true] {
            try scratch.write("configuration.json", kept.having(timetable: hasTimetable).fileBytes())
            #expect(try TimetableFile.read(in: scratch.path, isMeant: true).isEmpty)
            guard hasTimetable == true else {
                #expect(try TimetableFile.read(in: scratch.path).isEmpty)
                continue
            }
            #expect { _ = try TimetableFile.read(in: scratch.path) } throws: { Self.isLost($0) }
            let opened = try StateDirectory.open(scratch.path)
            #expect { _ = try TimetableFile.read(in: opened) } throws: { Self.isLost($0) }
        }
        // Somebody removes it: the note does not bring it back.
        try scratch.write("timetable.csv", Array(PublishedTimetable().csv().utf8))
        #expect(try TimetableFile.read(in: scratch.path).isEmpty)
    }

    @Test(
        "A table that is cut between two lines has lost days; one that says no number, or has more, has not")
    func cutBetweenLines() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        var table = PublishedTimetable()
        for day in 1...30 {
            let date = CivilDate(dayNumber: 20_700 + day)
            table.dated[date] = .init(cellMinutes: [.begins(.fajr): 300 + day], sources: [])
        }
        table.label(
            PublishedTimetable.Source(
                id: 1, name: "mosque.csv", file: "mosque.csv", sha256: String(repeating: "0", count: 64),
                imported: "2026-11-20", format: "csv", clock: "wall"))
        let lines = table.csv().split(separator: "\n").map { $0 + "\n" }
        func read(_ lines: some Sequence<Substring>) throws -> PublishedTimetable {
            try scratch.write("timetable.csv", Array(lines.joined().utf8))
            return try TimetableFile.read(in: scratch.path)
        }
        #expect(try read(lines.map { $0[...] }) == table)
        for rows in [0, 1, 5, 29] {
            #expect { _ = try read(lines.dropLast(30 - rows).map { $0[...] }) } throws: { Self.isLost($0) }
        }
        let old = lines.map {
            $0.replacing(",\"rows\":30", with: "").replacing("\"rows\":30,", with: "")[...]
        }
        #expect(!old.joined().contains("rows\":"))
        #expect(try read(old.dropLast(25)).dated.count == 5)
        let more = table.csv() + "2027-06-01,05:00,1\n"
        #expect(try read([more[...]]).dated.count == 31)
    }

    @Test("A table that names where it is from and has no day of it was cut off")
    func cut() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let source = PublishedTimetable.Source(
            id: 1, name: "mosque.csv", file: "mosque.csv", sha256: String(repeating: "0", count: 64),
            imported: "2026-11-20", format: "csv", clock: "wall")
        let table = PublishedTimetable(sources: [source])
        try Data(table.csv().utf8).write(to: URL(fileURLWithPath: scratch.path + "/timetable.csv"))
        #expect {
            _ = try TimetableFile.read(in: scratch.path)
        } throws: { ($0 as? TimetableFile.ReadError)?.isLost == true }
    }
}
