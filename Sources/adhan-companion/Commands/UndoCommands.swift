import ArgumentParser
import Languages
import LogStore
import PrayerLog

struct Undo: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "undo",
        abstract: "Undoes the last change of the log: a mark, a press, an import.",
        discussion: "Again, the one before. What was undone is kept: \"redo\" does it again.")

    @OptionGroup var global: CompanionOptions

    func run() throws {
        try global.person().step(.undone, .nothingToUndo, global) { store throws(LogRefusal) in
            try store.undo()
        }
    }
}

struct Redo: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "redo",
        abstract: "Does the change again that was undone last, unless the log was changed since.")

    @OptionGroup var global: CompanionOptions

    func run() throws {
        try global.person().step(.redone, .nothingToRedo, global) { store throws(LogRefusal) in
            try store.redo()
        }
    }
}
