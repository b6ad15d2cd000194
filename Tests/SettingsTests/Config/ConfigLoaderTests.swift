import LabSupport
import PrayerEngine
import SeededRandom
import Testing

@testable import Settings
@testable import Texts

struct ConfigLoaderTests {
    @Test(
        "Nothing configured is the default",
        arguments: ["", "\n\n", "# nothing", "\u{FEFF}", "[adhan]\n[audio]\n"])
    func empty(_ text: String) throws {
        #expect(try load(text) == .default)
    }

    @Test("The default is the method of the place, everything enabled, the standard sound")
    func defaults() throws {
        let config = Config.default
        #expect(config.calculation.method == "auto")
        #expect(config.calculation.asr == nil && config.calculation.highLatitude == nil)
        #expect(config.timezone == nil && config.location == nil)
        for prayer in Prayer.allCases {
            #expect(config[prayer].enabled)
            #expect(config[prayer].sound == ["standard"])
            #expect(config[prayer].volumePercent == 80)
            #expect(config[prayer].lateGraceSeconds == 120)
        }
        #expect(config.devices == ["default"] && config.fadeOutSeconds == 1 && config.controlGroup == "adhan")
    }

    @Test("The school follows the method where none is written, and is one's own where one is")
    func schools() throws {
        func school(_ text: String) throws -> AsrSchool {
            try load("[calculation]\n" + text).calculation.calculation().asr
        }
        #expect(try school("method = \"umm-al-qura\"") == .standard)
        #expect(try school("method = \"dubai\"") == .standard)
        #expect(try school("method = \"karachi\"") == .hanafi)
        #expect(try school("method = \"isna\"") == .hanafi)
        #expect(try school("rounding = \"safe\"") == .standard)
        #expect(try school("method = \"isna\"\nasr = \"standard\"") == .standard)
        #expect(try school("method = \"jakim\"\nasr = \"hanafi\"") == .hanafi)
        #expect(try school("method = \"custom\"\nangles = {fajr = 18, isha = 17}") == .hanafi)
    }

    @Test("Zones and roundings of single events arrive, and a zone of another method is refused")
    func zones() throws {
        let text =
            "[calculation]\nmethod = \"jakim\"\nzone = \"wly01\"\n[calculation.rounding-by-event]\nfajr = \"up\"\n"
        let config = try load(text)
        let calculation = try config.calculation.calculation()
        #expect(calculation.zone == "WLY01" && calculation.rounding(of: .fajr) == .up)
        #expect(calculation.rounding(of: .isha) == .nearest)
        for (text, part) in [
            ("method = \"jakim\"\nzone = \"XYZ\"", "has no zone \"XYZ\"; it has JHR01"),
            ("method = \"jakim\"\nzone = \"WLY1\"", "; did you mean WLY01?"),
            ("method = \"isna\"\nzone = \"WLY01\"", "isna has no zones; WLY01 is one of the method jakim"),
            ("method = \"isna\"\nzone = \"XYZ\"", "isna has no zones; leave calculation.zone out"),
        ] {
            let error = #expect(throws: ConfigError.self) { try load("[calculation]\n" + text) }
            #expect(error?.reason.contains(part) == true, "\(String(describing: error))")
        }
    }

    @Test("Every key arrives where it belongs")
    func everyKey() throws {
        let config = try load(Self.everything)
        #expect(config.timezone == "Asia/Karachi")
        #expect(
            config.location
                == ConfiguredLocation(
                    name: "Lahore \"old\"", latitude: 31.5, longitude: 74, elevationMetres: 217))
        var calculation = CalculationSettings()
        calculation.method = "custom"
        calculation.angles = CustomAngles(fajrDegrees: 18.5, isha: .minutes(90), maghribDegrees: 4.5)
        calculation.asr = .standard
        calculation.highLatitude = .oneSeventh
        calculation.rounding = Rounding.none
        calculation.midnight = .jafari
        calculation.shafaq = .abyad
        calculation.hijriAdjustment = -1
        calculation.adjustments = EventMinutes(fajr: 2, isha: -3)
        #expect(config.calculation == calculation)
        #expect(config.devices == ["hw:1,0", "default"])
        #expect(config.prerollSeconds == 2 && config.fadeOutSeconds == 0)
        #expect(config.controlGroup == "wheel" && config.debugTriggers)
        var fajr = AdhanSettings()
        fajr.enabled = false
        fajr.sound = ["standard", "/music/dua.mp3"]
        fajr.volumePercent = 60
        fajr.lateGraceSeconds = 5400
        fajr.reminderSeconds = [600, 300]
        fajr.reminderSound = "silent"
        fajr.fadeInSeconds = 90
        #expect(config[.fajr] == fajr)
    }

    static let everything = """
        timezone = "Asia/Karachi"
        location = { name = 'Lahore "old"', latitude = 31.5, longitude = 74, elevation = 217 }
        audio.devices = ["hw:1,0", # the amplifier
          "default",
        ]
        audio.preroll = "2s"
        audio."fade-out" = "0s"
        [calculation]
        method = "custom"
        asr = "standard"
        high-latitude = "one-seventh"
        rounding = "none"
        midnight = "jafari"
        shafaq = "abyad"
        hijri-adjustment = -1
        angles = { fajr = 18.5, isha-minutes = 90, maghrib = 4.5 }
        [calculation.adjustments]
        fajr = +2
        dhuhr = 0
        isha = -0x0
        isha-unused = 0
        [adhan.fajr]
        enabled = false
        sound = ["standard", '''/music/dua.mp3''']
        volume = 60
        late-grace = "1h30m"
        reminders = ["10m", "5m"]
        reminder-sound = "silent"
        fade-in = "90s"
        [control]
        group = "wheel"
        [debug]
        triggers = true
        """.replacing("isha = -0x0\nisha-unused = 0", with: "isha = -3")

    @Test("A prayer does what [adhan] says unless its own table says otherwise, and jumua what dhuhr does")
    func inheritance() throws {
        let config = try load(
            """
            [adhan.jumua]
            volume = 100
            [adhan]
            volume = 50
            sound = "madinah"
            [adhan.dhuhr]
            sound = "short"
            reminders = ["10m"]
            [adhan.isha]
            enabled = false
            """)
        #expect(config[.fajr].volumePercent == 50 && config[.fajr].sound == ["madinah"])
        #expect(config[.dhuhr].sound == ["short"] && config[.dhuhr].volumePercent == 50)
        #expect(config[.jumua].sound == ["short"] && config[.jumua].volumePercent == 100)
        #expect(config[.jumua].reminderSeconds == [600])
        #expect(!config[.isha].enabled && config[.asr].enabled)
    }

    @Test(
        "A method goes by name or by AlAdhan's number",
        arguments: [("2", "isna"), ("\"mwl\"", "mwl"), ("0", "jafari"), ("\"4\"", "umm-al-qura")])
    func methods(_ written: String, _ name: String) throws {
        #expect(try load("[calculation]\nmethod = \(written)").calculation.method == name)
    }

    @Test("The engine calculates by what is configured")
    func engine() throws {
        let calculation = try load(Self.everything).calculation.calculation()
        #expect(calculation.method.name == "custom" && calculation.method.fajrAngle == 18.5)
        #expect(
            calculation.method.isha == .minutes(90, ramadan: 90) && calculation.method.maghribAngle == 4.5)
        #expect(calculation.asr == .standard && calculation.highLatitude == .oneSeventh)
        #expect(calculation.rounding == Rounding.none && calculation.midnight == .jafari)
        #expect(calculation.shafaq == .abyad && calculation.hijri.adjustment == -1)
        #expect(calculation.adjustments == EventMinutes(fajr: 2, isha: -3))
        #expect(try load("[calculation]\nmethod = \"isna\"").calculation.calculation() == Calculation())
        for method in Method.all {
            guard let number = method.number else { continue }
            let text = "[calculation]\nmethod = "
            let byName = try load(text + "\"\(method.name)\"").calculation.calculation()
            #expect(byName.method == method)
            #expect(try load(text + "\(number)").calculation.calculation() == byName)
        }
    }

    @Test(
        "Sounds are names, absolute paths, or silent",
        arguments: [
            ("\"silent\"", ["silent"]), ("[\"silent\"]", ["silent"]),
            ("\"Abdul Basit 1\"", ["Abdul Basit 1"]),
            ("\"/a b/c.mp3\"", ["/a b/c.mp3"]), ("[\"standard\", \"dua\"]", ["standard", "dua"]),
            ("\"أذان\"", ["أذان"]),
        ])
    func sounds(_ written: String, _ sounds: [String]) throws {
        #expect(try load("[adhan]\nsound = \(written)")[.asr].sound == RotatingSound(sounds))
    }

    @Test("The default file loads to the default, and shows every key")
    func defaultText() throws {
        #expect(try load(Config.defaultText) == .default)
        for (path, entry) in ConfigSchema.index.all {
            guard case .key(let rule) = entry, path.count < 3 || path[0] != ConfigSchema.adhanTable else {
                continue
            }
            let name = path.joined(separator: ".")
            let shown =
                switch rule {
                case .tables: "[[\(name)]]"
                case .entries: "[\(name)]"
                default: "\(path[path.count - 1]) = "
                }
            #expect(Config.defaultText.contains(shown))
        }
    }

    @Test("Uncommenting the default file's examples keeps it valid, one alternative at a time")
    func examples() throws {
        let lines = Config.defaultText.replacing("method = \"auto\"", with: "method = \"custom\"")
            .replacing("# isha-minutes = ", with: "## ").replacing("# zone = ", with: "## ")
            .replacing("# except = ", with: "## ").split(separator: "\n")
        // Devices of [audio] go with no [[output]].
        let beside = lines.firstIndex { $0.hasPrefix("# keep-awake = ") }
        let text = lines.enumerated().filter { index, line in
            index != beside && !line.hasPrefix("devices = [\"default\"]") && !line.hasPrefix("# outputs = ")
        }.map(\.element).map { line in
            line.hasPrefix("# ") && (line.contains(" = ") || line.hasPrefix("# ["))
                ? String(line.dropFirst(2)) : String(line)
        }
        let config = try load(text.joined(separator: "\n"))
        #expect(config.timezone == "America/New_York")
        #expect(config.location?.latitude == 40.7282)
        #expect(config.calculation.angles == CustomAngles(fajrDegrees: 18, isha: .angle(degrees: 17)))
        #expect(config[.fajr].volumePercent == 60)
        #expect(config[.dhuhr].beforeIqamaSeconds == 900)
        #expect(config.iqama.rules[.fajr]?.notAfter == .after(.sunrise, minutes: -20))
        #expect(config.iqama.rules[.dhuhr] == IqamaRule(at: .clock(minutes: 810)))
        #expect(config.iqama.changes.count == 1 && config.iqama.seasons.count == 1)
        #expect(config.jumua.slots.first?.khutba == .clock(minutes: 790))
        #expect(Array(config.calculation.hijriPins.values) == [CivilDate(year: 2027, month: 2, day: 8)])
    }

    @Test("What is printed loads to the same configuration")
    func printed() throws {
        let texts = [
            "", Self.everything, "[adhan.jumua]\nvolume = 3",
            "[adhan]\nsound = \"silent\"\nreminders = [\"1s\"]",
        ]
        for text in texts {
            let config = try load(text)
            #expect(try load(config.printed()) == config)
        }
    }

    @Test("Random configurations survive being printed and read")
    func randomPrinted() throws {
        var random = SplitMix64(seed: 20_261_120)
        for _ in 0..<RandomCases.count(300) {
            let config = Config.random(using: &random)
            let text = config.printed()
            #expect(try load(text) == config, "\(text)")
        }
    }

    private func load(_ text: String) throws -> Config {
        try ConfigLoader.load(text: text, file: "test")
    }
}
