import Languages
import PhoneRules
import Protocol
import Settings
import Testing
import Texts

/// The pages of somebody who has just set a box up, in words of people.
@Suite("A newcomer's pages") struct NewcomerTests {
    private func context(
        _ code: String = "en", _ change: (inout PageContext) -> Void = { _ in }
    ) throws -> PageContext {
        let (phone, _) = try PageSamples.phone(.keeper, "Office")
        var context = PageContext(language: try #require(Language.embedded(code)), phone: phone)
        context.isFresh = true
        change(&context)
        return context
    }

    private func text(_ page: Page, _ context: PageContext) -> String {
        String(decoding: page.html(context), as: UTF8.self)
    }

    private func settings(_ key: String, made: Bool = false) throws -> SettingsReply {
        let document = try JSON.decode(
            SettableKeyDocument.self,
            from: Array(#"{"key": "display.languages", "kind": "texts", "allowed": "", \#(key)}"#.utf8))
        let setting = """
            {"key": "display.languages", "value": "\\"tr\\"", "state": "set", "default": "", "inForce": "\\"tr\\"", "by": "Hall",
             "user": "adhan-remote", "at": "2026-11-24T14:23:00+01:00", "change": 1}
            """
        let settings: [SettingDocument] =
            try made ? [JSON.decode(SettingDocument.self, from: Array(setting.utf8))] : []
        return SettingsReply(change: 1, settings: settings, keys: [document])
    }

    @Test("The screen gets the language of the set-up, unless somebody has named languages")
    func screen() throws {
        let usual = #""role": "keeper", "inForce": "\"en\"""#
        let change = ScreenLanguage(try settings(usual)).change(to: "ar")
        #expect(change?.key == "display.languages" && change?.value == #"["ar"]"#)
        #expect(ScreenLanguage(try settings(usual)).change(to: "en") == nil)
        for named in [#", "file": "display.toml""#, #", "pinned": "display""#] {
            #expect(ScreenLanguage(try settings(usual + named)).change(to: "ar") == nil)
        }
        #expect(ScreenLanguage(try settings(usual, made: true)).change(to: "ar") == nil)
        // An older adhand does not know the key.
        let none = SettingsReply(change: 1, settings: [], keys: [])
        #expect(ScreenLanguage(none).change(to: "ar") == nil)
    }

    @Test("The last page of the set-up names the screen's language where it changes")
    func screenOnPage() throws {
        var facts = SetupFacts(step: .done)
        let usual = #""role": "keeper", "inForce": "\"en\"""#
        facts.screen = ScreenLanguage(try settings(usual))
        #expect(text(.setup(facts), try context("ar")).contains("لغة الشاشة: <bdi>العربية</bdi>"))
        #expect(!text(.setup(facts), try context()).contains("Language on the screen"))
        facts.screen = ScreenLanguage(try settings(usual, made: true))
        #expect(!text(.setup(facts), try context("ar")).contains("لغة الشاشة"))
    }

    @Test("The menu is one row on every page: all pages are behind its button")
    func menu() throws {
        let now = text(.now(PageSamples.now("Trial")), try context())
        let nav = now.split(separator: "</nav>").first ?? ""
        let row = nav.split(separator: "<details>").first ?? ""
        #expect(row.contains(#"<a href="/r/" aria-current="page">"#) && !row.contains("/r/week"))
        #expect(nav.contains(#"<a href="/r/week">"#) && nav.contains(#"<a href="/r/phones">"#))
        let week = text(.week(PageSamples.week("x")), try context())
        let other = week.split(separator: "<details>").first ?? ""
        #expect(other.contains(#"<a href="/r/week" aria-current="page">"#) && !other.contains("/r/phones"))
    }

    @Test("A town keeps its direction among words of the other one, also in a list")
    func towns() throws {
        let now = text(.now(PageSamples.now("Makkah, Saudi Arabia")), try context("ar"))
        #expect(now.contains("<p><bdi>Makkah, Saudi Arabia</bdi> · <bdi>"))
        let town = SetupFacts(step: .town, options: [.init("1", "Makkah, Saudi Arabia")])
        let list = text(.setup(town), try context("ar"))
        #expect(list.contains(#"<option value="1" dir="auto">Makkah, Saudi Arabia</option>"#))
    }

    @Test("Values have names: methods, loudspeakers, languages, time zones and the adhan of a Friday")
    func names() throws {
        let steps = [
            SettingsFacts.Step("calculation.method", from: "\"auto\"", to: "\"moonsighting\""),
            .init("audio.devices", from: "[\"default\"]", to: "[\"plughw:CARD=Device,DEV=0\"]"),
            .init("display.languages", from: "\"en\"", to: "[\"tr\", \"ar\"]"),
            .init("timezone", from: nil, to: "\"America/New_York\""),
        ]
        let shown = text(
            .settings(SettingsFacts(change: 4, keys: [])),
            try context {
                $0.notice = .init(.done(.saved))
                $0.notice?.steps = steps
                $0.deviceTexts = ["plughw:CARD=Device,DEV=0": "USB Audio Device"]
            })
        let names = [
            "Moonsighting Committee Worldwide (moonsighting)", "USB Audio Device", "English",
            "Türkçe, العربية", "New York",
        ]
        for name in names { #expect(shown.contains("<bdi>\(name)</bdi>"), "\(name)") }
        #expect(!shown.contains("plughw") && !shown.contains("America/"))
        let slot = RowFacts(
            mark: "0123456789abcdef",
            fields: [.init("adhan", "khutba-10m"), .init("khutba", "13:20"), .init("prayer", "13:45")])
        let friday = text(
            .friday(FridayFacts(settings: SettingsFacts(change: 4, keys: []), slots: [slot])),
            try context())
        #expect(friday.contains("Adhan <bdi>Khutba − 10 min</bdi>") && friday.contains("<bdi>13:45</bdi>"))
    }

    @Test("The page says in the language of its reader that a loudspeaker is tried later")
    func later() throws {
        let settings = Page.settings(SettingsFacts(change: 4, keys: []))
        for (code, words) in [("en", "is tried when the present sound"), ("ar", "يُجرَّب مكبر الصوت")] {
            let shown = text(
                settings,
                try context(code) {
                    $0.notice = .init(.done(.saved))
                    $0.notice?.awaitsTrial = true
                })
            #expect(shown.contains(words) && shown.contains(#"role="status""#), "\(code)")
        }
    }

    @Test("A phone that is to be paired once more learns why, and how without the link")
    func again() throws {
        let pairing = "http://adhan-1a2b3c.local:8790/r/pair"
        var facts = NetworkFacts(NetworkDocument(state: .hotspot), mayJoin: true)
        facts.home = NetworkFacts.home(pairing, key: String(repeating: "ab", count: 16))
        let form = text(.network(facts), try context())
        #expect(form.contains("Copy this link now") && !form.contains("Without the link"))
        let trying = text(.network(facts), try context { $0.notice = .init(.done(.trying)) })
        #expect(trying.contains("Without the link open <bdi>adhan-1a2b3c.local:8790</bdi> and"))
        // A phone that may name a network and no more is paired there already, or never was.
        facts.home = NetworkFacts.home(pairing, key: nil)
        let other = text(.network(facts), try context { $0.notice = .init(.done(.trying)) })
        #expect(!other.contains("Copy this link") && !other.contains("Without the link"))
    }

    @Test("A password can be shown where a script runs; nothing more is sent")
    func password() throws {
        let facts = NetworkFacts(NetworkDocument(state: .hotspot), mayJoin: true)
        let shown = text(.network(facts), try context())
        let box = #"<label class="box" hidden><input type="checkbox" data-shows="password">"#
        #expect(shown.contains(box) && shown.contains("Show the password"))
        #expect(shown.contains(#"name="password" type="password""#))
        let script = String(decoding: PageAssets.script, as: UTF8.self)
        #expect(script.contains("[data-shows]") && !script.contains("\n "))
    }
}
