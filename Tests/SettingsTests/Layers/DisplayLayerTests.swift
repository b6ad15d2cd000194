import PrayerEngine
import Testing

@testable import Settings
@testable import Texts

/// The display's settings in the same layer as adhand's, over a file of their own.
@Suite("The settings layer over display.toml")
struct DisplayLayerTests {
    private let anna = SettingAuthor(actor: "Kitchen phone", user: "adhan-remote")

    private func layered(
        _ layer: SettingsLayer, files: String = "", display: String = ""
    ) throws -> LayeredConfig {
        try LayeredConfig(
            [ConfigSource(file: "a.toml", text: Array(files.utf8))], layer,
            display: [ConfigSource(file: "display.toml", text: Array(display.utf8))])
    }

    private func set(
        _ pairs: KeyValuePairs<String, String?>, in layer: SettingsLayer = SettingsLayer(),
        files: String = "", display: String = "", as role: SettingRole = .keeper
    ) throws(SettingsRefusal) -> SettingsLayer {
        let over = (try? layered(SettingsLayer(), files: files, display: display))?.layerFiles
        guard let over else { throw .count }
        return try layer.setting(
            pairs.map { SettingChange(key: $0.key, value: $0.value) }, by: anna, as: role, over: over,
            at: "2026-11-24T02:00:00Z"
        ).layer
    }

    @Test("A setting goes before display.toml, and leaves adhand's alone")
    func precedence() throws {
        let layer = try set(
            ["display.title": "\"Our mosque\"", "adhan.fajr.volume": "45"], display: "title = \"x\"\n")
        let both = try layered(layer, display: "title = \"x\"\ntheme = \"day\"\n")
        #expect(both.display.config.page.title == "Our mosque" && both.display.config.page.theme == .day)
        #expect(both.displayFiles.config.page.title == "x")
        #expect(both.effective.config[.fajr].volumePercent == 45)
        #expect(both.settings.map(\.state) == [.set, .set])
        let key = try #require(SettableKey("display.title"))
        #expect(both.inForce(key) == "\"Our mosque\"" && key.initial == "")
    }

    @Test(
        "An edit of display.toml is the newer word, a pin the last one, and a broken display.toml no reason not to start"
    )
    func states() throws {
        let layer = try set(["display.title": "\"Our mosque\""], display: "title = \"x\"\n")
        let edited = try layered(layer, display: "title = \"y\"\n")
        #expect(edited.settings.map(\.state) == [.superseded] && edited.display.config.page.title == "y")
        #expect(edited.settings.first?.place?.file == "display.toml")
        let pinned = try layered(
            layer, files: "[control]\npinned = [\"display\"]\n", display: "title = \"x\"\n")
        #expect(pinned.settings.map(\.state) == [.pinned])
        let broken = try layered(layer, display: "titel = \"x\"\n")
        #expect(broken.display.config.page.title.isEmpty && broken.settings.map(\.state) == [.superseded])
        #expect(throws: SettingsRefusal.pinned(key: "display.theme", file: "a.toml", line: 2)) {
            try set(["display.theme": "\"day\""], files: "[control]\npinned = [\"display.theme\"]\n")
        }
    }

    @Test("What would not validate is not in force, and what stood with it is not either")
    func invalid() throws {
        let layer = try set(["display.clock": "13", "adhan.fajr.volume": "45"])
        let both = try layered(layer)
        #expect(both.settings.map(\.state) == [.invalid, .invalid])
        #expect(both.display.config.page.clock == 24 && both.effective.config[.fajr].volumePercent != 45)
    }

    @Test(
        "Files alone set what the display receives, serves and opens",
        arguments: [
            "display.slides.folder", "display.touch.enabled", "display.network.names", "display.screen.view",
            "display.night.screen", "display.logo", "display.view", "display.donate.url", "display",
            "display.nonsense",
        ])
    func files(key: String) {
        #expect(SettableKey(key) == nil)
    }

    @Test(
        "Every key of the design is for keepers",
        arguments: [
            "languages", "digits", "clock", "seconds", "arabic-names", "theme", "title", "ticker", "proof",
            "hijri-turns",
            "forbidden-times", "notice-days", "scenes.approaching", "scenes.khutba", "prayer.style",
            "prayer.fajr",
            "night.enabled", "night.brightness", "announcement",
        ])
    func keepers(name: String) throws {
        let key = try #require(SettableKey("display.\(name)"))
        #expect(key.role(.volume) == .keeper && key.home == .display)
    }

    @Test("An announcement takes a picture by its digest, and only as a slide")
    func pictures() throws {
        let digest = String(repeating: "9f", count: 32)
        let layer = try set([
            "display.announcement":
                "[{ text = \"Funeral\", until = 2026-11-29, show = [\"slide\"], picture = \"\(digest)\" }]"
        ])
        let shown = try #require(try layered(layer).display.config.display.announcements.first)
        #expect(shown.picture == digest && shown.show == [.slide])
        for wrong in [
            "[{ text = \"x\", until = 2026-11-29, picture = \"\(digest)\" }]",
            "[{ text = \"x\", until = 2026-11-29, show = [\"slide\"], picture = \"../../etc/shadow\" }]",
            "[{ text = \"x\", until = 2026-11-29, show = [\"slide\"], picture = \"\(digest.uppercased())\" }]",
        ] {
            #expect(throws: SettingsRefusal.self) { try set(["display.announcement": wrong]) }
        }
    }

    @Test("A word of a person becomes the value of its key")
    func words() throws {
        let change = try ConfigChange.understood(.init(key: "display.languages", words: ["de", "ar"]))
        #expect(change.key == "display.languages" && change.value == "[\"de\", \"ar\"]")
        #expect(throws: ConfigRefusal.self) {
            try ConfigChange.understood(.init(key: "display.theme", words: ["purple"]))
        }
    }
}
