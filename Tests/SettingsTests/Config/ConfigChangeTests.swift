import Testing
import Texts

@testable import Settings

@Suite("Setting keys by a command")
struct ConfigChangeTests {
    private static let main = """
        # ours
        [adhan] # all
        volume = 80 # loud
        sound = "makkah"
        [calculation]
        method = "custom"
        [calculation.angles]
        fajr = 18
        isha = 17

        """

    private func change(
        _ arguments: String..., in main: String? = Self.main, dropIns: [String] = []
    ) throws -> ConfigChange {
        let changes = try #require(ConfigChange.KeyChange.read(arguments))
        return try ConfigChange(
            changes, in: main.map { Array($0.utf8) }, file: "f",
            dropIns: dropIns.enumerated().map { ConfigSource(file: "d\($0)", text: Array($1.utf8)) })
    }

    private func text(_ change: ConfigChange) -> String { String(decoding: change.text, as: UTF8.self) }

    @Test("One value changes, and comments and everything else stay")
    func replaced() throws {
        let change = try change("adhan.volume", "70")
        #expect(text(change) == Self.main.replacing("80 # loud", with: "70 # loud"))
        #expect(change.steps == [.init(key: "adhan.volume", value: "70", before: "80")])
        #expect(!change.isEmpty && change.effective.config[.asr].volumePercent == 70)
        #expect(try self.change("adhan.volume=80").isEmpty)
    }

    @Test(
        "A value is understood as it is typed",
        arguments: [
            (["adhan.volume", "7"], "adhan.volume", "7"),
            (["adhan.fajr.enabled", "false"], "adhan.fajr.enabled", "false"),
            (["timezone", "Asia/Riyadh"], "timezone", "\"Asia/Riyadh\""),
            (["timezone", "\"Asia/Riyadh\""], "timezone", "\"Asia/Riyadh\""),
            (["adhan.reminders", "10m", "5m"], "adhan.reminders", "[\"10m\", \"5m\"]"),
            (["adhan.reminders", "10m,5m"], "adhan.reminders", "[\"10m\", \"5m\"]"),
            (["adhan.reminders", "10m"], "adhan.reminders", "[\"10m\"]"),
            (["adhan.reminders", "[]"], "adhan.reminders", "[]"),
            (["adhan.reminders", "[\"1h\"]"], "adhan.reminders", "[\"1h\"]"),
            (["adhan.sound", "takbir", "makkah"], "adhan.sound", "[\"takbir\", \"makkah\"]"),
            (["adhan.sound", "our adhan"], "adhan.sound", "\"our adhan\""),
            (["adhan.sound", "1"], "adhan.sound", "\"1\""),
            (["adhan.sound", "true"], "adhan.sound", "\"true\""),
            (["audio.devices", "hw:1,0"], "audio.devices", "[\"hw:1,0\"]"),
            (["audio.devices", "[\"hw:1,0\"]"], "audio.devices", "[\"hw:1,0\"]"),
            (["adhan.late-grace", "90s"], "adhan.late-grace", "\"1m30s\""),
            (["calculation.asr", "Shafi"], "calculation.asr", "\"standard\""),
            (["calculation.method", "ISNA"], "calculation.method", "\"isna\""),
            (["calculation.method", "3"], "calculation.method", "\"mwl\""),
            (["calculation.method", "makkah"], "calculation.method", "\"umm-al-qura\""),
        ] as [([String], String, String)])
    func values(_ arguments: [String], _ key: String, _ value: String) throws {
        let changes = try #require(ConfigChange.KeyChange.read(arguments))
        let change = try ConfigChange(changes, in: nil, file: "f", dropIns: [])
        #expect(change.steps == [.init(key: key, value: value, before: nil)])
        #expect(change.effective.settings.map(\.key) == [key])
    }

    @Test("Keys that need each other are set together")
    func together() throws {
        let change = try change(
            "location.latitude=-33.9", "location.longitude=18.4", "location.name=Cape Town", in: nil)
        #expect(
            change.effective.config.location
                == ConfiguredLocation(name: "Cape Town", latitude: -33.9, longitude: 18.4))
        #expect(text(change).hasPrefix("# adhand's configuration."))
    }

    @Test("Another method takes angles of one's own out of force")
    func angles() throws {
        let change = try change("calculation.method", "mwl")
        #expect(text(change).contains("# [calculation.angles]\n# fajr = 18\n# isha = 17\n"))
        #expect(change.effective.config.calculation.method == "mwl")
        #expect(try self.change("calculation.method", "custom").isEmpty)
    }

    @Test(
        "What cannot be is one sentence, and whose fault it is",
        arguments: [
            (
                ["adhan.volume", "700"], .word,
                "adhan.volume must be a whole number from 0 to 100 (percent), not 700"
            ),
            (["adhan.volume", "loud"], .word, "not \"loud\""),
            (["adhan.volum", "70"], .word, "did you mean volume?"),
            (["adhan", "70"], .word, "adhan is a table; set one of its keys: enabled, sound,"),
            (["a b", "70"], .word, "\"a b\" is not a key"), (["", "70"], .word, "\"\" is not a key"),
            (["x = 1\ny", "70"], .word, "is not a key"), (["zuhr.volume=3"], .word, "unknown key zuhr;"),
            (["timezone.x=3"], .word, "timezone is a value"),
            (["adhan.zuhr.volume=3"], .word, "unknown key adhan.zuhr;"),
            (["location.latitude=3"], .text, "location.latitude needs location.longitude beside it"),
            (["control.group", "wheel"], .drop, "the drop-in d0, line 2, sets control.group"),
        ] as [([String], ConfigRefusal.Kind, String)])
    func refused(_ arguments: [String], _ kind: ConfigRefusal.Kind, _ words: String) throws {
        let error = #expect(throws: ConfigRefusal.self) {
            let changes =
                ConfigChange.KeyChange.read(arguments) ?? [
                    .init(key: arguments[0], words: Array(arguments.dropFirst()))
                ]
            return try ConfigChange(
                changes, in: Array(Self.main.utf8), file: "f",
                dropIns: [ConfigSource(file: "d0", text: Array("[control]\ngroup = \"staff\"\n".utf8))])
        }
        #expect(error?.kind == kind && error?.message.contains(words) == true, "\(error?.message ?? "")")
    }

    @Test("A file with a mistake is not written over, and no change makes one")
    func broken() {
        #expect(throws: ConfigRefusal.self) { try change("adhan.volume=3", in: "[adhan]\nvolum = 3\n") }
        #expect(throws: ConfigRefusal.self) { try change("adhan.volume=3", dropIns: ["x = 1"]) }
        #expect(throws: ConfigRefusal.self) { try change("calculation.angles.isha-minutes=90") }
    }

    @Test("What is typed is a key and a value, or pairs of them")
    func changes() {
        #expect(ConfigChange.KeyChange.read([]) == nil)
        #expect(ConfigChange.KeyChange.read(["adhan.volume"]) == nil)
        #expect(ConfigChange.KeyChange.read(["a=1", "b"]) == nil)
        #expect(ConfigChange.KeyChange.read(["a", "b=c"]) == [.init(key: "a", words: ["b=c"])])
        #expect(
            ConfigChange.KeyChange.read(["a=b=c", "d="]) == [
                .init(key: "a", words: ["b=c"]), .init(key: "d", words: [""]),
            ])
    }
}
