import Settings
import Testing
import Texts

@testable import Host

@Suite("Pins and loudest of a box's files bind its fleet")
struct FleetSourcesTests {
    private let main = "/etc/adhand/adhand.toml"

    private func among(_ own: String, _ fleet: String, dropIn: String? = nil) -> FleetSources {
        let files = [ConfigSource(file: main, text: Array(own.utf8))]
        let dropIns = dropIn.map { [ConfigSource(file: main + ".d/1.toml", text: Array($0.utf8))] } ?? []
        return FleetSources(fleet, among: files + dropIns, after: main)
    }

    private func config(_ sources: FleetSources) throws -> Config {
        try ConfigLoader.load(sources.sources).config
    }

    @Test("Without either the fleet's values count, above adhand.toml and below the drop-ins")
    func free() throws {
        let own = "[adhan]\nvolume = 60\nfade-in = \"2s\"\n[control]\npinned = \"iqama\"\nloudest = 90\n"
        let both = among(
            own, "[adhan]\nvolume = 90\nsound = \"signal\"\n", dropIn: "[adhan]\nsound = \"adhan\"\n")
        #expect(both.conflicts.isEmpty && both.problem == nil)
        #expect(both.sources.map(\.file) == [main, ConfigFiles.fleetName, main + ".d/1.toml"])
        let effective = try ConfigLoader.load(both.sources)
        #expect(effective.config[.asr].volumePercent == 90)
        #expect(effective.settings.first { $0.key == "adhan.sound" }?.file == main + ".d/1.toml")
        // The file itself is not bound.
        #expect(
            among("[adhan]\nvolume = 80\n[control]\nloudest = 70\npinned = \"adhan\"\n", "").conflicts.isEmpty
        )
    }

    @Test("A pinned key keeps the file's value or its default, and the rest of the fleet's stays in force")
    func pinned() throws {
        let fleet = "[adhan]\nvolume = 33\n[adhan.isha]\nvolume = 44\n[iqama]\nvolume = 22\n"
        let own = "[adhan]\nvolume = 60\n"
        let both = among(own + "[control]\npinned = [\"adhan.isha.volume\", \"iqama\"]\n", fleet)
        #expect(both.conflicts.map(\.key) == ["adhan.isha.volume", "iqama.volume"])
        #expect(
            both.conflicts[0].refusal
                == "the fleet cannot change adhan.isha.volume: [control] pinned names adhan.isha.volume in "
                + "\(main), line 4")
        #expect(
            both.problem
                == "the fleet's configuration has no effect on adhan.isha.volume ([control] pinned names "
                + "adhan.isha.volume in \(main), line 4), iqama.volume ([control] pinned names iqama in "
                + "\(main), line 4)")
        let config = try config(both)
        // The prayer's own value does not follow the fleet's for all of them.
        #expect(config[.asr].volumePercent == 33 && config[.isha].volumePercent == 60)
        #expect(
            config.iqamaAnnouncement.volumePercent
                == Config.default.iqamaAnnouncement.volumePercent)
        // The pin comes later, and goes again, as at a reload or a start.
        let without = try self.config(among(own, fleet))
        #expect(without[.isha].volumePercent == 44 && without.iqamaAnnouncement.volumePercent == 22)
    }

    @Test("What the fleet sets for all prayers is heard at those whose value no pin keeps")
    func pinnedFollower() throws {
        let fleet = "[adhan]\nvolume = 33\nfade-in = \"2s\"\n[adhan.dhuhr]\nvolume = 44\n"
        for (pin, dropIn, isha, jumua) in [
            ("adhan.isha.volume", "", 80, 44), ("adhan.isha", "[adhan]\nvolume = 50\n", 50, 44),
            ("adhan.jumua.volume", "[adhan]\nvolume = 50\n", 50, 50), ("adhan.jumua", "", 33, 80),
        ] {
            let both = among("", fleet, dropIn: dropIn + "[control]\npinned = \"\(pin)\"\n")
            #expect(both.conflicts.isEmpty, "\(pin)")
            let config = try config(both)
            #expect(config[.isha].volumePercent == isha && config[.jumua].volumePercent == jumua, "\(pin)")
            #expect(config[.dhuhr].volumePercent == 44 && config[.dhuhr].fadeInSeconds == 2)
            #expect(config[.jumua].fadeInSeconds == (pin == "adhan.jumua" ? 0 : 2))
        }
    }

    @Test("However the fleet writes it: in short, in braces, with dots, as list or as table of any names")
    func spellings() throws {
        for (pin, fleet) in [
            ("iqama.fajr.at", "[iqama]\nfajr = \"+20m\"\n"), ("adhan.volume", "adhan = { volume = 33 }\n"),
            ("adhan", "adhan.volume = 33\n"), ("adhan.volume", "adhan.volume = 33\n"),
            ("output", "[[output]]\nname = \"hall\"\ndevices = [\"hw:1\"]\n"),
            ("quiet", "[[quiet]]\nname = \"night\"\n"),
            ("hijri", "[hijri.month-start]\n1448-09 = 2027-02-08\n"),
            ("location", "[location]\nlatitude = 10.0\nlongitude = 10.0\n"),
            ("timezone", "timezone = \"Asia/Dubai\"\n"),
        ] {
            let own = "[control]\npinned = \"\(pin)\"\n"
            let both = among(own, fleet)
            #expect(!both.conflicts.isEmpty, "\(pin): \(fleet)")
            let alone = try ConfigLoader.load(text: own, file: main)
            let bound = try config(both)
            #expect(bound == alone, "\(pin): \(fleet)")
            let loose = try config(among("", fleet))
            #expect(loose != Config.default, "\(fleet)")
        }
    }

    @Test(
        "A pin of a drop-in binds, and one of the fleet's keys that a drop-in overrides is pinned all the same"
    )
    func dropIns() throws {
        let both = among(
            "", "[adhan]\nvolume = 33\n", dropIn: "[adhan]\nvolume = 50\n[control]\npinned = \"adhan\"\n")
        #expect(both.conflicts.map(\.key) == ["adhan.volume"])
        #expect(both.problem?.contains(main + ".d/1.toml, line 4") == true)
        let bound = try config(both)
        #expect(bound[.asr].volumePercent == 50)
    }

    @Test("No volume of the fleet is above loudest, of no output either; upper limits are no volumes")
    func loudest() throws {
        let own = "[adhan]\nvolume = 80\n[control]\nloudest = 70\n"
        let loud = among(own, "[adhan.fajr]\nvolume = 71\n[adhan.asr]\nvolume = 70\n[ramadan]\nvolume = 99\n")
        #expect(loud.conflicts.map(\.key) == ["adhan.fajr.volume", "ramadan.volume"])
        #expect(
            loud.conflicts[0].reason == "71 is above 70, which [control] loudest allows in \(main), line 4")
        let config = try config(loud)
        #expect(config[.fajr].volumePercent == 80 && config[.asr].volumePercent == 70)
        func output(_ line: String) -> [String] {
            among(own, "[[output]]\nname = \"hall\"\ndevices = [\"hw:1\"]\n\(line)\n").conflicts.map(\.key)
        }
        #expect(output("volume = 71") == ["output"] && output("isha-volume = 90") == ["output"])
        #expect(output("volume = 70").isEmpty && output("max-volume = 100").isEmpty)
        #expect(among(own, "[[quiet]]\nname = \"night\"\nvolume = 90\n").conflicts.isEmpty)
        // A drop-in decides what is heard.
        #expect(among(own, "[adhan]\nvolume = 90\n", dropIn: "[adhan]\nvolume = 85\n").conflicts.isEmpty)
        #expect(among("", "[adhan]\nvolume = 100\n").conflicts.isEmpty)
    }

    @Test("What is left no longer goes together: that is the mistake of the whole")
    func halves() {
        let own = "[location]\nlatitude = 1.0\nlongitude = 1.0\n[control]\npinned = \"output\"\n"
        let fleet =
            "[[output]]\nname = \"hall\"\ndevices = [\"hw:1\"]\n[[quiet]]\nname = \"night\"\noutputs = [\"hall\"]\n"
        let both = among(own, fleet)
        #expect(both.conflicts.map(\.key) == ["output"])
        #expect(throws: ConfigError.self) { try ConfigLoader.load(both.sources) }
    }
}
