internal import Languages
internal import Protocol
internal import Texts

/// Muting on the first page, for all outputs or for one.
extension PageMaker {
    /// The mute in force with a button to end it, or else a link to the buttons below the times.
    func muted(_ mute: NowFacts.Mute) -> [HTML] {
        guard mute.active else {
            let address = "\(Route.path(of: .now))#\(Self.mutePart)"
            return [.element("p", [], [.element("a", [("href", address)], [.text(context.text("mute"))])])]
        }
        let text = mute.until.map { until in
            let end = [until, mute.day.map(date)].compactMap { $0 }.joined(separator: " · ")
            return phrase(context.language.phrase("alert-mute"), "time", end)
        }
        let line = text ?? .text(context.language.phrase("alert-mute-open"))
        let by = mute.by.map { [HTML.text(" · "), number($0)] } ?? []
        let name = mute.prayer.map { [HTML.text(" · \(prayer($0))")] } ?? []
        return [
            .element("p", [("class", "state")], [line] + name + by),
            act(.unmute, [], context.language.phrase("touch-unmute")),
        ]
    }

    /// The part of the first page with the buttons for muting.
    static let mutePart = "mute"

    func mute(_ facts: NowFacts) -> HTML {
        let times = Self.muteLengths.map { length in
            act(.mute, [("for", length)], span(DurationText.parse(length) ?? 0))
        }
        let next = [act(.mute, [("until", "next")], context.language.phrase("touch-mute-next"))]
        // Muting until a time of day needs a clock that is right.
        let until =
            facts.isClockTrusted
            ? [
                form(
                    .mute,
                    [
                        within(.mute).field(
                            "until", context.text("until"), type: "time", [("required", "")])
                    ],
                    context.text("mute"))
            ]
            : []
        let row = HTML.element("div", [("class", "row")], times + next)
        return .element(
            "section", [], [heading(context.text("mute"), id: Self.mutePart), row] + until)
    }

    private static var muteLengths: [String] { ["30m", "1h", "2h"] }

    /// Each output by its name, with a mute of its own.
    func outputs(_ facts: NowFacts) -> [HTML] {
        guard !facts.outputs.isEmpty else { return [] }
        let items = facts.outputs.map { output -> HTML in
            var words = [number(output.name)]
            if output.hasFailed { words += [.text(" · \(context.language.phrase("alert-no-sound-now"))")] }
            if output.isMuted {
                let end = output.quietUntil.map { phrase(context.language.phrase("alert-mute"), "time", $0) }
                words += [.text(" · "), end ?? .text(context.language.phrase("alert-mute-open"))]
            } else if let quiet = output.quiet {
                words += [.text(" · \(outcome(.silent)) · "), number(quiet)]
                if let until = output.quietUntil { words += [.text(" – "), number(until)] }
            }
            let undo =
                output.isMuted
                ? [button(.unmute, output.name, [], context.language.phrase("touch-unmute"))] : []
            let times = Self.muteLengths.map { length in
                button(.mute, output.name, [("for", length)], span(DurationText.parse(length) ?? 0))
            }
            let isWrong = output.hasFailed || output.quiet != nil
            return .joined([
                .element("p", isWrong ? [("class", "state")] : [], words),
                .element("p", [], [.text(context.text("mute"))]),
                .element("div", [("class", "row")], undo + times),
            ])
        }
        return [section(context.text("setup-loudspeaker"), [list(items)])]
    }

    /// A button that concerns one output, and names it for readers who cannot see what it stands beside.
    private func button(
        _ act: Route.Name, _ output: String, _ fields: [(String, String)], _ text: String
    ) -> HTML {
        let label = act == .mute ? "\(context.text("mute")) \(text)" : text
        return .element(
            "form", [("method", "post"), ("action", Self.address(of: act))],
            ([("output", output)] + fields).map { hidden($0.0, $0.1) } + [
                .element("button", [("aria-label", "\(label): \(output)")], [.text(text)])
            ])
    }
}
