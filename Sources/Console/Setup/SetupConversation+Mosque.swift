import PrayerEngine
import Settings
import Texts
package import Times

/// Asks for the times that a mosque publishes, and for its iqamas.
extension SetupConversation {
    mutating func askTimetable(_ notices: [String] = [], asked: Bool = false) -> SetupTurn {
        let isGiven = given.timetable != nil || given.timetableKeeping != nil
        guard draft.inputs.acceptsTimetables, asked || !isGiven else { return askExceptions(notices) }
        if !draft.inputs.belongings.table.isEmpty { return askKeptTimetable(notices) }
        return askNewTimetable(notices)
    }

    mutating func askNewTimetable(_ notices: [String] = []) -> SetupTurn {
        stage = .timetable
        return ask(
            notices + [
                "",
                "Does your mosque publish its times? Give the file: CSV, JSON, or a folder or zip of its months.",
                "  adhand then calls by it, and computes what it does not have.",
            ], "Its file, or Enter to use the computed times", nil)
    }

    mutating func answerTimetable(_ text: String) -> SetupTurn {
        if text.isEmpty { return askExceptions() }
        return SetupTurn(
            ["  Reading it …"], .readTimetable(file: text.trimming { $0 == "\"" || $0 == "'" }))
    }

    /// Continues after ``SetupStep/readTimetable(file:)``.
    package mutating func timetableRead(_ outcome: TimetableOutcome) -> SetupTurn {
        keepQuestion(seen(outcome))
    }

    private mutating func seen(_ outcome: TimetableOutcome) -> SetupTurn {
        switch outcome {
        case .understood(let timetable):
            stage = .timetableSeen(timetable)
            return askSeen(timetable, timetable.lines)
        case .refused(let reason):
            return again(reason.capitalizedFirst.ended, askNewTimetable())
        }
    }

    private func askSeen(_ timetable: SetupTimetable, _ notices: [String] = []) -> SetupTurn {
        ask(notices, "Are these your mosque's times? y or n", timetable.warnings == 0 ? "y" : "n")
    }

    mutating func answerSeen(_ text: String, _ timetable: SetupTimetable) -> SetupTurn {
        guard let yes = YesOrNo(text, default: timetable.warnings == 0) else {
            return again("Please answer y (yes) or n (no).", askSeen(timetable))
        }
        guard yes.isYes else { return askNewTimetable() }
        draft.timetable = timetable
        return askExceptions()
    }

    /// A mosque's printed times need no correction.
    mutating func afterTimetable(_ notices: [String] = []) -> SetupTurn {
        draft.timetable == nil ? showTimes(notices) : askCongregation(notices)
    }

    // MARK: - The congregation

    /// Prayers whose iqama has no column in the timetable, in the order of the day.
    private var missingIqamas: [Prayer] {
        let columns = Set(draft.timetable?.table.columns ?? [])
        return TimetableColumn.prayers.filter { !columns.contains(.iqama($0, slot: 1)) }
    }

    mutating func askCongregation(_ notices: [String] = [], asked: Bool = false) -> SetupTurn {
        guard draft.inputs.acceptsTimetables, asked || given.iqama.isEmpty else {
            return askAlert(notices)
        }
        stage = .congregation
        return ask(
            notices + [
                "",
                "Iqama is when the congregation stands up. adhand can show it, and announce it where a sound is set.",
            ], "Is there a congregation? y or n", hasCongregation ? "y" : "n")
    }

    private var hasCongregation: Bool {
        draft.timetable != nil || !draft.iqama.isEmpty || !draft.inputs.config.iqama.isEmpty
    }

    mutating func answerCongregation(_ text: String) -> SetupTurn {
        guard let yes = YesOrNo(text, default: hasCongregation) else {
            return again("Please answer y (yes) or n (no).", askCongregation(asked: true))
        }
        guard yes.isYes else { return askAlert() }
        guard let first = missingIqamas.first else { return askFriday() }
        return askIqama(
            first,
            [
                "When does it stand up? A clock time (13:30), minutes after the adhan (+15m), an event of the day",
                "  (sunrise-40m), or - where there is none.",
            ])
    }

    private mutating func askIqama(_ prayer: Prayer, _ notices: [String] = []) -> SetupTurn {
        stage = .iqama(prayer)
        return ask(notices, "\(prayer.title)", draft.proposedIqama(prayer))
    }

    mutating func answerIqama(_ text: String, _ prayer: Prayer) -> SetupTurn {
        let wanted = text.isEmpty ? draft.proposedIqama(prayer) : text
        var notices: [String] = []
        if wanted == "-" {
            draft.iqama[prayer] = nil
        } else {
            do throws(IqamaError) {
                let reading = try IqamaReading(wanted, for: prayer)
                draft.iqama[prayer] = reading.time
                notices = (reading.note.map { ["  \($0)."] } ?? []) + doubts(of: reading.time, prayer)
            } catch {
                return again("\(prayer.title)'s iqama \(error.reason)".ended, askIqama(prayer))
            }
        }
        let rest = missingIqamas.drop { $0 != prayer }.dropFirst()
        guard let next = rest.first else { return askFriday(notices) }
        return askIqama(next, notices)
    }

    /// The problems of an iqama over a year, such as a fixed time that is before the prayer on some days.
    private func doubts(of time: IqamaTime, _ prayer: Prayer) -> [String] {
        guard let site = draft.site else { return [] }
        let today = site.zone.civilDate(of: draft.inputs.now)
        let calendar = IqamaCalendar(
            IqamaSettings(rules: [prayer: IqamaRule(at: time)]),
            table: draft.timetable?.table ?? PublishedTimetable(), site: site,
            years: [today.year, today.year + 1])
        return calendar.problems(from: today, days: 365).map { "  Note: \($0.text.ended)" }
    }
}

/// A timetable as it was understood, and the part of it that is shown.
package struct SetupTimetable: Sendable, Equatable {
    package let file: String
    /// The table, whose rows are labelled with their source.
    package let table: PublishedTimetable
    package let lines: [String]
    package let warnings: Int

    package init(file: String, table: PublishedTimetable, lines: [String], warnings: Int) {
        self.file = file
        self.table = table
        self.lines = lines
        self.warnings = warnings
    }
}

/// The outcome of a timetable.
package enum TimetableOutcome: Sendable, Equatable {
    case understood(SetupTimetable)
    case refused(reason: String)
}

extension SetupDraft {
    /// The file's value, if it is one word; else the common one.
    func proposedIqama(_ prayer: Prayer) -> String {
        if let time = iqama[prayer] ?? inputs.config.iqama.rules[prayer]?.at { return time.text }
        return switch prayer {
        case .fajr: "+20m"
        case .maghrib: "+5m"
        default: "+15m"
        }
    }

    /// The path of a prayer's rule: in a table of its own, where the file has one.
    func iqamaPath(_ prayer: Prayer) -> [String] {
        let path = ["iqama", prayer.rawValue]
        let inTable = path + ["at"]
        return inputs.text.map { ConfigEdit($0).has(inTable) } == true ? inTable : path
    }
}
