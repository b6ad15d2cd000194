package import Languages
package import PrayerEngine
import Texts

/// The text of a command about the prayers that it marked or could not mark.
extension Language {
    package func text(_ refusal: MarkRefusal, in zone: Zone, today: CivilDate) -> String {
        switch refusal {
        case .noPrayerNamed:
            text(.namePrayer, ["names": list(DailyPrayer.allCases.map(\.name))])
        case .noFriday(let date):
            text(.noFriday, ["date": date.description, "prayer": title(.dhuhr)])
        case .noPrayerNow: text(.noPrayerNow, ["command": "prayed fajr"])
        case .notYet(let slot, let begins):
            text(.notYet, ["prayer": title(slot), "time": moment(begins, in: zone, today)])
        case .dayToCome(let date, let today):
            text(.toCome, ["time": date.description, "now": today.description])
        case .instantToCome(let instant, let now):
            text(.toCome, ["time": moment(instant, in: zone, today), "now": moment(now, in: zone, today)])
        case .clockNotSet(let now):
            text(.clockNotSet, ["date": zone.civilDate(of: now).description])
        case .endsBefore(let last, let first):
            text(.liesBefore, ["date": "--until \(last)", "other": first.description])
        case .tooEarly(let date, let first, let meant):
            text(.liesBefore, ["date": date.description, "other": "\(first)"])
                + (meant.map { " (\($0)?)" } ?? "")
        case .tooManyDays(let first, let last, let most):
            text(.moreThanDays, ["range": "\(first) – \(last)", "n": "\(most)"])
        }
    }

    /// `Asr 2026-11-20: late 18:05. Left as they were: 2`
    package func text(_ change: LogChange, in zone: Zone) -> String {
        var parts: [String] = []
        if !change.slots.isEmpty {
            parts.append(sameForAll(change.slots) ?? entries(change.slots, in: zone))
        } else if change.kept.count == 1, let mark = change.kept.first {
            parts += [entry(mark.slot, mark, in: zone) + " (\(text(.unchanged)))"]
        }
        if change.kept.count > 1 || change.kept.count == 1 && !change.slots.isEmpty {
            parts.append(count(.left, change.kept.count))
        }
        return parts.isEmpty ? text(.noMark) : parts.joined(separator: ". ")
    }

    /// `2026-11-18 – 2026-11-20: excused`, if several prayers have the same mark.
    private func sameForAll(_ slots: [LogChange.Slot]) -> String? {
        guard slots.count > 1, let first = slots.map(\.slot.date).min(),
            let last = slots.map(\.slot.date).max(),
            Set(slots.map { $0.after?.status }).count == 1, slots.allSatisfy({ $0.after?.at == nil })
        else { return nil }
        let range = first == last ? "\(first)" : "\(first) – \(last)"
        return "\(range): \(word(slots[0].after)) (\(count(.prayers, slots.count)))"
    }

    /// The largest number of names that can be read at a glance.
    private static let mostEntries = 5

    private func entries(_ slots: [LogChange.Slot], in zone: Zone) -> String {
        guard slots.count <= Self.mostEntries else { return count(.prayers, slots.count) }
        return list(slots.map { entry($0.slot, $0.after, in: zone) })
    }

    private func entry(_ slot: PrayerSlot, _ mark: Mark?, in zone: Zone) -> String {
        let at = mark?.at.map { " " + moment($0, in: zone, slot.date) } ?? ""
        return "\(title(slot)) \(slot.date): \(word(mark))\(at)"
    }

    private func word(_ mark: Mark?) -> String { state(mark.map { PrayerState($0.status) } ?? .unlogged) }

    /// A time of day, with its date where it differs from the day in question.
    private func moment(_ instant: Instant, in zone: Zone, _ date: CivilDate) -> String {
        let day = zone.civilDate(of: instant)
        return (day == date ? "" : "\(day) ") + InstantText.minute(instant, in: zone)
    }

    /// With the comma of the script.
    func list(_ items: [String]) -> String {
        items.joined(separator: ["ar", "fa", "ur"].contains(code) ? "، " : ", ")
    }
}
