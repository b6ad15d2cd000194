import AdhanCore
import ArgumentParser
import Host
import LogStore
import PrayerEngine
import PrayerLog

struct Prayed: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Marks a prayer: the one whose time it is, or the one that is named.",
        discussion: """
            Without --at it was now; with --date, and without --at, it was in its time. After its time and on its day it is \
            late, and later made up. A prayer that is not marked is missed when its time ends; isha's ends at fajr. Marking it \
            anew replaces what was marked.
            """)

    @OptionGroup var global: GlobalOptions

    @Argument(
        help: "fajr, dhuhr (on Fridays also jumua), asr, maghrib or isha.",
        completion: .list(Prayer.allCases.map(\.rawValue)))
    var prayer: String?

    @Option(
        help: ArgumentHelp("The day, YYYY-MM-DD, today or yesterday.", valueName: "day"),
        completion: .list(["today", "yesterday"]))
    var date: String?

    @Option(
        help: ArgumentHelp("With --excused: the last of several days.", valueName: "day"),
        completion: .list(["today", "yesterday"]))
    var until: String?

    @Option(
        help: ArgumentHelp("When it was prayed, by the place's clocks.", valueName: "hh:mm"),
        completion: .list([]))
    var at: String?

    @Flag(help: "Prayed after its time, on its day.")
    var late = false

    @Flag(help: "Made up later (qada).")
    var madeUp = false

    @Flag(help: "Not owed: travel, illness, menses. Without a prayer whole days, which break nothing.")
    var excused = false

    @Flag(help: "Remove the mark.")
    var undo = false

    func validate() throws {
        let words = [(late, "--late"), (madeUp, "--made-up"), (excused, "--excused"), (undo, "--undo")]
            .filter(\.0).map(\.1)
        let isUndoOfExcuse = words == ["--excused", "--undo"]
        guard words.count < 2 || isUndoOfExcuse else {
            throw ValidationError("\(words[0]) and \(words[1]) exclude each other; give one of them")
        }
        if let word = words.first(where: { $0 != "--late" && $0 != "--made-up" }), at != nil {
            throw ValidationError("--at and \(word) exclude each other; give one of them")
        }
        if until != nil, !excused { throw ValidationError("--until goes with --excused") }
    }

    func run() throws {
        let person = try global.person()
        let today = person.times.today()
        let marking = Marking(today: today, zone: person.times.zone, windows: person.times.windows)
        let wish = try wish(today.date)
        try undo ? takeBack(wish, marking, person) : mark(wish, marking, person)
    }

    private func wish(_ today: CivilDate) throws(Refusal) -> MarkWish {
        var wish = MarkWish(status: excused ? .excused : late ? .late : madeUp ? .madeUp : nil)
        if let prayer {
            guard let found = Spelling.prayer(prayer) else {
                let near = NearestName.of(prayer, among: Prayer.allCases.map(\.rawValue))
                throw Refusal(
                    .usage,
                    "\"\(prayer)\" is not a prayer"
                        + (near.map { "; did you mean \"\($0)\"?" }
                            ?? "; the prayers are fajr, dhuhr, asr, maghrib, isha and jumua"))
            }
            wish.prayer = found
        }
        do throws(OptionError) {
            wish.date = try date.map { text throws(OptionError) in
                try DateSelection.day(text, "--date", today: today)
            }
            wish.until = try until.map { text throws(OptionError) in
                try DateSelection.day(text, "--until", today: today)
            }
        } catch {
            throw Refusal(.usage, error.message)
        }
        // An excuse without a prayer is of the day.
        if excused, wish.prayer == nil, wish.date == nil { wish.date = today }
        if let at {
            let parts = Spelling.timeOfDay(at)?.split(separator: ":").compactMap { Int($0) }
            guard let parts, parts.count >= 2 else {
                throw Refusal(.usage, "--at must be a time of day such as 05:40, not \"\(at)\"")
            }
            wish.timeOfDay = parts[0] * 3600 + parts[1] * 60 + (parts.count > 2 ? parts[2] : 0)
        }
        return wish
    }

    private func mark(_ wish: MarkWish, _ marking: Marking, _ person: Person) throws {
        let marks = try logged { () throws(LogRefusal) in try marking.marks(wish, source: .command) }
        let store = try person.storeForWriting()
        let before = try logged { () throws(LogRefusal) -> [Mark] in
            // What is marked alike keeps its instant.
            if marks.count == 1, at == nil, let known = try store.mark(marks[0].slot),
                known.status == marks[0].status
                    || wish.status == nil && known.status != .excused && known.status != .missed
            {
                return [known]
            }
            return try store.write(marks)
        }
        let log = try person.logbook(store)
        let streak = person.streak(log)
        let isSame = before.count == 1 && marks.count == 1 && (try? store.mark(marks[0].slot)) == before[0]
        let shown = isSame ? before : marks
        if global.json {
            return try Output.write(document: MarkedDocument(shown, isNew: !isSame, streak))
        }
        try Output.write(sentence(shown, isSame: isSame, person, streak) + "\n")
        if let mark = shown.first, !isSame, mark.status == .late, wish.status == nil, wish.timeOfDay == nil,
            let end = mark.window?.end
        {
            StandardError.say(
                "adhan-companion: its time ended at \(InstantText.minute(end, in: person.times.zone)); "
                    + "if it was prayed before, give --at")
        }
    }

    private func sentence(_ marks: [Mark], isSame: Bool, _ person: Person, _ streak: Streak) -> String {
        guard let first = marks.first?.slot, let last = marks.last?.slot else { return "nothing was marked" }
        let days = "streak: \(streak.current == 1 ? "1 day" : "\(streak.current) days")"
        guard marks.count == 1 else {
            let range = first.date == last.date ? "\(first.date)" : "\(first.date) to \(last.date)"
            return "\(range): \(marks[0].status.name); \(days)"
        }
        let at = marks[0].at.map { " at \(InstantText.minute($0, in: person.times.zone))" } ?? ""
        let already = isSame ? " already" : ""
        return
            "\(Self.title(first)) of \(first.date):\(already) \(marks[0].status.name)\(at); \(days)"
    }

    /// In the language of the sentence.
    private static func title(_ slot: PrayerSlot) -> String { slot.prayer.prayer(on: slot.date).title }

    private func takeBack(_ wish: MarkWish, _ marking: Marking, _ person: Person) throws {
        let slots = try logged { () throws(LogRefusal) in try marking.slots(wish) }
        let store = try person.store()
        let removed = try logged { () throws(LogRefusal) in try store?.remove(slots) ?? [] }
        let streak = person.streak(try person.logbook(store))
        if global.json { return try Output.write(document: MarkedDocument(removed, isNew: false, streak)) }
        guard let slot = slots.first else { return }
        let what = slots.count == 1 ? "\(Self.title(slot)) of \(slot.date)" : "\(slots.count) prayers"
        try Output.write(
            removed.isEmpty
                ? "\(what): there was no mark\n"
                : "\(what): unmarked\n"
        )
    }
}

/// `prayed --json`
private struct MarkedDocument: Encodable {
    let marks: [MarkDocument]
    /// Whether anything was written.
    let changed: Bool
    let streak: StreakDocument

    init(_ marks: [Mark], isNew: Bool, _ streak: Streak) {
        self.marks = marks.map { MarkDocument($0) }
        changed = isNew
        self.streak = StreakDocument(streak)
    }
}
