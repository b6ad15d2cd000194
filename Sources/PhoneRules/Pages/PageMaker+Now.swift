internal import Languages
internal import Protocol
internal import Texts

/// The first page: the current state.
extension PageMaker {
    func now(_ facts: NowFacts) -> [HTML] {
        let stop = facts.isPlaying ? [act(.stop, [], context.language.phrase("touch-stop"))] : []
        // Most people open the page for the times. A mute in force is shown above them, and a link leads to the buttons.
        let times = facts.awaiting == .place ? [mute(facts)] : [today(facts), mute(facts)]
        return clock(facts) + fault(facts) + stop + muted(facts.mute) + times
            + outputs(facts)
            + [test(back: .now)] + leave() + [language(.now)]
    }

    /// The notice that nothing is called until the place is set, which a keeper's phone can do.
    var placeNeeded: HTML { hint(context.language.phrase("alert-no-place"), .setup) }

    /// A line about something missing, with a link for a keeper's phone to the page that fixes it.
    private func hint(_ words: String, _ page: Route.Name) -> HTML {
        let link = HTML.element("a", [("href", context.link(to: page))], [.text(words)])
        return .element("p", [("class", "problem")], [context.role == .keeper ? link : .text(words)])
    }

    private func clock(_ facts: NowFacts) -> [HTML] {
        switch facts.awaiting {
        case .place: return [placeNeeded]
        case .clock:
            let place = HTML.element("p", [], [number(facts.place)])
            return [hint(context.text("awaits-clock"), .network), place]
        case nil: break
        }
        let place = HTML.element("p", [], [number(facts.place), .text(" · "), number(facts.now)])
        let doubt =
            facts.isClockTrusted
            ? []
            : [HTML.element("p", [("class", "problem")], [.text(context.language.phrase("alert-clock"))])]
        guard let next = facts.next else { return [place] + doubt }
        let line = HTML.element(
            "p", [("class", "next")],
            [
                .text(prayer(next.prayer)), .text(" "), number(next.time), .text(" · "),
                number(span(next.seconds)),
            ])
        return [line, place] + doubt
    }

    /// The link to the page that reports what is wrong.
    private func fault(_ facts: NowFacts) -> [HTML] {
        guard facts.hasFault else { return [] }
        let words = "\(context.text("verdict-fault")) · \(name(of: .health))"
        let link = HTML.element("a", [("href", Route.path(of: .health))], [.text(words)])
        return [.element("p", [("class", "problem")], [link])]
    }

    /// A duration such as `1 h 24 min` in the reader's language.
    func span(_ seconds: Double) -> String {
        guard seconds.isFinite, (0..<1e7).contains(seconds) else { return "" }
        let (hours, minutes) = (Int(seconds) / 3600, Int(seconds) / 60 % 60)
        let parts = [
            hours > 0 ? context.language.text(.hours, ["n": "\(hours)"]) : "",
            hours > 0 && minutes == 0 ? "" : context.language.text(.minutes, ["n": "\(minutes)"]),
        ]
        return parts.filter { !$0.isEmpty }.joined(separator: " ")
    }

    private func today(_ facts: NowFacts) -> HTML {
        let rows = facts.today.map { entry -> [HTML] in
            let name = prayer(entry.prayer)
            let other = entry.enabled ? "no" : "yes"
            let label = context.text(entry.enabled ? "switch-off" : "switch-on")
            let iqama = facts.iqama[entry.prayer].map { [HTML.element("br"), number($0)] } ?? []
            let silent = (entry.silentOn ?? []).flatMap { output in
                [HTML.element("br"), number(output), .text(" · \(outcome(.silent))")]
            }
            return [
                .text(name), .joined([number(entry.time)] + iqama),
                .joined(
                    [.text(stage(entry.stage, in: facts))]
                        + (entry.quiet.map { [.text(" · "), number($0)] } ?? [])
                        + silent),
                .element(
                    "form", [("method", "post"), ("action", Self.address(of: .prayers))],
                    [
                        hidden("prayer", entry.prayer), hidden("enabled", other),
                        .element("button", [("aria-label", "\(label): \(name)")], [.text(label)]),
                    ]),
            ]
        }
        let iqama = facts.iqama.isEmpty ? "" : " / \(context.language.phrase("iqama"))"
        return section(
            context.text("today"),
            [
                table(
                    [
                        context.text("prayer"), context.text("time") + iqama, context.text("heard"),
                        context.language.phrase("adhan"),
                    ], rows)
            ])
    }

    private func stage(_ stage: PrayerStage, in facts: NowFacts) -> String {
        switch stage {
        case .beforeStart, .passed: "–"
        // While the clock is not trusted, no time is upcoming.
        case .upcoming where facts.awaiting != nil, .next where facts.awaiting != nil: "–"
        case .upcoming, .next: outcome(.upcoming)
        case .skipping, .skipped: outcome(.skipped)
        case .unheard, .failed: outcome(.failed)
        case .muted: outcome(.muted)
        case .playing: outcome(.playing)
        case .played: outcome(.played)
        case .partial: outcome(.partial)
        case .disabled: outcome(.disabled)
        case .silent, .quiet: outcome(.silent)
        case .interrupted: outcome(.interrupted)
        case .missed: outcome(.missed)
        }
    }

    func outcome(_ outcome: Outcome) -> String {
        switch outcome {
        case .upcoming, .muted, .missed, .partial: context.text("outcome-\(outcome.rawValue)")
        case .playing: context.text("outcome-playing")
        case .played: context.text("heard")
        case .disabled: context.text("outcome-disabled")
        case .silent, .quiet: context.text("outcome-silent")
        case .skipped: context.text("outcome-skipped")
        case .failed: context.text("outcome-failed")
        case .interrupted: context.text("outcome-interrupted")
        }
    }

    func test(back page: Route.Name) -> HTML {
        section(
            context.text("test"),
            [form(.test, [back(page), within(.test).prayers()], context.text("play-briefly"))])
    }

    private func leave() -> [HTML] {
        guard let phone = context.phone else { return [] }
        let role = context.text(phone.role.rawValue)
        return [
            section(
                context.text("this-phone"),
                [
                    .element("p", [], [number(phone.name), .text(" · "), .text(role)]),
                    act(.leave, [], context.text("leave")),
                ])
        ]
    }
}
