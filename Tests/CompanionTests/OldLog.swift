import Foundation
import LogStore
import PrayerEngine
import PrayerLog
import Testing

/// Logs as older programs left them, and what SQLite itself says of a file.
enum OldLog {
    /// A log in the first form, which knew no changes.
    @discardableResult
    static func write(_ marks: [Mark], in directory: String) throws -> String {
        let log = try #require(
            try LogStore(directory: directory, create: true, migrations: LogMigrations.current.through(1)))
        for mark in marks {
            let marked = Int(mark.markedAt.unixSeconds * 1000)
            try execute(
                log.path,
                """
                INSERT INTO mark VALUES (\(mark.slot.date.dayNumber), \(mark.slot.prayer.rawValue),
                \(mark.status.rawValue), NULL, \(mark.source.rawValue), \(marked), \(mark.offset), NULL, NULL)
                """)
        }
        return log.path
    }

    static func tables(_ path: String) throws -> [String] {
        try execute(
            path,
            "SELECT group_concat(name) FROM sqlite_master WHERE type = 'table' AND name IN ('mark', 'change')"
        ).split(separator: ",").map(String.init)
    }

    /// The first column of the first row, if there is one.
    @discardableResult
    static func execute(_ path: String, _ statement: String) throws -> String {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [
            "python3", "-c",
            "import sqlite3,sys; c=sqlite3.connect(sys.argv[1]); r=c.execute(sys.argv[2]).fetchone(); c.commit(); "
                + "print('' if r is None else r[0], end='')",
            path, statement,
        ]
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0, "\(statement)")
        return String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    }
}
