import BoxSupport
import PrayerEngine
import Testing
import Texts

@testable import Announcements
@testable import Daemon
@testable import Settings

@Suite("Outputs in the configuration")
struct OutputSchemaTests {
    private func load(_ text: String) throws -> Config { try ConfigLoader.load(text: text, file: "test") }

    private func reason(_ text: String) -> (line: Int, reason: String)? {
        do throws(ConfigError) {
            _ = try ConfigLoader.load(text: Array(text.utf8), file: "test")
            return nil
        } catch {
            return (error.line, error.reason)
        }
    }

    private let mosque = """
        [audio]
        preroll = "3s"
        fade-out = "2s"
        [[output]]
        name = "hall"
        devices = ["hw:CARD=Hall", "default"]
        [[output]]
        name = "horn"
        devices = ["hw:CARD=Horn"]
        kinds = ["adhan"]
        except = ["fajr"]
        max-volume = 33
        [[output]]
        name = "women"
        devices = ["snapfifo"]
        volume = 60
        fajr-volume = 30
        latency = "1s"
        preroll = "0s"
        keep-awake = "5m"
        required = false
        """

    @Test("Without any there is one, named main, which [audio] describes")
    func main() throws {
        let config = try load("[audio]\ndevices = [\"hw:1,0\"]\npreroll = \"2s\"\nkeep-awake = \"5m\"")
        #expect(config.outputs.isEmpty && !config.tellsOutputs)
        let main = try #require(config.allOutputs.first)
        #expect(config.allOutputs.count == 1 && main.name == "main" && main.devices == ["hw:1,0"])
        #expect(main.leadSeconds == 2 && main.keepAwakeSeconds == 300 && main.isRequired)
        #expect(!Config.default.printed().contains("output"))
    }

    @Test("Every key is read, printed and read again")
    func keys() throws {
        let config = try load(mosque)
        #expect(try load(config.printed()) == config)
        let (hall, horn, women) = (config.allOutputs[0], config.allOutputs[1], config.allOutputs[2])
        #expect(hall.devices == ["hw:CARD=Hall", "default"] && hall.leadSeconds == 3)
        #expect(hall.fadeOutSeconds == 2 && hall.keepAwakeSeconds == nil && hall.isRequired)
        #expect(horn.kinds == [.adhan] && horn.except == [.fajr] && horn.mostPercent == 33)
        #expect(women.volumePercent == 60 && women.prayerVolumes == [.fajr: 30])
        #expect(women.leadSeconds == 1 && women.keepAwakeSeconds == 300 && !women.isRequired)
        #expect(config.allDevices == ["hw:CARD=Hall", "default", "hw:CARD=Horn", "snapfifo"])
    }

    @Test("Latency and preroll have milliseconds, which are printed as they are read")
    func milliseconds() throws {
        let text = """
            [audio]
            preroll = "1s500ms"
            [[output]]
            name = "a"
            devices = ["x"]
            latency = "250ms"
            [[output]]
            name = "b"
            devices = ["y"]
            latency = "1050ms"
            preroll = "75ms"
            """
        let config = try load(text)
        #expect(config.outputs.map(\.latencySeconds) == [0.25, 1.05])
        #expect(config.allOutputs.map(\.prerollSeconds) == [1.5, 0.075])
        let printed = config.printed()
        #expect(try load(printed) == config)
        for line in [
            "preroll = \"1s500ms\"", "latency = \"250ms\"", "latency = \"1s50ms\"", "preroll = \"75ms\"",
        ] {
            #expect(printed.contains(line), "\(line) in \(printed)")
        }
    }

    @Test("Filters: kinds, prayers or except, and Friday's prayer goes with Dhuhr")
    func filters() throws {
        var output = OutputSettings()
        #expect(output.plays(.iqama, of: .fajr) && output.plays(.call, of: nil))
        output.kinds = [.adhan, .takbirat]
        output.prayers = [.dhuhr]
        #expect(output.plays(.adhan, of: .dhuhr) && output.plays(.adhan, of: .jumua))
        #expect(!output.plays(.iqama, of: .dhuhr) && !output.plays(.adhan, of: .isha))
        // Announcements of no prayer are not filtered by prayers.
        #expect(output.plays(.takbirat, of: nil) && !output.plays(.call, of: nil))
        (output.prayers, output.except) = ([], [.dhuhr])
        #expect(!output.plays(.adhan, of: .jumua) && output.plays(.adhan, of: .asr))
    }

    @Test("Of volumes the most exact wins, and none is above max-volume")
    func volumes() throws {
        var output = OutputSettings()
        #expect(output.volumePercent(70, of: .fajr) == 70)
        output.volumePercent = 60
        #expect(output.volumePercent(70, of: .fajr) == 60 && output.volumePercent(10, of: nil) == 60)
        output.prayerVolumes = [.fajr: 80, .dhuhr: 20]
        #expect(output.volumePercent(70, of: .fajr) == 80 && output.volumePercent(70, of: .jumua) == 20)
        output.mostPercent = 33
        #expect(output.volumePercent(70, of: .fajr) == 33 && output.volumePercent(70, of: .dhuhr) == 20)
    }

    @Test(
        "Mistakes are answered with what to type, at the line that is wrong",
        arguments: [
            ("name = \"a\"", 1, "[[output]] needs devices beside the rest"),
            ("devices = [\"x\"]", 1, "[[output]] needs name beside the rest"),
            ("name = \"A B\"\ndevices = [\"x\"]", 2, "did you mean \"a-b\"?"),
            ("name = \"a\"\ndevices = []", 3, "output.devices must be"),
            (
                "name = \"a\"\ndevices = [\"1\", \"2\", \"3\", \"4\", \"5\", \"6\", \"7\", \"8\", \"9\"]", 3,
                "output.devices has 9 names, allowed are 8"
            ),
            ("name = \"a\"\ndevices = [\"x\"]\nlatency = \"11s\"", 4, "output.latency must be a duration"),
            (
                "name = \"a\"\ndevices = [\"x\"]\nlatency = \"0.25s\"", 4,
                "from 0s to 10s, such as \"250ms\", \"1s\", \"5s\", not \"0.25s\"; did you mean \"250ms\"?"
            ),
            ("name = \"a\"\ndevices = [\"x\"]\nlatency = \"1.5 sec\"", 4, "did you mean \"1s500ms\"?"),
            ("name = \"a\"\ndevices = [\"x\"]\nlatency = \"250 ms\"", 4, "did you mean \"250ms\"?"),
            ("name = \"a\"\ndevices = [\"x\"]\nlatency = 0.25", 4, "did you mean \"250ms\"?"),
            (
                "name = \"a\"\ndevices = [\"x\"]\nlatency = \"10001ms\"", 4,
                "output.latency must be a duration"
            ),
            (
                "name = \"a\"\ndevices = [\"x\"]\nfade-out = \"250ms\"", 4,
                "output.fade-out must be a duration"
            ),
            ("name = \"a\"\ndevices = [\"x\"]\nsubuh-volume = 10", 4, "did you mean fajr-volume?"),
            ("name = \"a\"\ndevices = [\"x\"]\nkeep-awake = \"2h\"", 4, "output.keep-awake must be"),
            ("name = \"a\"\ndevices = [\"x\"]\nmax-volume = 101", 4, "output.max-volume must be"),
            ("name = \"a\"\ndevices = [\"x\"]\nfajr-volume = -1", 4, "output.fajr-volume must be"),
            ("name = \"a\"\ndevices = [\"x\"]\nkinds = [\"iftar\"]", 4, "as loud as that one"),
            ("name = \"a\"\ndevices = [\"x\"]\nprayers = [\"zuhr\"]", 4, "did you mean \"dhuhr\"?"),
            (
                "name = \"a\"\ndevices = [\"x\"]\nprayers = [\"asr\"]\nexcept = [\"isha\"]", 5,
                "output.except does not go with prayers; keep one of them"
            ),
            (
                "name = \"a\"\ndevices = [\"x\"]\n[[output]]\nname = \"a\"\ndevices = [\"y\"]", 5,
                "two outputs are named \"a\"; give each a name of its own"
            ),
            (
                "name = \"a\"\ndevices = [\"x\"]\n[[quiet]]\nname = \"q\"\n[[quiet]]\nvolume = 3\nname = \"q\"",
                8,
                "two windows are named \"q\"; give each a name of its own"
            ),
            (
                "name = \"a\"\ndevices = [\"x\"]\n[[call]]\nname = \"c\"\nat = \"fajr\"\n[[call]]\nat = \"isha\"\nname = \"c\"",
                9, "two calls are named \"c\"; give each a name of its own"
            ),
            (
                "name = \"a\"\ndevices = [\"x\"]\n[audio]\ndevices = [\"y\"]", 5,
                "audio.devices does not go with [[output]]: move this line into the output that it is about"
            ),
            (
                "name = \"a\"\ndevices = [\"x\"]\n[audio]\nkeep-awake = \"5m\"", 5,
                "audio.keep-awake does not go with [[output]]"
            ),
            (
                "name = \"hall\"\ndevices = [\"x\"]\n[[quiet]]\nname = \"q\"\n[[quiet]]\nname = \"r\"\noutputs = [\"hal\"]",
                8, "there is no such output; there are \"hall\"; did you mean \"hall\"?"
            ),
            (
                "name = \"hall\"\ndevices = [\"x\"]\n[[call]]\nname = \"c\"\nat = \"fajr\"\noutputs = \"horn\"",
                7, "there is no such output; there are \"hall\""
            ),
        ] as [(String, Int, String)])
    func mistakes(_ text: String, _ line: Int, _ expected: String) throws {
        let found = try #require(reason("[[output]]\n" + text))
        #expect(found.line == line && found.reason.contains(expected), "\(found)")
    }

    @Test("At most eight")
    func count() {
        func outputs(_ count: Int) -> String {
            (1...count).map { "[[output]]\nname = \"a\($0)\"\ndevices = [\"x\"]\n" }.joined()
        }
        #expect(reason(outputs(8)) == nil)
        #expect(reason(outputs(9))?.reason == "output has 9 tables, allowed are 8")
    }

    @Test("Two that begin with the same card are a finding, and so is an announcement that no output plays")
    func findings() throws {
        let twins = try load(
            "[[output]]\nname = \"a\"\ndevices = [\"hw:1,0\"]\n[[output]]\nname = \"b\"\ndevices = [\"hw:1,0\", \"x\"]\n"
                + "[[output]]\nname = \"c\"\ndevices = [\"default\"]\n[[output]]\nname = \"d\"\ndevices = [\"default\"]"
        )
        let shared = OutputFindings.shared(twins)
        #expect(
            shared.count == 1 && shared[0].contains("\"a\" and \"b\" both begin with the device \"hw:1,0\""))
        for (one, other, isOne) in [
            ("hw:0", "hw:0,0", true), ("hw:CARD=Hall", "hw:CARD=Hall,DEV=0", true),
            ("hw:Hall", "plughw:DEV=0,CARD=Hall", true), ("hw:0,0", "hw:0,1", false),
            ("hw:Hall", "hw:Horn", false), ("hw:0,0,0", "hw:0,0,1", false), ("hw:0,0,1", "hw:0", true),
            ("dmix:0", "dmix:0", false),
        ] {
            let two = try load(
                "[[output]]\nname = \"a\"\ndevices = [\"\(one)\"]\n[[output]]\nname = \"b\"\ndevices = [\"\(other)\"]"
            )
            let shared = OutputFindings.shared(two)
            #expect(shared.count == (isOne ? 1 : 0), "\(one) and \(other): \(shared)")
            #expect(shared.allSatisfy { $0.contains("the device \"\(one)\"") && $0.contains("\"\(other)\"") })
        }
        let site = try Box.inputs(twins).site
        let first = try #require(CivilDate("2026-11-20"))
        #expect(OutputFindings.unplayed(site: site, config: twins, from: first, days: 3).isEmpty)
        let only = try load("[[output]]\nname = \"a\"\ndevices = [\"x\"]\nexcept = [\"fajr\"]")
        #expect(
            OutputFindings.unplayed(site: site, config: only, from: first, days: 3) == [
                "no output plays Fajr on 3 days of the coming year, from 2026-11-20 on"
            ])
        let quiet = try load("[[output]]\nname = \"a\"\ndevices = [\"x\"]\nfajr-volume = 0")
        #expect(
            OutputFindings.unplayed(site: site, config: quiet, from: first, days: 1) == [
                "no output plays Fajr on 2026-11-20: its volume is 0 on \"a\""
            ])
        let called = try load(
            "[[output]]\nname = \"a\"\ndevices = [\"x\"]\nkinds = [\"adhan\"]\n[[call]]\nname = \"tea\"\nat = \"12:00\""
        )
        #expect(
            OutputFindings.unplayed(site: site, config: called, from: first, days: 3) == [
                "no output plays the call \"tea\" on 3 days of the coming year, from 2026-11-20 on"
            ])
    }
}
