import Protocol
import Testing
import Texts

@testable import Console
@testable import Settings

@Suite("A configuration of several files")
struct DropInTests {
    private static let main = """
        timezone = "Asia/Riyadh"
        [calculation]
        method = "umm-al-qura"
        [adhan]
        volume = 80
        reminders = ["10m", "5m"]
        [adhan.fajr]
        volume = 60
        """

    @Test("The later file wins key by key, and lists as a whole")
    func laterWins() throws {
        let config = try load(
            Self.main, "[adhan]\nvolume = 50\nreminders = [\"1m\"]\n", "adhan.fajr.enabled = false\n"
        ).config
        #expect(config.timezone == "Asia/Riyadh" && config.calculation.method == "umm-al-qura")
        #expect(config[.asr].volumePercent == 50 && config[.fajr].volumePercent == 60)
        #expect(config[.asr].reminderSeconds == [60])
        #expect(!config[.fajr].enabled && config[.asr].enabled)
        // The order of the files is the order of the say.
        #expect(try load("[adhan]\nvolume = 50", "[adhan]\nvolume = 40").config[.asr].volumePercent == 40)
        #expect(try load("[adhan]\nvolume = 40", "[adhan]\nvolume = 50").config[.asr].volumePercent == 50)
    }

    @Test("No file, and files that say nothing, are the default")
    func nothing() throws {
        #expect(try ConfigLoader.load([]).config == .default)
        #expect(try load("", "# nothing\n").config == .default)
    }

    @Test("Every key tells its value, who set it, and over whom")
    func settings() throws {
        let settings = try load(Self.main, "\n[adhan]\nvolume = 50", "adhan.volume = 40").settings
        #expect(
            settings.map(\.key) == [
                "timezone", "calculation.method", "adhan.volume", "adhan.reminders", "adhan.fajr.volume",
            ])
        let volume = try #require(settings.first { $0.key == "adhan.volume" })
        #expect(volume.value == "40" && volume.file == "f2" && volume.line == 1)
        #expect(volume.overridden == [.init(file: "f0", line: 5), .init(file: "f1", line: 3)])
        #expect(settings[0].overridden.isEmpty && settings[0].file == "f0" && settings[0].line == 1)
    }

    @Test("A mistake is reported of the file in which it stands")
    func mistakes() {
        #expect(
            mistake(Self.main, "[adhan]\n\nvolume = 300")?.hasPrefix("f1:3:10: adhan.volume must be") == true)
        #expect(mistake("volum = 3", "[adhan]\nvolume = 300")?.hasPrefix("f0:1:1: unknown key volum") == true)
        #expect(mistake(Self.main, "[adhan\n")?.hasPrefix("f1:1:") == true)
        // A wrong value is wrong even where a later file overrides it.
        #expect(mistake("adhan.volume = 300", "adhan.volume = 3")?.hasPrefix("f0:1:16: ") == true)
    }

    @Test("What keys say together is checked over all files, and told of the one that says it last")
    func relations() throws {
        let config = try load("location.latitude = 1", "location.longitude = 2").config
        #expect(config.location?.longitude == 2)
        let custom = "calculation.method = \"custom\"\n[calculation.angles]\nfajr = 18\nisha = 17\n"
        #expect(
            mistake(custom, "\n[calculation.angles]\nisha-minutes = 90")?
                .hasPrefix("f1:3:1: calculation.angles.isha-minutes excludes") == true)
        #expect(
            mistake(custom, "calculation.method = \"isna\"")?
                .hasPrefix("f0:2:14: calculation.angles is read only with method") == true)
        #expect(mistake("", "location.latitude = 1")?.hasPrefix("f1:1:10: location.latitude needs") == true)
    }

    @Test("What only the machine can tell is reported of the value that counts")
    func machine() {
        let sources = ["timezone = \"A/B\"", "\ntimezone = \"C/D\"", ""].enumerated().map {
            ConfigSource(file: "f\($0)", text: Array($1.utf8))
        }
        #expect(
            ConfigLoader.error(at: "timezone", in: sources, file: "f0", reason: "no").message == "f1:2:12: no"
        )
        #expect(
            ConfigLoader.error(at: "calculation", in: sources, file: "f0", reason: "no").message
                == "f0:1:1: no")
    }

    @Test("check tells what drop-ins set, and over whom")
    func rendering() throws {
        let settings = try load(Self.main, "adhan.volume = 50\ncontrol.group = \"wheel\"", "# off").settings
        #expect(
            CheckText.dropIns(of: "f0", files: ["f0", "f1", "f2"], settings: settings) == """
                drop-in f1:
                  adhan.volume = 50  (over f0:5)
                  control.group = "wheel"
                drop-in f2:
                  sets nothing that counts

                """)
        #expect(CheckText.dropIns(of: "f0", files: ["f0"], settings: settings).isEmpty)
    }

    private func load(_ texts: String...) throws -> EffectiveConfig { try load(texts) }

    private func load(_ texts: [String]) throws(ConfigError) -> EffectiveConfig {
        try ConfigLoader.load(texts.enumerated().map { ConfigSource(file: "f\($0)", text: Array($1.utf8)) })
    }

    private func mistake(_ texts: String...) -> String? {
        do throws(ConfigError) {
            _ = try load(texts)
            return nil
        } catch {
            return error.message
        }
    }
}
