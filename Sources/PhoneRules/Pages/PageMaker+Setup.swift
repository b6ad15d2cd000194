internal import Languages
internal import PrayerEngine

/// The set-up, with one question per page.
extension PageMaker {
    private static var steps: [PhoneSetupDraft.Step] { [.place, .method, .asr, .loudspeaker, .volume] }

    func setup(_ facts: SetupFacts) -> [HTML] {
        let network = facts.offersNetwork ? [networkLink] : []
        // Naming a network needs no fresh code, and a person without one may have come for that.
        guard context.isFresh else { return [freshNeeded] + network }
        var content: [HTML] = []
        let step = facts.step == .town ? .place : facts.step
        if !facts.isOfLoudspeaker, let index = Self.steps.firstIndex(of: step) {
            content.append(.element("p", [], [number("\(index + 1) / \(Self.steps.count)")]))
        }
        if let town = facts.town { content.append(.element("p", [("class", "next")], [number(town)])) }
        content += facts.step == .done ? summary(facts) : question(facts)
        return content + again(facts) + network
    }

    private var networkLink: HTML {
        .element(
            "p", [], [.element("a", [("href", Route.path(of: .network))], [.text(context.text("network"))])])
    }

    /// The buttons to go back one question, or to start again.
    private func again(_ facts: SetupFacts) -> [HTML] {
        guard facts.step != .place else { return [] }
        let ways = [("back", "step-back"), ("again", "start-again")]
        return [
            .element(
                "div", [("class", "row ways")],
                ways.map { act(.answerSetup, [("step", $0.0)], context.text($0.1)) })
        ]
    }

    private func question(_ facts: SetupFacts) -> [HTML] {
        if let asked = facts.asked {
            let once = [("step", PhoneSetupDraft.Step.loudspeaker.rawValue), ("device", asked)]
            return [
                heading(context.text("do-you-hear")),
                .element("p", [], [loudspeaker(facts.device ?? asked, facts)]),
                answer(asked),
                act(.answerSetup, once, context.text("play-tone")),
            ]
        }
        let step = facts.step
        let label = context.text("setup-\(step == .town ? "place" : step.rawValue)")
        var button = context.text("continue")
        let field: HTML
        switch step {
        case .place:
            field = self.field(
                "place", label,
                [
                    ("required", ""), ("maxlength", "100"), ("autocomplete", "off"),
                    ("placeholder", "Bradford, GB"),
                ])
        case .volume:
            field = self.field(
                "volume", "\(label) (%)", type: "number", value: facts.chosen,
                [("min", "0"), ("max", "100"), ("required", "")])
        case .asr:
            field = choice(
                "asr", label, facts.options.map { ($0.value, context.text("asr-\($0.value)")) },
                chosen: facts.chosen)
        case .loudspeaker:
            let same = [("", asNow(facts))]
            field = choice(
                "device", label, facts.options.map { ($0.value, device($0)) } + same, chosen: facts.chosen,
                areNames: true)
            button = context.text("play-tone")
        case .town, .method, .done:
            let options = facts.options.map {
                ($0.value, $0.value == "auto" ? context.text("as-usual-there") : $0.text)
            }
            field = choice(step.rawValue, label, options, chosen: facts.chosen, areNames: true)
        }
        let asked = form(.answerSetup, [hidden("step", step.rawValue), field], button)
        return step == .loudspeaker && facts.wasUnheard ? [paragraph("check-speaker"), asked] : [asked]
    }

    private func device(_ option: SetupFacts.Option) -> String {
        option.isSilent ? "\(option.text) · \(context.text("outcome-silent"))" : option.text
    }

    private func answer(_ device: String) -> HTML {
        .element(
            "div", [("class", "row")],
            [("yes", "yes"), ("no", "no")].map { value, key in
                act(.heard, [("device", device), ("heard", value)], context.text(key))
            })
    }

    /// An answer after the words of its question.
    private func named(_ key: String, _ answer: HTML) -> HTML {
        .joined([.text(context.text(key) + ": "), answer])
    }

    private func loudspeaker(_ text: String, _ facts: SetupFacts) -> HTML {
        text.isEmpty ? .text(asNow(facts)) : number(text)
    }

    private func asNow(_ facts: SetupFacts) -> String {
        let names = facts.outputs.joined(separator: ", ")
        return context.text("as-now") + (names.isEmpty ? "" : " (\(names))")
    }

    /// A prayer's volume, or the notice that it is silent.
    private func volume(_ percent: Int?) -> HTML {
        guard let percent else { return .text("–") }
        let silent = percent == 0 ? [HTML.text(" · " + context.text("outcome-silent"))] : []
        return .joined([number("\(percent)")] + silent)
    }

    /// The language that the screen will have, if it is about to change.
    private func screen(_ facts: SetupFacts) -> HTML? {
        guard facts.screen?.change(to: context.language.code) != nil else { return nil }
        return named("screen-language", number(context.language.name))
    }

    private func summary(_ facts: SetupFacts) -> [HTML] {
        let today =
            facts.isOfLoudspeaker
            ? []
            : [
                section(
                    context.text("today"),
                    [
                        table(
                            [context.text("prayer"), context.text("time"), context.text("setup-volume")],
                            facts.times.map {
                                [.text(prayer($0.prayer)), number($0.time), volume($0.volume)]
                            }
                        )
                    ])
            ]
        return [
            list(
                [
                    facts.method.map {
                        named(
                            "setup-method", $0 == "auto" ? .text(context.text("as-usual-there")) : number($0)
                        )
                    },
                    facts.asr.map { named("setup-asr", .text(context.text("asr-\($0.rawValue)"))) },
                    facts.device.map { named("setup-loudspeaker", loudspeaker($0, facts)) },
                    screen(facts),
                ].compactMap { $0 })
        ] + today + [
            paragraph("not-in-force"),
            act(.answerSetup, [("step", PhoneSetupDraft.Step.done.rawValue)], context.text("save")),
        ]
    }
}
