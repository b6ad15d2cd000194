internal import Protocol

/// The timetable in force, and the latest upload.
extension PageMaker {
    func timetable(_ facts: TimetableFacts) -> [HTML] {
        var content = [facts.days > 0 ? span(facts.days, facts.first, facts.last) : none]
        guard context.role == .keeper else { return content }
        if facts.canBeUndone { content.append(act(.undoTimetable, [], context.write("undo"))) }
        if let pending = facts.pending {
            content.append(section(context.write("not-in-force"), waiting(pending)))
        }
        if facts.days > 0 {
            let remove = context.isFresh ? act(.removeTimetable, [], context.write("remove")) : freshNeeded
            content.append(section(context.write("remove"), [remove]))
        }
        let file = file(for: .uploadTimetable)
        return content + [
            section(
                context.write("add"),
                [form(.uploadTimetable, [file], context.write("upload"), isUpload: true)])
        ]
    }

    private func span(_ days: Int, _ first: String?, _ last: String?) -> HTML {
        let dates = [first, last].compactMap { $0 }.map(date).joined(separator: " – ")
        return .element(
            "p", [],
            [
                .text(context.write("days")), .text(": "), number("\(days)"),
                .text(dates.isEmpty ? "" : " · \(dates)"),
            ])
    }

    private func waiting(_ pending: TimetableFacts.Pending) -> [HTML] {
        var content: [HTML] = []
        if pending.days > 0 { content.append(span(pending.days, pending.first, pending.last)) }
        content += findings(pending.findings)
        content.append(answers(pending))
        guard pending.question == nil else { return content }
        let ways = Act.Replacement.allCases.map { ($0.rawValue, context.write("replace-\($0.rawValue)")) }
        let acceptForm = form(
            .takeTimetable,
            [hidden("mark", "\(pending.mark)"), choice("replace", context.write("replace"), ways)],
            context.write("accept"))
        return content + [context.isFresh ? acceptForm : freshNeeded]
    }

    /// The notice that a code from the room is needed first, with a link to its page.
    var freshNeeded: HTML {
        let link = HTML.element("a", [("href", Route.path(of: .pair))], [.text(context.write("pair"))])
        return .joined([paragraph(PageProblem.fresh.rawValue), .element("p", [], [link])])
    }

    /// The most findings shown on a page.
    private static var mostFindings: Int { 30 }

    private func findings(_ findings: [TimetableFacts.Pending.Finding]) -> [HTML] {
        guard !findings.isEmpty else { return [paragraph("no-findings")] }
        let items = findings.prefix(Self.mostFindings).map { finding -> HTML in
            let days = finding.from == finding.until ? [finding.from] : [finding.from, finding.until]
            let verdict = context.write(finding.isWarning ? "verdict-warning" : "verdict-note")
            return .joined([
                .element(
                    "p", [],
                    [
                        .element("strong", [], [.text(verdict)]), .text(" · "),
                        .text(context.write("finding-\(finding.kind)")), .text(" · "),
                        number(days.joined(separator: " – ")),
                    ]),
                .element("p", [], [english(finding.text)]),
            ])
        }
        let others = findings.count - Self.mostFindings
        return [list(items)] + (others > 0 ? [.element("p", [], [number("+ \(others)")])] : [])
    }

    /// Open questions, and answered ones whose answer can be changed.
    private func answers(_ pending: TimetableFacts.Pending) -> HTML {
        let same = [("", "–")]
        var fields: [HTML] = []
        switch pending.question {
        case .dates: fields.append(dates([]))
        case .asr:
            let schools = ["standard", "hanafi"].map { ($0, context.write("asr-\($0)")) }
            fields.append(choice("asr", context.write("setup-asr"), schools))
        case nil:
            let clocks = ["local", "winter", "summer"].map { ($0, context.write("clock-\($0)")) }
            fields = [
                choice("clock", context.write("question-clock"), same + clocks),
                choice("hours", context.write("question-hours"), same + [("24", "24"), ("12", "12")]),
                dates(same),
            ]
            fields.append(
                field("year", context.write("question-year"), [("inputmode", "numeric"), ("maxlength", "5")]))
        }
        let form = form(.answerTimetable, fields, context.write("continue"))
        guard pending.question == nil else {
            return .joined([paragraph(PageProblem.question.rawValue), form])
        }
        return .element(
            "details", [], [.element("summary", [], [.text(context.write("understand-otherwise"))]), form])
    }

    private func dates(_ same: [(String, String)]) -> HTML {
        let orders = ["day-month", "month-day"].map { ($0, context.write("dates-\($0)")) }
        return choice("dates", context.write("question-dates"), same + orders)
    }
}
