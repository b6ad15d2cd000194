internal import Protocol

/// The timetable in force, and the latest upload.
extension PageMaker {
    func timetable(_ facts: TimetableFacts) -> [HTML] {
        var content = [facts.days > 0 ? span(facts.days, facts.first, facts.last) : none]
        guard context.role == .keeper else { return content }
        if facts.canBeUndone { content.append(act(.undoTimetable, [], context.text("undo"))) }
        if let pending = facts.pending {
            content.append(section(context.text("not-in-force"), waiting(pending)))
        }
        if facts.days > 0 {
            let remove = context.isFresh ? act(.removeTimetable, [], context.text("remove")) : freshNeeded
            content.append(section(context.text("remove"), [remove]))
        }
        let file = file(for: .uploadTimetable)
        return content + [
            section(
                context.text("add"),
                [form(.uploadTimetable, [file], context.text("upload"), isUpload: true)])
        ]
    }

    private func span(_ days: Int, _ first: String?, _ last: String?) -> HTML {
        let dates = [first, last].compactMap { $0 }.map(date).joined(separator: " – ")
        return .element(
            "p", [],
            [
                .text(context.text("days")), .text(": "), number("\(days)"),
                .text(dates.isEmpty ? "" : " · \(dates)"),
            ])
    }

    private func waiting(_ pending: TimetableFacts.Pending) -> [HTML] {
        var content: [HTML] = []
        if pending.days > 0 { content.append(span(pending.days, pending.first, pending.last)) }
        content += findings(pending.findings)
        content.append(answers(pending))
        guard pending.question == nil else { return content }
        let ways = Act.Replacement.allCases.map { ($0.rawValue, context.text("replace-\($0.rawValue)")) }
        let acceptForm = form(
            .takeTimetable,
            [hidden("mark", "\(pending.mark)"), choice("replace", context.text("replace"), ways)],
            context.text("accept"))
        return content + [context.isFresh ? acceptForm : freshNeeded]
    }

    /// The notice that a code from the room is needed first, with a link to its page.
    var freshNeeded: HTML {
        let link = HTML.element("a", [("href", Route.path(of: .pair))], [.text(context.text("pair"))])
        return .joined([paragraph(PageProblem.fresh.rawValue), .element("p", [], [link])])
    }

    /// The most findings shown on a page.
    private static var mostFindings: Int { 30 }

    private func findings(_ findings: [TimetableFacts.Pending.Finding]) -> [HTML] {
        guard !findings.isEmpty else { return [paragraph("no-findings")] }
        let items = findings.prefix(Self.mostFindings).map { finding -> HTML in
            let days = finding.from == finding.until ? [finding.from] : [finding.from, finding.until]
            let verdict = context.text(finding.isWarning ? "verdict-warning" : "verdict-note")
            return .joined([
                .element(
                    "p", [],
                    [
                        .element("strong", [], [.text(verdict)]), .text(" · "),
                        .text(context.text("finding-\(finding.kind)")), .text(" · "),
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
            let schools = ["standard", "hanafi"].map { ($0, context.text("asr-\($0)")) }
            fields.append(choice("asr", context.text("setup-asr"), schools))
        case nil:
            let clocks = ["local", "winter", "summer"].map { ($0, context.text("clock-\($0)")) }
            fields = [
                choice("clock", context.text("question-clock"), same + clocks),
                choice("hours", context.text("question-hours"), same + [("24", "24"), ("12", "12")]),
                dates(same),
            ]
            fields.append(
                field("year", context.text("question-year"), [("inputmode", "numeric"), ("maxlength", "5")]))
        }
        let form = form(.answerTimetable, fields, context.text("continue"))
        guard pending.question == nil else {
            return .joined([paragraph(PageProblem.question.rawValue), form])
        }
        return .element(
            "details", [], [.element("summary", [], [.text(context.text("understand-otherwise"))]), form])
    }

    private func dates(_ same: [(String, String)]) -> HTML {
        let orders = ["day-month", "month-day"].map { ($0, context.text("dates-\($0)")) }
        return choice("dates", context.text("question-dates"), same + orders)
    }
}
