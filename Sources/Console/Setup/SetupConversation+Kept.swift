import PrayerEngine
import Texts
import Times

/// A timetable and times set by hand that are there already: after a move they may be another place's.
extension SetupConversation {
    mutating func askKeptTimetable(_ notices: [String] = []) -> SetupTurn {
        stage = .keptTimetable
        let move = draft.placeMove
        let table = draft.inputs.belongings.table
        let days = CountText.of(table.dated.count + table.everyYear.count, "day")
        let until = table.span.map { ", until \(LocalText.long($0.upperBound))" } ?? ""
        var lines = [
            "", "\((move?.timetable ?? "there is a timetable").capitalizedFirst) (\(days)\(until)).",
        ]
        if let site = draft.site,
            let mismatch = TimetableMismatch(
                table, at: site, from: site.zone.civilDate(of: draft.inputs.now)), mismatch.code == .sun
        {
            lines.append("  Here \(mismatch.sentence).")
        }
        return ask(
            notices + lines, "keep it, remove it, or replace it by another file?",
            move?.timetable == nil ? "keep" : "remove")
    }

    mutating func answerKeptTimetable(_ text: String) -> SetupTurn {
        let proposed = draft.placeMove?.timetable == nil ? KeepOrRemove.keep : .remove
        switch text.lowercased() {
        case "": return keepTimetable(proposed)
        case "keep", "k": return keepTimetable(.keep)
        case "remove", "r": return keepTimetable(.remove)
        case "replace":
            draft.timetableKeeping = nil
            return askNewTimetable()
        default:
            // A file may be named at once.
            guard text.contains("/") || text.contains(".") else {
                return again("Please answer keep, remove or replace.", askKeptTimetable())
            }
            return answerTimetable(text)
        }
    }

    private mutating func keepTimetable(_ keeping: KeepOrRemove) -> SetupTurn {
        draft.timetable = nil
        draft.timetableKeeping = keeping
        return askExceptions()
    }

    mutating func askExceptions(_ notices: [String] = []) -> SetupTurn {
        guard given.exceptionsKeeping == nil, let reason = draft.placeMove?.exceptions else {
            return afterTimetable(notices)
        }
        stage = .keptExceptions
        return ask(
            notices + ["", "\(reason.capitalizedFirst)."], "Are they meant here? keep or remove", "remove")
    }

    mutating func answerKeptExceptions(_ text: String) -> SetupTurn {
        switch text.lowercased() {
        case "keep", "k", "y", "yes": draft.exceptionsKeeping = .keep
        case "", "remove", "r", "n", "no": draft.exceptionsKeeping = .remove
        default: return again("Please answer keep or remove.", askExceptions())
        }
        return afterTimetable()
    }
}
