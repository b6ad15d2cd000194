internal import Languages

/// The page of health: what is wrong, and how a person with a phone can fix it.
extension PageMaker {
    func health(_ facts: HealthFacts) -> [HTML] {
        [
            list(
                facts.checks.map { check in
                    let verdict = HTML.element(
                        "strong", [], [.text(context.text("verdict-\(check.verdict.rawValue)"))])
                    let word =
                        check.name == "mosque-times"
                        ? context.language.phrase("iqama")
                        : HealthFacts.words[check.name].map { context.text($0) }
                    let name = word.map { HTML.text($0) } ?? code(check.name)
                    // A check that passed needs no details.
                    let more = check.verdict == .good ? [] : advice(check)
                    let output = check.output.map { [HTML.text(" · "), number($0)] } ?? []
                    return .joined([.element("p", [], [verdict, .text(" · "), name] + output)] + more)
                } + (context.role == .keeper ? [messages] : []))
        ]
    }

    /// The link to the page of messages, so that a fault is reported before a person looks here.
    private var messages: HTML {
        .element(
            "p", [], [.element("a", [("href", Route.path(of: .messages))], [.text(name(of: .messages))])])
    }

    /// The page on which the reader can fix it, or a command for someone at a terminal.
    private func advice(_ check: HealthFacts.Check) -> [HTML] {
        let message = check.message.isEmpty ? [] : [HTML.element("p", [], [english(check.message)])]
        if let page = HealthFacts.pages[check.name], context.role == .keeper || page == .now {
            let link = HTML.element("a", [("href", context.link(to: page))], [.text(name(of: page))])
            return message + [.element("p", [], [link])]
        }
        let fix = check.fix.flatMap { $0.isEmpty ? nil : $0 }.map { [HTML.text(": "), code($0)] } ?? []
        return message + [.element("p", [], [.text(context.text("ask-helper"))] + fix)]
    }
}
