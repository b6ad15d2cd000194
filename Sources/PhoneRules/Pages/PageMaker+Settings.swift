internal import Languages
internal import PrayerEngine
internal import Settings

/// Settings: all keys, and the latest changes.
extension PageMaker {
    func settings(_ facts: SettingsFacts) -> [HTML] {
        let volumes = facts.keys.filter { $0.kind == "volume" && mayChange($0) }
        let made = facts.keys.filter { $0.state != nil && !Self.isOfPlace($0.key) }
        let place = place(facts)
        var content: [HTML] = []
        if !volumes.isEmpty {
            content.append(
                section(context.text("setup-volume"), [keys(volumes, facts.change, back: .settings)]))
        }
        content += loudspeaker(facts)
        if let any = anyKey(facts) { content.append(any) }
        let lines =
            made.isEmpty && place != nil
            ? []
            : [
                form(
                    .set, [hidden("expect", "\(facts.change)"), back(.settings)],
                    around: list(made.map(changedSetting)))
            ]
        content.append(section(context.text("set-by-command"), lines + (place.map { [list([$0])] } ?? [])))
        return content + [changes(facts)]
    }

    /// The devices of the one output without a name, and a link to the choice of others, which is made by ear.
    private func loudspeaker(_ facts: SettingsFacts) -> [HTML] {
        guard context.role == .keeper, let key = facts.keys.first(where: { $0.key == "audio.devices" }),
            key.state != .pinned, key.value != "[]"
        else { return [] }
        let line = HTML.element("p", [], [number(plain(key.value, of: key.key))])
        let other = act(.answerSetup, [("step", "loudspeaker-alone")], context.text("choose"))
        return [section(context.text("setup-loudspeaker"), [line, other])]
    }

    private static func isOfPlace(_ key: String) -> Bool { key.hasPrefix("location.") || key == "timezone" }

    /// Name, coordinates, elevation and time zone form one place and are only set together.
    private func place(_ facts: SettingsFacts) -> HTML? {
        let keys = facts.keys.filter { $0.state != nil && Self.isOfPlace($0.key) }
        guard let first = keys.first else { return nil }
        func value(_ name: String) -> String? {
            keys.first { $0.key == "location.\(name)" }.map { plain($0.value, of: $0.key) }
        }
        let coordinates = [value("latitude"), value("longitude")].compactMap(\.self).joined(separator: ", ")
        let height = value("elevation").map { "\($0) m" }
        let zone = keys.first { $0.key == "timezone" }.map { plain($0.value, of: $0.key) }
        let shown = [value("name"), coordinates, height, zone].compactMap(\.self).filter { !$0.isEmpty }
        var words = [name(ofKey: "location.name"), .text(": "), number(shown.joined(separator: " · "))]
        if let by = first.by, !by.isEmpty { words += [.text(" · "), number(by)] }
        let states = Set(keys.compactMap(\.state)).subtracting([.set])
        words += states.map(stateText).sorted().map { .text(" · \($0)") }
        let line = HTML.element("p", [], words)
        guard keys.allSatisfy({ mayChange($0) }) else { return line }
        let fields = [("expect", "\(facts.change)"), (Act.pageField, Route.Name.settings.rawValue)]
        return .joined([line, act(.set, fields + keys.map { ($0.key, "") }, context.text("take-away"))])
    }

    /// A choice of one key among all that this phone may set, with the current value beside its name.
    private func anyKey(_ facts: SettingsFacts) -> HTML? {
        let open = facts.keys.filter { $0.kind != "volume" && !$0.isList && mayChange($0) }
        guard !open.isEmpty else { return nil }
        // Under its table's heading, only the last part of a key is shown.
        var groups: [(heading: String, options: [(String, String)])] = []
        for key in open {
            let dot = key.key.lastIndex(of: ".")
            let table = dot.map { String(key.key[..<$0]) } ?? ""
            let last = dot.map { String(key.key[key.key.index(after: $0)...]) } ?? key.key
            let text = key.value.isEmpty ? last : "\(last) = \(key.value.prefix(24))"
            if groups.last?.heading != table { groups.append((table, [])) }
            groups[groups.count - 1].options.append((key.key, text))
        }
        let name = context.filled?["key"]
        let refused =
            context.refused?.field == "value" ? facts.keys.first { $0.key == name } : nil
        let allowed = refused.map {
            [HTML.element("p", [("class", "problem")], [code($0.key), .text(" "), english($0.allowed)])]
        }
        let fields = [
            hidden("expect", "\(facts.change)"), back(.settings),
            choice("key", context.text("setting"), groups: groups),
            field(
                "value", context.text("value"),
                [("dir", "ltr"), ("maxlength", "1000")]),
        ]
        return section(
            context.text("another-setting"),
            (allowed ?? []) + [form(.set, fields, context.text("save")), paragraph("empty-takes-away")])
    }

    /// A setting made by command, with a button that removes it.
    private func changedSetting(_ key: SettingsFacts.Key) -> HTML {
        var words = [name(ofKey: key.key), .text(": "), number(plain(key.value, of: key.key))]
        if let by = key.by, !by.isEmpty { words += [.text(" · "), number(by)] }
        if let state = key.state, state != .set { words += [.text(" · "), .text(stateText(state))] }
        let reason = key.state == .set ? nil : key.reason
        let why = reason.map { [HTML.element("p", [], [english($0)])] } ?? []
        let reset =
            mayChange(key) && key.state != .pinned
            ? [button(context.text("take-away"), sending: (key.key, ""))] : []
        return .joined([.element("p", [], words)] + why + reset)
    }

    /// One form for the keys that this phone may set, and lines for the other keys.
    func keys(_ keys: [SettingsFacts.Key], _ change: Int, back page: Route.Name) -> HTML {
        let open = keys.filter { mayChange($0) && !$0.isList }
        let fields = open.flatMap { [field(of: $0), hidden(Act.shownPrefix + $0.key, $0.value)] }
        let form =
            open.isEmpty
            ? []
            : [
                self.form(
                    .set, [hidden("expect", "\(change)"), back(page)] + fields, context.text("save"))
            ]
        let closed = keys.filter { !mayChange($0) && !$0.isList }.map { key in
            let why = key.state == .pinned ? " · " + context.text(PageProblem.pinned.rawValue) : ""
            let value = plain(key.value, of: key.key)
            return HTML.joined([name(of: key), .text(": "), number(value), .text(why)])
        }
        return .joined(form + (closed.isEmpty ? [] : [list(closed)]))
    }

    func mayChange(_ key: SettingsFacts.Key) -> Bool {
        guard key.state != .pinned, let role = context.role else { return false }
        return switch key.right {
        case .household: true
        case .keeper: role == .keeper
        case .fresh: role == .keeper && context.isFresh
        }
    }

    /// The key's translated name, if there is one.
    private func words(of key: SettingsFacts.Key) -> String? { words(ofKey: key.key) }

    /// The translated name of a key whose table is already named above it.
    func words(ofKey key: String) -> String? {
        let parts = key.split(separator: ".").map(String.init)
        let prayer = parts.count == 3 ? context.language.prayers[parts[1]] : nil
        switch (parts.first, parts.last, parts.count) {
        case ("adhan", "volume", 2): return context.text("all-prayers")
        case ("adhan", "sound", 2): return context.text("all-prayers")
        case ("adhan", "volume", 3), ("adhan", "sound", 3), ("iqama", "at", 3): return prayer
        case ("iqama", "volume", 2), ("iqama", "sound", 2): return context.language.phrase("iqama")
        case ("ramadan", "volume", 2): return volume(of: ramadanName)
        case ("ramadan", "iqama", 3), ("ramadan", _, 3):
            return context.language.prayers[parts[2]].map { "\(context.language.phrase("iqama")) · \($0)" }
        case ("ramadan", "imsak", 2): return context.language.phrase("imsak")
        case ("ramadan", "imsak-sound", 2): return sound(of: context.language.phrase("imsak"))
        case ("ramadan", "iftar-sound", 2): return sound(of: context.language.phrase("iftar"))
        case ("ramadan", "wake", 2): return context.text("label-wake")
        case ("ramadan", "wake-sound", 2): return sound(of: context.text("label-wake"))
        case ("ramadan", "qiyam", 2): return context.text("label-qiyam")
        case ("ramadan", "tarawih", 2): return context.text("label-tarawih")
        case ("eid", "takbirat", 2): return context.text("label-takbirat")
        case ("eid", "takbirat-sound", 2): return sound(of: context.text("label-takbirat"))
        case ("hijri", "day-begins", 2): return context.text("label-day-begins")
        case ("jumua", "replaces-dhuhr", 2): return context.text("label-replaces-dhuhr")
        case ("ramadan", "isha", 2): return self.prayer("isha")
        case ("eid", "volume", 2): return volume(of: self.prayer("eid"))
        case ("eid", "prayers", 2): return self.prayer("eid")
        case ("jumua", "khutba-sound", 2): return context.language.phrase("khutba")
        default: return nil
        }
    }

    private func volume(of name: String) -> String { "\(name) · \(context.text("setup-volume"))" }

    private func sound(of name: String) -> String { "\(name) · \(context.text("sound"))" }

    private func name(of key: SettingsFacts.Key) -> HTML { words(of: key).map { .text($0) } ?? code(key.key) }

    private func field(of key: SettingsFacts.Key) -> HTML {
        let label = words(of: key) ?? key.key
        let field: HTML
        switch key.kind {
        case "flag":
            field = choice(
                key.key, label, [("true", context.text("yes")), ("false", context.text("no"))],
                chosen: key.value)
        case "choice":
            let words = SettableKey(key.key)?.choices ?? [key.value]
            field = choice(key.key, label, words.map { ($0, plain($0, of: key.key)) }, chosen: key.value)
        case "volume":
            field = self.field(
                key.key, label, type: "number", value: key.value, [("min", "0"), ("max", "100")])
        default:
            let example =
                key.key.hasPrefix("iqama.") && key.key.hasSuffix(".at")
                ? [("placeholder", "+20 / 20:45")] : []
            field = self.field(
                key.key, label, value: key.value, [("dir", "ltr"), ("maxlength", "1000")] + example)
        }
        // The value in force now is shown beside what was typed.
        let typed = context.filled?[key.key]
        let now = typed.map { $0 == key.value ? [] : [current(key.value, of: key.key)] } ?? []
        let allowed =
            context.refused?.field == key.key && context.refused?.reason == nil
            ? [HTML.element("p", [], [english(key.allowed)])] : []
        let state = key.state.map { $0 == .set ? [] : [HTML.element("p", [], [.text(stateText($0))])] } ?? []
        return .joined([field] + now + allowed + state)
    }

    private func current(_ value: String, of key: String) -> HTML {
        .element(
            "p", [], [.text(context.text("now-in-force")), .text(": "), number(plain(value, of: key))])
    }

    private func stateText(_ state: SettingsFacts.State) -> String {
        switch state {
        case .set: context.text("saved")
        case .pinned: context.text(PageProblem.pinned.rawValue)
        case .superseded: context.text("state-superseded")
        case .invalid: context.text("state-invalid")
        case .unknown: context.text("state-unknown")
        }
    }

    private func changes(_ facts: SettingsFacts) -> HTML {
        section(
            context.text("changes"),
            [
                form(
                    .undo,
                    around: list(
                        facts.changes.map { change in
                            let time = String(change.at.prefix(16)).replacing("T", with: " ")
                            let steps = change.steps.map(line)
                            let undo = button(
                                context.text("undo"), sending: ("change", "\(change.number)"))
                            return .joined(
                                [.element("p", [], [number(time), .text(" · "), number(change.by)])] + steps
                                    + [undo])
                        }))
            ])
    }

    /// The tables of a list, each with a button that removes it.
    func rows(_ rows: [RowFacts], of key: String, _ change: Int, back page: Route.Name) -> HTML {
        list(
            rows.enumerated().map { index, row in
                let words = row.fields.flatMap { field -> [HTML] in
                    if ["from", "until"].contains(field.name), CivilDate(field.value) != nil {
                        return [
                            .text(context.text(field.name)), .text(" "), .text(date(field.value)),
                            .text(" · "),
                        ]
                    }
                    let value = plain(field.value, of: field.name)
                    return [.text(rowWord(field.name)), .text(" "), number(value), .text(" · ")]
                }
                let line = HTML.element("p", [], words.isEmpty ? [] : Array(words.dropLast()))
                guard context.role == .keeper else { return line }
                let fields = [
                    ("remove", key), ("index", "\(index)"), ("mark", row.mark), ("expect", "\(change)"),
                    (Act.pageField, page.rawValue),
                ]
                return .joined([line, act(.set, fields, context.text("remove"))])
            })
    }

    func rowWord(_ name: String) -> String {
        switch name {
        case "khutba": context.language.phrase("khutba")
        case "adhan": context.language.phrase("adhan")
        case "prayer": context.language.phrase("iqama")
        case "from": context.text("from")
        case "until": context.text("until")
        case "sound": context.text("sound")
        default: prayer(name)
        }
    }
}
