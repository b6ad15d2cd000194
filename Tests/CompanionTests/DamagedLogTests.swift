import Console
import Foundation
import Host
import Languages
import LogStore
import PrayerEngine
import PrayerLog
import SeededRandom
import Testing
import Texts

/// Logs of which a disk or a memory flipped bits: every reader ends with what is readable, or with a sentence.
@Suite("A damaged log")
struct DamagedLogTests {
    /// A log of 300 entries, whole in one file; its bytes.
    private static func log(in directory: String) throws -> [UInt8] {
        let path: String
        do {
            let store = try #require(try LogStore(directory: directory, create: true))
            path = store.path
            try store.write(
                (0..<300).map { number in
                    let start = Instant(unixSeconds: Double(20_400 + number / 5) * 86_400 + 50_000)
                    return Mark(
                        slot: PrayerSlot(
                            CivilDate(dayNumber: 20_400 + number / 5), DailyPrayer.allCases[number % 5]),
                        status: .prayed, at: start + 60, source: .command, markedAt: start + 61,
                        offset: 3600, window: PrayerWindow(start: start, end: start + 7200))
                })
        }
        return try [UInt8](Data(contentsOf: URL(filePath: path)))
    }

    private static func windows(_ date: CivilDate) -> DayWindows {
        let midnight = Instant(unixSeconds: Double(date.dayNumber) * 86_400)
        return DayWindows(
            date: date, events: { _ in nil }, nextFajr: nil,
            day: PrayerWindow(start: midnight, end: midnight + 86_400))
    }

    private static var today: Today {
        let date = CivilDate(dayNumber: 20_470)
        return Today(
            now: Instant(unixSeconds: Double(date.dayNumber) * 86_400 + 1),
            yesterday: windows(date.adding(days: -1)), today: windows(date),
            tomorrow: windows(date.adding(days: 1)))
    }

    /// The output of every reading command for a log.
    private static func readAll(_ directory: String) throws(LogRefusal) -> Int {
        guard let store = try LogStore(directory: directory, create: false) else { return 0 }
        let log = Logbook(packed: try store.packed(), today: today)
        let timings = try store.timings(from: nil, through: nil)
        let marks = try store.marks()
        _ = try store.mark(PrayerSlot(CivilDate(dayNumber: 20_410), .asr))
        let unreadable = try store.unreadable(today: today.date)
        let streak = Streak(log)
        let text = LogText(log, streak, words: .english, plain: false)
        let style = Style(colour: false)
        let dates = (-30...0).map { today.date.adding(days: $0) }
        _ = text.days(dates, style) + text.streakText(style)
        _ = text.statistics(Statistics(log, timings: timings, from: nil), style)
        _ = text.badges(BadgeProgress.all(log, streak: streak), style)
        _ = DaysDocument(log, streak, dates: dates)
        _ = Widget(log, streak: streak, count: 5, zone: .utc, words: .english).rendered(.waybar)
        _ = NotificationPlan(log, zone: .utc, settings: CompanionSettings(), after: today.now)
        _ = LogExport.csv(LogExport.documents(marks, Logbook(marks, today: today)))
        return unreadable
    }

    /// Everything that changes a log, each step whatever became of the one before; what came of it can be reported.
    private static func changeAll(_ directory: String) {
        let slots = (20_405..<20_415).flatMap { day in
            DailyPrayer.allCases.map { PrayerSlot(CivilDate(dayNumber: day), $0) }
        }
        let marks = slots.map {
            Mark(slot: $0, status: .excused, source: .command, markedAt: today.now, offset: 0)
        }
        func step(_ number: Int, _ store: LogStore) throws -> LogChange? {
            switch number {
            case 0, 1, 5: try store.undo()
            case 2: try store.redo()
            case 3: try store.write(marks, now: today.now)
            default: try store.undoMarks(slots, now: today.now)
            }
        }
        for number in 0..<6 {
            guard let store = try? LogStore(directory: directory, create: true),
                let change = try? step(number, store)
            else { continue }
            _ = Language.english.text(change, in: .utc)
            let log = Logbook([], today: today)
            _ = try? JSON.encode(LogChangeDocument(change, log, Streak(log)))
        }
    }

    private static func cleaned(_ body: (String) throws -> Void) throws {
        let parent = NSTemporaryDirectory() + "damaged-\(getpid())-\(UInt32.random(in: 0 ... .max))"
        defer { try? FileManager.default.removeItem(atPath: parent) }
        try body(parent + "/adhand")
    }

    private static func sqlite(_ path: String, _ statements: String) throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [
            "python3", "-c",
            "import sqlite3,sys; c=sqlite3.connect(sys.argv[1]); c.execute('pragma ignore_check_constraints=1'); "
                + "c.executescript(sys.argv[2]); c.commit()",
            path, statements,
        ]
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0, "\(statements)")
    }

    @Test(
        "An entry that cannot be is left out, and counted; the others are read",
        arguments: [
            "day = 8589934592", "day = 4611686018427387904", "day = -9223372036854775808", "day = 2932896",
            "prayer = 1125899906842624", "prayer = -1", "status = 9", "status = 4611686018427387904",
        ])
    func impossible(change: String) throws {
        try Self.cleaned { directory in
            _ = try Self.log(in: directory)
            let path = directory + "/" + LogStore.fileName
            try Self.sqlite(path, "UPDATE mark SET \(change) WHERE day = 20430 AND prayer = 2;")
            #expect(try Self.readAll(directory) == 1)
            let store = try #require(try LogStore(directory: directory, create: false))
            let log = Logbook(packed: try store.packed(), today: Self.today)
            #expect(log.state(PrayerSlot(CivilDate(dayNumber: 20_430), .asr)) == .missed)
            #expect(log.state(PrayerSlot(CivilDate(dayNumber: 20_430), .maghrib)) == .prayed)
            #expect(log.state(PrayerSlot(CivilDate(dayNumber: 20_459), .isha)) == .prayed)
            #expect(Streak(log).best > 20)
        }
    }

    @Test(
        "An instant that cannot be leaves the entry out of the export, and in the log",
        arguments: ["at", "marked", "starts", "ends", "zone", "source"], [Int.max, Int.min])
    func instants(column: String, value: Int) throws {
        try Self.cleaned { directory in
            _ = try Self.log(in: directory)
            let path = directory + "/" + LogStore.fileName
            try Self.sqlite(path, "UPDATE mark SET \(column) = \(value) WHERE day = 20430 AND prayer = 2;")
            #expect(try Self.readAll(directory) == 1)
            let store = try #require(try LogStore(directory: directory, create: false))
            #expect(try store.packed().count == 300)
            #expect(try store.marks().count == 299)
        }
    }

    /// `make damaged-logs` takes 10,000.
    private static let rounds = ProcessInfo.processInfo.environment["DAMAGED_LOGS"].flatMap { Int($0) } ?? 300

    @Test(
        "Bits are flipped anywhere in the file, or pages are lost: nothing ends the program", arguments: 0..<3
    )
    func flipped(way: Int) throws {
        try Self.cleaned { directory in
            let whole = try Self.log(in: directory)
            let path = directory + "/" + LogStore.fileName
            var random = SplitMix64(seed: 1447 + UInt64(way))
            var read = 0
            for round in 0..<Self.rounds / 3 {
                var bytes = whole
                switch way {
                // Bits, bytes, and blocks that were not written or are those of another file.
                case 0:
                    for _ in 0...(round % 3) {
                        let at = Int.random(in: 0..<bytes.count, using: &random)
                        bytes[at] ^= 1 << UInt8.random(in: 0..<8, using: &random)
                    }
                case 1:
                    for _ in 0...(round % 40) {
                        let at = Int.random(in: 0..<bytes.count, using: &random)
                        bytes[at] = UInt8.random(in: 0...255, using: &random)
                    }
                default:
                    let at = Int.random(in: 0..<bytes.count / 512, using: &random) * 512
                    switch round % 3 {
                    case 0: for index in at..<at + 512 { bytes[index] = 0 }
                    case 1:
                        for index in at..<at + 512 {
                            bytes[index] = UInt8.random(in: 0...255, using: &random)
                        }
                    default: bytes.removeLast(bytes.count - at)
                    }
                }
                for rest in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + rest) }
                try Data(bytes).write(to: URL(filePath: path))
                do throws(LogRefusal) {
                    _ = try Self.readAll(directory)
                    read += 1
                } catch {
                    #expect(!error.message.isEmpty)
                }
                if round % 4 == 0 { Self.changeAll(directory) }
            }
            #expect(read > Self.rounds / 30, "most of a file is entries")
        }
    }
}
