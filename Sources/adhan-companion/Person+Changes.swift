import CommandKit
import Host
import Languages
import LogStore
import PrayerEngine
import PrayerLog

/// Changes of the log, and the texts that describe them.
extension Person {
    /// Runs work that marks a prayer, and translates its refusals into the person's language.
    func allowed<Value>(_ body: () throws(MarkRefusal) -> Value) throws(Refusal) -> Value {
        do throws(MarkRefusal) {
            return try body()
        } catch {
            throw Refusal(.failed, words.text(error, in: times.zone, today: times.today().date))
        }
    }

    /// Marks a prayer as prayed now, after a press of a button.
    func mark(pressed slot: PrayerSlot) throws(Refusal) {
        let today = times.today()
        let marking = Marking(today: today, zone: times.zone, windows: times.windows)
        let request = MarkRequest(
            prayer: slot.prayer.prayer(on: slot.date), date: slot.date, instant: today.now)
        let marks = try allowed { () throws(MarkRefusal) in try marking.marks(request, source: .notification)
        }
        let store = try storeForWriting()
        try logged { () throws(LogRefusal) in
            // A command may have marked it meanwhile.
            _ = try store.write(marks) { known, new in known.stays(.press, for: new) }
        }
    }

    func step(
        _ title: PersonalPhrase, _ nothing: PersonalPhrase, _ global: CompanionOptions,
        _ body: (LogStore) throws(LogRefusal) -> LogChange?
    ) throws(Refusal) {
        let store = try store(isToChange: true)
        let change = try logged { () throws(LogRefusal) in
            guard let store else { return LogChange?.none }
            return try body(store)
        }
        guard let change else { throw Refusal(.failed, words.text(nothing)) }
        try show(change, store, global, title: title)
    }

    /// Shows the effect of a change on the log, and the state of the current day.
    func show(
        _ change: LogChange, _ store: LogStore?, _ global: CompanionOptions, title: PersonalPhrase? = nil
    ) throws(Refusal) {
        let log = try logbook(store)
        let streak = streak(log)
        if global.json { return try global.output.write(document: LogChangeDocument(change, log, streak)) }
        let what = words.text(change, in: times.zone)
        let parts =
            [
                title.map { "\(words.text($0)): \(what)" } ?? what,
                words.text(.doneToday, ["n": "\(log.doneToday)"]),
            ]
            + (streak.current > 0 ? [words.text(.inARow, ["n": "\(streak.current)"])] : [])
        try global.output.write(parts.joined(separator: ". ") + ".\n")
    }
}
