import LabSupport
import PrayerEngine
import Testing

@testable import Protocol
@testable import Settings
@testable import Texts

@Suite("Sounds that rotate by the day")
struct RotatingSoundTests {
    private static let three = RotatingSound(rotating: [["makkah"], ["madinah"], ["takbir", "aqsa"]])
    private static let written = "{ rotate = [\"makkah\", \"madinah\", [\"takbir\", \"aqsa\"]] }"

    private func load(_ text: String) throws -> Config { try ConfigLoader.load(text: text, file: "test") }

    private func mistake(_ text: String) -> String? {
        do {
            _ = try load(text)
            return nil
        } catch let error as ConfigError {
            return "\(error.line):\(error.column) \(error.reason)"
        } catch {
            return "\(error)"
        }
    }

    @Test("Each day has the next entry, over leap years, the ends of years and days before 1970")
    func days() throws {
        let first = try #require(CivilDate("1970-01-01"))
        #expect(Self.three.sounds(on: first) == ["makkah"])
        // 1968, 1972, 2000 and 2028 have a 29 February, 2100 has none.
        for (from, count) in [
            ("1967-12-20", 1200), ("1999-12-01", 500), ("2027-12-01", 500), ("2100-01-01", 90),
        ] {
            let start = try #require(CivilDate(from))
            for offset in 0..<count {
                let (day, next) = (start.adding(days: offset), start.adding(days: offset + 1))
                for count in 2...16 {
                    let sound = RotatingSound(rotating: (0..<count).map { ["\($0)"] })
                    let place = try #require(sound.sounds(on: day).first.flatMap { Int($0) })
                    #expect(sound.sounds(on: next) == ["\((place + 1) % count)"], "\(day) of \(count)")
                }
            }
        }
        // 10958 days from 1970-01-01 to 2000-01-02, and -1 to 1969-12-31.
        #expect(try Self.three.sounds(on: #require(CivilDate("2000-01-02"))) == ["takbir", "aqsa"])
        #expect(try Self.three.sounds(on: #require(CivilDate("1969-12-31"))) == ["takbir", "aqsa"])
        #expect(try Self.three.sounds(on: #require(CivilDate("1969-12-30"))) == ["madinah"])
    }

    @Test("It may stand wherever a sound may, reads back as it is written, and Fajr's own replaces it")
    func everywhere() throws {
        let text = """
            [adhan]
            sound = \(Self.written)
            reminder-sound = { rotate = ["signal", "silent"] }
            [adhan.fajr]
            sound = "dawn"
            [iqama]
            sound = \(Self.written)
            reminder-sound = { rotate = ["a", "b"] }
            [jumua]
            khutba-sound = \(Self.written)
            [[jumua.slot]]
            khutba = "13:10"
            sound = { rotate = ["x", "y"] }
            [ramadan]
            wake-sound = \(Self.written)
            imsak-sound = \(Self.written)
            iftar-sound = \(Self.written)
            [eid]
            takbirat-sound = \(Self.written)
            """
        let config = try load(text)
        #expect(config[.asr].sound == Self.three && config[.jumua].sound == Self.three)
        #expect(
            config[.fajr].sound == "dawn" && config[.asr].reminderSound.entries == [["signal"], ["silent"]])
        #expect(config.iqamaAnnouncement.sound == Self.three && config.jumua.khutbaSound == Self.three)
        #expect(config.jumua.slots.first?.sound?.entries == [["x"], ["y"]])
        #expect(config.ramadan.wakeSound == Self.three && config.ramadan.imsakSound == Self.three)
        #expect(config.ramadan.iftarSound == Self.three && config.eid.takbiratSound == Self.three)
        #expect(try load(config.printed()) == config)
        let uses = Set(
            SoundUse.all(in: config).filter { $0.occasion == .adhan && $0.prayer == .asr }.map(\.sound))
        #expect(uses == ["makkah", "madinah", "takbir", "aqsa"])
    }

    @Test("A list over several lines, a table in braces around it, and dotted keys around it are the same")
    func forms() throws {
        for text in [
            "adhan = { sound = \(Self.written) }", "adhan.sound = \(Self.written)",
            "[adhan]\nsound = { rotate = [\n  \"makkah\",\n  \"madinah\",  # of 2025\n  [\"takbir\", \"aqsa\"],\n] }\n",
        ] {
            #expect(try load(text)[.asr].sound == Self.three, "\(text)")
        }
    }

    private static let values = [
        "{ }",
        "{ random = [\"a\", \"b\"] }",
        "{ rotate = [\"a\", \"b\"], volume = 3 }",
        "{ rotate = \"makkah\" }",
        "{ rotate = [] }",
        "{ rotate = [\"makkah\"] }",
        "{ rotate = [\"a\", \"makkah.mp3\"] }",
        "{ rotate = [\"a\", 5] }",
        "{ rotate = [\"a\", []] }",
        "{ rotate = [\"a\", [\"b\", \"silent\"]] }",
        "{ rotate = [\"a\", { rotate = [\"b\", \"c\"] }] }",
        "{ rotate = [\(Array(repeating: "\"a\"", count: 17).joined(separator: ", "))] }",
    ]

    @Test("Every mistake has one sentence that says what to write")
    func mistakes() throws {
        let texts =
            Self.values.map { "[adhan]\nsound = \($0)" } + [
                "[adhan]\nreminder-sound = { rotate = [\"a\", [\"b\", \"c\"]] }",
                "[[jumua.slot]]\nkhutba = \"13:10\"\nsound = { rotate = [\"a\"] }",
            ]
        let answers = texts.map { "\($0)\n=> \(mistake($0) ?? "no mistake")\n" }
        try ExpectedText.expect(answers.joined(), in: "rotation-mistakes.txt", of: .module)
    }

    @Test(
        "A table of its own is refused where a rotation is meant, and a rotation where no sound is")
    func misplaced() {
        #expect(
            mistake("[adhan.sound]\nrotate = [\"a\", \"b\"]")?.hasSuffix(
                "not a table of its own: a rotation stands in braces behind the key, such as { rotate = [\"makkah\", \"madinah\"] }"
            ) == true)
        #expect(mistake("[audio]\ndevices = { rotate = [\"a\", \"b\"] }")?.contains("not a table") == true)
    }

    @Test("A command sets a rotation, says of one what it replaces, and names no paths in it")
    func commands() throws {
        let change = try ConfigChange(
            [.init(key: "adhan.sound", words: [Self.written])], in: nil, file: "f", dropIns: [])
        #expect(change.steps == [.init(key: "adhan.sound", value: Self.written, before: nil)])
        #expect(change.effective.config[.isha].sound == Self.three)
        let over = try ConfigChange(
            [.init(key: "adhan.sound", words: ["madinah"])], in: change.text, file: "f", dropIns: [])
        #expect(over.steps == [.init(key: "adhan.sound", value: "\"madinah\"", before: Self.written)])
        #expect(over.effective.config[.isha].sound == "madinah")
        let undone = try ConfigChange(unsetting: ["adhan.sound"], in: change.text, file: "f", dropIns: [])
        #expect(undone.effective.config == .default)
        let key = try #require(SettableKey("adhan.sound"))
        #expect(try SettingValue(Self.written, of: key).toml == Self.written)
        let refused = #expect(throws: SettingsRefusal.self) {
            try SettingValue("{ rotate = [\"a\", [\"b\", \"/etc/shadow\"]] }", of: key)
        }
        guard case .invalid(_, _, let reason)? = refused else { return }
        #expect(reason.contains("/etc/shadow"))
        let ofIsha = try #require(SettableKey("adhan.isha.sound"))
        #expect(ofIsha.value(in: change.effective.config, DisplayConfig()) == Self.written)
    }

    @Test("For people, and whether it is silent")
    func words() {
        #expect(Self.three.text == "one a day of makkah / madinah / takbir, aqsa")
        #expect(RotatingSound(["a", "b"]).text == "a, b" && !RotatingSound(["a", "b"]).rotates)
        #expect(RotatingSound(rotating: [["silent"], ["silent"]]).isSilent)
        #expect(!RotatingSound(rotating: [["silent"], ["a"]]).isSilent && RotatingSound([]).isEmpty)
    }
}
