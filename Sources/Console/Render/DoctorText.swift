import Protocol
package import Texts

/// `adhanctl doctor` for people: a word for each verdict, the sentences, and the command on a line of its own.
package enum DoctorText {
    private static let column = 25

    package static func render(_ document: DoctorDocument, _ style: Style) -> String {
        document.checks.map { lines($0, style) }.joined() + "\n" + summary(document, style)
    }

    private static func lines(_ check: DoctorCheck, _ style: Style) -> String {
        let tone = tone(check.verdict)
        let blank = String(repeating: " ", count: column)
        let word = check.verdict.rawValue
        let title = check.name.title
        var text = style(word, tone) + padding(after: word, 9) + title + padding(after: title, column - 9)
        text += Wrapping.lines(check.message, indent: column).joined(separator: "\n" + blank) + "\n"
        // Not wrapped: a copied command must not contain a line's end.
        if let fix = check.fix { text += "\(blank)Try: \(style(fix, .heading))\n" }
        return text
    }

    private static func summary(_ document: DoctorDocument, _ style: Style) -> String {
        let problems = document.checks.count { $0.verdict == .problem }
        let warnings = document.checks.count { $0.verdict == .warning }
        let (some, all) = (Doctor.count(warnings, "warning"), Doctor.count(problems, "problem"))
        if problems > 0 {
            return style(warnings > 0 ? "\(all), \(some)." : "\(all).", .alarm) + "\n"
        }
        return warnings > 0
            ? style("No problem, \(some).", .caution) + "\n" : style("All is well.", .good) + "\n"
    }

    private static func padding(after text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(1, width - text.count))
    }

    private static func tone(_ verdict: DoctorCheck.Verdict) -> Style.Tone {
        switch verdict {
        case .ok: .good
        case .warning: .caution
        case .problem: .alarm
        }
    }
}
