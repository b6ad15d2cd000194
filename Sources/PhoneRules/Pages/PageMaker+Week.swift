internal import Languages
internal import PrayerEngine
internal import Protocol
internal import Settings
internal import Texts

/// The coming days, congregations and times of single days.
extension PageMaker {
    func week(_ facts: WeekFacts) -> [HTML] {
        let names = facts.days.first?.times.map(\.prayer) ?? []
        let rows = facts.days.map { day in
            let name = HTML.joined([
                .text(weekday(day.date)), .element("br"), number(String(day.date.suffix(5))),
            ])
            return [name] + day.times.map(cell)
        }
        // On Fridays the Friday prayer is in the column of Dhuhr.
        let heads = [context.text("day")] + names.map { prayer($0 == "jumua" ? "dhuhr" : $0) }
        let both = "\(context.language.phrase("adhan")) / \(context.language.phrase("iqama"))"
        let hasIqama = facts.days.contains { $0.times.contains { $0.iqama != nil } }
        let days = (hasIqama ? [.element("p", [], [.text(both)])] : []) + [table(heads, rows)]
        return (facts.awaitsPlace ? [placeNeeded] : days)
            + (facts.settings.map { [iqama($0, facts.changes)] } ?? []) + [exceptions(facts)]
    }

    /// The iqama rules for all days, and the changes from a date on.
    private func iqama(_ facts: SettingsFacts, _ changes: [RowFacts]) -> HTML {
        let rules = keys(facts.keys, facts.change, back: .week)
        let list =
            changes.isEmpty
            ? [] : [self.rows(changes, of: SettingsChangeSet.iqamaKey, facts.change, back: .week)]
        let name = context.language.phrase("iqama")
        let title = [heading("\(name) · \(context.text("every-day"))", id: Self.iqamaPart), rules]
        guard context.role == .keeper else { return .element("section", [], title + list) }
        let own = within(.set)
        let fields = [
            hidden("expect", "\(facts.change)"), back(.week),
            own.prayers(TimetableColumn.prayers.map(\.rawValue)),
            own.field(
                "iqama", name,
                [("placeholder", "+20 / 20:45"), ("dir", "ltr"), ("required", ""), ("maxlength", "40")]),
            own.date(context.text("from"), name: "from"),
            own.date(context.text("until"), name: "until", isRequired: false),
        ]
        return .element(
            "section", [],
            title + [heading("\(name) · \(context.text("from"))")] + list
                + [form(.set, fields, context.text("save"))])
    }

    private func cell(_ time: WeekFacts.Time) -> HTML {
        let mark = time.isException ? "*" : ""
        let iqama = time.iqama.map { [HTML.element("br"), number($0)] } ?? []
        return .joined([number((time.adhan ?? "–") + mark)] + iqama)
    }

    /// The most exceptions shown on a page.
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
                        context.text("remove"))
                ] : []
            let line = [
                HTML.text("* "), .text(prayer(entry.prayer)), .text(" · "), .text(date(entry.date)),
                .text(" · "),
            ]
            return .joined([.element("p", [], line + [number(times)] + reason)] + remove)
        }
        guard context.role == .keeper else {
            return section(context.text("exceptions"), [list(items)] + more)
        }
        let own = within(.exception)
        let fields = [
            own.date(context.text("date"), value: facts.days.first?.date ?? ""), own.prayers(),
            own.time("adhan", context.language.phrase("adhan")),
            own.time("iqama", context.language.phrase("iqama")),
            own.field("reason", context.text("reason"), [("maxlength", "100")]),
        ]
        return section(
            context.text("exceptions"),
            [list(items)] + more + [
                form(.exception, fields, context.text("save")), paragraph("one-exception"),
            ]
                + byHand(facts.hand, back: .week))
    }
}
