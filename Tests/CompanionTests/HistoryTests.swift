import Foundation
import Host
import LogStore
import PrayerEngine
import PrayerLog
import SeededRandom
import Testing

/// Every change of the log can be undone and done again, and then the log is to the bit what it was.
@Suite("Undo") struct HistoryTests {
    private static let day = 20_400

    private static func entry(
        _ day: Int, _ prayer: DailyPrayer, _ status: MarkStatus, _ second: Int,
        _ source: MarkSource = .command
    ) -> Mark {
        let start = Instant(unixSeconds: Double(day) * 86_400 + Double(prayer.rawValue) * 10_000)
        return Mark(
            slot: PrayerSlot(CivilDate(dayNumber: day), prayer), status: status, at: start + Double(second),
            source: source, markedAt: start + Double(second) + 0.25, offset: -18_000,
            window: PrayerWindow(start: start, end: start + 7200))
    }

    /// People's changes of a log; each on its own differs from every other.
    private enum Step: CaseIterable {
        case mark, markAnew, excuseDay, excusePrayer, importFile, undoMarks, undoExcuses, undo, redo

        func apply(_ store: LogStore, _ number: Int) throws {
            let slots = DailyPrayer.allCases.map { PrayerSlot(CivilDate(dayNumber: day), $0) }
            switch self {
            case .mark: try store.write([entry(day, .asr, .prayed, number)])
            case .markAnew:
                try store.write([entry(day, .asr, .late, number), entry(day, .fajr, .madeUp, number)])
            case .excuseDay:
                let marks = slots.map { Self.excuse($0, number) }
                try store.write(marks) { known, new in known.stays(.wholeDays, for: new) }
            case .excusePrayer: try store.write([Self.excuse(slots[2], number)])
            case .importFile:
                let marks = (day - 3...day).flatMap { day in
                    DailyPrayer.allCases.map { entry(day, $0, .missed, number, .imported) }
                }
                try store.write(marks, as: .imported) { known, new in known.stays(.file, for: new) }
            case .undoMarks: _ = try store.undoMarks([slots[2]])
            case .undoExcuses: _ = try store.undoMarks(slots, from: .excused)
            case .undo: _ = try store.undo()
            case .redo: _ = try store.redo()
            }
        }

        static func excuse(_ slot: PrayerSlot, _ number: Int) -> Mark {
            Mark(
                slot: slot, status: .excused, source: .command,
                markedAt: Instant(unixSeconds: Double(number)),
                offset: 0)
        }
    }

    private static func cleaned(_ body: (String) throws -> Void) throws {
        let parent = NSTemporaryDirectory() + "history-\(getpid())-\(UInt32.random(in: 0 ... .max))"
        defer { try? FileManager.default.removeItem(atPath: parent) }
        try body(parent + "/adhand")
    }

    /// As another command finds it, in a program that was started again.
    private static func open(_ directory: String) throws -> LogStore {
        try #require(try LogStore(directory: directory, create: true))
    }

    private static let changes = Step.allCases.filter { $0 != .undo && $0 != .redo }

    /// Applies steps to a log that has an entry, undoes all of them and does them again; `open` gives the log for the next command.
    private static func walk(_ steps: [Step], _ open: () throws -> LogStore) throws {
        try open().write([entry(day, .dhuhr, .prayed, 1)])
        var states = [try open().marks()]
        for (number, step) in steps.enumerated() {
            let depth = try open().depth().undo
            try step.apply(try open(), number + 10)
            // A command that changes nothing is no change.
            if try open().depth().undo > depth { states.append(try open().marks()) }
        }
        for state in states.dropLast().reversed() {
            _ = try open().undo()
            #expect(try open().marks() == state, "\(steps) undone")
        }
        for state in states.dropFirst() {
            _ = try open().redo()
            #expect(try open().marks() == state, "\(steps) done again")
        }
        #expect(try open().redo() == nil)
    }

    @Test("Any two changes are undone and redone by programs that start in between")
    func twoCommandsAreUndoneByProgramsStartedAnew() throws {
        for first in Self.changes {
            for second in Self.changes {
                try Self.cleaned { directory in try Self.walk([first, second]) { try Self.open(directory) } }
            }
        }
    }

    @Test("Any three changes are undone and redone")
    func threeCommandsAreUndone() throws {
        try Self.cleaned { directory in
            let store = try Self.open(directory)
            for first in Self.changes {
                for second in Self.changes {
                    for third in Self.changes {
                        try Self.walk([first, second, third]) { store }
                        while try store.undo() != nil {}
                    }
                }
            }
        }
    }

    /// A thousand random steps against a list of what the log was.
    @Test("A thousand random changes, undone and redone, agree with a list of all states")
    func aThousandStepsAgreeWithAListOfStates() throws {
        try Self.cleaned { directory in
            var random = SplitMix64(seed: 28)
            let store = try Self.open(directory)
            var states: [[Mark]] = [[]]
            var undone: [[Mark]] = []
            for number in 0..<1000 {
                let step = Step.allCases.randomElement(using: &random) ?? .mark
                let change = try store.depth()
                try step.apply(store, number)
                let marks = try store.marks()
                switch step {
                case .undo:
                    if states.count > 1 { undone.append(states.removeLast()) }
                case .redo:
                    if let state = undone.popLast() { states.append(state) }
                default:
                    // A command that changes nothing is no change.
                    if try store.depth() != change {
                        states.append(marks)
                        undone = []
                    }
                }
                #expect(marks == states.last, "step \(number): \(step)")
                let depth = try store.depth()
                #expect(depth == (states.count - 1, undone.count), "step \(number): \(step)")
            }
            while try store.undo() != nil {}
            #expect(try store.marks() == [])
            while try store.redo() != nil {}
        }
    }

    @Test("A mark that is removed gives way to the one before it, down to none")
    func undoingGoesThroughAllThatAPrayerWas() throws {
        try Self.cleaned { directory in
            let store = try Self.open(directory)
            let slot = PrayerSlot(CivilDate(dayNumber: Self.day), .asr)
            for status in [MarkStatus.prayed, .late, .excused] {
                try store.write([Self.entry(Self.day, .asr, status, status.rawValue)])
                try store.write([Self.entry(Self.day, .isha, status, status.rawValue)])
            }
            #expect(try store.undoMarks([slot]).slots.map(\.after?.status) == [.late])
            #expect(try store.undoMarks([slot]).slots.map(\.after?.status) == [.prayed])
            // In between something new.
            try store.write([Self.entry(Self.day, .asr, .madeUp, 9)])
            #expect(try store.undoMarks([slot]).slots.map(\.after?.status) == [.prayed])
            #expect(try store.undoMarks([slot]).slots.map(\.after) == [nil])
            #expect(try store.undoMarks([slot]).slots == [])
            // All of that is undone like any other change.
            for status in [MarkStatus.prayed, .madeUp, .prayed, .late, .excused] {
                _ = try store.undo()
                #expect(try store.mark(slot)?.status == status)
            }
            #expect(try store.marks().count == 2, "isha is as it was")
        }
    }

    /// A log of the version before has marks of which no change is known; the file itself is kept beside it.
    @Test("A mark of the older form, whose change is unknown, is removed and restored")
    func aMarkOfBeforeGoesAndComesBack() throws {
        try Self.cleaned { directory in
            let slot = PrayerSlot(CivilDate(dayNumber: Self.day), .asr)
            let path = try OldLog.write([Step.excuse(slot, 1_762_000_000)], in: directory)
            let store = try Self.open(directory)
            #expect(FileManager.default.fileExists(atPath: path + ".before-2-changes"))
            let before = try #require(try store.mark(slot))
            #expect(try store.undo() == nil)
            #expect(try store.undoMarks([slot]).slots.map(\.after) == [nil])
            #expect(try store.undoMarks([slot]).slots == [])
            _ = try store.undo()
            #expect(try store.mark(slot) == before)
        }
    }

    /// Half of a change is never undone, and a damaged entry is kept as it lies there.
    @Test("A change whose earlier state is damaged is not undone, and a damaged mark is kept")
    func aDamagedCopyIsRefusedAndADamagedEntryIsKept() throws {
        try Self.cleaned { directory in
            let store = try Self.open(directory)
            try store.write([Self.entry(Self.day, .asr, .prayed, 1)])
            try store.write([Self.entry(Self.day, .asr, .late, 2)])
            try OldLog.execute(store.path, "UPDATE image SET at = 9000000000000000000 WHERE change = 2")
            #expect(throws: LogRefusal.self) { try store.undo() }
            #expect(throws: LogRefusal.self) {
                try store.undoMarks([PrayerSlot(CivilDate(dayNumber: Self.day), .asr)])
            }
            #expect(try store.marks().map(\.status) == [.late])
            try OldLog.execute(store.path, "UPDATE mark SET at = 9000000000000000000")
            #expect(try store.marks() == [])
            try store.write([Self.entry(Self.day, .asr, .prayed, 3)])
            let copy = try OldLog.execute(store.path, "SELECT at FROM image WHERE change = 3")
            #expect(copy == "9000000000000000000")
        }
    }
}
