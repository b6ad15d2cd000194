internal import Languages

/// The page of health: what is wrong, and what somebody with a phone can do about it.
extension PageMaker {
    func health(_ facts: HealthFacts) -> [HTML] {
        [
            list(
                facts.checks.map { check in
                    let verdict = HTML.element(
                        "strong", [], [.text(context.write("verdict-\(check.verdict.rawValue)"))])
                    let word =
                        check.name == "mosque-times"
                        ? context.language.say("iqama")
                        : HealthFacts.words[check.name].map { context.write($0) }
                    let name = word.map { HTML.text($0) } ?? code(check.name)
                    // Everything else that a machine says is for the person who mends it.
                    let more = check.verdict == .good ? [] : advice(check)
                    return .joined([.element("p", [], [verdict, .text(" · "), name])] + more)
                } + (facts.offersMessages && context.role == .keeper ? [messages] : []))
        ]
    }

    /// A call for help needs a program with a network, which only root starts.
    private var messages: HTML {
        let offer = "A phone can learn when an adhan was not heard (package adhand-bridge)."
        return .joined([
            .element("p", [], [english(offer)]),
            .element(
                "p", [], [.text(context.write("ask-helper")), .text(": "), code("sudo adhanctl setup")]),
        ])
    }

    /// The reader's own way to mend it is a page; a command is for whoever can type one.
    private func advice(_ check: HealthFacts.Check) -> [HTML] {
        let message = check.message.isEmpty ? [] : [HTML.element("p", [], [english(check.message)])]
        if let page = HealthFacts.pages[check.name], context.role == .keeper || page == .now {
            let link = HTML.element("a", [("href", Route.path(of: page))], [.text(name(of: page))])
            return message + [.element("p", [], [link])]
        }
        let fix = check.fix.flatMap { $0.isEmpty ? nil : $0 }.map { [HTML.text(": "), code($0)] } ?? []
        return message + [.element("p", [], [.text(context.write("ask-helper"))] + fix)]
    }
}
