import Languages
import PhoneRules
import PrayerEngine
import Protocol
import Testing
import Texts

@Suite("Answers to a form")
struct AnswerPageTests {
    private func context(_ change: (inout PageContext) -> Void = { _ in }) throws -> PageContext {
        let (phone, _) = try PageSamples.phone(.keeper, "Office")
        var context = PageContext(language: .english, phone: phone)
        context.isFresh = true
        change(&context)
        return context
    }

    private func elements(_ page: Page, _ context: PageContext) -> [PageChecker.Element] {
        let checker = PageChecker(page.html(context))
        #expect(checker.problems.isEmpty)
        return checker.elements
    }

    private func refused(
        _ form: String, _ field: FieldRefusal, _ act: Route.Name, _ page: Page
    ) throws -> [PageChecker.Element] {
        let filled = try Form(form.utf8)
        return elements(
            page,
            try context {
                $0.notice = .init(.problem(.invalid))
                ($0.filled, $0.refused, $0.refusedAct) = (filled, field.renamed(for: filled), act)
            })
    }

    @Test(
        "A browser is led to the field that was refused, which keeps what was typed, and to no other field of that name"
    )
    func field() throws {
        let week = Page.week(PageSamples.week("x"))
        let shown = try refused(
            "iqama=soon&prayer=asr&from=2026-11-27&page=week", FieldRefusal("iqama", .format), .set, week)
        let here = shown.filter { $0.attributes["id"] == "here" }
        #expect(here.map { $0.attributes["value"] } == ["soon"] && here.first?.name == "input")
        #expect(here.first?.attributes["aria-invalid"] == "true")
        // The form for a single day has fields of these names, too.
        let other = shown.filter { $0.attributes["name"] == "iqama" && $0.attributes["type"] == "time" }
        #expect(other.count == 1 && other[0].attributes["value"] == nil)
        #expect(other[0].attributes["aria-invalid"] == nil)
        let day = try refused(
            "date=2026-11-27&prayer=isha&iqama=&adhan=", FieldRefusal("iqama", .missing), .exception, week)
        #expect(day.filter { $0.attributes["id"] == "here" }.map { $0.attributes["type"] } == ["time"])
    }

    @Test(
        "Every kind of field can be the one: a choice, a text of lines, boxes, a value of a key that was chosen"
    )
    func kinds() throws {
        let announcements = Page.announcements(AnnouncementsFacts(entries: []))
        for (form, field, act, page, name) in [
            (
                "text=a&until=2026-12-01", FieldRefusal("show", .missing), .announcement, announcements,
                "fieldset"
            ),
            (
                "text=a&until=2026-12-01&show=board",
                FieldRefusal(SettingsChangeSet.announcementKey, .refused), .announcement, announcements,
                "textarea"
            ),
            (
                "key=calculation.rounding-by-event.key-13&value=x",
                FieldRefusal("calculation.rounding-by-event.key-13", .refused), .set,
                .settings(PageSamples.settings("x")), "input"
            ),
            ("do=x", FieldRefusal("do", .unknown), .hijri, Self.ramadan, "select"),
            (
                "code=123456&name=Hall", FieldRefusal("code", .unknown), .enterCode,
                .pair(PairFacts(suggestedName: "")), "input"
            ),
        ] as [(String, FieldRefusal, Route.Name, Page, String)] {
            let here = try refused(form, field, act, page).filter { $0.attributes["id"] == "here" }
            #expect(here.map(\.name) == [name], "\(form)")
        }
    }

    private static let ramadan = Page.ramadan(
        RamadanFacts(settings: PageSamples.keys("ramadan.iqama", "fajr", "x"), year: 1448, month: 9, day: 1))

    @Test("Where no field is refused the answer begins at its line")
    func line() throws {
        let week = Page.week(PageSamples.week("x"))
        let saved = elements(week, try context { $0.notice = .init(.done(.saved)) })
        #expect(saved.filter { $0.attributes["id"] == "here" }.map(\.name) == ["div"])
        let gone = try refused("index=3&mark=a", FieldRefusal("index", .stale), .set, week)
        #expect(gone.filter { $0.attributes["id"] == "here" }.map { $0.attributes["role"] } == ["alert"])
        #expect(!elements(week, try context()).contains { $0.attributes["id"] == "here" })
    }

    private func text(_ page: Page, _ context: PageContext) -> String {
        String(decoding: page.html(context), as: UTF8.self)
    }

    private static func words(_ html: String) -> String {
        html.replacing("<bdi>", with: "").replacing("</bdi>", with: "")
    }

    @Test("An undo leads back to the page of what it undoes, and says what is in force in people's words")
    func undo() throws {
        let week = Page.week(PageSamples.week("x"))
        var notice = PageContext.Notice(.done(.saved), undo: 14)
        (notice.page, notice.steps) = (.week, [.init("iqama.isha.at", from: "", to: "\"+20m\"")])
        let saved = Self.words(text(week, try context { $0.notice = notice }))
        #expect(saved.contains("<p>Isha · Iqama: None → Adhan + 20 min</p>"))
        #expect(saved.contains(#"name="change" value="14"><input type="hidden" name="page" value="week">"#))
        // The arrow points to what came after.
        let arabic = try #require(Language.embedded("ar"))
        let other = text(
            week,
            try context {
                $0.language = arabic
                $0.notice = notice
            })
        #expect(other.contains(" ← <bdi>") && !other.contains(" → <bdi>"))
        var undone = PageContext.Notice(.done(.undone), undo: 15)
        undone.steps = [.init("iqama.isha.at", from: "\"+20m\"", to: "")]
        let back = Self.words(text(week, try context { $0.notice = undone }))
        #expect(back.contains("<p>Undone</p><p>In force: Isha · Iqama: None</p>"))
    }

    @Test(
        "Settings are said in people's words",
        arguments: [
            ("iqama.asr.at", "\"sunrise-40m\"", "Asr · Iqama: – → Sunrise − 40 min"),
            ("iqama.asr.at", "\"13:30\"", "Asr · Iqama: – → 13:30"),
            ("iqama.asr.at", "\"+1h\"", "Asr · Iqama: – → Adhan + 1 h"),
            ("adhan.fajr.volume", "45", "Fajr · Volume: – → 45 %"),
            ("adhan.sound", "\"silent\"", "All prayers · Sound: – → silent"),
            ("jumua.replaces-dhuhr", "false", "Instead of Dhuhr: – → No"),
            ("ramadan.iqama.isha", "\"+15m\"", "Ramadan · Iqama · Isha: – → Adhan + 15 min"),
            (
                "iqama.change", "[{ from = 2026-11-27, isha = \"20:15\" }]",
                "Iqama: – → From Friday 27 November 2026 · Isha 20:15"
            ),
            ("calculation.angle", "18", "<code dir=\"ltr\" lang=\"en\">calculation.angle</code>: – → 18"),
        ])
    func words(key: String, toml: String, line: String) throws {
        let facts = SettingsFacts(
            change: 1,
            keys: [
                .init(
                    key: key, kind: "tables", allowed: "", right: .keeper, value: PlainValue.text(toml),
                    state: .set, by: "Hall")
            ],
            changes: [
                .init(
                    number: 1, at: "2026-11-24T14:23:00Z", by: "Hall",
                    steps: [.init(key, from: nil, to: toml)])
            ])
        let shown = Self.words(text(.settings(facts), try context()))
        #expect(shown.contains("<p>\(line)</p>"), "\(shown.suffix(900))")
        // The list of settings has the same words.
        let made = line.replacing(": – → ", with: ": ")
        #expect(shown.contains("<p>\(made) · Hall</p>"), "\(shown.suffix(900))")
    }

    @Test("What a change has put in force is found in two answers of adhand, and nothing else")
    func steps() throws {
        func reply(_ isha: String, _ asr: String) throws -> SettingsReply {
            func key(_ name: String, _ value: String) -> String {
                #"{"key": "\#(name)", "kind": "text", "allowed": "", "role": "keeper", "pinned": null, "inForce": \#(value)}"#
            }
            return try JSON.decode(
                SettingsReply.self,
                from: Array(
                    #"{"change": 1, "settings": [], "keys": [\#(key("iqama.isha.at", isha)), \#(key("iqama.asr.at", asr))]}"#
                        .utf8))
        }
        let (old, new) = (try reply("null", #""\"+5m\"""#), try reply(#""\"+20m\"""#, "null"))
        let isha = SettingsFacts.Step("iqama.isha.at", from: "", to: "\"+20m\"")
        #expect(SettingsFacts.steps(from: old, to: new, keys: ["iqama.isha.at"]) == [isha])
        #expect(SettingsFacts.steps(from: old, to: new).map(\.key) == ["iqama.isha.at", "iqama.asr.at"])
        #expect(SettingsFacts.steps(from: new, to: new).isEmpty)
    }

    @Test(
        "On the first page the times stand above the buttons of a mute, and a mute that holds above the times"
    )
    func order() throws {
        func now(_ isActive: Bool) -> NowFacts {
            NowFacts(
                place: "Trial", now: "04:00", next: nil,
                today: [
                    .init(prayer: "fajr", time: "05:41", enabled: true, outcome: .upcoming, stage: .next)
                ],
                mute: .init(active: isActive, until: "05:00"), isPlaying: false, isClockTrusted: true)
        }
        func place(_ part: String, _ page: String) throws -> String.Index {
            try #require(page.firstRange(of: part)).lowerBound
        }
        let muted = text(.now(now(true)), try context())
        #expect(try place("Muted until", muted) < place("05:41", muted))
        #expect(try place("05:41", muted) < place(#"id="mute""#, muted))
        let open = text(.now(now(false)), try context())
        #expect(try place(#"href="/r/#mute""#, open) < place("05:41", open))
        #expect(!muted.contains(#"href="/r/#mute""#))
    }

    @Test("The first page leads to what is wrong")
    func fault() throws {
        func page(_ hasFault: Bool) throws -> String {
            text(
                .now(
                    NowFacts(
                        place: "Trial", now: "04:00", next: nil, today: [], mute: .init(active: false),
                        isPlaying: false, isClockTrusted: true, hasFault: hasFault)), try context())
        }
        let link = #"<p class="problem"><a href="/r/health">"#
        #expect(try page(true).contains(link))
        #expect(try !page(false).contains(link))
    }

    @Test("A test of the sound leads back to the page with its form")
    func test() throws {
        let sounds = SoundsFacts(sounds: [], settings: PageSamples.keys("adhan", "sound", "x"))
        for (page, name) in [(Page.sounds(sounds), "sounds"), (.now(PageSamples.now("x")), "now")] {
            let form = try #require(
                text(page, try context()).components(of: "/r/test#here").last)
            #expect(form.hasPrefix(#""><input type="hidden" name="page" value="\#(name)">"#))
        }
    }
}

extension String {
    fileprivate func components(of part: String) -> [Substring] { split(separator: part) }
}
