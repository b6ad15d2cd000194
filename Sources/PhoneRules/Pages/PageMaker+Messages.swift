internal import Languages
internal import Texts

/// The page of messages: their recipients, and three steps to receive them on this phone.
extension PageMaker {
    func messages(_ facts: MessagesFacts) -> [HTML] {
        guard let topic = facts.topic else {
            return [
                paragraph("messages-missing"),
                .element(
                    "p", [],
                    [
                        .text(context.text("ask-helper")), .text(": "),
                        code("sudo apt install adhand-bridge"),
                    ]),
            ]
        }
        return now(facts) + others(facts) + [offer(topic, facts)]
    }

    private func now(_ facts: MessagesFacts) -> [HTML] {
        guard let address = facts.address else { return [] }
        let ways = [("test", "messages-test"), ("remove", "remove")]
        let asleep =
            facts.isRunning
            ? []
            : [
                HTML.element(
                    "p", [("class", "problem")],
                    [
                        .text(context.text("messages-asleep")), .text(" "),
                        .text(context.text("ask-helper")), .text(": "),
                        code("sudo systemctl enable --now adhan-bridge"),
                    ])
            ]
        return [
            .element("p", [("class", "next")], named("messages-to", address))
        ] + asleep + [
            .element(
                "div", [("class", "row")],
                ways.map { act(.setMessages, [("do", $0.0)], context.text($0.1)) })
        ]
    }

    private func others(_ facts: MessagesFacts) -> [HTML] {
        guard !facts.others.isEmpty else { return [] }
        return [.element("p", [], named("messages-others", facts.others.joined(separator: ", ")))]
    }

    /// Names and addresses after the words for them.
    private func named(_ key: String, _ names: String) -> [HTML] {
        [.text(context.text(key)), .text(" "), number(names)]
    }

    private func offer(_ topic: NtfyTopic, _ facts: MessagesFacts) -> HTML {
        let steps = [
            [HTML.text(context.text("messages-app"))],
            [.text(context.text("messages-topic")), .text(" "), code(topic.name)],
            [.text(context.text("messages-try"))],
        ]
        let field = within(.setMessages).field(
            "address", context.text("messages-address"), value: topic.address,
            [("required", ""), ("maxlength", "1000"), ("dir", "ltr"), ("autocomplete", "off")])
        return section(
            context.text(facts.address == nil ? "messages-how" : "messages-other"),
            [
                .element("ol", [], steps.map { .element("li", [], $0) }),
                form(.setMessages, [hidden("do", "set"), field], context.text("messages-keep")),
                paragraph("messages-open"),
            ])
    }
}
