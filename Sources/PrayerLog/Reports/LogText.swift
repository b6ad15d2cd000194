package import Languages
package import PrayerEngine
package import Texts

/// The log for people: grids with a symbol for every prayer, or with `plain` sentences for a screen reader.
package struct LogText {
    private let log: Logbook
    private let streak: Streak
    private let words: Language
    private let plain: Bool

    package init(_ log: Logbook, _ streak: Streak, words: Language, plain: Bool) {
        self.log = log
        self.streak = streak
        self.words = words
        self.plain = plain
    }

    private static func sign(_ state: PrayerState) -> TextTable.Cell {
        switch state {
        case .prayed: TextTable.Cell("✓", .good)
        case .late: TextTable.Cell("~", .caution)
        case .madeUp: TextTable.Cell("+", .caution)
        case .missed: TextTable.Cell("✗", .alarm)
        case .excused: TextTable.Cell("–", .faint)
        case .open: TextTable.Cell("?", .heading)
        case .upcoming: TextTable.Cell("·", .faint)
        case .unlogged: TextTable.Cell("")
        }
    }

    // MARK: Days

    package func days(_ dates: [CivilDate], _ style: Style) -> String {
        if plain { return dates.map(sentence).joined() + streakLine + "\n" }
        var table = TextTable([.left, .left] + DailyPrayer.allCases.map { _ in .left } + [.left])
        table.add(["", ""] + DailyPrayer.allCases.map { TextTable.Cell(words.title($0), .faint) })
        var shown: Set<PrayerState> = []
        for date in dates {
            let states = log.states(on: date)
            shown.formUnion(states)
            let tone: Style.Tone = date == log.today.date ? .heading : .plain
            table.add(
                [TextTable.Cell(words.weekday(date), tone), TextTable.Cell(date.description, tone)]
                    + states.map(Self.sign) + [remark(date, states)])
        }
        let legend = PrayerState.allCases.filter { shown.contains($0) && $0 != .unlogged }.map {
            "\(Self.sign($0).text) \(words.state($0))"
        }
        return table.rendered(style)
            + (legend.isEmpty ? "" : "\n" + style(legend.joined(separator: "   "), .faint) + "\n")
            + streakLine + "\n"
    }

    private func remark(_ date: CivilDate, _ states: [PrayerState]) -> TextTable.Cell {
        switch streak.verdict(date, states) {
        case .frozen: TextTable.Cell(words.text(.freezeSpent), .caution)
        case .kept, .excused, .broken, .open, .unlogged: ""
        }
    }

    private func sentence(_ date: CivilDate) -> String {
        let states = log.states(on: date)
        let prayers = DailyPrayer.allCases.map { prayer in
            "\(words.title(PrayerSlot(date, prayer))) \(words.state(states[prayer.rawValue]))"
        }
        let frozen = streak.verdict(date, states) == .frozen ? "; \(words.text(.freezeSpent))" : ""
        return "\(words.weekday(date)) \(date): \(words.list(prayers))\(frozen).\n"
    }

    // MARK: Streak

    /// `Prayed today: 3 of 5, Days in a row: 12, Best: 40, Freezes held: 1.`
    private var streakLine: String {
        words.list([done, inARow, best, freezes] + goal) + "."
    }

    private var done: String { words.count(.doneToday, log.doneToday) }
    private var inARow: String { words.count(.inARow, streak.current) }
    private var best: String { words.count(.best, streak.best) }
    private var freezes: String { words.count(.freezes, streak.freezes) }
    private var goal: [String] { streak.goal == 5 ? [] : [words.count(.goal, streak.goal)] }

    package func streakText(_ style: Style) -> String {
        let since = streak.since.map { ", " + words.text(.since, ["date": $0.description]) } ?? ""
        var lines = [style(done, .heading), inARow + since, best, freezes]
        if let days = streak.untilFreeze { lines.append(words.count(.nextFreeze, days)) }
        if let last = streak.frozen.last {
            lines.append(words.text(.spent, ["n": String(streak.frozen.count), "date": last.description]))
        }
        return (lines + goal).map { $0 + "\n" }.joined()
    }

    // MARK: Badges

    package func badges(_ badges: [BadgeProgress], _ style: Style) -> String {
        if plain {
            return badges.map { progress in
                let badge = progress.badge
                let state =
                    progress.isEarned ? words.text(.earned) : "\(progress.count)/\(badge.needed)"
                return "\(words.title(badge)), \(state). \(words.meaning(badge)).\n"
            }.joined()
        }
        var table = TextTable([.left, .left, .right, .left])
        for progress in badges {
            let badge = progress.badge
            table.add([
                progress.isEarned ? TextTable.Cell("★", .good) : TextTable.Cell("☆", .faint),
                TextTable.Cell(words.title(badge), progress.isEarned ? .heading : .plain),
                progress.isEarned ? "" : TextTable.Cell("\(progress.count)/\(badge.needed)"),
                TextTable.Cell(words.meaning(badge), .faint),
            ])
        }
        return table.rendered(style)
    }

    // MARK: Figures

    package func statistics(_ statistics: Statistics?, _ style: Style) -> String {
        guard let statistics else {
            return words.text(.nothingLogged, ["command": "prayed"]) + "\n"
        }
        if plain { return sentences(statistics) }
        var table = TextTable([.left] + [TextTable.Alignment](repeating: .right, count: 6) + [.left])
        table.add(
            [""]
                + ([.onTime, .late, .madeUp, .missed, .excused] as [PersonalPhrase]).map {
                    TextTable.Cell(words.text($0), .faint)
                }
                + [
                    TextTable.Cell(words.text(.onTime) + " %", .faint),
                    TextTable.Cell(words.text(.when), .faint),
                ]
        )
        for prayer in DailyPrayer.allCases {
            let habit = statistics.habits[prayer.rawValue].map {
                "\(Self.bars($0)) \(halfWithin($0))"
            }
            table.add(
                Self.row(words.title(prayer), statistics.prayers[prayer.rawValue]) + [
                    TextTable.Cell(habit ?? "")
                ])
        }
        table.add(Self.row(words.text(.all), statistics.total))
        let hasBars = statistics.habits.contains { $0 != nil }
        let legend = hasBars ? style(words.text(.quarters), .faint) + "\n" : ""
        return style("\(statistics.first) – \(statistics.last)", .heading) + "\n" + table.rendered(style)
            + legend + streakLine + "\n"
    }

    private static func row(_ title: String, _ counts: Statistics.Counts) -> [TextTable.Cell] {
        let percent = counts.percent(counts.prayed).map { "\($0) %" } ?? ""
        return [TextTable.Cell(title)]
            + [counts.prayed, counts.late, counts.madeUp, counts.missed, counts.excused].map {
                TextTable.Cell("\($0)")
            }
            + [TextTable.Cell(percent)]
    }

    /// The quarters of the time as four bars.
    private static func bars(_ habit: Statistics.Habit) -> String {
        let most = max(1, habit.quarters.max() ?? 1)
        let signs = Array("▁▂▃▄▅▆▇█")
        return String(habit.quarters.map { signs[$0 * 7 / most] })
    }

    private func halfWithin(_ habit: Statistics.Habit) -> String {
        words.text(.halfWithin, ["span": words.span(Double(habit.medianMinutes) * 60)])
    }

    private func sentences(_ statistics: Statistics) -> String {
        var lines = ["\(statistics.first) – \(statistics.last)."]
        for prayer in DailyPrayer.allCases {
            let counts = statistics.prayers[prayer.rawValue]
            let figures: [(PersonalPhrase, Int)] = [
                (.onTime, counts.prayed), (.late, counts.late), (.madeUp, counts.madeUp),
                (.missed, counts.missed), (.excused, counts.excused),
            ]
            var parts = figures.map { "\(words.text($0)) \($1)" }
            if let percent = counts.percent(counts.prayed) {
                parts.append("\(words.text(.onTime)) \(percent) %")
            }
            if let habit = statistics.habits[prayer.rawValue] { parts.append(halfWithin(habit)) }
            lines.append("\(words.title(prayer)): \(words.list(parts)).")
        }
        return (lines + [streakLine]).map { $0 + "\n" }.joined()
    }
}
