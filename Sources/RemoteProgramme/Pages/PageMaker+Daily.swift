internal import Languages
internal import PrayerEngine
internal import Protocol
internal import Settings
internal import Texts

/// The pages of every day.
extension PageMaker {
    // MARK: Now

    func now(_ facts: NowFacts) -> [HTML] {
        let stop = facts.isPlaying ? [act(.stop, [], context.language.say("touch-stop"))] : []
        // Times are what most people open the page for; a mute that holds stands above them, and a link leads to the buttons.
        let times = facts.awaiting == .place ? [mute(facts)] : [today(facts), mute(facts)]
        return clock(facts) + fault(facts) + stop + muted(facts.mute) + times
            + outputs(facts)
            + [test(back: .now)] + leave() + [language(.now)]
    }

    /// Nothing is called before somebody has named the place; a keeper's phone can.
    private var placeNeeded: HTML { needed(context.language.say("alert-no-place"), .setup) }

    /// A line about what is missing, which leads a keeper's phone to where it is mended.
    private func needed(_ words: String, _ page: Route.Name) -> HTML {
        let link = HTML.element("a", [("href", Route.path(of: page))], [.text(words)])
        return .element("p", [("class", "problem")], [context.role == .keeper ? link : .text(words)])
    }

    private func clock(_ facts: NowFacts) -> [HTML] {
        switch facts.awaiting {
        case .place: return [placeNeeded]
        case .clock:
            return [needed(context.write("awaits-clock"), .network), .element("p", [], [.text(facts.place)])]
        case nil: break
        }
        let place = HTML.element("p", [], [.text(facts.place), .text(" · "), number(facts.now)])
        let doubt =
            facts.isClockTrusted
            ? [] : [HTML.element("p", [("class", "problem")], [.text(context.language.say("alert-clock"))])]
        guard let next = facts.next else { return [place] + doubt }
        let line = HTML.element(
            "p", [("class", "next")],
            [
                .text(prayer(next.prayer)), .text(" "), number(next.time), .text(" · "),
                number(span(next.seconds)),
            ])
        return [line, place] + doubt
    }

    /// The way to what is wrong.
    private func fault(_ facts: NowFacts) -> [HTML] {
        guard facts.hasFault else { return [] }
        let words = "\(context.write("verdict-fault")) · \(name(of: .health))"
        let link = HTML.element("a", [("href", Route.path(of: .health))], [.text(words)])
        return [.element("p", [("class", "problem")], [link])]
    }

    /// `1 h 24 min` in the units of the language.
    func span(_ seconds: Double) -> String {
        guard seconds.isFinite, (0..<1e7).contains(seconds) else { return "" }
        let (hours, minutes) = (Int(seconds) / 3600, Int(seconds) / 60 % 60)
        let parts = [
            hours > 0 ? context.language.text(.hours, ["n": "\(hours)"]) : "",
            hours > 0 && minutes == 0 ? "" : context.language.text(.minutes, ["n": "\(minutes)"]),
        ]
        return parts.filter { !$0.isEmpty }.joined(separator: " ")
    }

    /// The mute that holds, with its way out; else the way to the buttons, which are below the times.
    private func muted(_ mute: NowFacts.Mute) -> [HTML] {
        guard mute.active else {
            let address = "\(Route.path(of: .now))#\(Self.mutePart)"
            return [.element("p", [], [.element("a", [("href", address)], [.text(context.write("mute"))])])]
        }
        let text = mute.until.map { until in
            let end = [until, mute.day.map(date)].compactMap { $0 }.joined(separator: " · ")
            return phrase(context.language.say("alert-mute"), "time", end)
        }
        let line = text ?? .text(context.language.say("alert-mute-open"))
        let by = mute.by.map { [HTML.text(" · "), number($0)] } ?? []
        let name = mute.prayer.map { [HTML.text(" · \(prayer($0))")] } ?? []
        return [
            .element("p", [("class", "state")], [line] + name + by),
            act(.unmute, [], context.language.say("touch-unmute")),
        ]
    }

    /// The part of the first page with the lengths of a mute.
    static let mutePart = "mute"

    private func mute(_ facts: NowFacts) -> HTML {
        let times = Self.muteLengths.map { length in
            act(.mute, [("for", length)], span(DurationText.parse(length) ?? 0))
        }
        let next = [act(.mute, [("until", "next")], context.language.say("touch-mute-next"))]
        // Until a time of the clock only a clock that is right can count.
        let until =
            facts.isClockTrusted
            ? [
                form(
                    .mute,
                    [
                        within(.mute).field(
                            "until", context.write("until"), type: "time", [("required", "")])
                    ],
                    context.write("mute"))
            ]
            : []
        let row = HTML.element("div", [("class", "row")], times + next)
        return .element(
            "section", [], [heading(context.write("mute"), id: Self.mutePart), row] + until)
    }

    private static var muteLengths: [String] { ["30m", "1h", "2h"] }

    /// Each output by its name, with a mute of its own that ends by itself.
    private func outputs(_ facts: NowFacts) -> [HTML] {
        guard !facts.outputs.isEmpty else { return [] }
        let items = facts.outputs.map { output -> HTML in
            var words = [number(output.name)]
            if output.hasFailed { words += [.text(" · \(context.language.say("alert-no-sound-now"))")] }
            if output.isMuted {
                let end = output.quietUntil.map { phrase(context.language.say("alert-mute"), "time", $0) }
                words += [.text(" · "), end ?? .text(context.language.say("alert-mute-open"))]
            } else if let quiet = output.quiet {
                words += [.text(" · \(outcome(.silent)) · "), number(quiet)]
                if let until = output.quietUntil { words += [.text(" – "), number(until)] }
            }
            let undo =
                output.isMuted ? [button(.unmute, output.name, [], context.language.say("touch-unmute"))] : []
            let times = Self.muteLengths.map { length in
                button(.mute, output.name, [("for", length)], span(DurationText.parse(length) ?? 0))
            }
            let isWrong = output.hasFailed || output.quiet != nil
            return .joined([
                .element("p", isWrong ? [("class", "state")] : [], words),
                .element("p", [], [.text(context.write("mute"))]),
                .element("div", [("class", "row")], undo + times),
            ])
        }
        return [section(context.write("setup-loudspeaker"), [list(items)])]
    }

    /// A button about one output, which says so to whoever does not see what it stands beside.
    private func button(
        _ act: Route.Name, _ output: String, _ fields: [(String, String)], _ text: String
    ) -> HTML {
        let label = act == .mute ? "\(context.write("mute")) \(text)" : text
        return .element(
            "form", [("method", "post"), ("action", Self.address(of: act))],
            ([("output", output)] + fields).map { hidden($0.0, $0.1) } + [
                .element("button", [("aria-label", "\(label): \(output)")], [.text(text)])
            ])
    }

    private func today(_ facts: NowFacts) -> HTML {
        let rows = facts.today.map { entry -> [HTML] in
            let name = prayer(entry.prayer)
            let other = entry.enabled ? "no" : "yes"
            let label = context.write(entry.enabled ? "switch-off" : "switch-on")
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
        let iqama = facts.iqama.isEmpty ? "" : " / \(context.language.say("iqama"))"
        return section(
            context.write("today"),
            [
                table(
                    [
                        context.write("prayer"), context.write("time") + iqama, context.write("heard"),
                        context.language.say("adhan"),
                    ], rows)
            ])
    }

    private func stage(_ stage: PrayerStage, in facts: NowFacts) -> String {
        switch stage {
        case .beforeStart, .passed: "–"
        // By a clock that is not believed nothing is to come.
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
        case .upcoming, .muted, .missed, .partial: context.write("outcome-\(outcome.rawValue)")
        case .playing: context.write("outcome-playing")
        case .played: context.write("heard")
        case .disabled: context.write("outcome-disabled")
        case .silent, .quiet: context.write("outcome-silent")
        case .skipped: context.write("outcome-skipped")
        case .failed: context.write("outcome-failed")
        case .interrupted: context.write("outcome-interrupted")
        }
    }

    func test(back page: Route.Name) -> HTML {
        section(
            context.write("test"),
            [form(.test, [back(page), within(.test).prayers()], context.write("play-briefly"))])
    }

    private func leave() -> [HTML] {
        guard let phone = context.phone else { return [] }
        let role = context.write(phone.role.rawValue)
        return [
            section(
                context.write("this-phone"),
                [
                    .element("p", [], [number(phone.name), .text(" · "), .text(role)]),
                    act(.leave, [], context.write("leave")),
                ])
        ]
    }

    /// A choice of language; the address alone says it, so that no act is needed.
    private func language(_ page: Route.Name) -> HTML {
        let options = Language.names.map { ($0.code, $0.name) }
        return .element(
            "form", [("method", "get"), ("action", Route.path(of: page))],
            [
                choice("lang", context.write("language"), options, chosen: context.language.code),
                button(context.write("choose")),
            ])
    }

    // MARK: Pairing

    func pair(_ facts: PairFacts) -> [HTML] {
        let takesWords = facts.takesWords || facts.namesNetwork
        let code = field(
            "code", context.write(takesWords ? "code-or-word" : "code"),
            [
                ("inputmode", takesWords ? "text" : "numeric"), ("autocomplete", "one-time-code"),
                ("maxlength", "\(takesWords ? PairingWord.longest : 6)"),
                ("autocapitalize", "none"), ("dir", "ltr"), ("autofocus", ""),
            ])
        let name = field(
            "name", context.write("phone-name"), value: context.phone?.name ?? facts.suggestedName,
            [("required", ""), ("maxlength", "\(PhoneName.longest)"), ("autocomplete", "off")])
        let form = HTML.element(
            "form", [("method", "post"), ("action", Self.address(of: .enterCode)), ("id", "pair")],
            [
                .element("input", [("type", "hidden"), ("name", "key"), ("value", "")])
            ] + (facts.hasJoined ? [] : [code]) + [name, button(context.write("pair"))])
        let words =
            facts.namesNetwork ? "pair-help-network" : facts.takesWords ? "pair-help-words" : "pair-help"
        let help = HTML.element("p", [("id", "pair-help")], [.text(context.write(words))])
        if facts.hasJoined { return [paragraph("claim-help"), form, language(.pair)] }
        return [help, form] + (facts.isSecure ? [] : [paragraph("shared-wifi")])
    }

    // MARK: Week

    func week(_ facts: WeekFacts) -> [HTML] {
        let names = facts.days.first?.times.map(\.prayer) ?? []
        let rows = facts.days.map { day in
            let name = HTML.joined([
                .text(weekday(day.date)), .element("br"), number(String(day.date.suffix(5))),
            ])
            return [name] + day.times.map(cell)
        }
        // On Fridays its prayer stands in the column of Dhuhr.
        let heads = [context.write("day")] + names.map { prayer($0 == "jumua" ? "dhuhr" : $0) }
        let both = "\(context.language.say("adhan")) / \(context.language.say("iqama"))"
        let hasIqama = facts.days.contains { $0.times.contains { $0.iqama != nil } }
        let days = (hasIqama ? [.element("p", [], [.text(both)])] : []) + [table(heads, rows)]
        return (facts.awaitsPlace ? [placeNeeded] : days)
            + (facts.settings.map { [iqama($0, facts.changes)] } ?? []) + [exceptions(facts)]
    }

    /// The rules, which hold on every day; and from a date on.
    private func iqama(_ facts: SettingsFacts, _ changes: [RowFacts]) -> HTML {
        let rules = keys(facts.keys, facts.change, back: .week)
        let list =
            changes.isEmpty ? [] : [self.rows(changes, of: SettingsWish.iqamaKey, facts.change, back: .week)]
        let name = context.language.say("iqama")
        let title = [heading("\(name) · \(context.write("every-day"))", id: Self.iqamaPart), rules]
        guard context.role == .keeper else { return .element("section", [], title + list) }
        let own = within(.set)
        let fields = [
            hidden("expect", "\(facts.change)"), back(.week),
            own.prayers(TimetableColumn.prayers.map(\.rawValue)),
            own.field(
                "iqama", name,
                [("placeholder", "+20 / 20:45"), ("dir", "ltr"), ("required", ""), ("maxlength", "40")]),
            own.date(context.write("from"), name: "from"),
            own.date(context.write("until"), name: "until", isRequired: false),
        ]
        return .element(
            "section", [],
            title + [heading("\(name) · \(context.write("from"))")] + list
                + [form(.set, fields, context.write("save"))])
    }

    private func cell(_ time: WeekFacts.Time) -> HTML {
        let mark = time.isException ? "*" : ""
        let iqama = time.iqama.map { [HTML.element("br"), number($0)] } ?? []
        return .joined([number((time.adhan ?? "–") + mark)] + iqama)
    }

    /// As many as a page has room for.
    private static var mostExceptions: Int { 20 }

    private func exceptions(_ facts: WeekFacts) -> HTML {
        let (shown, more) = part(facts.exceptions, of: Self.mostExceptions, .week)
        let items = shown.map { entry -> HTML in
            let times = [entry.adhan, entry.iqama].compactMap { $0 }.joined(separator: " / ")
            let reason = entry.reason.map { [HTML.text(" · "), number($0)] } ?? []
            let remove =
                context.role == .keeper
                ? [
                    act(
                        .removeException, [("date", entry.date), ("prayer", entry.prayer)],
                        context.write("remove"))
                ] : []
            let line = [
                HTML.text("* "), .text(prayer(entry.prayer)), .text(" · "), .text(date(entry.date)),
                .text(" · "),
            ]
            return .joined([.element("p", [], line + [number(times)] + reason)] + remove)
        }
        guard context.role == .keeper else {
            return section(context.write("exceptions"), [list(items)] + more)
        }
        let own = within(.exception)
        let fields = [
            own.date(context.write("date"), value: facts.days.first?.date ?? ""), own.prayers(),
            own.time("adhan", context.language.say("adhan")),
            own.time("iqama", context.language.say("iqama")),
            own.field("reason", context.write("reason"), [("maxlength", "100")]),
        ]
        return section(
            context.write("exceptions"),
            [list(items)] + more + [
                form(.exception, fields, context.write("save")), paragraph("one-exception"),
            ]
                + byHand(facts.hand, back: .week))
    }

    // MARK: Log, problems

    func log(_ facts: LogFacts) -> [HTML] {
        let heads = ["date", "prayer", "time", "heard"].map { context.write($0) }
        return [
            table(
                heads,
                facts.entries.map {
                    [number($0.date), .text(prayer($0.prayer)), number($0.time), .text(outcome($0.outcome))]
                })
        ]
    }

    func problem(_ problem: PageProblem) -> [HTML] {
        // A refusal of before the cookie was read knows no phone; the pages of keepers are not for everybody.
        let isOpen = context.role == .keeper || ![.setup, .phones].contains(context.back)
        let way = isOpen ? context.back ?? .now : .now
        // Both ask for a code from the room.
        let back = [.unpaired, .fresh].contains(problem) ? .pair : way
        let link = HTML.element("a", [("href", Route.path(of: back))], [.text(name(of: back))])
        return [.element("p", [], [link])]
    }
}
