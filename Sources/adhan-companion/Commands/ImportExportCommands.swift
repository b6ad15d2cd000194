import ArgumentParser
import CommandKit
import Host
import Languages
import LogStore
import PrayerEngine
import PrayerLog
import Texts

struct Import: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Takes in a log from a file: CSV or JSON, our own or another tracker's.",
        discussion: """
            Known are a row for each prayer (date,prayer,status) and a row for each day (date,fajr,dhuhr,asr,maghrib,isha). \
            Either all of it can be read, or nothing is taken. "undo" takes an import back, and the log as it was is kept beside \
            it. Dates such as 3/4/2026 are asked for where no date of the file tells the day from the month.
            """)

    @OptionGroup var global: CompanionOptions

    @Argument(help: "The file.", completion: .file())
    var file: String

    @Option(help: "The order of dates in which the year is last: day-month or month-day.")
    var dates: DateOrder?

    @Flag(help: "Do not ask.")
    var yes = false

    private static let largest = 64 << 20

    func run() throws {
        let person = try global.person(in: .english)
        let bytes: [UInt8]
        do throws(FileError) {
            bytes = try FileBytes.read(file, limit: Self.largest)
        } catch {
            throw Refusal(.failed, "\(error.message); nothing was imported")
        }
        let today = person.times.today()
        let marks = try logged(.invalidInput) { () throws(LogRefusal) in
            do throws(LogRefusal) {
                let reader = LogImport(today: today, offset: person.times.zone.offset(at: today.now))
                let order = dates == nil ? try askOrder(reader, bytes) : dates
                return try reader.marks(in: bytes, file: file, order: order)
            } catch {
                throw LogRefusal("\(error.message); nothing was imported")
            }
        }
        let present = try person.store(isToChange: true)
        let known = try logged { () throws(LogRefusal) in try present?.marks() ?? [] }
        let summary = ImportSummary(marks, known: known)
        guard summary.changes > 0 else {
            if global.json { return try global.output.write(document: summary) }
            return try global.output.write("\(summary.sentence); the log says the same already\n")
        }
        guard yes || Question.canAsk && Question.confirm("\(summary.sentence). Import them?") else {
            throw Refusal(
                Question.canAsk ? .failed : .usage,
                "\(summary.sentence); nothing was imported"
                    + (Question.canAsk ? "" : ", say --yes to import them"))
        }
        let store = try person.storeForWriting()
        try logged { () throws(LogRefusal) in
            if !known.isEmpty { try store.backUp(as: "before-import") }
            _ = try store.write(marks, as: .imported) { known, new in known.stays(.file, for: new) }
        }
        if global.json { return try global.output.write(document: summary) }
        try global.output.write("\(summary.sentence); imported. \"adhan-companion undo\" undoes it\n")
    }

    /// Asks for the order of day and month if the file leaves it open and a person is at the terminal.
    private func askOrder(_ reader: LogImport, _ bytes: [UInt8]) throws(LogRefusal) -> DateOrder? {
        guard case .open(let example) = try reader.order(in: bytes, file: file), Question.canAsk else {
            return nil
        }
        let readings = DateOrder.allCases.compactMap { order in order.date(example).map { (order, "\($0)") } }
        return Question.choose("Which day is \(example)?", readings.map(\.1)).map { readings[$0].0 }
    }
}

extension DateOrder: ExpressibleByArgument {}

/// The changes made by an import.
private struct ImportSummary: Encodable {
    let entries: Int
    let new: Int
    /// Entries that differ from those in the log, or contain more.
    let replaced: Int
    let first: String?
    let last: String?

    init(_ marks: [Mark], known: [Mark]) {
        var present: [Int: Mark] = [:]
        for mark in known { present[mark.slot.index] = mark }
        entries = marks.count
        new = marks.count { present[$0.slot.index] == nil }
        replaced = marks.count { mark in
            present[mark.slot.index].map { $0 != mark && !$0.stays(.file, for: mark) } ?? false
        }
        first = marks.first?.slot.date.description
        last = marks.last?.slot.date.description
    }

    var changes: Int { new + replaced }

    var sentence: String {
        "\(entries) entr\(entries == 1 ? "y" : "ies") from \(first ?? "") to \(last ?? ""), \(new) of them new"
            + (replaced > 0 ? ", \(replaced) in place of others" : "")
    }
}

struct Export: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Prints the whole log: what was marked, and what was missed.",
        discussion: "What \"import\" reads again and comes out the same.")

    enum Format: String, CaseIterable, ExpressibleByArgument {
        case csv, json
    }

    @OptionGroup var global: CompanionOptions

    @Option(help: "csv or json.")
    var format: Format?

    func run() throws {
        let person = try global.person(in: .english)
        let store = try person.store()
        let marks = try logged { () throws(LogRefusal) in try store?.marks() ?? [] }
        let documents = LogExport.documents(marks, Logbook(marks, today: person.times.today()))
        guard format ?? (global.json ? .json : .csv) == .json else {
            return try global.output.write(Array(LogExport.csv(documents).utf8))
        }
        guard let json = try? LogExport.json(documents) else {
            throw Refusal(.failed, "cannot write the log as JSON")
        }
        try global.output.write(json)
    }
}

struct Erase: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "erase",
        abstract: "Removes the log, its backups and everything else that was kept, for good.",
        discussion: "The one command that \"undo\" does not undo; \"export\" first keeps a copy.")

    @OptionGroup var global: CompanionOptions

    @Flag(help: "Do not ask.")
    var yes = false

    func run() throws {
        let directory = Paths.userData(.process)
        guard
            yes
                || Question.canAsk
                    && Question.confirm(
                        "Remove the log in \(directory) for good, with all copies? Nothing brings it back.")
        else {
            throw Refusal(
                Question.canAsk ? .failed : .usage,
                "nothing was removed"
                    + (Question.canAsk ? "" : "; say --yes to remove the log in \(directory)"))
        }
        let removed: [String]
        do throws(FileError) {
            removed = try LogStore.erase(directory: directory) + KeptFiles.erase(directory: directory)
        } catch {
            throw Refusal(.failed, error.message)
        }
        if global.json { return try global.output.write(document: ["removed": removed]) }
        try global.output.write(
            removed.isEmpty ? "there was nothing to remove\n" : removed.map { "removed \($0)\n" }.joined())
    }
}
