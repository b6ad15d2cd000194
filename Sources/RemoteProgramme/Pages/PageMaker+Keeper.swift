/// The pages by which a mosque decides.
extension PageMaker {
    // MARK: Settings

    func settings(_ facts: SettingsFacts) -> [HTML] {
        let sections = Array(Set(facts.keys.map(\.section))).sorted()
        let forms = sections.map { name in
            HTML.element(
                "details", [],
                [
                    .element("summary", [], [code(name)]),
                    keys(facts.keys.filter { $0.section == name }, facts.change),
                ])
        }
        return forms + [changes(facts)]
    }

    /// One form for the keys that this phone may set, and lines for the others.
    func keys(_ keys: [SettingsFacts.Key], _ change: Int) -> HTML {
        let open = keys.filter { mayChange($0) }
        let fields = open.flatMap { [field(of: $0), hidden(Act.shownPrefix + $0.key, $0.value)] }
        let form =
            open.isEmpty
            ? [] : [self.form(.set, [hidden("expect", "\(change)")] + fields, context.write("save"))]
        let closed = keys.filter { !mayChange($0) }.map { key in
            let why = key.state == .pinned ? context.write(PageProblem.pinned.rawValue) : ""
            return HTML.joined([code("\(key.key) = \(key.value)"), .text(why.isEmpty ? "" : " · " + why)])
        }
        return .joined(form + (closed.isEmpty ? [] : [list(closed)]))
    }

    private func mayChange(_ key: SettingsFacts.Key) -> Bool {
        guard key.state != .pinned, let role = context.role else { return false }
        return switch key.right {
        case .household: true
        case .keeper: role == .keeper
        case .fresh: role == .keeper && context.isFresh
        }
    }

    private func field(of key: SettingsFacts.Key) -> HTML {
        let field: HTML
        switch key.kind {
        case "flag":
            field = choice(
                key.key, key.key, [("true", context.write("yes")), ("false", context.write("no"))],
                chosen: key.value)
        case "volume":
            field = self.field(
                key.key, key.key, type: "number", value: key.value,
                [("min", "0"), ("max", "100")])
        default:
            field = self.field(key.key, key.key, value: key.value, [("dir", "ltr")])
        }
        let state =
            key.state.map { $0 == .set ? [] : [HTML.element("p", [], [.text(stateText($0))])] } ?? []
        let isRefused = context.refused?.field == key.key
        let allowed = isRefused ? [HTML.element("p", [], [english(key.allowed)])] : []
        return .joined([field] + allowed + state)
    }

    private func stateText(_ state: SettingsFacts.State) -> String {
        switch state {
        case .set: context.write("saved")
        case .pinned: context.write(PageProblem.pinned.rawValue)
        case .superseded: context.write("state-superseded")
        case .invalid: context.write("state-invalid")
        case .unknown: context.write("state-unknown")
        }
    }

    private func changes(_ facts: SettingsFacts) -> HTML {
        section(
            context.write("changes"),
            [
                list(
                    facts.changes.map { change in
                        let time = String(change.at.prefix(16)).replacing("T", with: " ")
                        let steps = change.steps.map { HTML.element("p", [], [code($0)]) }
                        return .joined(
                            [.element("p", [], [number(time), .text(" · "), number(change.by)])] + steps + [
                                undo(change.number)
                            ])
                    })
            ])
    }

    func friday(_ facts: FridayFacts) -> [HTML] { [keys(facts.settings.keys, facts.settings.change)] }

    func ramadan(_ facts: RamadanFacts) -> [HTML] {
        let today = HTML.element("p", [("class", "next")], [.text(facts.today)])
        guard context.role == .keeper else {
            return [today, keys(facts.settings.keys, facts.settings.change)]
        }
        let options = Act.Sighting.allCases.map { ($0.rawValue, context.write("hijri-\($0.rawValue)")) }
        let moon = form(
            .hijri,
            [
                choice("do", context.write("new-moon"), options),
                date(context.write("date"), isRequired: false),
            ],
            context.write("save"))
        return [
            today, section(context.write("new-moon"), [moon]),
            keys(facts.settings.keys, facts.settings.change),
        ]
    }

    // MARK: Phones

    func phones(_ facts: PhonesFacts) -> [HTML] {
        let items = facts.phones.map { phone -> HTML in
            let words = [
                context.write(phone.role.rawValue), "\(context.write("paired")): \(date(phone.paired))",
            ]
            let last = "\(context.write("last-used")): \(date(phone.seen))"
            let own =
                phone.id == context.phone?.id ? [HTML.text(" · "), .text(context.write("this-phone"))] : []
            return .joined([
                .element("p", [], [.element("strong", [], [number(phone.name)])] + own),
                .element("p", [], [.text((words + [last]).joined(separator: " · "))]),
                act(.revoke, [("id", phone.id)], context.write("remove")),
            ])
        }
        return [list(items)]
    }

    // MARK: Announcements and sounds

    /// As many as a page has room for.
    private static var mostAnnouncements: Int { 30 }
    private static var shownOfText: Int { 120 }

    func announcements(_ facts: AnnouncementsFacts) -> [HTML] {
        let isKeeper = context.role == .keeper
        let shown = facts.entries.prefix(Self.mostAnnouncements)
        let items = shown.enumerated().map { index, entry -> HTML in
            let isLong = entry.text.count > Self.shownOfText
            let text = isLong ? entry.text.prefix(Self.shownOfText) + "…" : entry.text[...]
            let until = " · \(context.write("until")) \(date(String(entry.until.prefix(10))))"
            let fields = [("index", "\(index)"), ("mark", entry.mark)]
            let remove = isKeeper ? [act(.removeAnnouncement, fields, context.write("remove"))] : []
            return .joined([.element("p", [], [number(String(text)), .text(until)])] + remove)
        }
        let others = facts.entries.count - shown.count
        let more = others > 0 ? [HTML.element("p", [], [number("+ \(others)")])] : []
        guard isKeeper else { return [list(items)] + more }
        let places = ["board", "bar", "screen"].map { place in
            box("show", place, context.write("show-\(place)"), isChecked: place == "board")
        }
        let group = HTML.element(
            "fieldset", [], [.element("legend", [], [.text(context.write("shown-where"))])] + places)
        let fields = [
            area("text", context.write("text"), longest: ActFields.longestAnnouncement),
            date(context.write("from"), name: "from", isRequired: false),
            date(context.write("until"), name: "until"), group,
        ]
        let picture = form(
            .picture,
            [field("file", context.write("file"), type: "file", [("accept", "image/*"), ("required", "")])],
            context.write("upload"), isUpload: true)
        return [list(items)] + more + [
            section(context.write("add"), [form(.announcement, fields, context.write("save"))]),
            section(context.write("picture"), [picture]),
        ]
    }

    func sounds(_ facts: SoundsFacts) -> [HTML] {
        let isKeeper = context.role == .keeper
        let items = facts.sounds.map { sound -> HTML in
            let names = sound.prayers.map(prayer).joined(separator: ", ")
            let remove =
                isKeeper && context.isFresh && !sound.isShipped
                ? [act(.removeSound, [("name", sound.name)], context.write("remove"))] : []
            let line = HTML.element("p", [], [number(sound.name), .text(names.isEmpty ? "" : " · \(names)")])
            return .joined([line] + remove)
        }
        guard isKeeper else { return [list(items)] }
        let none = [("", context.write("no-prayer"))]
        let prayers = ["fajr", "dhuhr", "asr", "maghrib", "isha", "jumua"].map { ($0, prayer($0)) }
        let fields = [
            field("name", context.write("name"), [("required", ""), ("maxlength", "40")]),
            choice("prayer", context.write("prayer"), none + prayers),
            field("file", context.write("file"), type: "file", [("accept", "audio/*"), ("required", "")]),
        ]
        return [
            list(items),
            section(context.write("add"), [form(.sound, fields, context.write("upload"), isUpload: true)]),
        ]
    }

    // MARK: Timetable

    func timetable(_ facts: TimetableFacts) -> [HTML] {
        var content = [facts.current.map { .element("p", [], [english($0)]) } ?? none]
        if !facts.findings.isEmpty { content.append(list(facts.findings.map(english))) }
        guard context.role == .keeper else { return content }
        if !facts.questions.isEmpty {
            let fields = facts.questions.map {
                choice($0.name, $0.text, $0.answers.map { ($0.value, $0.text) })
            }
            content.append(form(.answerTimetable, fields, context.write("continue")))
        }
        if facts.canBeTaken {
            let ways = Act.Replacement.allCases.map { ($0.rawValue, context.write("replace-\($0.rawValue)")) }
            let take = [
                paragraph("not-in-force"),
                form(
                    .takeTimetable, [choice("replace", context.write("replace"), ways)],
                    context.write("accept")),
            ]
            content += context.isFresh ? take : [paragraph(PageProblem.fresh.rawValue)]
        }
        if facts.canBeUndone { content.append(act(.undoTimetable, [], context.write("undo"))) }
        let file = field("file", context.write("file"), type: "file", [("required", "")])
        return content + [
            section(
                context.write("add"),
                [form(.uploadTimetable, [file], context.write("upload"), isUpload: true)])
        ]
    }

    // MARK: Setup

    func setup(_ facts: SetupFacts) -> [HTML] {
        guard context.isFresh else {
            let link = HTML.element("a", [("href", Route.path(of: .pair))], [.text(context.write("pair"))])
            return [paragraph(PageProblem.fresh.rawValue), .element("p", [], [link])]
        }
        if facts.step == .done { return summary(facts) }
        if let device = facts.device { return [heading(context.write("do-you-hear")), answer(device)] }
        let label = context.write("setup-\(facts.step.rawValue)")
        let options = facts.options.map { ($0, $0) }
        let field =
            switch facts.step {
            case .place where options.isEmpty:
                self.field("place", label, [("required", ""), ("maxlength", "100")])
            case .volume:
                self.field(
                    "volume", label, type: "number", value: facts.options.first ?? "50",
                    [("min", "0"), ("max", "100")])
            default: choice(facts.step.rawValue, label, options)
            }
        return [form(.answerSetup, [hidden("step", facts.step.rawValue), field], context.write("continue"))]
    }

    private func answer(_ device: String) -> HTML {
        .element(
            "div", [("class", "row")],
            [("yes", "yes"), ("no", "no")].map { value, key in
                act(.heard, [("device", device), ("heard", value)], context.write(key))
            })
    }

    private func summary(_ facts: SetupFacts) -> [HTML] {
        [
            table(
                [context.write("prayer"), context.write("time")],
                facts.times.map { [.text(prayer($0.prayer)), number($0.time)] }),
            act(.answerSetup, [("step", SetupFacts.Step.done.rawValue)], context.write("save")),
        ]
    }
}
