import ArgumentParser
import LogStore
import PrayerLog

struct Undo: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Undoes the last change of the log: a mark, a press, an import.",
        discussion: "Again, the one before. What was undone is kept: \"redo\" does it again.")

    @OptionGroup var global: CompanionOptions

    func run() throws {
        try global.person().step("undone", "nothing-to-undo", global) { store throws(LogRefusal) in
            try store.undo()
        }
    }
}

struct Redo: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Does the change again that was undone last, unless the log was changed since.")

    @OptionGroup var global: CompanionOptions

    func run() throws {
        try global.person().step("redone", "nothing-to-redo", global) { store throws(LogRefusal) in
            try store.redo()
        }
    }
}
