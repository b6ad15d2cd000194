import PrayerEngine
import Settings
import Testing
import Texts

@Suite("Editing a configuration's text")
struct ConfigEditTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let before: String
        let path: [String]
        let value: ConfigEdit.Value
        let after: String

        init(
            _ name: String, _ before: String, _ path: String, _ value: ConfigEdit.Value, _ after: String
        ) {
            testDescription = name
            self.before = before
            self.path = path.split(separator: ".").map(String.init)
            self.value = value
            self.after = after
        }
    }

    static let replaced = [
        Case(
            "a comment after the value stays", "[location]\nlatitude = 1.5   # north\nlongitude=2 # east\n",
            "location.latitude", .number(40.7282),
            "[location]\nlatitude = 40.7282   # north\nlongitude=2 # east\n"),
        Case(
            "a hash inside the old text is no comment",
            "[location]\nname = 'a # b' # c\nlatitude = 1\nlongitude = 1\n",
            "location.name", .text("x\"y"), "[location]\nname = \"x\\\"y\" # c\nlatitude = 1\nlongitude = 1\n"
        ),
        Case(
            "a dotted key", "calculation.method = \"isna\"\n", "calculation.method", .text("mwl"),
            "calculation.method = \"mwl\"\n"),
        Case(
            "a quoted key", "\"calculation\" . 'method' = \"isna\"\n", "calculation.method", .text("mwl"),
            "\"calculation\" . 'method' = \"mwl\"\n"),
        Case(
            "an inline table", "location = { latitude = 1, longitude = 2 } # here\n", "location.longitude",
            .number(3),
            "location = { latitude = 1, longitude = 3 } # here\n"),
        Case(
            "an inline table's last value against its brace", "location={latitude=1,longitude=2}",
            "location.longitude",
            .number(3), "location={latitude=1,longitude=3}"),
        Case(
            "a list over several lines",
            "[audio]\ndevices = [\n  \"a]\", # first\n  \"b\",\n]   # why\npreroll = \"1s\"\n",
            "audio.devices",
            .texts(["hw:1,0"]), "[audio]\ndevices = [\"hw:1,0\"]   # why\npreroll = \"1s\"\n"),
        Case(
            "a text over several lines",
            "[location]\nname = \"\"\"\nA\nB = 1\"\"\"\nlatitude = 1\nlongitude = 1\n",
            "location.name", .text("C"), "[location]\nname = \"C\"\nlatitude = 1\nlongitude = 1\n"),
        Case(
            "the same key in two tables", "[adhan]\nvolume = 80\n[adhan.fajr]\nvolume = 60\n", "adhan.volume",
            .integer(50), "[adhan]\nvolume = 50\n[adhan.fajr]\nvolume = 60\n"),
        Case(
            "the other of the two", "[adhan]\nvolume = 80\n[adhan.fajr]\nvolume = 60\n", "adhan.fajr.volume",
            .integer(50), "[adhan]\nvolume = 80\n[adhan.fajr]\nvolume = 50\n"),
        Case(
            "lines that end as Windows ends them", "[adhan]\r\nvolume = 80\r\nenabled = true\r\n",
            "adhan.volume",
            .integer(5), "[adhan]\r\nvolume = 5\r\nenabled = true\r\n"),
        Case(
            "no line end at all", "timezone = \"UTC\"", "timezone", .text("Asia/Dhaka"),
            "timezone = \"Asia/Dhaka\""),
        Case(
            "a header with spaces and a comment", "[ adhan . fajr ] # early\n volume=1 \n",
            "adhan.fajr.volume",
            .integer(2), "[ adhan . fajr ] # early\n volume=2 \n"),
    ]

    static let added = [
        Case("an empty text", "", "location.latitude", .number(1), "[location]\nlatitude = 1\n"),
        Case("an empty text, at the top", "", "timezone", .text("UTC"), "timezone = \"UTC\"\n"),
        Case(
            "after the table's last key", "[adhan]\nenabled = true # on\n\n[audio]\npreroll = \"1s\"\n",
            "adhan.volume",
            .integer(9), "[adhan]\nenabled = true # on\nvolume = 9\n\n[audio]\npreroll = \"1s\"\n"),
        Case(
            "into a table without keys", "[adhan] # all\n[audio]\n", "adhan.volume", .integer(9),
            "[adhan] # all\nvolume = 9\n[audio]\n"),
        Case(
            "into a table at the end without a line end", "[adhan]", "adhan.volume", .integer(9),
            "[adhan]\nvolume = 9\n"),
        Case(
            "after the line that shows the key commented out",
            "[audio]\n# devices = [\"default\"]\n# what follows is mine\npreroll = \"1s\"\n", "audio.devices",
            .texts(["a"]),
            "[audio]\n# devices = [\"default\"]\ndevices = [\"a\"]\n# what follows is mine\npreroll = \"1s\"\n"
        ),
        Case(
            "a new table after an empty line", "[adhan]\nvolume = 1", "audio.devices", .texts(["a", "b"]),
            "[adhan]\nvolume = 1\n\n[audio]\ndevices = [\"a\", \"b\"]\n"),
        Case(
            "a new table below lines of Windows", "[adhan]\r\nvolume = 1\r\n", "location.latitude",
            .number(1),
            "[adhan]\r\nvolume = 1\r\n\r\n[location]\r\nlatitude = 1\r\n"),
        Case(
            "beside dotted keys, as another",
            "location.latitude = 1\nlocation.longitude = 2 # e\n\n[adhan]\n",
            "location.name", .text("N"),
            "location.latitude = 1\nlocation.longitude = 2 # e\nlocation.name = \"N\"\n\n[adhan]\n"),
        Case(
            "beside dotted keys below a header", "[calculation]\nadjustments.fajr = 1\n",
            "calculation.adjustments.isha",
            .integer(2), "[calculation]\nadjustments.fajr = 1\nadjustments.isha = 2\n"),
        Case(
            "into an inline table", "location = { latitude = 1, longitude = 2 }\n", "location.name",
            .text("N"),
            "location = { name = \"N\", latitude = 1, longitude = 2 }\n"),
        Case(
            "into an empty inline table", "adhan = {}\n", "adhan.volume", .integer(1),
            "adhan = { volume = 1 }\n"),
        Case(
            "a table inside an inline table", "calculation = {method = \"mwl\"}\n",
            "calculation.adjustments.fajr",
            .integer(1), "calculation = { adjustments.fajr = 1,method = \"mwl\"}\n"),
        Case(
            "into the inner of two inline tables", "calculation = { adjustments = { fajr = 1 } }\n",
            "calculation.adjustments.isha", .integer(2),
            "calculation = { adjustments = { isha = 2, fajr = 1 } }\n"),
        Case(
            "a subtable whose table has dotted keys", "calculation.method = \"mwl\"\n",
            "calculation.adjustments.fajr",
            .integer(1), "calculation.method = \"mwl\"\n\n[calculation.adjustments]\nfajr = 1\n"),
        Case(
            "a table whose subtable is there", "[adhan.fajr]\nvolume = 1\n", "adhan.volume", .integer(2),
            "[adhan.fajr]\nvolume = 1\n\n[adhan]\nvolume = 2\n"),
        Case(
            "at the top, before the first table's comment", "# Our mosque.\n\n# Loud.\n[adhan]\nvolume = 1\n",
            "timezone",
            .text("UTC"), "# Our mosque.\n\ntimezone = \"UTC\"\n\n# Loud.\n[adhan]\nvolume = 1\n"),
        Case(
            "at the top, after its commented line", "# title\n# timezone = \"X\"   # default\n\n[adhan]\n",
            "timezone",
            .text("UTC"), "# title\n# timezone = \"X\"   # default\ntimezone = \"UTC\"\n\n[adhan]\n"),
        Case(
            "at the top of a text that begins with a byte order mark", "\u{FEFF}[adhan]\nvolume = 1\n",
            "timezone",
            .text("UTC"), "\u{FEFF}timezone = \"UTC\"\n\n[adhan]\nvolume = 1\n"),
        Case(
            "before comments that look like keys", "[adhan]\nvolume = 1\n# [audio]\n# volume = 3\n",
            "audio.devices",
            .texts(["a"]), "[adhan]\nvolume = 1\n# [audio]\n# volume = 3\n\n[audio]\ndevices = [\"a\"]\n"),
    ]

    @Test("A value is replaced and nothing else", arguments: replaced)
    func replacing(example: Case) throws { try check(example) }

    @Test("A missing key is added where its author would have put it", arguments: added)
    func adding(example: Case) throws { try check(example) }

    private func check(_ example: Case) throws {
        var edit = ConfigEdit(Array(example.before.utf8))
        edit.set(example.path, example.value)
        #expect(String(decoding: edit.bytes, as: UTF8.self) == example.after)
        // The second time there is nothing to move.
        edit.set(example.path, example.value)
        #expect(String(decoding: edit.bytes, as: UTF8.self) == example.after)
        guard example.path.first != "location" else { return }
        #expect(throws: Never.self) { try ConfigLoader.load(text: edit.bytes, file: "test") }
    }

    @Test("Every key of the wizard can be set in any text, and is then what the loader reads")
    func everywhere() throws {
        let texts = Self.replaced.map(\.before) + Self.added.map(\.before) + [Config.defaultText]
        for text in texts {
            var edit = ConfigEdit(Array(text.utf8))
            edit.set(["timezone"], .text("Asia/Riyadh"))
            edit.set(["location", "name"], .text("Makkah, Saudi Arabia"))
            edit.set(["location", "latitude"], .number(21.4266))
            edit.set(["location", "longitude"], .number(39.8256))
            edit.set(["calculation", "method"], .text("umm-al-qura"))
            edit.set(["calculation", "asr"], .text("standard"))
            edit.set(["calculation", "adjustments", "fajr"], .integer(-2))
            edit.set(["audio", "devices"], .texts(["hw:1,0", "default"]))
            edit.set(["adhan", "volume"], .integer(33))
            edit.set(["adhan", "sound"], .text("madinah"))
            let config = try ConfigLoader.load(text: edit.bytes, file: "test")
            #expect(config.timezone == "Asia/Riyadh")
            #expect(config.location?.name == "Makkah, Saudi Arabia")
            #expect(config.location?.latitude == 21.4266 && config.location?.longitude == 39.8256)
            #expect(config.calculation.method == "umm-al-qura" && config.calculation.asr == .standard)
            #expect(config.calculation.adjustments.fajr == -2)
            #expect(config.devices == ["hw:1,0", "default"])
            #expect(config[.asr].volumePercent == 33 && config[.asr].sound == ["madinah"])
        }
    }

    @Test("A table is commented out line by line, whatever its values are")
    func commentingOut() throws {
        let before = """
            [calculation]
            method = "custom"
            [calculation.angles] # ours
              fajr = 15 # early
            isha-minutes = 90
            # note
            [adhan]
            volume = 1
            """
        var edit = ConfigEdit(Array(before.utf8))
        edit.commentOut(table: ["calculation", "angles"])
        edit.set(["calculation", "method"], .text("mwl"))
        #expect(
            String(decoding: edit.bytes, as: UTF8.self) == """
                [calculation]
                method = "mwl"
                # [calculation.angles] # ours
                  # fajr = 15 # early
                # isha-minutes = 90
                # note
                [adhan]
                volume = 1
                """)
        #expect(throws: Never.self) { try ConfigLoader.load(text: edit.bytes, file: "test") }
    }
}
