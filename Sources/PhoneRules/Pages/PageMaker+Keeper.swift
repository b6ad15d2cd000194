internal import Languages
internal import Settings
internal import Texts

/// The pages on which a mosque makes its decisions.
extension PageMaker {
    // MARK: Phones

    func phones(_ facts: PhonesFacts) -> [HTML] {
        let items = facts.phones.map { phone -> HTML in
            let words = [
                context.text(phone.role.rawValue), "\(context.text("paired")): \(date(phone.paired))",
            ]
            let last = "\(context.text("last-used")): \(date(phone.seen))"
            let own =
                phone.id == context.phone?.id ? [HTML.text(" · "), .text(context.text("this-phone"))] : []
            return .joined([
                .element("p", [], [.element("strong", [], [number(phone.name)])] + own),
                .element("p", [], [.text((words + [last]).joined(separator: " · "))]),
                act(.revoke, [("id", phone.id)], context.text("remove")),
            ])
        }
        return [list(items)]
    }

    // MARK: Announcements and sounds

    /// The most announcements shown on a page.
    private static var mostAnnouncements: Int { 30 }
    private static var shownOfText: Int { 120 }

    func announcements(_ facts: AnnouncementsFacts) -> [HTML] {
        let isKeeper = context.role == .keeper
        let (shown, more) = part(facts.entries, of: Self.mostAnnouncements, .announcements)
        let items = zip(shown.indices, shown).map { index, entry -> HTML in
            let isLong = entry.text.count > Self.shownOfText
            let text = isLong ? entry.text.prefix(Self.shownOfText) + "…" : entry.text[...]
            let until = " · \(context.text("until")) \(date(entry.until))"
            let picture = entry.hasPicture ? " · " + context.text("picture") : ""
            let fields = [("index", "\(index)"), ("mark", entry.mark)]
            let remove = isKeeper ? [act(.removeAnnouncement, fields, context.text("remove"))] : []
            return .joined([.element("p", [], [number(String(text)), .text(until + picture)])] + remove)
        }
        guard isKeeper else { return [list(items)] + more }
        let isPictured = facts.picture != nil
        let places = (isPictured ? ["slide"] : []) + ["board", "bar", "screen"]
        let boxes = places.map { place in
            box(
                "show", place, context.text("show-\(place)"),
                isChecked: place == (isPictured ? "slide" : "board"))
        }
        let group = group("show", context.text("shown-where"), boxes)
        let fields = [
            area("text", context.text("text"), longest: ScreenAnnouncement.longestText),
            date(context.text("from"), name: "from", isRequired: false),
            date(context.text("until"), name: "until"), group,
        ]
        let pictured = facts.picture.map { [hidden("picture", $0), paragraph("picture-waits")] } ?? []
        let picture = form(
            .picture,
            [
                within(.picture).field(
                    "file", context.text("file"), type: "file", [("accept", "image/*"), ("required", "")])
            ],
            context.text("upload"), isUpload: true)
        return [list(items)] + more + [
            section(context.text("add"), [form(.announcement, pictured + fields, context.text("save"))]),
            section(context.text("picture"), [picture]),
        ]
    }

    func sounds(_ facts: SoundsFacts) -> [HTML] {
        let isKeeper = context.role == .keeper
        let items = facts.sounds.map { sound -> HTML in
            let length = sound.seconds.map { [HTML.text(" · "), number(Self.clock($0))] } ?? []
            let broken =
                sound.isBroken ? [HTML.text(" · " + context.text(PageProblem.content.rawValue))] : []
            let remove =
                isKeeper && context.isFresh && !sound.isShipped
                ? [act(.removeSound, [("name", sound.name)], context.text("remove"))] : []
            return .joined([.element("p", [], [number(sound.name)] + length + broken)] + remove)
        }
        guard isKeeper else { return [list(items)] }
        let none = [("", context.text("no-prayer"))]
        let prayers = ["fajr", "dhuhr", "asr", "maghrib", "isha", "jumua"].map { ($0, prayer($0)) }
        let own = within(.sound)
        let fields = [
            own.field(
                "name", context.text("name"), [("required", ""), ("maxlength", "40"), ("dir", "ltr")]),
            own.choice("prayer", context.text("prayer"), none + prayers),
            own.file(for: .sound, accept: "audio/*"),
        ]
        return [
            list(items), section(context.text("choose"), [chosen(facts)]), test(back: .sounds),
            section(context.text("add"), [form(.sound, fields, context.text("upload"), isUpload: true)]),
        ]
    }

    /// A length such as `3:45`.
    private static func clock(_ seconds: Double) -> String {
        guard seconds.isFinite, (0..<36_000).contains(seconds) else { return "" }
        let whole = Int(seconds.rounded())
        return "\(whole / 60):\(whole % 60 < 10 ? "0" : "")\(whole % 60)"
    }

    /// Selects one prayer's sound, with the current sounds beside the prayers' names: a list of all sounds per prayer would
    /// make the page long.
    private func chosen(_ facts: SoundsFacts) -> HTML {
        let names = facts.sounds.map { ($0.name, $0.name) } + [("silent", context.text("outcome-silent"))]
        let open = facts.settings.keys.filter(mayChange)
        guard !open.isEmpty else { return none }
        let prayers = open.map { key in
            let parts = key.key.split(separator: ".").map(String.init)
            let label =
                parts.count > 2
                ? prayer(parts[1])
                : parts[0] == "iqama" ? context.language.phrase("iqama") : context.text("all-prayers")
            return (key.key, "\(label): \(key.value.isEmpty ? "–" : String(key.value.prefix(40)))")
        }
        return form(
            .set,
            [
                hidden("expect", "\(facts.settings.change)"), back(.sounds),
                choice("key", context.text("prayer"), prayers),
                choice("value", context.text("sounds"), [("", "–")] + names),
            ],
            context.text("save"))
    }
}
