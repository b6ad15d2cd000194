import Foundation
import Languages
import Settings
import Testing
import Texts

@testable import ScreenPlan

@Suite("display.toml")
struct DisplayConfigTests {
    private func read(_ text: String) throws(ConfigError) -> DisplayConfig {
        try DisplayConfig.schema.read([ConfigSource(file: "display.toml", text: Array(text.utf8))]).settings
    }

    @Test("The file to start from means what no file means, and so does what is printed")
    func defaults() throws {
        #expect(try read(DisplayConfig.schema.defaultText) == DisplayConfig())
        #expect(try read("") == DisplayConfig())
        let config = try read(
            """
            languages = ["tr", "ar"]
            digits = "arabic"
            clock = 12
            theme = "day"
            [scenes]
            approaching = "10m"
            [prayer]
            style = "black"
            length = "12m"
            jumua = "20m"
            [night]
            enabled = false
            [screen]
            diagonal = 43
            distance = 10
            [slides]
            folder = "/srv/slides"
            """)
        #expect(config.page.languages == ["tr", "ar"] && config.page.clock == 12)
        #expect(config.display.scenes.length(of: .jumua) == 1200)
        #expect(config.display.scenes.length(of: .asr) == 720 && config.slides == "/srv/slides")
        #expect(try read(DisplayConfig.schema.printed(config)) == config)
    }

    @Test(
        "A mistake says where it is and what was meant",
        arguments: [
            ("langauges = \"en\"", "display.toml:1:1", "languages"),
            ("languages = [\"en\", \"xx\"]", "display.toml:1:20", "language"),
            ("clock = 13", "display.toml:1:1", "24 or 12"),
            ("[night]\nbrightness = 500", "display.toml:2:14", "5 to 100"),
            ("theme = \"nigth\"", "display.toml:1:9", "night"),
            ("[slides]\nfolder = \"slides\"", "display.toml:2:10", "absolute path"),
            ("[prayer]\nfajr = 10", "display.toml:2:8", "duration"),
            ("hide = \"moon\"", "display.toml:1:8", "sunrise"),
            ("[[view]]\ntheme = \"day\"", "display.toml:1:", "needs name"),
            ("[[view]]\nname = \"wall\"", "display.toml:2:8", "other than"),
            ("[[view]]\nname = \"Hall 1\"", "display.toml:2:8", "letters a to z"),
            ("[[view]]\nname = \"a\"\n[[view]]\nname = \"a\"", "display.toml:1:", "two views \"a\""),
            ("[[view]]\nname = \"a\"\nclock = 13", "display.toml:1:", "24 or 12"),
            ("[[view]]\nname = \"a\"\nprayer.stile = \"board\"", "display.toml:3:8", "style"),
            ("[[view]]\nname = \"a\"\n[view.night]\nenabled = 3", "display.toml:4:11", "true or false"),
            (
                "[screen]\nview = \"men\"", "display.toml:2:1",
                "no view \"men\" for this machine's display; there are: wall, phone"
            ),
            ("[screen]\nview = \"Hall 1\"", "display.toml:2:8", "letters a to z"),
            ("[[view]]\nname = \"a\"\nscreen.view = \"a\"", "display.toml:3:", "view"),
            ("[[view]]\nname = \"a\"\nlogo = \"/x.png\"", "display.toml:3:1", "logo"),
        ])
    func mistakes(_ text: String, _ place: String, _ word: String) throws {
        let error = try #require(throws: ConfigError.self) { try read(text) }
        #expect(error.message.contains(place) && error.message.contains(word), "\(error.message)")
    }

    @Test("A view overrides the keys that it has, and the others stay as the file says")
    func views() throws {
        let config = try read(
            """
            theme = "day"
            languages = ["de", "ar"]
            [scenes]
            adhkar = "4m"
            [prayer]
            style = "black"
            jumua = "20m"
            [screen]
            view = "women"
            [[view]]
            name = "women"
            languages = "tr"
            hide = ["sunrise", "ticker"]
            scenes.adhkar = "0s"
            [view.prayer]
            style = "times"
            [[view]]
            name = "phone"
            theme = "plain"
            """)
        #expect(config.viewNames == ["wall", "phone", "women"] && config.displayView == "women")
        #expect(DisplayConfig().displayView == "wall")
        let wall = try #require(config.seen(as: "wall"))
        #expect(wall.page.view == "wall" && wall.page.languages == ["de", "ar"] && !wall.page.scroll)
        let women = try #require(config.seen(as: "women"))
        #expect(women.page.languages == ["tr"] && women.page.theme == .day)
        #expect(women.page.hide == [.sunrise, .ticker] && women.display.scenes.prayerStyle == .times)
        #expect(women.display.scenes.adhkarSeconds == 0 && women.display.scenes.length(of: .jumua) == 1200)
        let phone = try #require(config.seen(as: "phone"))
        #expect(phone.page.theme == .plain && phone.page.scroll && phone.page.languages == ["de", "ar"])
        #expect(phone.display.scenes.prayerStyle == .board && !phone.display.scenes.night)
        #expect(config.seen(as: "men") == nil)
        #expect(DisplayConfig.usualView(for: .machine) == "wall")
        #expect(DisplayConfig.usualView(for: .network) == "phone")
        #expect(try read(DisplayConfig.schema.printed(config)) == config)
    }

    @Test("The manual names every key")
    func manual() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let page = try String(contentsOf: root.appending(path: "docs/man/adhan-display.8"), encoding: .utf8)
        let keys = DisplayConfig.schema.defaultText.matches(of: #/(?m)^(?:# )?([a-z-]+)[ ]=/#).map {
            String($0.1)
        }
        #expect(keys.count > 35)
        for key in keys { #expect(page.contains(key), "\(key)") }
    }

    @Test("Every language has a whole table, and every table is a language")
    func languages() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Resources/display/page/languages")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        #expect(names == Language.codes.map { $0 + ".json" })
        func table(_ code: String) throws -> Language {
            try JSON.decode(Language.self, from: Data(contentsOf: folder.appending(path: code + ".json")))
        }
        let english = try table("en")
        for code in Language.codes {
            let own = try table(code)
            #expect(own.code == code && own.months.count == 12 && own.hijriMonths.count == 12)
            #expect(own.weekdays.count == 7 && Set(own.weekdays).count == 7)
            #expect(Set(own.prayers.keys) == Set(english.prayers.keys), "\(code)")
            #expect(own.direction == (["ar", "fa", "ur"].contains(code) ? "rtl" : "ltr"))
            #expect(Set(own.phrases.keys) == Set(english.phrases.keys), "\(code)")
            #expect(Set(own.person.keys) == Set(english.person.keys), "\(code)")
            let blanks = { (text: String) in Set(text.matches(of: /\{\w+\}/).map { String($0.0) }) }
            for (own, english) in [(own.phrases, english.phrases), (own.person, english.person)] {
                for (key, phrase) in own {
                    #expect(blanks(phrase) == blanks(english[key] ?? ""), "\(code) \(key)")
                    #expect(!phrase.isEmpty)
                }
            }
            for blank in ["{weekday}", "{day}", "{month}", "{year}"] { #expect(own.date.contains(blank)) }
        }
    }
}
