internal import Languages
internal import PrayerEngine

/// Makes pages: their frame and the parts that they share.
struct PageMaker {
    let context: PageContext

    init(_ context: PageContext) { self.context = context }

    private static let pages: [(Route.Name, String, Role)] = [
        (.now, "now", .household), (.week, "week", .household), (.friday, "", .household),
        (.ramadan, "", .household),
        (.announcements, "announcements", .household), (.sounds, "sounds", .household),
        (.timetable, "timetable", .household), (.settings, "settings", .household),
        (.health, "health", .household),
        (.log, "log", .household), (.setup, "setup", .keeper), (.network, "network", .keeper),
        (.messages, "messages", .keeper),
        (.phones, "phones", .keeper),
    ]

    func document(_ page: Page, title: String, head: [HTML], content: [HTML]) -> HTML {
        // The answer to a form scrolls to the refused field, if there is one.
        let hasField = content.contains { $0.fragment.contains(" id=\"\(Self.answerPart)\"") }
        let main =
            [HTML.element("h1", [], [.text(title)])] + notice(on: page.route, isFirst: !hasField) + content
        return .element(
            "html", [("lang", context.language.code), ("dir", context.language.direction)],
            [
                .element(
                    "head", [],
                    [
                        .element("meta", [("charset", "utf-8")]),
                        .element(
                            "meta", [("name", "viewport"), ("content", "width=device-width,initial-scale=1")]),
                        .element("title", [], [.text(title)]),
                        .element("link", [("rel", "stylesheet"), ("href", Route.path(of: .style))]),
                        .element("script", [("src", Route.path(of: .script)), ("defer", "")]),
                    ] + head),
                .element("body", [], [menu(page.route), .element("main", [], main)]),
            ])
    }

    /// One row: the first page, the current page, and a button that shows all pages that this phone may open. A scrolling bar
    /// would hide most of them, and rows of all of them would hide the page.
    private func menu(_ current: Route.Name?) -> HTML {
        guard let role = context.role else { return .empty }
        let open = Self.pages.filter { $0.2 <= role }
        func link(_ page: Route.Name, _ text: String, part: String = "", isCurrent: Bool) -> HTML {
            let mark = isCurrent ? [("aria-current", "page")] : []
            return .element("a", [("href", context.link(to: page) + part)] + mark, [.text(text)])
        }
        let links = open.flatMap { page, _, _ in
            let own = link(page, name(of: page), isCurrent: page == current)
            // People look for the iqama by its name, although it is part of the week.
            let iqama = link(
                .week, context.language.phrase("iqama"), part: "#\(Self.iqamaPart)", isCurrent: false)
            return page == .week ? [own, iqama] : [own]
        }
        let other = open.map(\.0).first { $0 == current && $0 != .now }
        let own = other.map { [link($0, name(of: $0), isCurrent: true)] } ?? []
        let all = HTML.element(
            "details", [],
            [.element("summary", [], [.text(context.text("pages"))]), .element("div", [], links)])
        return .element(
            "nav", [("aria-label", context.text("pages"))],
            [link(.now, name(of: .now), isCurrent: current == .now)] + own + [all])
    }

    /// The part of the week's page about congregations.
    static let iqamaPart = "iqama"

    /// The name of a page of the menu.
    func name(of page: Route.Name) -> String {
        switch page {
        case .friday: prayer("jumua")
        case .ramadan: ramadanName
        case .pair: context.text("pair")
        default: context.text(Self.pages.first { $0.0 == page }?.1 ?? "now")
        }
    }

    private func notice(on route: Route.Name?, isFirst: Bool) -> [HTML] {
        guard let notice = context.notice else { return [] }
        // The next question shows that an answer was kept. "Done" would mean that the set-up is finished.
        if route == .setup, notice.content == .done(.done) { return [] }
        let text: String
        let kind: String
        switch notice.content {
        case .done(let done): (text, kind) = (context.text(done.rawValue), "done")
        case .problem(let problem): (text, kind) = (word(problem), "problem")
        }
        let isProblem = kind == "problem" || notice.shortfall != nil || notice.isSilent
        // The sentence already contains the name.
        let by =
            (notice.content == .problem(.claimed) ? nil : notice.by).map {
                [
                    HTML.text(" · "),
                    $0 == context.phone?.name ? .text(context.text("this-phone")) : number($0),
                ]
            } ?? []
        let key = notice.key.map { [HTML.text(" · "), name(ofKey: $0)] } ?? []
        let reason = notice.reason.map { [HTML.element("p", [], [english($0)])] } ?? []
        let silence =
            notice.isSilent
            ? [
                HTML.element(
                    "p", [("class", "problem")], [.text(context.language.phrase("alert-no-sound-now"))])
            ]
            : []
        let later = notice.awaitsTrial ? [paragraph("tried-later")] : []
        // If another phone was faster, this line explains how to pair this one.
        let way = notice.content == .problem(.claimed) ? [paragraph("pair-help")] : []
        let sentences = (context.language.code == "en" ? notice.details : []) + notice.problems
        let details: [HTML] =
            steps(of: notice) + silence + later + way + sentences.map { HTML.element("p", [], [english($0)]) }
        let lines: [HTML]
        if let shortfall = notice.shortfall {
            let why = HTML.element("p", [("class", "problem")], [.text(word(shortfall))] + by + key)
            lines = [.element("p", [], [.text(text)])] + details + [why]
        } else {
            lines = [.element("p", [], [.text(text)] + by + key)] + details
        }
        let undos: [HTML] =
            (notice.undo.map { [undo($0, back: notice.page)] } ?? [])
            + (notice.handUndo.map { [undo(hand: $0, back: notice.page)] } ?? [])
        var attributes = [("class", kind), ("role", isProblem ? "alert" : "status")]
        if isFirst { attributes.append(("id", Self.answerPart)) }
        return [.element("div", attributes, lines + reason + undos)]
    }

    // MARK: Words

    func word(_ problem: PageProblem) -> String {
        switch problem {
        case .noSound: return context.language.phrase("sound-failed")
        case .claimed:
            return context.language.phrase(problem.rawValue, ["name": context.notice?.by ?? "–"])
        case .wait:
            let minutes = max(1, ((context.waitSeconds ?? 60) + 59) / 60)
            return
                "\(context.text(problem.rawValue)) \(context.language.text(.minutes, ["n": "\(minutes)"]))"
        default: return context.text(problem.rawValue)
        }
    }

    func prayer(_ name: String) -> String { context.language.prayers[name] ?? name }

    var ramadanName: String { context.language.hijriMonths.dropFirst(8).first ?? "Ramadan" }

    /// A date such as `2026-11-24` in the reader's language, or the text itself if it is not a date.
    func date(_ text: String) -> String {
        guard let date = CivilDate(String(text.prefix(10))), context.language.months.count == 12,
            context.language.weekdays.count == 7
        else { return text }
        return context.language.date.replacing("{weekday}", with: context.language.weekdays[date.weekday - 1])
            .replacing("{day}", with: "\(date.day)")
            .replacing("{month}", with: context.language.months[date.month - 1])
            .replacing("{year}", with: "\(date.year)")
    }

    func weekday(_ text: String) -> String {
        guard let date = CivilDate(text), context.language.weekdays.count == 7 else { return text }
        return context.language.weekdays[date.weekday - 1]
    }

    /// Isolates numbers and times, which keep their direction within text of any direction.
    func number(_ text: String) -> HTML { .element("bdi", [], [.text(text)]) }

    /// A sentence of adhand or the name of a key, marked as English.
    func english(_ text: String) -> HTML {
        .element("bdi", context.language.code == "en" ? [] : [("lang", "en"), ("dir", "ltr")], [.text(text)])
    }

    func code(_ text: String) -> HTML { .element("code", [("dir", "ltr"), ("lang", "en")], [.text(text)]) }

    /// A phrase with one number or name that keeps its direction.
    func phrase(_ text: String, _ blank: String, _ value: String) -> HTML {
        let parts = text.split(separator: "{\(blank)}", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { return .text(text) }
        return .joined([.text(String(parts[0])), number(value), .text(String(parts[1]))])
    }

    // MARK: Blocks

    func heading(_ text: String, id: String? = nil) -> HTML {
        .element("h2", id.map { [("id", $0)] } ?? [], [.text(text)])
    }

    func paragraph(_ key: String) -> HTML { .element("p", [], [.text(context.text(key))]) }

    func section(_ title: String, _ content: [HTML]) -> HTML {
        .element("section", [], [heading(title)] + content)
    }

    var none: HTML { paragraph("none") }

    /// The part of a list that the request asks for, and buttons for the other parts.
    func part<Item>(_ items: [Item], of most: Int, _ page: Route.Name) -> (ArraySlice<Item>, [HTML]) {
        let from = items.indices.contains(context.from) ? context.from / most * most : 0
        let shown = items.dropFirst(from).prefix(most)
        guard items.count > most else { return (shown, []) }
        let buttons = stride(from: 0, to: items.count, by: most).filter { $0 != from }.map { first in
            HTML.element(
                "button", [("name", "from"), ("value", "\(first)")],
                [number("\(first + 1)–\(min(first + most, items.count))")])
        }
        let form = HTML.element(
            "form", [("method", "get"), ("action", Route.path(of: page)), ("class", "row")], buttons)
        let here = HTML.element(
            "p", [], [number("\(from + 1)–\(from + shown.count) / \(items.count)")])
        return (shown, [here, form])
    }

    func list(_ items: [HTML]) -> HTML {
        items.isEmpty ? none : .element("ul", [], items.map { .element("li", [], [$0]) })
    }

    func table(_ heads: [String], _ rows: [[HTML]]) -> HTML {
        guard !rows.isEmpty else { return none }
        let head = heads.map { HTML.element("th", [("scope", "col")], [.text($0)]) }
        let body = rows.map { row in
            HTML.element(
                "tr", [],
                row.enumerated().map { index, cell in
                    index == 0 ? .element("th", [("scope", "row")], [cell]) : .element("td", [], [cell])
                })
        }
        return .element(
            "div", [("class", "wide")],
            [
                .element(
                    "table", [],
                    [.element("thead", [], [.element("tr", [], head)]), .element("tbody", [], body)])
            ])
    }
}
