internal import Languages

/// The pages for Friday and Ramadan.
extension PageMaker {
    func friday(_ facts: FridayFacts) -> [HTML] {
        let rules = keys(facts.settings.keys, facts.settings.change, back: .friday)
        let slots = rows(facts.slots, of: SettingsChangeSet.slotKey, facts.settings.change, back: .friday)
        guard context.role == .keeper else { return [slots, rules] }
        let clock = [("dir", "ltr"), ("maxlength", "40")]
        let fields = [
            hidden("expect", "\(facts.settings.change)"), back(.friday),
            field("jumua", context.language.phrase("khutba"), [("placeholder", "13:10")] + clock),
            field("congregation", context.language.phrase("iqama"), [("placeholder", "13:30")] + clock),
            choice(
                "adhan", context.language.phrase("adhan"),
                [
                    ("", prayer("dhuhr")), ("khutba-10m", "−10"), ("khutba-15m", "−15"),
                    ("khutba-30m", "−30"), ("none", context.text("none")),
                ]),
        ]
        return [
            slots, section(context.text("add"), [form(.set, fields, context.text("save"))]),
            section(context.text("settings"), [rules]),
        ]
    }

    func ramadan(_ facts: RamadanFacts) -> [HTML] {
        let months = context.language.hijriMonths
        let month = months.indices.contains(facts.month - 1) ? months[facts.month - 1] : "\(facts.month)"
        let date = context.language.hijriDate.replacing("{day}", with: "\(facts.day)")
            .replacing("{month}", with: month).replacing("{year}", with: "\(facts.year)")
        let today = HTML.element("p", [("class", "next")], [.text(date)])
        let rules = section(
            context.text("settings"), [keys(facts.settings.keys, facts.settings.change, back: .ramadan)])
        guard context.role == .keeper else { return [today, rules] }
        let options = Act.Sighting.allCases.map { ($0.rawValue, context.text("hijri-\($0.rawValue)")) }
        let moon = form(
            .hijri,
            [
                choice("do", context.text("new-moon"), options),
                self.date(context.text("date"), isRequired: false),
            ],
            context.text("save"))
        let changes = byHand(facts.hand, back: .ramadan)
        return [today, section(context.text("new-moon"), [moon] + changes), rules]
    }
}
