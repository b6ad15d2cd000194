import ArgumentParser
import CommandKit
import Host
import Languages
import LogStore
import PrayerEngine
import PrayerLog
import Settings
import Texts

struct Prayed: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "prayed",
        abstract: "Marks a prayer: the one whose time it is, or the one that is named.",
        discussion: """
            Without --at it was now; with --date, and without --at, it was in its time. After its time and on its day it is \
            late, and later made up. On a day on which something is marked, a prayer that is not is missed when its time ends; \
            isha's ends at fajr. Marking it again replaces what was marked; --undo gives back what was before.
            """)

    @OptionGroup var global: CompanionOptions

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

    @Flag(
        help:
            "Not owed: travel, illness, menses. Without a prayer whole days, also to come; what was prayed stays prayed."
    )
    var excused = false

    @Flag(help: "Give back what was before the last change; with --excused of excused prayers alone.")
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
        let person = try global.quietPerson()
        let today = person.times.today()
        let marking = Marking(today: today, zone: person.times.zone, windows: person.times.windows)
        let request = try request(today.date)
        person.warnOfPlace()
        if undo {
            return try undoMarks(
                try person.allowed { () throws(MarkRefusal) in try marking.slots(request) }, person)
        }
        try mark(
            try person.allowed { () throws(MarkRefusal) in try marking.marks(request, source: .command) },
            request,
            person)
    }

    private func request(_ today: CivilDate) throws(Refusal) -> MarkRequest {
        var request = MarkRequest(status: excused ? .excused : late ? .late : madeUp ? .madeUp : nil)
        if let prayer {
            guard let found = Spelling.prayer(prayer) else {
                let near = NearestName.of(prayer, among: Prayer.allCases.map(\.rawValue))
                throw Refusal(
                    .usage,
                    "\"\(prayer)\" is not a prayer"
                        + (near.map { "; did you mean \"\($0)\"?" }
                            ?? "; the prayers are fajr, dhuhr, asr, maghrib, isha and jumua"))
            }
            request.prayer = found
        }
        do throws(OptionError) {
            request.date = try date.map { text throws(OptionError) in
                try DateSelection.day(text, "--date", today: today)
            }
            request.until = try until.map { text throws(OptionError) in
                try DateSelection.day(text, "--until", today: today)
            }
        } catch {
            throw Refusal(.usage, error.message)
        }
        // An excuse without a prayer applies to the whole day.
        if excused, request.prayer == nil, request.date == nil { request.date = today }
        if let at {
            let parts = Spelling.timeOfDay(at)?.split(separator: ":").compactMap { Int($0) }
            guard let parts, parts.count >= 2 else {
                throw Refusal(.usage, "--at must be a time of day such as 05:40, not \"\(at)\"")
            }
            request.timeOfDay = parts[0] * 3600 + parts[1] * 60 + (parts.count > 2 ? parts[2] : 0)
        }
        return request
    }

    private func mark(_ marks: [Mark], _ request: MarkRequest, _ person: Person) throws {
        let keeping: Mark.Keeping =
            excused && request.prayer == nil
            ? .wholeDays : .command(isPlain: request.status == nil, namesInstant: at != nil)
        let store = try person.storeForWriting()
        let change = try logged { () throws(LogRefusal) in
            try store.write(marks) { known, new in known.stays(keeping, for: new) }
        }
        try person.show(change, store, global)
        if let mark = change.slots.first?.after, mark.status == .late, request.status == nil,
            request.timeOfDay == nil, let end = mark.window?.end, !global.json
        {
            let time = InstantText.minute(end, in: person.times.zone)
            StandardError.write(
                "adhan-companion: "
                    + person.words.text(.endedBefore, ["time": time, "option": "--at hh:mm"]))
        }
    }

    private func undoMarks(_ slots: [PrayerSlot], _ person: Person) throws {
        let store = try person.store(isToChange: true)
        let change = try logged { () throws(LogRefusal) in
            try store?.undoMarks(slots, from: excused ? .excused : nil)
                ?? LogChange(kind: .undone, slots: [], kept: [])
        }
        try person.show(change, store, global, title: change.slots.isEmpty ? nil : .undone)
    }
}
